/// OwnTracks: the recorder's `.rec` files (a time, a blank-padded type and JSON on each line), its JSON export, and
/// bare messages. https://owntracks.org/booklet/tech/json/
struct OwnTracks: TrackFormat {
  let name = "OwnTracks"

  func recognizes(_ head: [UInt8]) -> Bool {
    head.contains("\"tst\"") && head.contains("\"lat\"") && head.contains("\"lon\"")
  }

  func read(_ input: InputWindow, into builder: inout TrackBuilder) throws(FileError) {
    if Messages().isJSON(Array(input.head)) { return try Messages().read(input, into: &builder) }
    var input = input
    while let (range, isWhole) = try input.line() {
      guard let start = input.bytes[range].firstIndex(of: UInt8(ascii: "{")) else { continue }
      let line = Array(input.bytes[start..<range.upperBound])
      do throws(FileError) {
        var json = JSONReader(try InputWindow(SourceStream(Bytes(line))))
        Messages().take(try json.value(), into: &builder)
      } catch {
        if isWhole { builder.reject(.malformed) } else { builder.noteEnd(at: input.position) }
      }
    }
  }

  private struct Messages: JSONTrackFormat {
    let name = "OwnTracks"
    let lists: [StaticString] = ["data", "locations"]

    func recognizes(_ head: [UInt8]) -> Bool { isJSON(head) }

    func take(_ element: JSONValue, into builder: inout TrackBuilder) {
      guard element["tst"] != nil || element["lat"] != nil else { return }
      // Waypoints and events have a position and a time too, but not the phone's.
      if let type = element["_type"], !type.isText("location") { return }
      var draft = PointDraft()
      (draft.latitude, draft.longitude) = (element["lat"]?.number, element["lon"]?.number)
      draft.take(time: element["tst"])
      draft.altitude = element["alt"]?.number
      draft.accuracy = element["acc"]?.number
      // Kilometres per hour.
      draft.speed = element["vel"]?.number.map { $0 / 3.6 }
      draft.course = element["cog"]?.number.flatMap { $0 < 0 ? nil : $0 }
      draft.finish(into: &builder)
    }
  }
}
