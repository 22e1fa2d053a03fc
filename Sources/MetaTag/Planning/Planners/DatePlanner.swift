public import SystemPackage

/// Corrects the dates of photos.
public struct DatePlanner: Planner {
  /// The correction to make.
  public enum Rule: Hashable, Sendable {
    /// Moves every copy by civil arithmetic; offsets stay. A photo that records only the day moves by whole days and
    /// months, one that records less by whole months or years.
    case shift(CalendarShift)
    /// Sets this date everywhere; a nil offset keeps recorded ones.
    case set(CaptureTime)
    /// Sets a date of which only the year, the month or the day is known.
    case setPartial(PartialDate)
    /// The clock was in this zone: records its offset and keeps the clock's time. A recorded offset stays, unless
    /// `overwrite` replaces it.
    case keepClock(Zone)
    /// Keeps the instant, but shows the time of a clock in this zone and records its offset.
    case keepInstant(Zone)
  }

  /// The correction to make.
  public var rule: Rule
  /// Facts about the camera's clock: its zone for `keepInstant` of photos that record no offset, and the fold for civil
  /// times that a named zone had twice or never.
  public var clock = CameraClock()
  /// Whether `keepClock` replaces recorded offsets.
  public var overwrite = Overwrite.keep

  /// Creates a planner for `rule`.
  public init(_ rule: Rule) { self.rule = rule }

  /// Proposes the change to all copies of the date.
  public func propose(for metadata: Metadata) -> Proposal {
    Proposal { () throws(Reason) in try plan(metadata) }
  }

  /// Proposes a change of a companion. If only its headers date a movie, the photo that it belongs to decides whether
  /// these are in UTC.
  public func propose(for metadata: Metadata, of companion: FilePath, beside photo: Metadata?) -> Proposal {
    Proposal { () throws(Reason) in try plan(metadata, beside: photo) }
  }

  private func plan(_ metadata: Metadata, beside photo: Metadata? = nil) throws(Reason) -> Proposal {
    switch rule {
    case .keepClock(let zone), .keepInstant(let zone):
      guard metadata.isDatedByHeaders, let time = metadata.captureTime else { break }
      // The headers are in UTC, and the tag that records the zone stays.
      if let offset = metadata.movieOffset { throw .hasFixedZone(offset) }
      if time.offset == nil { return try zoneHeaders(time, of: metadata, beside: photo, zone) }
    case .shift, .set, .setPartial: break
    }
    switch rule {
    case .shift(let shift):
      guard metadata.isDated else { throw metadata.lackOfTime }
      guard !shift.isZero else { throw .asWanted }
      let shift = metadata.holdsFractions ? shift : shift.wholeSeconds
      guard !shift.isZero else { return .unchanged(.wholeSeconds) }
      let partial = metadata.partialDates.map(\.value)
      if metadata.captureTimes.isEmpty, let date = partial.first, partial.allSatisfy({ shift.moving($0) == $0 }) {
        throw .onlyPartial(date)
      }
      let moved = try Self.checked(shift, metadata)
      return .dates(.adjust(moved, offset: .keep), because: .shifted(moved))
    case .set(let time):
      return .dates(.set(time), because: .dated(time))
    case .setPartial(let date):
      return .dates(.setPartial(date), because: .partlyDated(date))
    case .keepClock(let zone):
      guard let time = metadata.captureTime else { throw metadata.lackOfTime }
      let offset = Result { () throws(Reason) in try clock.offset(of: time.civil, in: zone) }
      let recorded = overwrite == .replace ? [] : metadata.recordedOffsets
      if let other = recorded.first(where: { $0 != (try? offset.get()) }) { throw .hasZone(other) }
      return try record(try offset.get(), movingBy: .zero, metadata)
    case .keepInstant(let zone):
      let reading = try clock.reading(of: metadata)
      let other = metadata.datedOffsets.first { $0 != reading.offset }
      if let other { throw .offsetsDisagree(reading.offset, other) }
      let offset = zone.offset(at: reading.instant)
      return try record(
        offset, movingBy: TimeShift(seconds: Int64(offset.seconds - reading.offset.seconds)), metadata)
    }
  }

  /// Seconds by which a movie may begin before or after its photo.
  private static let pairSeconds: Int64 = 3

  /// Proposes the change of a movie that is dated by its headers. They are in UTC or show the clock's time; if that
  /// makes a difference, the photo that the movie belongs to must decide.
  private func zoneHeaders(
    _ time: CaptureTime, of metadata: Metadata, beside photo: Metadata?, _ zone: Zone
  ) throws(Reason) -> Proposal {
    let clockZone = rule.isAboutClock ? zone : clock.zone
    let given = try clockZone.map { zone throws(Reason) in try clock.offset(of: time.civil, in: zone) }
    var (header, own) = (UTCOffset.utc, UTCOffset.utc)
    if given != .utc {
      guard let photo, !photo.isDatedByHeaders, let shown = photo.captureTime else {
        throw .doubtfulHeader(time, given)
      }
      own = rule.isAboutClock ? try clock.offset(of: shown.civil, in: zone) : try clock.reading(of: photo).offset
      let ahead = shown.civil.secondsSince1970 - time.civil.secondsSince1970
      let isNear = { (seconds: Int) in abs(ahead - Int64(seconds)) <= Self.pairSeconds }
      guard isNear(0) || isNear(own.seconds) else { throw .doubtfulHeader(time, own) }
      header = isNear(0) ? own : .utc
    }
    let offset = rule.isAboutClock ? own : zone.offset(at: time.instant(at: header))
    return try record(
      offset, movingBy: TimeShift(seconds: Int64(offset.seconds - header.seconds)), metadata)
  }

  private func record(
    _ offset: UTCOffset, movingBy shift: TimeShift, _ metadata: Metadata
  ) throws(Reason) -> Proposal {
    if let time = metadata.captureTime,
      let contradiction = FixContradiction(metadata, time.instant(at: offset).adding(shift), movedBy: shift)
    {
      throw .clockWrong(contradiction)
    }
    let dates = metadata.captureTimes + metadata.digitizedTimes
    if shift == .zero, dates.allSatisfy({ $0.value.offset == offset }) { throw .asWanted }
    let moved = try Self.checked(CalendarShift(shift), metadata)
    return .dates(.adjust(moved, offset: .set(offset)), because: .zoned(offset, moved: shift))
  }

  /// Returns `shift` if it keeps every copy of the date inside the calendar.
  static func checked(_ shift: CalendarShift, _ metadata: Metadata) throws(Reason) -> CalendarShift {
    let shift = shift.anchored(at: metadata.captureTime)
    let dates = metadata.captureTimes + metadata.digitizedTimes
    guard dates.allSatisfy({ $0.value.adding(shift) != nil }),
      metadata.partialDates.allSatisfy({ shift.moving($0.value) != nil })
    else { throw .outsideCalendar }
    return shift
  }
}

extension DatePlanner.Rule {
  /// Whether the rule states the zone of the clock.
  fileprivate var isAboutClock: Bool { if case .keepClock = self { true } else { false } }

  /// Creates a rule from a date of any precision: `1975`, `1975-06`, `1975-06-12`, or with a time of day.
  /// - Throws: `ParseError` for anything else.
  public init(setting text: String) throws(ParseError) {
    if PartialDate.isAll(of: text) {
      self = .setPartial(try PartialDate(parsing: text))
    } else {
      let time = try CaptureTime(parsing: text)
      guard time.civil.year > 0 else { throw ParseError("'\(text)' is in the year 0, which doesn't exist") }
      self = .set(time)
    }
  }
}

extension Metadata {
  /// Whether the preferred date has fractions of a second or is in a format that can hold them.
  fileprivate var holdsFractions: Bool {
    guard let time = captureTimes.first, ![.quickTime, .iptc].contains(time.namespace) else {
      return captureTime?.fraction != nil
    }
    return true
  }

  /// The recorded offsets: that of the preferred date, whatever its format, and those in `datedOffsets`.
  fileprivate var recordedOffsets: [UTCOffset] { (captureTime?.offset.map { [$0] } ?? []) + datedOffsets }

  /// The offsets that EXIF and XMP copies of the date record. IPTC's are ignored (see `CameraClock.reading`).
  var datedOffsets: [UTCOffset] {
    // For a raw file, use its sidecar's offsets.
    let isOverruled = captureTimes.first?.namespace == .sidecar
    return (captureTimes + digitizedTimes)
      .filter { $0.namespace != .iptc && (!isOverruled || $0.namespace == .sidecar) }.compactMap(\.value.offset)
  }
}
