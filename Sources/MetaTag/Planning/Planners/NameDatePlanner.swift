/// Gives photos the date in their files' names.
public struct NameDatePlanner: Planner {
  /// The zone where the photos were taken. Times in UTC are converted to it; with other times, its offset is recorded.
  /// With nil, other times get no offset, and times in UTC are converted to the zone of the photo's place, if it has
  /// one.
  public var zone: Zone?
  /// The time of day for photos whose name contains only the day, in seconds from midnight; nil leaves them unchanged.
  public var timeOfDay: Int?
  /// The file's last change, for photos whose name contains only the day: its time of day in the zone is used if it was
  /// on that day. Nil doesn't use it.
  public var fileTime: Instant?
  /// Whether photos whose name contains only the day get only the day, if no time of day is given.
  public var takesDays = false
  /// Whether to replace an existing date.
  public var overwrite = Overwrite.keep
  /// The current time: a name with a later day contains no date. With nil, any day is accepted.
  public var now: Instant?

  private let name: String
  private let date: NameDate?
  /// The year or month, if the name contains no more.
  private let partialDate: PartialDate?
  /// A text after the day that may be a time, if the name contains only the day.
  private let doubtfulTime: String?
  private let zoneOfPlace: @Sendable (Coordinate) -> Zone?

  /// Creates a planner.
  ///
  /// - Parameters:
  ///   - fileName: The name of the photo's file.
  ///   - pattern: The position of the date in the name; nil for well-known names.
  ///   - zone: Returns the time zone at a place.
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

  /// Proposes the date of the name as a clock in the zone showed it.
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
    // A time within the partial date is more precise.
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

  /// Returns the clock time of the file's last change, in whole seconds.
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
