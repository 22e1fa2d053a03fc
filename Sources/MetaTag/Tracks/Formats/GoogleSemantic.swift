/// Semantic Location History of Google Takeout (`2023_MAY.json`): visits, and activities with the points recorded
/// during them.
struct GoogleSemantic: JSONTrackFormat {
  let name = "Google Semantic Location History"
  let lists: [StaticString] = ["timelineObjects"]

  func recognizes(_ head: [UInt8]) -> Bool { isJSON(head) && head.contains("\"timelineObjects\"") }

  func take(_ element: JSONValue, into builder: inout TrackBuilder) {
    if let visit = element["placeVisit"] {
      let location = visit["location"]
      GoogleTimeline.take(
        from: GoogleSemantic.draft(location, visit["duration"], "startTimestamp", "startTimestampMs"),
        to: GoogleSemantic.draft(location, visit["duration"], "endTimestamp", "endTimestampMs"), into: &builder)
    }
    guard let way = element["activitySegment"] else { return }
    GoogleSemantic.draft(way["startLocation"], way["duration"], "startTimestamp", "startTimestampMs")
      .finish(into: &builder)
    for point in way["simplifiedRawPath"]?["points"]?.elements ?? [] {
      var draft = PointDraft(e7: point["latE7"], point["lngE7"])
      draft.take(time: point["timestamp"] ?? point["timestampMs"])
      draft.accuracy = point["accuracyMeters"]?.number
      draft.finish(into: &builder)
    }
    GoogleSemantic.draft(way["endLocation"], way["duration"], "endTimestamp", "endTimestampMs").finish(into: &builder)
  }

  private static func draft(
    _ location: JSONValue?, _ duration: JSONValue?, _ time: StaticString, _ milliseconds: StaticString
  ) -> PointDraft {
    var draft = PointDraft(e7: location?["latitudeE7"], location?["longitudeE7"])
    draft.take(time: duration?[time] ?? duration?[milliseconds])
    return draft
  }
}
