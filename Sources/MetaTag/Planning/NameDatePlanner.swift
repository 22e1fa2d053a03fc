/// Gives photos the date that their files' names tell.
public struct NameDatePlanner: Planner {
  /// Where the photos were taken: times that a name gives in UTC are written as a clock there showed them, and with the
  /// others the offset is recorded. Nil leaves these without one, and for those asks the photo's place, if it has one.
  public var zone: Zone?
  /// The time of day of photos whose name tells only the day, in seconds from midnight; nil leaves them.
  public var timeOfDay: Int?
  /// When the file was last changed, for photos whose name tells only the day: what a clock in the zone showed then is
  /// their time, if it was on that day. Nil doesn't ask.
  public var fileTime: Instant?
  /// Whether photos whose name tells only the day get just that, where no time of day is given.
  public var takesDays = false
  /// What becomes of a date that is there.
  public var overwrite = Overwrite.keep
  /// When it is asked: a name that tells a later day tells no date. Nil believes any.
  public var now: Instant?

  private let name: String
  private let date: NameDate?
  /// Where the name tells no more than the year or the month.
  private let partialDate: PartialDate?
  /// Where the name tells only the day.
  private let doubtfulTime: String?
  private let zoneOfPlace: @Sendable (Coordinate) -> Zone?

  /// - Parameters:
  ///   - pattern: Where in the name the date stands; nil for the names that are known.
  ///   - zone: Which zone's time is kept at a place.
  public init(
    fileName: String, pattern: NamePattern? = nil, zone: @escaping @Sendable (Coordinate) -> Zone?
  ) {
    name = fileName
    if let pattern { date = pattern.date(in: fileName) } else { date = NameDate(fileName: fileName) }
    partialDate =
      if let pattern { pattern.partialDate(in: fileName) } else {
        date == nil ? PartialDate(fileName: fileName) : nil
      }
    if pattern == nil, case .day? = date {
      doubtfulTime = NameDate.doubtfulTime(behindDayIn: fileName).map(String.init)
    } else {
      doubtfulTime = nil
    }
    zoneOfPlace = zone
  }

  /// The date of the name, as a clock in the zone showed it.
  public func propose(for metadata: Metadata) -> Proposal {
    if takesDays, timeOfDay == nil, fileTime == nil, case .day(let day)? = date, let known = PartialDate(dayOf: day),
      !isFuture
    {
      return propose(known, for: metadata)
    }
    if let partialDate {
      if let now, let first = partialDate.first, CaptureTime(first).isFuture(at: now) {
        return .skip(.futureInName(CaptureTime(first)))
      }
      return propose(partialDate, for: metadata)
    }
    return .date(for: metadata, overwrite) { () throws(Reason) in
      let time = try zoned(try time(metadata), metadata)
      return (time, doubtfulTime.map { .datedBeside($0, time) } ?? .dated(time))
    }
  }

  private func propose(_ known: PartialDate, for metadata: Metadata) -> Proposal {
    guard !metadata.isDated || overwrite == .replace else { return .unchanged(.hasCaptureTime) }
    // A time in it says more.
    guard metadata.captureTime.map({ known.contains($0) }) != true else { return .unchanged(.asWanted) }
    return .dates(.setPartial(known), because: .partlyDated(known))
  }

  private var isFuture: Bool {
    guard let now, let date else { return false }
    return date.isFuture(at: now)
  }

  private func time(_ metadata: Metadata) throws(Reason) -> CaptureTime {
    if isFuture, let date { throw .futureInName(date.earliest) }
    switch date {
    case .time(let time): return time
    case .day(let day):
      if let fileTime { return try time(at: fileTime, on: day, metadata) }
      guard let timeOfDay, let civil = day.adding(seconds: Int64(timeOfDay)) else { throw .dayInName(name, day) }
      return CaptureTime(civil)
    case nil: throw .noDateInName(name)
    }
  }

  /// What a clock showed when the file was last changed, in whole seconds.
  private func time(
    at instant: Instant, on day: CivilTime, _ metadata: Metadata
  ) throws(Reason) -> CaptureTime {
    guard let zone = zone ?? metadata.location.flatMap({ zoneOfPlace($0.coordinate) }) else {
      throw .unknownZone(instant)
    }
    let time = try CaptureTime(Instant(seconds: instant.seconds), at: zone.offset(at: instant))
    guard PartialDate(dayOf: day)?.contains(time.civil) == true else { throw .otherFileDay(day, file: time) }
    return time
  }

  private func zoned(_ time: CaptureTime, _ metadata: Metadata) throws(Reason) -> CaptureTime {
    var zoned = time
    if let instant = time.instant {
      guard time.offset == .utc, let zone = zone ?? metadata.location.flatMap({ zoneOfPlace($0.coordinate) }) else {
        return time
      }
      let offset = zone.offset(at: instant)
      guard let civil = time.civil.adding(seconds: Int64(offset.seconds)) else { throw .outsideCalendar }
      (zoned.civil, zoned.offset) = (civil, offset)
    } else if let zone {
      zoned.offset = try CameraClock().offset(of: time.civil, in: zone)
    }
    return zoned
  }
}
