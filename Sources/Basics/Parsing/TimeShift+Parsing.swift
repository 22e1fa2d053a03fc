/// Parsing of time spans that users write.
extension TimeShift {
  /// The longest span in seconds that a text can specify: more would leave the years 0…9999 anyway.
  private static let longest: Int64 = 9_999 * 366 * 86_400

  /// The units, the longest first.
  private static let units = ["d", "h", "m", "s"]

  /// This span in seconds.
  public var timeInterval: Double { Double(seconds) + Double(nanoseconds) / 1e9 }

  /// Parses `+1h23m`, `-90s`, `1d 2h`, `-1h23m10.5s`, `+1 hour`, or a clock's `±H:MM:SS[.fraction]`. `H:MM` is refused,
  /// because it is ambiguous: minutes and seconds in exiftool's -geosync, hours and minutes in the += of its dates.
  ///
  /// Units go from long to short (`d`, `h`, `m`, `s`, or their names), each at most once; the last number may have a
  /// fraction of at most nine digits. The sign applies to the whole span; without one it is positive.
  ///
  /// - Throws: `ParseError` for anything else. The unit of a number without one is never guessed.
  public init(parsing text: String) throws(ParseError) { try self.init(parsing: text, afterMonths: false) }

  /// Parses a span; with `afterMonths`, error messages mention that years and months can precede it.
  package init(parsing text: String, afterMonths: Bool) throws(ParseError) {
    var rest = Substring(text.trimmed).replacing("\u{2212}", with: "-")[...]
    let isNegative = rest.first == "-"
    if isNegative || rest.first == "+" { rest = Substring(String(rest.dropFirst()).trimmed) }
    let total =
      rest.contains(":") ? try TimeShift.clock(rest, in: text) : try TimeShift.units(rest, in: text, afterMonths)
    guard total.seconds <= TimeShift.longest else {
      throw ParseError("'\(text)' is too long: it exceeds the years 0 to 9999")
    }
    self = isNegative ? total.negated : total
  }

  var negated: TimeShift { TimeShift(seconds: -seconds, nanoseconds: -nanoseconds) }

  private static func units(_ text: Substring, in whole: String, _ afterMonths: Bool) throws(ParseError) -> TimeShift {
    var (total, rest) = (TimeShift.zero, text)
    var shorterThan = Int64.max
    var endsWithFraction = false
    guard !rest.isEmpty else { throw ParseError("a time span is missing", remedy: .writeLike("+1h23m")) }
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
      rest = rest.dropFirst(number.count).drop { $0 == " " }
      let unit = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest.dropFirst(unit.count).drop { $0 == " " }
      guard !number.isEmpty else {
        throw ParseError("'\(whole)' is not a time span", remedy: .writeLike("+1h23m", or: ["-90s"]))
      }
      guard rest.first != "," else {
        throw ParseError("'\(whole)' has a number with a comma", remedy: .writeLike("1.5h"))
      }
      guard !unit.isEmpty else {
        throw ParseError("'\(whole)' has a number without a unit", remedy: .writeLike("90s", or: ["+1h30m"]))
      }
      let seconds = try self.seconds(of: unit, in: whole, afterMonths)
      guard seconds < shorterThan, !endsWithFraction else {
        throw ParseError(
          "'\(whole)': units must go from long to short, each once, and only the last may have a fraction")
      }
      total = try total.plus(number, times: seconds, in: whole)
      shorterThan = seconds
      endsWithFraction = number.contains(".")
    }
    return total
  }

  private static func clock(_ text: Substring, in whole: String) throws(ParseError) -> TimeShift {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count != 2 else {
      throw ParseError("'\(whole)' may be hours or minutes", remedy: .writeLike("1h20m", or: ["1m20s"]))
    }
    let pairs = parts.dropFirst().map { $0.prefix { $0 != "." } }
    guard parts.count == 3, pairs.allSatisfy({ $0.count == 2 && (Int($0) ?? 60) < 60 }),
      parts.dropLast().allSatisfy({ !$0.contains(".") })
    else { throw ParseError("'\(whole)' is not a time span: the form with colons is H:MM:SS") }
    var total = TimeShift.zero
    for (part, unit) in zip(parts, [3_600, 60, 1] as [Int64]) { total = try total.plus(part, times: unit, in: whole) }
    return total
  }

  private static func seconds(of unit: Substring, in whole: String, _ afterMonths: Bool) throws(ParseError) -> Int64 {
    guard unit != "M" else {
      throw ParseError("'\(whole)': M may be minutes (m) or months\(afterMonths ? " (mo)" : "")")
    }
    switch unit.lowercased() {
    case "d", "day", "days": return 86_400
    case "h", "hr", "hour", "hours": return 3_600
    case "m", "min", "minute", "minutes": return 60
    case "s", "sec", "second", "seconds": return 1
    case "y", "yr", "year", "years", "mo", "month", "months":
      guard afterMonths else {
        throw ParseError(
          "'\(unit)' is not a unit of an exact time span, as its length varies", remedy: .useOneOf(TimeShift.units))
      }
      throw ParseError("'\(whole)': units must go from long to short, each once", remedy: .writeLike("+1y2mo3d"))
    case "w", "week", "weeks":
      throw ParseError("'\(unit)' is not a unit of a time span", remedy: .writeLike("7d"))
    default:
      let units = (afterMonths ? ["y", "mo"] : []) + TimeShift.units
      throw ParseError("'\(unit)' is not a unit of a time span", remedy: .useOneOf(units))
    }
  }

  /// Adds the number times the unit, exactly: decimal digits times a whole number of seconds.
  private func plus(_ number: Substring, times unit: Int64, in whole: String) throws(ParseError) -> TimeShift {
    let parts = number.split(separator: ".", omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? SecondFraction(digits: parts[1]) : nil
    guard parts.count == 1 || fraction != nil, parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      !parts[0].isEmpty
    else { throw ParseError("'\(number)' in '\(whole)' is not a valid number") }
    guard let count = Int64(parts[0]), count <= TimeShift.longest / unit else {
      throw ParseError("'\(whole)' is too long: it exceeds the years 0 to 9999")
    }
    let split = (Int64(fraction?.nanoseconds ?? 0) * unit).quotientAndRemainder(dividingBy: 1_000_000_000)
    return TimeShift(
      seconds: seconds + count * unit + split.quotient, nanoseconds: nanoseconds + Int32(split.remainder))
  }
}

extension TimeShift: CustomStringConvertible {
  /// The span as text: `+1h23m`, `-10.5s`, `0s`, a form that `init(parsing:)` can parse.
  public var description: String {
    guard self != .zero else { return "0s" }
    let isNegative = seconds < 0
    let size = isNegative ? negated : self
    var text = isNegative ? "-" : "+"
    for (unit, name) in [(86_400, "d"), (3_600, "h"), (60, "m")] as [(Int64, String)] {
      let below = unit == 86_400 ? Int64.max : unit * (unit == 3_600 ? 24 : 60)
      let count = size.seconds % below / unit
      if count > 0 { text += "\(count)\(name)" }
    }
    let left = size.seconds % 60
    if size.nanoseconds > 0 {
      text += "\(left).\(SecondFraction(nanoseconds: size.nanoseconds).digits)s"
    } else if left > 0 {
      text += "\(left)s"
    }
    return text
  }
}

extension Instant {
  /// The instant in ISO 8601 in UTC, with as many digits of the second as necessary; nil outside the years 0…9999.
  public var inUTC: String? {
    CivilTime(secondsSince1970: seconds).map { civil in
      let fraction = nanoseconds == 0 ? nil : SecondFraction(nanoseconds: nanoseconds)
      return CaptureTime(civil, fraction: fraction, offset: .utc).description
    }
  }
}
