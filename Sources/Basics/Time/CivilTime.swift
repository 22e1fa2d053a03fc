/// A date and time of day (proleptic Gregorian calendar) without a time zone: not an instant.
public struct CivilTime: Hashable, Sendable {
  // A run keeps several times of each photo, so the parts are as small as their ranges.
  private let (smallYear, smallMonth, smallDay): (Int16, Int8, Int8)
  private let (smallHour, smallMinute, smallSecond): (Int8, Int8, Int8)

  /// The year, 0…9999, the range that EXIF can write.
  public var year: Int { Int(smallYear) }
  /// The month, 1…12.
  public var month: Int { Int(smallMonth) }
  /// The day, 1…31, valid for the month.
  public var day: Int { Int(smallDay) }
  /// The hour, 0…23.
  public var hour: Int { Int(smallHour) }
  /// The minute, 0…59.
  public var minute: Int { Int(smallMinute) }
  /// The second, 0…59. EXIF cannot represent leap seconds.
  public var second: Int { Int(smallSecond) }

  /// Returns nil if the values are not a valid date and time.
  public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    guard (0...9999).contains(year), (1...12).contains(month),
      (1...CivilTime.days(inMonth: month, of: year)).contains(day),
      (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
    else { return nil }
    (smallYear, smallMonth, smallDay) = (Int16(year), Int8(month), Int8(day))
    (smallHour, smallMinute, smallSecond) = (Int8(hour), Int8(minute), Int8(second))
  }

  /// Creates the reading of a UTC clock `seconds` after 1970-01-01T00:00:00Z. Returns nil outside the years 0…9999.
  public init?(secondsSince1970 seconds: Int64) {
    let (days, rest) = seconds.flooredDivision(by: 86_400)
    // Converts days to a civil date: the year is shifted to begin on 1 March, so that leap days come last.
    let z = days + 719_468
    let (era, dayOfEra) = z.flooredDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = Int(shifted < 10 ? shifted + 3 : shifted - 9)
    let year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
    self.init(
      year: year, month: month, day: Int(dayOfYear - (153 * shifted + 2) / 5 + 1),
      hour: Int(rest / 3_600), minute: Int(rest / 60 % 60), second: Int(rest % 60))
  }

  /// The seconds from 1970-01-01T00:00:00 to this reading of the same clock; for a clock in UTC, POSIX time.
  public var secondsSince1970: Int64 {
    let y = Int64(month <= 2 ? year - 1 : year)
    let era = y.flooredDivision(by: 400).quotient
    let yearOfEra = y - era * 400
    let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return (era * 146_097 + dayOfEra - 719_468) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
  }

  /// Returns this reading moved by civil arithmetic (every day has 24 hours); nil outside the years 0…9999.
  public func adding(seconds: Int64) -> CivilTime? {
    let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
    return overflow ? nil : CivilTime(secondsSince1970: sum)
  }

  package static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: return 30
    default: return 31
    }
  }
}

extension CivilTime: Comparable {
  /// Compares by date, then by time of day.
  public static func < (a: CivilTime, b: CivilTime) -> Bool { a.secondsSince1970 < b.secondsSince1970 }
}

extension CivilTime: CustomStringConvertible {
  /// The reading in ISO 8601: `2024-05-23T18:38:41`.
  public var description: String { text(between: "-", "T") }

  /// Returns the text with `days` between the numbers of the date, `before` in front of the time, and colons in the
  /// time.
  package func text(between days: Unicode.Scalar, _ before: Unicode.Scalar) -> String {
    // Called several times per photo: formatting digit by digit takes a tenth of the time.
    String(unsafeUninitializedCapacity: 19) { text in
      text.update(repeating: 0x3A)
      (text[4], text[7], text[10]) = (UInt8(ascii: days), UInt8(ascii: days), UInt8(ascii: before))
      text[0] = UInt8(0x30 + year / 1000)
      text[1] = UInt8(0x30 + year / 100 % 10)
      for (place, value) in [(2, year % 100), (5, month), (8, day), (11, hour), (14, minute), (17, second)] {
        text[place] = UInt8(0x30 + value / 10)
        text[place + 1] = UInt8(0x30 + value % 10)
      }
      return 19
    }
  }
}

extension FixedWidthInteger where Self: SignedInteger {
  /// Returns the quotient rounded toward −∞, so that the remainder is never negative.
  @inlinable package func flooredDivision(by divisor: Self) -> (quotient: Self, remainder: Self) {
    let (q, r) = quotientAndRemainder(dividingBy: divisor)
    return r < 0 ? (q - 1, r + divisor) : (q, r)
  }
}

extension BinaryInteger {
  /// Returns the decimal digits in ASCII with leading zeros up to `width`, whatever the locale.
  @inlinable package func padded(_ width: Int) -> String {
    let digits = String(self)
    return digits.count >= width ? digits : String(repeating: "0", count: width - digits.count) + digits
  }
}

extension CivilTime {
  package func isSameDay(as other: CivilTime) -> Bool { year == other.year && month == other.month && day == other.day }

  /// Whether `time` falls on this day, in its own zone or in UTC.
  package func isDay(of time: CaptureTime) -> Bool {
    let inUTC = time.instant.flatMap { CivilTime(secondsSince1970: $0.seconds) }
    return isSameDay(as: time.civil) || inUTC.map(isSameDay) ?? false
  }

  /// Returns the number of days from the day of `other` to this day.
  package func day(since other: CivilTime) -> Int64 {
    secondsSince1970.flooredDivision(by: 86_400).quotient - other.secondsSince1970.flooredDivision(by: 86_400).quotient
  }

  /// The date as text: `2024-05-23`.
  package var dayText: String { "\(year.padded(4))-\(month.padded(2))-\(day.padded(2))" }
}
