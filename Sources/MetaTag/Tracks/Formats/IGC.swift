/// IGC flight recorder files (FAI Technical Specification for IGC-approved Flight Recorders): the B records.
///
/// Altitudes are those from GPS; pressure altitudes depend on the weather. `V` records have none. Altitudes that a
/// header declares to be above the ellipsoid (`HFALGALTGPS:ELL`), up to 100 m off sea level, are left out and counted.
/// The I record lists additions to the B records: FXA (accuracy in metres), LAD and LOD (further decimals of minutes),
/// TDS (of seconds).
struct IGC: TrackFormat {
  let name = "IGC"

  func recognizes(_ head: [UInt8]) -> Bool {
    head.first == UInt8(ascii: "A")
      && (head.contains("\nHFDTE") || head.contains("\nHPDTE") || head.contains("\nHODTE"))
  }

  func read(_ input: InputWindow, into builder: inout TrackBuilder) throws(FileError) {
    var input = input
    var extensions: [String: Range<Int>] = [:]
    var last: (date: Int64, time: ClockTime)?
    var date: Int64?
    var (isEllipsoid, ellipsoidCount) = (false, 0)
    while let (range, isWhole) = try input.line() {
      let line = input.bytes[range]
      switch line.first {
      case UInt8(ascii: "H") where line.count > 5 && line[(range.lowerBound + 2)...].starts(with: Array("DTE".utf8)):
        // `HFDTE160701`, `HFDTEDATE:160701,01`
        let digits = line.dropFirst(5).drop { !(0x30...0x39).contains($0) }.prefix(6)
        (date, last) = (Int64(ddmmyy: digits), nil)
      case UInt8(ascii: "H") where line.dropFirst(2).starts(with: Array("ALG".utf8)):
        isEllipsoid = line.suffix(3).elementsEqual("ELL")
      case UInt8(ascii: "I"): extensions = IGC.extensions(line)
      case UInt8(ascii: "B"):
        guard isWhole || line.count >= 35 else {
          builder.noteEnd(at: input.position)
          continue
        }
        guard let time = ClockTime(line.dropFirst().prefix(6)) else {
          builder.reject(.malformed)
          continue
        }
        if let last { date = time.isDayAfter(last.time) ? last.date + 86_400 : last.date }
        if let date { last = (date, time) }
        var draft = IGC.draft(line, time, date, extensions)
        if isEllipsoid, draft.altitude != nil {
          draft.altitude = nil
          ellipsoidCount += 1
        }
        draft.finish(into: &builder)
      default: continue
      }
    }
    if ellipsoidCount > 0 { builder.note(.aboveEllipsoid(ellipsoidCount)) }
  }

  private static func draft(
    _ line: ArraySlice<UInt8>, _ time: ClockTime, _ date: Int64?, _ extensions: [String: Range<Int>]
  ) -> PointDraft {
    let field = { (range: Range<Int>) in line.dropFirst(range.lowerBound).prefix(range.count) }
    let additional = { (name: String) in extensions[name].map(field) ?? [] }
    let minutes = { (whole: Range<Int>, name: String) -> ArraySlice<UInt8> in
      // `4716430` is 47° 16.430′.
      let digits = field(whole)
      guard Int64(digits: digits) != nil else { return [] }
      return (digits.dropLast(3) + [UInt8(ascii: ".")] + digits.suffix(3) + additional(name))[...]
    }
    var draft = PointDraft()
    draft.latitude = PlainText.degrees(minutes(7..<14, "LAD"), field(14..<15), positive: "N", negative: "S")
    draft.longitude = PlainText.degrees(minutes(15..<23, "LOD"), field(23..<24), positive: "E", negative: "W")
    if field(24..<25).elementsEqual("A") { draft.altitude = PlainText.number(field(30..<35)) }
    draft.accuracy = Int64(digits: additional("FXA")).map(Double.init)
    draft.instant = date.map { time.instant(onDay: $0) }
    if date == nil { draft.rejection = .noDate }
    let decimals = SecondFraction(digits: String(decoding: additional("TDS").prefix(9), as: UTF8.self))
    if let instant = draft.instant, let decimals {
      draft.instant = instant.adding(TimeShift(seconds: 0, nanoseconds: decimals.nanoseconds))
    }
    return draft
  }

  /// Parses an I record such as `I023638FXA3941ENL`: the number of additions, then for each its first and last column
  /// (from 1) and its name.
  private static func extensions(_ line: ArraySlice<UInt8>) -> [String: Range<Int>] {
    var extensions: [String: Range<Int>] = [:]
    var rest = line.dropFirst(3)
    while rest.count >= 7 {
      guard let first = Int64(digits: rest.prefix(2)), let last = Int64(digits: rest.dropFirst(2).prefix(2)),
        first >= 36, last >= first
      else { break }
      extensions[String(decoding: rest.dropFirst(4).prefix(3), as: UTF8.self)] = Int(first) - 1..<Int(last)
      rest = rest.dropFirst(7)
    }
    return extensions
  }
}

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
        .unknownStart, "its times are relative to the start of the flight, which its name doesn't contain", at: 0,
        remedy: .nameFlight)
    }
    guard let zone = builder.zone?(coordinate), let start = flight.instant(in: zone) else {
      throw FileError(
        .unknownStart,
        "its times are relative to the start of the flight (\(flight.civil) by its name), whose time zone is unknown",
        at: 0)
    }
    self.start = start
    builder.note(.startInName("\(flight.civil)", zone: "\(zone)"))
    return start.adding(elapsed)
  }
}
