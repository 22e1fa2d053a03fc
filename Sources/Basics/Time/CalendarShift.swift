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

extension CalendarShift {
  /// Parses years and months, followed by what `TimeShift` parses: `+1mo`, `-1y`, `+1y2mo`, `1 month`, `+1y2mo3d4h`,
  /// `+1h23m`.
  ///
  /// A minute is `m`, a month `mo`. The sign is written once, in front, and applies to the whole shift.
  ///
  /// - Throws: `ParseError` for anything else.
  public init(parsing text: String) throws(ParseError) {
    var rest = Substring(text.trimmed).replacing("\u{2212}", with: "-")[...]
    let isNegative = rest.first == "-"
    if isNegative || rest.first == "+" { rest = Substring(String(rest.dropFirst()).trimmed) }
    let months = try CalendarShift.takeMonths(&rest, in: text)
    guard months != nil else {
      self.init(try TimeShift(parsing: text, afterMonths: true))
      return
    }
    guard rest.first != "-", rest.first != "+" else {
      throw ParseError("'\(text)' has a sign in the middle: one sign at the start applies to all units")
    }
    let span = rest.isEmpty ? TimeShift.zero : try TimeShift(parsing: String(rest), afterMonths: true)
    self.init(months: (isNegative ? -1 : 1) * (months ?? 0), isNegative ? span.negated : span)
  }

  /// Consumes years and months at the beginning; returns nil if the text begins with neither.
  private static func takeMonths(_ rest: inout Substring, in whole: String) throws(ParseError) -> Int? {
    var months: Int?
    var shorterThan = Int.max
    while true {
      let number = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
      let behind = rest.dropFirst(number.count).drop { $0 == " " }
      let unit = behind.prefix { $0.isASCII && $0.isLetter }
      let size: Int
      switch unit.lowercased() {
      case "y", "yr", "year", "years": size = 12
      case "mo", "month", "months": size = 1
      default: return months
      }
      guard let count = Int(number), count <= 9_999 * 12 else {
        throw ParseError("'\(whole)': years and months must be whole numbers, of 9999 years at most")
      }
      guard size < shorterThan else {
        throw ParseError("'\(whole)': units must go from long to short, each once, as in +1y2mo3d")
      }
      months = (months ?? 0) + count * size
      shorterThan = size
      rest = behind.dropFirst(unit.count).drop { $0 == " " }
    }
  }
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
