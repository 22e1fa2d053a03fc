/// How far dates are moved: whole months first, then an exact span.
///
/// A month later is the same day of the month, or the month's last day where there is no such day: 31 January and one
/// month is 28 or 29 February. Every date is counted by itself, so the files' order changes nothing.
public struct CalendarShift: Hashable, Sendable {
  /// Whole months; a year is twelve.
  public let months: Int
  /// What is added after the months.
  public let span: TimeShift
  /// A reading that is moved by as much. Dates without a time of day that are of its day stay of its day.
  public let anchor: CaptureTime?

  /// A number of months and a span.
  public init(months: Int = 0, _ span: TimeShift = .zero) {
    self.init(months: months, span, anchor: nil)
  }

  private init(months: Int, _ span: TimeShift, anchor: CaptureTime?) {
    self.months = months
    self.span = span
    self.anchor = anchor
  }

  /// The same of a photo whose believed date is `time`.
  public func anchored(at time: CaptureTime?) -> CalendarShift { CalendarShift(months: months, span, anchor: time) }

  /// The same to the nearest second: half a second is a whole one, either way.
  package var wholeSeconds: CalendarShift {
    let half: Int32 = 500_000_000
    let isMore = span.nanoseconds > half || span.nanoseconds == half && span.seconds >= 0
    return CalendarShift(months: months, TimeShift(seconds: span.seconds + (isMore ? 1 : 0)), anchor: anchor)
  }

  /// Whether it moves nothing.
  public var isZero: Bool { months == 0 && span == .zero }

  /// The last day of a month that has no day like that of `civil`, when the months lead there; else nil.
  public func clamping(_ civil: CivilTime) -> CivilTime? {
    guard months != 0, let moved = civil.adding(months: months), moved.day != civil.day else { return nil }
    return moved
  }
}

extension CivilTime {
  /// The same day and time of day so many months later, or the month's last day where it has no such day. Nil outside
  /// the years 0…9999.
  package func adding(months: Int) -> CivilTime? {
    let (sum, overflow) = (year * 12 + month - 1).addingReportingOverflow(months)
    guard !overflow else { return nil }
    let (year, zeroBased) = sum.flooredDivision(by: 12)
    guard (0...9999).contains(year) else { return nil }
    return CivilTime(
      year: year, month: zeroBased + 1, day: min(day, CivilTime.days(inMonth: zeroBased + 1, of: year)),
      hour: hour, minute: minute, second: second)
  }

  /// The day, at its beginning.
  package var midnight: CivilTime? { CivilTime(year: year, month: month, day: day) }
}

extension CalendarShift {
  /// Reads years and months, then what `TimeShift` reads: `+1mo`, `-1y`, `+1y2mo`, `1 month`, `+1y2mo3d4h`, `+1h23m`.
  ///
  /// A minute is `m`, a month `mo`. The sign stands once, in front, and holds for all of it.
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
      throw ParseError("'\(text)' has a sign in the middle: it stands once, in front, and holds for all of it")
    }
    let span = rest.isEmpty ? TimeShift.zero : try TimeShift(parsing: String(rest), afterMonths: true)
    self.init(months: (isNegative ? -1 : 1) * (months ?? 0), isNegative ? span.negated : span)
  }

  /// Goes over years and months at the beginning; nil when there are none.
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
        throw ParseError("'\(whole)': years and months are counted in whole numbers, and the calendar ends in 9999")
      }
      guard size < shorterThan else {
        throw ParseError("'\(whole)': units go from long to short, each once: +1y2mo3d")
      }
      months = (months ?? 0) + count * size
      shorterThan = size
      rest = behind.dropFirst(unit.count).drop { $0 == " " }
    }
  }
}

extension CalendarShift: CustomStringConvertible {
  /// `+1y2mo3d`, `-1mo`, `+1h23m`: a form that `init(parsing:)` reads back, unless months and span have two signs.
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
