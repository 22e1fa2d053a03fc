/// Garmin's Training Center Database (TCX 1 and 2) and the older Forerunner Logbook: the points of `Track`.
///
/// A new lap is not a break, but a new track inside a lap is: this is how pauses are written.
struct TCX: TrackFormat {
  let name = "TCX"

  func recognizes(_ head: [UInt8]) -> Bool {
    XMLScanner.root(of: head[...]) == "TrainingCenterDatabase"
      || XMLScanner.root(of: head[...]) == "History" && head.contains("ForerunnerLogbook")
  }

  func read(_ input: InputWindow, into builder: inout TrackBuilder) throws(FileError) {
    var point: (depth: Int, draft: PointDraft)?
    var value: [UInt8] = []
    var beginsLap = false
    try TrackXML.scan(input, into: &builder) { xml, builder in
      switch xml.kind {
      case .start:
        value.removeAll(keepingCapacity: true)
        if xml.localName.elementsEqual("Trackpoint") {
          point = (xml.depth, PointDraft())
        } else if xml.localName.elementsEqual("Lap") {
          beginsLap = true
        } else if xml.localName.elementsEqual("Track") {
          if !beginsLap { builder.endSegment() }
          beginsLap = false
        }
      case .text, .cdata:
        if point != nil { value += xml.bytes[xml.range] }
      case .end:
        if let ended = point, xml.depth < ended.depth {
          ended.draft.finish(into: &builder)
          point = nil
        } else if point != nil {
          point?.draft.take(value, of: xml.localName)
          value.removeAll(keepingCapacity: true)
        } else if ["Activity", "Course", "Run"].contains(where: { xml.localName.elementsEqual($0) }) {
          builder.endSegment()
        }
      }
    }
  }
}

extension PointDraft {
  fileprivate mutating func take(_ value: [UInt8], of name: ArraySlice<UInt8>) {
    guard !PlainText.trimmed(value, 0..<value.count).isEmpty else { return }
    if name.elementsEqual("Time") {
      take(time: value, 0..<value.count)
    } else if name.elementsEqual("LatitudeDegrees") || name.elementsEqual("Latitude") {
      latitude = PlainText.number(value, 0..<value.count)
    } else if name.elementsEqual("LongitudeDegrees") || name.elementsEqual("Longitude") {
      longitude = PlainText.number(value, 0..<value.count)
    } else if name.elementsEqual("AltitudeMeters") || name.elementsEqual("Altitude") {
      altitude = PlainText.number(value, 0..<value.count)
    } else if name.elementsEqual("Speed") {
      speed = PlainText.number(value, 0..<value.count)
    }
  }
}
