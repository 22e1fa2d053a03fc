/// KML 2.2 and 2.3: `gx:Track` and `Track`, placemarks with a `TimeStamp`, and points and lines with a `TimeSpan`.
///
/// A point with a time span is a stay; a line with one is a way at constant speed. Points without a time are counted.
/// Times and altitude modes in a placemark's view (`LookAt`, `Camera`) describe how a map was viewed, not the place,
/// and are ignored.
struct KML: TrackFormat {
  let name = "KML"

  func recognizes(_ head: [UInt8]) -> Bool { XMLScanner.root(of: head[...]) == "kml" }

  func read(_ input: InputWindow, into builder: inout TrackBuilder) throws(FileError) {
    var value: [UInt8] = []
    var track: KMLTrack?
    var placemark: KMLPlacemark?
    try TrackXML.scan(input, into: &builder) { xml, builder in
      let name = xml.localName
      switch xml.kind {
      case .start:
        value.removeAll(keepingCapacity: true)
        if name.elementsEqual("Placemark") { placemark = KMLPlacemark(depth: xml.depth) }
        if name.elementsEqual("Track") { track = KMLTrack(depth: xml.depth) }
        placemark?.begin(name, depth: xml.depth)
      case .text, .cdata:
        if track != nil || placemark != nil { value += xml.bytes[xml.range] }
      case .end:
        if name.elementsEqual("Track") {
          track?.finish(into: &builder)
          track = nil
          builder.endSegment()
        } else if track != nil {
          if track?.depth == xml.depth { track?.take(value, of: name, into: &builder) }
        } else if name.elementsEqual("Placemark") {
          placemark?.finish(into: &builder)
          placemark = nil
        } else if placemark != nil {
          placemark?.take(value, of: name)
        } else if name.elementsEqual("Folder") || name.elementsEqual("Document") {
          builder.endSegment()
        }
        value.removeAll(keepingCapacity: true)
      }
    }
  }
}

/// The longitude, the latitude and, if it is above sea level, the altitude.
struct KMLPosition {
  let longitude, latitude, altitude: Double?

  /// Parses `7.5,47.25,400` or, in tracks, `7.5 47.25 400`.
  init(_ bytes: [UInt8], _ range: Range<Int>, separator: UInt8) {
    let fields = bytes[range].split(separator: separator).map { PlainText.number(bytes, $0.startIndex..<$0.endIndex) }
    longitude = fields.first ?? nil
    latitude = fields.count > 1 ? fields[1] : nil
    altitude = fields.count > 2 ? fields[2] : nil
  }

  var draft: PointDraft {
    var draft = PointDraft()
    (draft.latitude, draft.longitude, draft.altitude) = (latitude, longitude, altitude)
    return draft
  }
}

/// Whether the altitudes of an element are above sea level.
private enum AltitudeMode {
  /// The altitudes are above sea level: `absolute`.
  case known
  /// The numbers mean nothing: `clampToGround` and the like.
  case meaningless
  /// There is no mode. The standard's default is `clampToGround`, but many programs write altitudes and no mode; then
  /// zero means no altitude.
  case unsaid

  init(_ value: [UInt8]) {
    self = value[PlainText.trimmed(value, 0..<value.count)].elementsEqual("absolute") ? .known : .meaningless
  }

  func altitude(_ value: Double?) -> Double? {
    switch self {
    case .known: value
    case .meaningless: nil
    case .unsaid: value == 0 ? nil : value
    }
  }
}

/// A `gx:Track` while it is read: the n-th `when` belongs to the n-th `coord`, in whichever order they appear.
private struct KMLTrack {
  /// The number of elements that are open inside it. Only children count, since models further down have altitude modes
  /// too.
  let depth: Int
  private var times = Queue<PointDraft>()
  private var positions = Queue<PointDraft>()
  private var mode = AltitudeMode.unsaid

  init(depth: Int) { self.depth = depth }

  mutating func take(_ value: [UInt8], of name: ArraySlice<UInt8>, into builder: inout TrackBuilder) {
    if name.elementsEqual("when") {
      var draft = PointDraft()
      draft.take(time: value, 0..<value.count)
      times.append(draft)
    } else if name.elementsEqual("coord") {
      let range = PlainText.trimmed(value, 0..<value.count)
      var draft = KMLPosition(value, range, separator: 0x20).draft
      draft.altitude = mode.altitude(draft.altitude)
      positions.append(draft)
    } else if name.elementsEqual("altitudeMode") {
      mode = AltitudeMode(value)
    } else {
      return
    }
    while !times.isEmpty, !positions.isEmpty, let time = times.takeFirst(), var point = positions.takeFirst() {
      (point.instant, point.rejection) = (time.instant, time.rejection)
      point.finish(into: &builder)
    }
  }

  mutating func finish(into builder: inout TrackBuilder) {
    while let draft = times.takeFirst() ?? positions.takeFirst() { draft.finish(into: &builder) }
  }
}

/// A FIFO queue whose cost per element doesn't depend on its length.
private struct Queue<Element> {
  private var elements: [Element] = []
  private var taken = 0

  init() {}

  var isEmpty: Bool { taken == elements.count }
  mutating func append(_ element: Element) { elements.append(element) }

  mutating func takeFirst() -> Element? {
    guard !isEmpty else { return nil }
    defer {
      taken += 1
      if isEmpty { (elements, taken) = ([], 0) }
    }
    return elements[taken]
  }
}

/// A `Placemark` while it is read.
private struct KMLPlacemark {
  /// The kind of the open child element. Views and regions have times and altitude modes as well, which don't count.
  private enum Child {
    case time, geometry, other

    init(_ name: ArraySlice<UInt8>) {
      if name.elementsEqual("TimeStamp") || name.elementsEqual("TimeSpan") {
        self = .time
      } else if ["Point", "LineString", "LinearRing", "Polygon", "MultiGeometry", "MultiTrack"]
        .contains(where: { name.elementsEqual($0) })
      {
        self = .geometry
      } else {
        self = .other
      }
    }
  }

  private let depth: Int
  private var child = Child.other
  private var when = PointDraft()
  private var begin = PointDraft()
  private var end = PointDraft()
  private var isPolygon = false
  private var isLine = false
  private var positions: [KMLPosition] = []
  private var mode = AltitudeMode.unsaid

  /// Creates an empty placemark.
  /// - Parameter depth: The number of elements that are open inside it.
  init(depth: Int) { self.depth = depth }

  mutating func begin(_ name: ArraySlice<UInt8>, depth: Int) {
    if depth == self.depth + 1 { child = Child(name) }
    if name.elementsEqual("Polygon") { isPolygon = true }
    if name.elementsEqual("LineString") { isLine = true }
  }

  mutating func take(_ value: [UInt8], of name: ArraySlice<UInt8>) {
    let range = PlainText.trimmed(value, 0..<value.count)
    if name.elementsEqual("Polygon") {
      isPolygon = false
    } else if name.elementsEqual("coordinates"), !isPolygon {
      positions += value[range].split(whereSeparator: { $0 == 0x20 || (0x09...0x0D).contains($0) })
        .map { KMLPosition(value, $0.startIndex..<$0.endIndex, separator: UInt8(ascii: ",")) }
    } else if name.elementsEqual("when"), child == .time {
      when.take(time: value, range)
    } else if name.elementsEqual("begin"), child == .time {
      begin.take(time: value, range)
    } else if name.elementsEqual("end"), child == .time {
      end.take(time: value, range)
    } else if name.elementsEqual("altitudeMode"), child == .geometry {
      mode = AltitudeMode(value)
    }
  }

  func finish(into builder: inout TrackBuilder) {
    let coordinates = positions.compactMap { position in
      position.latitude.flatMap { latitude in
        position.longitude.flatMap { Coordinate(latitude: latitude, longitude: $0) }
      }
    }
    if begin.rejection == nil, end.rejection == nil, let start = begin.instant, let end = end.instant, start <= end,
      coordinates.count == positions.count
    {
      if isLine, coordinates.count > 1 {
        builder.addLine(coordinates, altitudes: positions.map { mode.altitude($0.altitude) }, from: start, to: end)
        return
      }
      if !isLine, let place = coordinates.first, coordinates.count == 1 {
        return builder.addStay(at: place, from: start, to: end)
      }
    }
    let isUndated = [when, begin, end].allSatisfy { $0.instant == nil && $0.rejection == nil }
    if !isLine, positions.count == 1, isUndated { builder.notePlace() }
    for position in positions {
      var draft = position.draft
      draft.altitude = mode.altitude(draft.altitude)
      // Nothing is in all points of a line at once.
      if !isLine || positions.count == 1 { (draft.instant, draft.rejection) = (when.instant, when.rejection) }
      draft.finish(into: &builder)
    }
  }
}
