import MetaTag

/// Metadata as members of JSON objects.
extension JSONWriter {
  /// Writes every copy of a value with its namespace and tag. `write` adds the members of the value.
  mutating func member<Value>(
    _ name: JSONKey, _ copies: [Sourced<Value>], write: (inout JSONWriter, Value) -> Void
  ) {
    guard !copies.isEmpty else { return }
    key(name)
    array { writer in
      for copy in copies {
        writer.object { writer in
          writer.member("namespace", copy.namespace.rawValue)
          writer.member("tag", copy.tag)
          write(&writer, copy.value)
        }
      }
    }
  }

  /// Writes a field under its name: keywords as a list, other fields as on the command line.
  mutating func member(_ field: RecordedField) {
    guard case .list(let texts) = field.value else { return member(JSONKey(field.field.rawValue), field.description) }
    key(JSONKey(field.field.rawValue))
    array { writer in texts.forEach { writer.value($0) } }
  }

  mutating func member(_ name: JSONKey, _ location: Location) {
    key(name)
    object { $0.members(location) }
  }

  mutating func member(_ name: JSONKey, _ names: PlaceNames) {
    key(name)
    object { $0.members(names) }
  }

  /// Writes a location: degrees, metres, metres per second, and directions clockwise from north.
  mutating func members(_ location: Location) {
    member("latitude", location.coordinate.latitude)
    member("longitude", location.coordinate.longitude)
    member("altitude", location.altitude)
    member("imageDirection", location.imageDirection?.degrees)
    member("imageDirectionReference", location.imageDirection?.reference.rawValue)
    member("track", location.track?.degrees)
    member("trackReference", location.track?.reference.rawValue)
    member("speed", location.speed)
    member("horizontalError", location.horizontalError)
    member("dilutionOfPrecision", location.dilutionOfPrecision)
    member("timestamp", location.timestamp?.inUTC)
    member("processingMethod", location.processingMethod)
  }

  mutating func members(_ names: PlaceNames) {
    member("sublocation", names.sublocation)
    member("city", names.city)
    member("state", names.state)
    member("country", names.country)
    member("countryCode", names.countryCode)
  }
}

extension JSONWriter {
  /// Writes how a photo was matched with a track: the instant, the clock, and the fixes used.
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
  /// Writes an estimate of the camera's clock error, in seconds. `confidence` is the probability that no other
  /// correction is right.
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
  /// The source of its UTC offset, in one word.
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

extension JSONWriter {
  /// Writes a value of a plan file, whole numbers without a fraction.
  mutating func value(_ plan: PlanValue) {
    switch plan {
    case .text(let text): value(text)
    case .number(let number):
      if let whole = Int(exactly: number), abs(number) < 1e15 { value(whole) } else { value(number) }
    case .bool(let truth): value(truth)
    case .null: null()
    case .list(let values): array { writer in values.forEach { writer.value($0) } }
    case .members(let members):
      object { writer in
        for member in members {
          writer.key(JSONKey(member.name))
          writer.value(member.value)
        }
      }
    }
  }
}
