import MetaTag

extension JSONWriter {
  /// How a photo met a track: the instant looked up, the clock it was read by, and the fixes that were used.
  mutating func member(match: TrackMatch, reading: ClockReading) {
    key("match")
    object { writer in
      writer.member("instant", match.instant.text)
      writer.key("clock")
      writer.object { writer in
        writer.member("offset", "\(reading.offset)")
        writer.member("zone", reading.zone?.description)
        writer.member("from", reading.zone == nil ? "photo" : reading.isOfPlace ? "place" : "camera-zone")
        writer.member("correction", match.instant.timeInterval(since: reading.instant))
      }
      writer.member("method", match.fixes.name)
      writer.key("fixes")
      writer.array { writer in
        for fix in match.fixes.all {
          writer.object { writer in
            writer.member("time", fix.instant.text)
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
