/// A date and a time of IPTC that belong together, in two datasets. One may be missing.
package struct IPTCClock {
  /// The content of two datasets.
  package enum Reading: Hashable, Sendable {
    case blank
    /// `CCYYMMDD` and no time, perhaps with zeros for an unknown month or day (IIM 2:55).
    case partial(PartialDate)
    /// `HHMMSS` or `HHMMSS±HHMM`, and no date.
    case timeOfDay(seconds: Int, offset: UTCOffset?)
    case time(CaptureTime)
    case malformed(String)
  }

  package let reading: Reading

  /// Whether the time may mean the whole day: writers that know only the day write midnight in UTC, because IIM
  /// requires a time.
  package static func isDayOnly(_ time: CaptureTime) -> Bool {
    time.civil == time.civil.midnight && (time.offset ?? .utc) == .utc
  }

  /// Whether the time means a whole day, given the preferred date: at midnight itself, exact copies are possible.
  package static func isDayOnly(_ time: CaptureTime, beside believed: CaptureTime?) -> Bool {
    guard let believed else { return false }
    return isDayOnly(time) && believed.civil != believed.civil.midnight
  }

  package init(date: String?, time: String?) {
    reading = IPTCClock.reading(date: date.flatMap(IPTCClock.filled), time: time.flatMap(IPTCClock.filled))
  }

  /// Returns nil for blanks, NULs and a date of zeros, which mean that nothing is recorded.
  private static func filled(_ text: String) -> String? {
    let trimmed = text.utf8.allSatisfy { $0 == 0x20 || $0 == 0 } ? "" : text
    return trimmed.isEmpty || trimmed == "00000000" ? nil : trimmed
  }

  private static func reading(date: String?, time: String?) -> Reading {
    let raw = [date, time].compactMap { $0 }.joined(separator: " ")
    var clock: (seconds: Int, offset: UTCOffset?)?
    if let time {
      clock = seconds(of: time)
      guard clock != nil else { return .malformed(raw) }
    }
    guard let date else { return clock.map { .timeOfDay(seconds: $0.seconds, offset: $0.offset) } ?? .blank }
    var rest = Array(date.utf8)[...]
    guard let year = rest.takeNumber(4), let month = rest.takeNumber(2), let day = rest.takeNumber(2), rest.isEmpty
    else { return .malformed(raw) }
    if day == 0, let date = PartialDate(year: year, month: month == 0 ? nil : month) { return .partial(date) }
    guard let civil = CivilTime(year: year, month: month, day: day) else { return .malformed(raw) }
    guard let clock, let full = civil.adding(seconds: Int64(clock.seconds)) else {
      return PartialDate(dayOf: civil).map { .partial($0) } ?? .malformed(raw)
    }
    return .time(CaptureTime(full, offset: clock.offset))
  }

  private static func seconds(of time: String) -> (seconds: Int, offset: UTCOffset?)? {
    var rest = Array(time.utf8)[...]
    guard let hour = rest.takeNumber(2), let minute = rest.takeNumber(2), let second = rest.takeNumber(2),
      hour < 24, minute < 60, second < 60
    else { return nil }
    let zone = String(decoding: rest, as: UTF8.self)
    let offset = UTCOffset(zone)
    guard zone.isEmpty || rest.count == 5 && offset != nil else { return nil }
    return (hour * 3_600 + minute * 60 + second, offset)
  }

  /// Returns the new contents of the two datasets, if they exist; nil for those that stay.
  ///
  /// - Throws: `refused` when the date would leave the years 0…9999.
  package func texts(after change: DateChange) throws(FileError) -> (date: String?, time: String?) {
    switch (change, reading) {
    case (.keep, _): return (nil, nil)
    case (.setPartial(let date), _): return (date.iptcText, nil)
    case (.adjust(let shift, _), .partial(let date)):
      guard let new = shift.moving(date) else { throw IPTCClock.outOfRange }
      return (new.iptcText, nil)
    case (.set, .time(let old)): return old.applying(change).map(IPTCClock.texts) ?? (nil, nil)
    case (.set(let time, _), _):
      return IPTCClock.texts(CaptureTime(time.civil, offset: time.offset ?? offset))
    case (.adjust(let shift, _), .time(let old)) where IPTCClock.isDayOnly(old, beside: shift.anchor):
      guard let new = PartialDate(dayOf: old.civil).flatMap(shift.moving) else { throw IPTCClock.outOfRange }
      return (new.iptcText, nil)
    case (.adjust(let shift, let change), .time(let old)):
      guard var new = old.adding(shift) else { throw IPTCClock.outOfRange }
      new.offset = IPTCClock.changed(old.offset, change)
      return IPTCClock.texts(new)
    case (.adjust(let shift, let change), .timeOfDay(let seconds, let offset)):
      // The day doesn't matter: the clock wraps around.
      let moved = (Int64(seconds) + shift.span.seconds % 86_400).flooredDivision(by: 86_400).remainder
      guard let new = CivilTime(secondsSince1970: moved) else { return (nil, nil) }
      return (nil, IPTCClock.texts(CaptureTime(new, offset: IPTCClock.changed(offset, change))).time)
    case (.adjust, _): return (nil, nil)
    }
  }

  private var offset: UTCOffset? {
    if case .timeOfDay(_, let offset) = reading { offset } else { nil }
  }

  private static func changed(_ offset: UTCOffset?, _ change: Change<UTCOffset>) -> UTCOffset? {
    switch change {
    case .keep: offset
    case .set(let new): new
    case .remove: nil
    }
  }

  private static func texts(_ time: CaptureTime) -> (date: String?, time: String?) {
    let civil = time.civil
    return (
      civil.year.padded(4) + civil.month.padded(2) + civil.day.padded(2),
      civil.hour.padded(2) + civil.minute.padded(2) + civil.second.padded(2)
        + (time.offset.map { "\($0)".filter { $0 != ":" } } ?? "")
    )
  }

  private static let outOfRange = FileError(.dateOutOfRange, "an IPTC date would be outside the years 0 to 9999")
}
