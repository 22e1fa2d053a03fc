/// `Records.json` (formerly `Location History.json`) of Google Takeout: every position that the phone reported.
struct GoogleRecords: JSONTrackFormat {
  let name = "Google Records.json"
  let lists: [StaticString] = ["locations"]

  func recognizes(_ head: [UInt8]) -> Bool {
    isJSON(head) && head.contains("\"locations\"") && head.contains("\"latitudeE7\"")
  }

  func take(_ element: JSONValue, into builder: inout TrackBuilder) {
    guard element["latitudeE7"] != nil || element["timestamp"] != nil || element["timestampMs"] != nil else { return }
    var draft = PointDraft(e7: element["latitudeE7"], element["longitudeE7"])
    draft.take(time: element["timestamp"] ?? element["timestampMs"])
    draft.altitude = element["altitude"]?.number
    draft.accuracy = element["accuracy"]?.number
    draft.speed = element["velocity"]?.number
    draft.course = element["heading"]?.number
    draft.finish(into: &builder)
  }
}

extension PointDraft {
  /// Reads ten-millionths of degrees. Google once lost the sign of numbers that don't fit in 31 bits: these are 2³² too
  /// large.
  init(e7 latitude: JSONValue?, _ longitude: JSONValue?) {
    self.init()
    let degrees = { (value: JSONValue?, most: Double) in
      (value?.number).map { ($0 > most * 1e7 ? $0 - 4_294_967_296 : $0) / 1e7 }
    }
    (self.latitude, self.longitude) = (degrees(latitude, 90), degrees(longitude, 180))
  }
}
