/// The known part of an old picture's date: the year, the month, or the day.
public struct PartialDate: Hashable, Sendable {
  /// The year, 1…9999.
  public let year: Int
  /// The month, 1…12; nil if only the year is known.
  public let month: Int?
  /// The day, 1…31; nil if only the year or the month is known.
  public let day: Int?

  /// Returns nil if no calendar has this date.
  public init?(year: Int, month: Int? = nil, day: Int? = nil) {
    guard (1...9999).contains(year), month != nil || day == nil,
      CivilTime(year: year, month: month ?? 1, day: day ?? 1) != nil
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// Creates the date of a civil time; nil in the year 0.
  package init?(dayOf civil: CivilTime) { self.init(year: civil.year, month: civil.month, day: civil.day) }

  /// Parses `1975`, `1975-06` and `1975-06-12`, or the same with EXIF's colons.
  /// - Throws: `ParseError` for anything else.
  public init(parsing text: String) throws(ParseError) {
    let parts = text.trimmed.replacing(":", with: "-").split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil }
    guard (1...3).contains(parts.count), numbers.count == parts.count, parts[0].utf8.count == 4,
      parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }),
      let date = PartialDate(year: numbers[0], month: numbers.dropFirst().first, day: numbers.dropFirst(2).first)
    else { throw ParseError("'\(text)' is no year, month or day: write for example 1975, 1975-06 or 1975-06-12") }
    self = date
  }

  /// Whether a text is too short to contain more than a day.
  package static func isAll(of text: String) -> Bool { text.trimmed.utf8.count <= 10 }

  /// The precision in words.
  package var precision: String { day != nil ? "day" : month != nil ? "month" : "year" }

  /// The first second of the period.
  package var first: CivilTime? { CivilTime(year: year, month: month ?? 1, day: day ?? 1) }

  /// The beginning of the day; nil if the day isn't known.
  package var midnight: CivilTime? { day == nil ? nil : first }

  /// The last second of the period.
  package var last: CivilTime? {
    let month = month ?? 12
    return CivilTime(
      year: year, month: month, day: day ?? CivilTime.days(inMonth: month, of: year), hour: 23, minute: 59, second: 59)
  }

  /// Whether the day of `civil` lies within the period.
  package func contains(_ civil: CivilTime) -> Bool {
    civil.year == year && (month ?? civil.month) == civil.month && (day ?? civil.day) == civil.day
  }

  /// Whether the day of `time` lies within the period, as local time or in UTC.
  package func contains(_ time: CaptureTime) -> Bool {
    let inUTC = time.instant.flatMap { CivilTime(secondsSince1970: $0.seconds) }
    return contains(time.civil) || inUTC.map { contains($0) } ?? false
  }

  /// Whether both dates can denote the same day.
  package func agrees(with other: PartialDate) -> Bool {
    year == other.year && (month == nil || other.month == nil || month == other.month)
      && (day == nil || other.day == nil || day == other.day)
  }

  /// Returns the date of `civil` with the precision of this date.
  fileprivate func asMuch(of civil: CivilTime) -> PartialDate? {
    PartialDate(year: civil.year, month: month == nil ? nil : civil.month, day: day == nil ? nil : civil.day)
  }
}

extension PartialDate: CustomStringConvertible {
  /// The date in the format of ISO 8601 and XMP: `1975`, `1975-06`, `1975-06-12`.
  public var description: String {
    year.padded(4) + [month, day].compactMap(\.self).map { "-" + $0.padded(2) }.joined()
  }

  /// The date in the format of EXIF: blanks for unknown parts (CIPA DC-008, 4.6.5, DateTimeOriginal).
  package var exifText: String { "\(year.padded(4)):\(month?.padded(2) ?? "  "):\(day?.padded(2) ?? "  ")   :  :  " }

  /// The date in the format of IPTC: zeros for unknown parts (IIM 4.2, 2:55).
  package var iptcText: String { year.padded(4) + (month ?? 0).padded(2) + (day ?? 0).padded(2) }

  /// Parses the format of EXIF, with blanks or zeros for unknown parts; blanks at the end may be missing. Nil for
  /// anything else.
  package init?(exif text: String) {
    guard text.utf8.count <= 19 else { return nil }
    var rest = (Array(text.utf8) + [UInt8](repeating: 0x20, count: 19 - text.utf8.count))[...]
    guard let year = rest.takeNumber(4), rest.take(":") else { return nil }
    let month = rest.takeNumber(2)
    if month == nil {
      guard rest.take(" "), rest.take(" ") else { return nil }
    }
    if rest.take(":"), let day = rest.takeNumber(2), day != 0 {
      // A time of 00:00:00 in digits is a time of day, so the text is more than a date.
      guard rest.allSatisfy({ ": ".utf8.contains($0) }) else { return nil }
      self.init(year: year, month: month, day: day)
      return
    }
    guard rest.allSatisfy({ ": 0".utf8.contains($0) }) else { return nil }
    self.init(year: year, month: month == 0 ? nil : month)
  }

  /// Whether an EXIF text contains exactly this date, in the correct format.
  package func isWritten(_ exif: String?) -> Bool { exif?.trimmed == exifText.trimmed }
}

extension CalendarShift {
  /// Returns a year, month or day after the shift. If it contains the anchor, it moves with the anchor; otherwise by
  /// whole years, months or days, as far as its precision allows, and not by less. Nil outside the calendar.
  package func moving(_ date: PartialDate) -> PartialDate? {
    if let anchor, date.contains(anchor.civil) {
      return anchor.adding(self).flatMap { date.asMuch(of: $0.civil) }
    }
    let moves =
      date.day != nil
      ? span.nanoseconds == 0 && span.seconds % 86_400 == 0 : span == .zero && (date.month != nil || months % 12 == 0)
    guard moves else { return date }
    return date.first?.adding(months: months)?.adding(seconds: span.seconds).flatMap { date.asMuch(of: $0) }
  }
}
