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
