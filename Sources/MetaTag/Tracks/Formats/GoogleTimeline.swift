/// The Timeline that Android (`Timeline.json`) and iOS (`location-history.json`) export from the phone itself.
///
/// Raw signals (positions of the last weeks) and the path made of them become separate segments. During a visit the
/// phone stayed at the visited place.
struct GoogleTimeline: JSONTrackFormat {
  let name = "Google Timeline"
  let lists: [StaticString] = ["semanticSegments", "rawSignals"]

  func recognizes(_ head: [UInt8]) -> Bool {
    guard isJSON(head) else { return false }
    return head.contains("\"semanticSegments\"") || head.contains("\"rawSignals\"")
      || head.contains("\"startTime\"") && head.contains("geo:")
  }

  func take(_ element: JSONValue, into builder: inout TrackBuilder) {
    let (start, end) = (element["startTime"], element["endTime"])
    if let position = element["position"] {
      var draft = GoogleTimeline.draft(position["LatLng"] ?? position["latLng"], position["timestamp"])
      draft.accuracy = position["accuracyMeters"]?.number
      draft.altitude = position["altitudeMeters"]?.number
      draft.speed = position["speedMetersPerSecond"]?.number
      draft.finish(into: &builder)
    }
    if let visit = element["visit"] {
      let place = visit["topCandidate"]?["placeLocation"]
      GoogleTimeline.take(
        from: GoogleTimeline.draft(place, start), to: GoogleTimeline.draft(place, end), into: &builder)
    }
    if let activity = element["activity"], activity["start"] != nil {
      GoogleTimeline.draft(activity["start"], start).finish(into: &builder)
      GoogleTimeline.draft(activity["end"], end).finish(into: &builder)
    }
    for point in element["timelinePath"]?.elements ?? [] {
      var draft = GoogleTimeline.draft(point["point"], point["time"] ?? start)
      if point["time"] == nil, let instant = draft.instant {
        let minutes = point["durationMinutesOffsetFromStartTime"]?.number.flatMap { Int64(exactly: $0.rounded()) }
        // A month at most: longer paths are errors.
        draft.instant = minutes.flatMap {
          (0...44_640).contains($0) ? instant.adding(TimeShift(seconds: $0 * 60)) : nil
        }
      }
      draft.finish(into: &builder)
    }
  }

  /// Adds a stay if both its ends are fixes.
  static func take(from start: PointDraft, to end: PointDraft, into builder: inout TrackBuilder) {
    guard start.rejection == nil, end.rejection == nil, let place = start.coordinate, let begin = start.instant,
      let finish = end.instant, begin <= finish
    else {
      start.finish(into: &builder)
      end.finish(into: &builder)
      return
    }
    builder.addStay(at: place, from: begin, to: finish)
  }

  /// Parses a place as `47.1234°, 8.5678°` or `geo:47.1234,8.5678`, in an object's `latLng` or as a plain text.
  private static func draft(_ place: JSONValue?, _ time: JSONValue?) -> PointDraft {
    var draft = PointDraft()
    draft.take(time: time)
    guard let text = (place?["latLng"] ?? place)?.text else { return draft }
    let plain = text.starts(with: Array("geo:".utf8)) ? text.dropFirst(4) : text[...]
    let fields = plain.filter { $0 < 0x80 }.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard fields.count >= 2 else { return draft }
    draft.latitude = PlainText.number(fields[0])
    // A `geo:` URI may continue with an altitude and parameters.
    draft.longitude = PlainText.number(fields[1].prefix { $0 != UInt8(ascii: ";") })
    return draft
  }
}
