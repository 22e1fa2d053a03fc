/// The amount by which dates are shifted: whole months first, then an exact span.
///
/// A month later is the same day of the month, or the month's last day if that day doesn't exist: 31 January plus one
/// month is 28 or 29 February. Every date is computed on its own, so the order of the files has no effect.
public struct CalendarShift: Hashable, Sendable {
  /// The number of whole months; a year has twelve.
  public let months: Int
  /// The span added after the months.
  public let span: TimeShift
  /// A time that is shifted by the same amount. Dates without a time of day that fall on its day stay on its day.
  public let anchor: CaptureTime?

  /// Creates a shift of a number of months and a span.
  public init(months: Int = 0, _ span: TimeShift = .zero) {
    self.init(months: months, span, anchor: nil)
  }

  private init(months: Int, _ span: TimeShift, anchor: CaptureTime?) {
    self.months = months
    self.span = span
    self.anchor = anchor
  }

  /// Returns this shift for a photo whose trusted date is `time`.
  public func anchored(at time: CaptureTime?) -> CalendarShift { CalendarShift(months: months, span, anchor: time) }

  /// The shift rounded to whole seconds; half a second rounds away from zero.
  package var wholeSeconds: CalendarShift {
    let half: Int32 = 500_000_000
    let isMore = span.nanoseconds > half || span.nanoseconds == half && span.seconds >= 0
    return CalendarShift(months: months, TimeShift(seconds: span.seconds + (isMore ? 1 : 0)), anchor: anchor)
  }

  /// Whether the shift changes nothing.
  public var isZero: Bool { months == 0 && span == .zero }

  /// Returns the last day of the target month if that month lacks the day of `civil`; otherwise nil.
  public func clamping(_ civil: CivilTime) -> CivilTime? {
    guard months != 0, let moved = civil.adding(months: months), moved.day != civil.day else { return nil }
    return moved
  }
}

extension CivilTime {
  /// Returns the same day and time of day this many months later, or the month's last day if it has no such day; nil
  /// outside the years 0…9999.
  package func adding(months: Int) -> CivilTime? {
    let (sum, overflow) = (year * 12 + month - 1).addingReportingOverflow(months)
    guard !overflow else { return nil }
    let (year, zeroBased) = sum.flooredDivision(by: 12)
    guard (0...9999).contains(year) else { return nil }
    return CivilTime(
      year: year, month: zeroBased + 1, day: min(day, CivilTime.days(inMonth: zeroBased + 1, of: year)),
      hour: hour, minute: minute, second: second)
  }

  /// The beginning of the day.
  package var midnight: CivilTime? { CivilTime(year: year, month: month, day: day) }
}

extension CalendarShift: CustomStringConvertible {
  /// The shift as text: `+1y2mo3d`, `-1mo`, `+1h23m`. `init(parsing:)` can parse it, unless months and span differ in
  /// sign.
  public var description: String {
    guard months != 0 else { return "\(span)" }
    let size = abs(months)
    let years = size >= 12 ? "\(size / 12)y" : ""
    let text = (months < 0 ? "-" : "+") + years + (size % 12 > 0 ? "\(size % 12)mo" : "")
    guard span != .zero else { return text }
    let isSameSign = (span.seconds < 0) == (months < 0)
    return text + (isSameSign ? String(span.description.dropFirst()) : span.description)
  }
}
