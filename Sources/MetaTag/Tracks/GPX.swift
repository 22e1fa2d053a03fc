/// GPX 1.0 and 1.1: the points of `trkseg`. Waypoints and routes are no track and are left out.
///
/// Names are told by their local part, since exporters choose prefixes as they like. Speed and course also come from
/// extensions (Garmin's TrackPointExtension 2), which use the units of GPX 1.0: m/s and degrees from true north.
/// A time without zone is read as UTC, which both versions prescribe, and counted.
struct GPX: TrackFormat {
  let name = "GPX"

  func recognizes(_ bytes: [UInt8]) -> Bool {
    var xml = XMLScanner(Array(bytes.prefix(65_536)))
    while (try? xml.next()) == true {
      if xml.kind == .start { return xml.localName.elementsEqual("gpx") }
    }
    return false
  }

  func read(_ bytes: [UInt8], into builder: inout TrackBuilder) throws(PhotoError) {
    var xml = XMLScanner(bytes)
    var point: Point?
    do throws(PhotoError) {
      while try xml.next() {
        switch xml.kind {
        case .start:
          if point != nil {
            point?.field = Field(xml.localName)
          } else if xml.localName.elementsEqual("trkpt") {
            point = Point(xml)
          }
        case .text, .cdata:
          point?.take(bytes, xml.range)
        case .end:
          if let ended = point {
            point?.field = nil
            guard xml.depth < ended.depth else { continue }
            ended.finish(into: &builder)
            point = nil
          } else if xml.localName.elementsEqual("trkseg") || xml.localName.elementsEqual("trk") {
            builder.endSegment()
          }
        }
      }
    } catch {
      // Loggers lose power, also inside a tag. What was recorded before that is as good as ever.
      let isInLastTag = !bytes[xml.range.upperBound...].contains(UInt8(ascii: ">"))
      guard error.kind == .truncated || isInLastTag, !builder.isEmpty else { throw error }
      builder.noteEnd(at: bytes.count)
    }
  }
}

/// The children of `trkpt` that are used.
private enum Field {
  case time, altitude, speed, course, hdop, pdop, fix

  init?(_ name: ArraySlice<UInt8>) {
    switch name.count {
    case 3 where name.elementsEqual("ele"): self = .altitude
    case 3 where name.elementsEqual("fix"): self = .fix
    case 4 where name.elementsEqual("time"): self = .time
    case 4 where name.elementsEqual("hdop"): self = .hdop
    case 4 where name.elementsEqual("pdop"): self = .pdop
    case 5 where name.elementsEqual("speed"): self = .speed
    case 6 where name.elementsEqual("course"): self = .course
    default: return nil
    }
  }
}

/// A `trkpt` while it is read.
private struct Point {
  let depth: Int
  var field: Field?
  private let coordinate: Coordinate?
  private var instant: Instant?
  private var rejection: TrackSource.Rejection?
  private var lacksZone = false
  private var altitude, speed, course, hdop, pdop: Double?

  init(_ xml: XMLScanner) {
    depth = xml.depth
    var latitude, longitude: Double?
    for attribute in xml.attributes {
      if xml.bytes[attribute.name].elementsEqual("lat") { latitude = PlainText.number(xml.bytes, attribute.value) }
      if xml.bytes[attribute.name].elementsEqual("lon") { longitude = PlainText.number(xml.bytes, attribute.value) }
    }
    if let latitude, let longitude {
      coordinate = Coordinate(latitude: latitude, longitude: longitude)
    } else {
      coordinate = nil
    }
  }

  /// Characters inside the point: the value of the child that was begun, once.
  mutating func take(_ bytes: [UInt8], _ range: Range<Int>) {
    guard let field else { return }
    let range = PlainText.trimmed(bytes, range)
    guard !range.isEmpty else { return }
    self.field = nil
    switch field {
    case .time:
      guard let (time, nanoseconds, offset) = PlainText.dateTime(bytes, range) else {
        rejection = .malformedTime
        return
      }
      lacksZone = offset == nil
      instant = Instant(seconds: time.secondsSince1970 - Int64(offset ?? 0), nanoseconds: nanoseconds)
    case .altitude: altitude = PlainText.number(bytes, range)
    case .speed: speed = PlainText.number(bytes, range)
    case .course: course = PlainText.number(bytes, range)
    case .hdop: hdop = PlainText.number(bytes, range)
    case .pdop: pdop = PlainText.number(bytes, range)
    case .fix: if bytes[range].elementsEqual("none") { rejection = .noFix }
    }
  }

  func finish(into builder: inout TrackBuilder) {
    guard let coordinate else { return builder.reject(.noPosition) }
    guard let instant, rejection == nil else { return builder.reject(rejection ?? .noTime) }
    if lacksZone { builder.noteMissingZone() }
    builder.add(
      TrackPoint(
        instant, coordinate, altitude: altitude, speed: speed, course: course, dilutionOfPrecision: pdop ?? hdop))
  }
}

extension XMLScanner {
  /// The name without its prefix.
  fileprivate var localName: ArraySlice<UInt8> {
    let name = bytes[name]
    guard let colon = name.lastIndex(of: UInt8(ascii: ":")) else { return name }
    return name[(colon + 1)...]
  }
}
