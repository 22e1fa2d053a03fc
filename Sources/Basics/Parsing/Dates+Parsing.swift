/// Parsing of times, dates and calendar shifts that users write.
extension CaptureTime {
  /// Parses `2024-05-23T18:38:41.601+09:00`. A blank can replace the `T`, and colons the hyphens of the date, as in
  /// EXIF. The seconds (then 0), the fraction and the offset are optional.
  ///
  /// - Throws: `ParseError` for anything else, and for a day or time that doesn't exist.
  public init(parsing text: String) throws(ParseError) {
    var bytes = Array(text.trimmed.utf8)
    guard bytes.count >= 16 else {
      throw ParseError("'\(text)' is not a date with a time of day", remedy: .writeLike("2024-05-23T18:38:41"))
    }
    for index in [4, 7] where bytes[index] == UInt8(ascii: ":") { bytes[index] = UInt8(ascii: "-") }
    if bytes.count == 16 || bytes[16] != UInt8(ascii: ":") { bytes.insert(contentsOf: ":00".utf8, at: 16) }
    guard let (civil, nanoseconds, seconds) = PlainText.dateTime(bytes, bytes.indices) else {
      throw ParseError("'\(text)' is not a valid date and time", remedy: .writeLike("2024-05-23T18:38:41+09:00"))
    }
    // Keep as many digits as were written: `.50` stays `.50`.
    let digits = bytes.dropFirst(20).prefix { (0x30...0x39).contains($0) }.count
    let hasFraction = bytes.count > 19 && (bytes[19] == UInt8(ascii: ".") || bytes[19] == UInt8(ascii: ","))
    self.init(
      civil, fraction: hasFraction ? SecondFraction(nanoseconds: nanoseconds, minimumDigits: min(digits, 9)) : nil,
      offset: seconds.flatMap { UTCOffset(seconds: $0) })
  }
}

extension PartialDate {
  /// Parses `1975`, `1975-06` and `1975-06-12`, or the same with EXIF's colons.
  /// - Throws: `ParseError` for anything else.
  public init(parsing text: String) throws(ParseError) {
    let parts = text.trimmed.replacing(":", with: "-").split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil }
    guard (1...3).contains(parts.count), numbers.count == parts.count, parts[0].utf8.count == 4,
      parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }),
      let date = PartialDate(year: numbers[0], month: numbers.dropFirst().first, day: numbers.dropFirst(2).first)
    else {
      throw ParseError(
        "'\(text)' is not a year, month or day", remedy: .writeLike("1975", or: ["1975-06", "1975-06-12"]))
    }
    self = date
  }
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
        throw ParseError("'\(whole)': units must go from long to short, each once", remedy: .writeLike("+1y2mo3d"))
      }
      months = (months ?? 0) + count * size
      shorterThan = size
      rest = behind.dropFirst(unit.count).drop { $0 == " " }
    }
  }
}
