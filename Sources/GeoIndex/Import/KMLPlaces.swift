import Basics

/// KML 2.2 (OGC 07-147r2): the placemarks that have exactly one point, and lines and areas with a name. The names of
/// folders become categories; tracks and models are counted.
struct KMLPlaces: PlaceFormat {
  let name = "KML"

  func recognizes(_ head: ArraySlice<UInt8>) -> Bool { XMLScanner.root(of: head) == "kml" }

  func read(_ file: PlaceFile, _ take: (ImportedPlace) throws -> Void) throws {
    var reader = XMLReader(file.window, splitsText: true)
    var number = 0
    var folders: [(name: String?, depth: Int)] = []
    var placemark: Placemark?
    var text = ElementText()
    while try reader.next() {
      let xml = reader.scanner
      let name = String(decoding: xml.localName, as: UTF8.self)
      switch xml.kind {
      case .start where name == "Placemark" && placemark == nil:
        number += 1
        placemark = Placemark(depth: xml.depth)
        placemark?.draft[.id] = xml.attribute("id")
      case .start where name == "Folder" && placemark == nil: folders.append((nil, xml.depth))
      case .start:
        placemark?.begin(name)
        let depth = placemark?.depth ?? folders.last?.depth
        let isCoordinates = name == "coordinates" && placemark?.isPoint == true
        text.begin(isCoordinates ? .position : name == "name" && xml.depth == depth.map { $0 + 1 } ? .name : nil)
      case .text:
        let bytes = try xml.unescapedBytes(xml.range)
        text.append(bytes)
        try placemark?.line?.append(bytes)
      case .cdata:
        text.append(xml.bytes[xml.range])
        try placemark?.line?.append(xml.bytes[xml.range])
      case .end:
        if let field = text.end() {
          guard let value = text.value else {
            throw ElementText.unreadable(placemark == nil ? "the name of a folder" : "placemark \(number)")
          }
          if placemark == nil {
            folders.indices.last.map { folders[$0].name = value }
          } else if field == .position {
            placemark?.coordinates = value
          } else {
            placemark?.draft[field] = value
          }
        }
        placemark?.end(name)
        if let ended = placemark, xml.depth < ended.depth {
          try take(ended.place(in: folders.compactMap(\.name), entry: "placemark \(number)"))
          placemark = nil
        }
        if let folder = folders.last, xml.depth < folder.depth { folders.removeLast() }
      }
    }
  }
}

/// A `Placemark` while it is read.
private struct Placemark {
  let depth: Int
  var draft = PlaceDraft()
  /// The text `longitude,latitude[,altitude]`.
  var coordinates: String?
  private(set) var isPoint = false
  private var hasShape = false
  private var points = 0
  private var extent = Extent()
  /// The points of the line or outline that is being read.
  var line: KMLLine?
  private var shape: Shape?

  private enum Shape { case line, ring, hole }

  private static let shapes: Set = ["LineString", "LinearRing", "Polygon", "Model", "Track", "MultiTrack"]

  init(depth: Int) { self.depth = depth }

  mutating func begin(_ name: String) {
    if Self.shapes.contains(name) { hasShape = true }
    switch name {
    case "Point": (isPoint, points) = (true, points + 1)
    case "LineString": shape = .line
    case "innerBoundaryIs": shape = .hole
    case "LinearRing": if shape == nil { shape = .ring }
    case "coordinates": if let shape, shape != .hole, !isPoint { line = KMLLine() }
    default: break
    }
  }

  mutating func end(_ name: String) {
    switch name {
    case "Point": isPoint = false
    case "LineString", "innerBoundaryIs": shape = nil
    case "LinearRing": if shape == .ring { shape = nil }
    case "coordinates":
      guard var ended = line.take(), let points = ended.end() else { break }
      if shape == .ring { extent.addRing(points) } else { extent.addLine(points) }
    default: break
    }
  }

  func place(in folders: [String], entry: String) -> ImportedPlace {
    guard points <= 1 else { return .bad(entry: entry, why: "it has \(points) points, expected one") }
    var draft = draft
    draft[.category] = folders.joined(separator: "/")
    draft.radius = extent.radius
    guard points == 1 else {
      guard hasShape else { return .bad(entry: entry, why: "it has no position") }
      guard draft[.name] != nil, let center = extent.center else { return .shape }
      draft.point = center
      return .place(draft, entry: entry)
    }
    let numbers = (coordinates ?? "").split(separator: ",", omittingEmptySubsequences: false).map {
      PlaceDraft.decimal($0.filter { !$0.isWhitespace })
    }
    guard (2...3).contains(numbers.count), let longitude = numbers[0], let latitude = numbers[1],
      let point = Coordinate(latitude: latitude, longitude: longitude)
    else { return .bad(entry: entry, why: "its coordinates are not a valid longitude,latitude") }
    draft.point = point
    // Programs write zero if they don't know the altitude.
    if numbers.count == 3, let altitude = numbers[2], altitude != 0 { draft[.altitude] = "\(altitude)" }
    return .place(draft, entry: entry)
  }
}

/// The coordinates of a line, which arrive in pieces: `longitude,latitude[,altitude]` with blanks between the points.
private struct KMLLine {
  private var points: [Coordinate] = []
  private var word: [UInt8] = []
  private var isValid = true

  private static let mostPoints = 4_000_000
  private static let longestWord = 200

  mutating func append(_ piece: ArraySlice<UInt8>) throws(FileError) {
    for byte in piece {
      if byte > 0x20 {
        if word.count < Self.longestWord { word.append(byte) }
      } else {
        try endWord()
      }
    }
  }

  private mutating func endWord() throws(FileError) {
    guard !word.isEmpty else { return }
    let numbers = word.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
      PlaceDraft.decimal(String(decoding: $0, as: UTF8.self))
    }
    word.removeAll(keepingCapacity: true)
    guard (2...3).contains(numbers.count), let longitude = numbers[0], let latitude = numbers[1],
      let point = Coordinate(latitude: latitude, longitude: longitude)
    else { return isValid = false }
    guard points.count < Self.mostPoints else {
      throw FileError(.valueTooLong, "a line or area has more than \(Self.mostPoints) points")
    }
    points.append(point)
  }

  /// Returns the points; nil if there are none, or if a part isn't a point.
  mutating func end() -> [Coordinate]? {
    // A line is never too long because of its last point.
    try? endWord()
    return isValid && !points.isEmpty ? points : nil
  }
}
