/// The start of a flight in local time, which DJI's logs record only in their names: `DJI_2020-12-02__07-50-31_.csv`.
struct FlightStart {
  /// The reading of the clock.
  let civil: CivilTime

  /// Parses a name; nil if it contains no date followed by a time of day.
  init?(_ name: String) {
    let name = name.split(separator: "/").last ?? ""
    guard
      let match = name.firstMatch(of: #/([0-9]{4})-([0-9]{2})-([0-9]{2}).+([0-9]{2})-([0-9]{2})-([0-9]{2})/#),
      let civil = CivilTime(
        year: Int(match.1) ?? 0, month: Int(match.2) ?? 0, day: Int(match.3) ?? 0, hour: Int(match.4) ?? 99,
        minute: Int(match.5) ?? 99, second: Int(match.6) ?? 99)
    else { return nil }
    self.civil = civil
  }

  /// Returns the start if the clock showed the time of `zone`; nil if it showed this reading twice or never.
  func instant(in zone: Zone) -> Instant? {
    zone.offset(forCivil: civil, fold: nil).map {
      Instant(seconds: civil.secondsSince1970 - Int64($0.seconds), nanoseconds: 0)
    }
  }
}

/// The conversion of times that count from the start of a flight. The first point of a log determines the time zone of
/// the start.
struct FlightClock {
  private var start: Instant?

  init() {}

  /// Returns the instant `seconds` after the start.
  /// - Throws: `FileError` if the start isn't known.
  mutating func instant(
    _ seconds: Double, at coordinate: Coordinate, into builder: inout TrackBuilder
  ) throws(FileError) -> Instant {
    let microseconds = Int64((seconds * 1e6).rounded())
    let elapsed = TimeShift(
      seconds: microseconds / 1_000_000, nanoseconds: Int32(microseconds % 1_000_000) * 1_000)
    if let start { return start.adding(elapsed) }
    guard let flight = FlightStart(builder.name) else {
      throw FileError(
        .unknownStart, "its times count from the start of a flight, which its name doesn't contain", at: 0,
        remedy: .nameFlight)
    }
    guard let zone = builder.zone?(coordinate), let start = flight.instant(in: zone) else {
      throw FileError(
        .unknownStart,
        "its times count from the start of a flight, \(flight.civil) by its name, and the time zone there isn't known",
        at: 0)
    }
    self.start = start
    builder.note(.startInName("\(flight.civil)", zone: "\(zone)"))
    return start.adding(elapsed)
  }
}
