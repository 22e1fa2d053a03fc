/// GPX 1.0 and 1.1: the points of `trkseg`. Waypoints and routes are no track and are left out, which is reported if
/// there is no track.
///
/// Speed and course are also read from extensions (Garmin's TrackPointExtension 2), in the units of GPX 1.0: m/s and
/// degrees from true north. Other elements in extensions are ignored. A time without a time zone is read as UTC, which
/// both versions prescribe, and counted.
struct GPX: TrackFormat {
  let name = "GPX"

  func recognizes(_ head: [UInt8]) -> Bool { XMLScanner.root(of: head[...]) == "gpx" }

  func read(_ input: InputWindow, into builder: inout TrackBuilder) throws(FileError) {
    var point: Point?
    try TrackXML.scan(input, into: &builder) { xml, builder in
      switch xml.kind {
      case .start:
        if let outer = point {
          let field = Field(xml.localName)
          let isOwn = xml.depth == outer.depth + 1
          point?.field = isOwn || field == .speed || field == .course ? field : nil
        } else if xml.localName.elementsEqual("trkpt") {
          point = Point(xml)
        } else if xml.localName.elementsEqual("wpt") {
          builder.notePlace()
        } else if xml.localName.elementsEqual("rtept") {
          builder.noteRoutePoint()
        }
      case .text, .cdata:
        point?.take(xml.bytes, xml.range)
      case .end:
        if let ended = point {
          point?.field = nil
          guard xml.depth < ended.depth else { return }
          ended.finish(into: &builder)
          point = nil
        } else if xml.localName.elementsEqual("trkseg") || xml.localName.elementsEqual("trk") {
          builder.endSegment()
        }
      }
    }
  }
}

/// The elements in `trkpt` that are used.
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
  private var draft = PointDraft()
  private var hdop: Double?

  init(_ xml: XMLScanner) {
    depth = xml.depth
    for attribute in xml.attributes {
      if xml.bytes[attribute.name].elementsEqual("lat") {
        draft.latitude = PlainText.number(xml.bytes, attribute.value)
      } else if xml.bytes[attribute.name].elementsEqual("lon") {
        draft.longitude = PlainText.number(xml.bytes, attribute.value)
      }
    }
  }

  /// Takes characters inside the point: the value of the open child element, once.
  mutating func take(_ bytes: [UInt8], _ range: Range<Int>) {
    guard let field else { return }
    let range = PlainText.trimmed(bytes, range)
    guard !range.isEmpty else { return }
    self.field = nil
    switch field {
    case .time: draft.take(time: bytes, range, missingZone: .isUTC)
    case .altitude: draft.altitude = PlainText.number(bytes, range)
    case .speed: draft.speed = PlainText.number(bytes, range)
    case .course: draft.course = PlainText.number(bytes, range)
    case .hdop: hdop = PlainText.number(bytes, range)
    case .pdop: draft.dilution = PlainText.number(bytes, range)
    case .fix: if bytes[range].elementsEqual("none") { draft.rejection = .noFix }
    }
  }

  func finish(into builder: inout TrackBuilder) {
    var draft = draft
    draft.dilution = draft.dilution ?? hdop
    draft.finish(into: &builder)
  }
}
