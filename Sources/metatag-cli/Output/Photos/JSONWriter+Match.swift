import MetaTag

extension JSONWriter {
  /// How a photo met a track: the instant looked up, the clock it was read by, and the fixes that were used.
  mutating func member(match: TrackMatch, reading: ClockReading) {
    key("match")
    object { writer in
      writer.member("instant", match.instant.inUTC)
      writer.key("clock")
      writer.object { writer in
        writer.member("offset", "\(reading.offset)")
        writer.member("zone", reading.zone?.description)
        writer.member("from", reading.source)
        writer.member("correction", match.instant.timeInterval(since: reading.instant))
        if !reading.neighbours.isEmpty {
          writer.key("neighbours")
          writer.array { writer in reading.neighbours.forEach { writer.value($0) } }
        }
        if let estimate = reading.estimate { writer.member(estimate: estimate, of: reading.time) }
      }
      writer.member("method", match.fixes.name)
      writer.key("fixes")
      writer.array { writer in
        for fix in match.fixes.all {
          writer.object { writer in
            writer.member("time", fix.instant.inUTC)
            writer.member("latitude", fix.coordinate.latitude)
            writer.member("longitude", fix.coordinate.longitude)
            writer.member("seconds", fix.instant.timeInterval(since: match.instant))
            writer.member("metres", fix.coordinate.distance(to: match.location.coordinate).rounded())
          }
        }
      }
    }
  }
}

extension JSONWriter {
  /// What was found of the camera's clock, in seconds; `confidence` is the probability that no other correction is
  /// right.
  fileprivate mutating func member(estimate: ClockEstimate, of time: CaptureTime) {
    key("estimate")
    object { writer in
      writer.member("correction", (estimate.correction * 10).rounded() / 10)
      writer.member("driftPerDay", (estimate.drift * 100).rounded() / 100)
      writer.member("uncertainty", (estimate.uncertainty(at: time) * 10).rounded() / 10)
      writer.member("confidence", (estimate.confidence * 1e6).rounded(.down) / 1e6)
      writer.member("photos", estimate.photoCount)
      writer.member("located", estimate.locatedCount)
    }
  }
}

extension ClockReading {
  /// From where its offset is known, in one word.
  var source: String {
    if !neighbours.isEmpty { return "neighbours" }
    if zone == nil { return "photo" }
    if isOfPlace { return "place" }
    if isSynced { return "sync" }
    return estimate?.offset == nil ? "camera-zone" : "estimate"
  }
}

extension TrackMatch.Fixes {
  fileprivate var name: String {
    switch self {
    case .exact: "exact"
    case .between: "between"
    case .nearest: "nearest"
    }
  }

  fileprivate var all: [TrackPoint] {
    switch self {
    case .exact(let fix), .nearest(let fix): [fix]
    case .between(let before, let after): [before, after]
    }
  }
}
