/// All that is known of when an old picture was taken: the year, the month, or the day.
public struct PartialDate: Hashable, Sendable {
  /// 1…9999.
  public let year: Int
  /// 1…12; nil where only the year is known.
  public let month: Int?
  /// 1…31; nil where only the year or the month is known.
  public let day: Int?

  /// Returns nil for what no calendar has.
  public init?(year: Int, month: Int? = nil, day: Int? = nil) {
    guard (1...9999).contains(year), month != nil || day == nil,
      CivilTime(year: year, month: month ?? 1, day: day ?? 1) != nil
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  /// The day of a reading; nil in the year 0.
  package init?(dayOf civil: CivilTime) { self.init(year: civil.year, month: civil.month, day: civil.day) }

  /// Reads `1975`, `1975-06` and `1975-06-12`, or with EXIF's colons.
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

  /// Whether a text is too short to tell more than a day.
  package static func isAll(of text: String) -> Bool { text.trimmed.utf8.count <= 10 }

  /// What is known of it, in words.
  package var precision: String { day != nil ? "day" : month != nil ? "month" : "year" }

  /// Its first second.
  package var first: CivilTime? { CivilTime(year: year, month: month ?? 1, day: day ?? 1) }

  /// The day, at its beginning; nil where it isn't known.
  package var midnight: CivilTime? { day == nil ? nil : first }

  /// Its last second.
  package var last: CivilTime? {
    let month = month ?? 12
    return CivilTime(
      year: year, month: month, day: day ?? CivilTime.days(inMonth: month, of: year), hour: 23, minute: 59, second: 59)
  }

  /// Whether this day may be meant.
  package func contains(_ civil: CivilTime) -> Bool {
    civil.year == year && (month ?? civil.month) == civil.month && (day ?? civil.day) == civil.day
  }

  /// Whether `time` may be meant, as it was shown, or in UTC.
  package func contains(_ time: CaptureTime) -> Bool {
    let inUTC = time.instant.flatMap { CivilTime(secondsSince1970: $0.seconds) }
    return contains(time.civil) || inUTC.map { contains($0) } ?? false
  }

  /// Whether both may mean one day.
  package func agrees(with other: PartialDate) -> Bool {
    year == other.year && (month == nil || other.month == nil || month == other.month)
      && (day == nil || other.day == nil || day == other.day)
  }

  /// As much of `civil` as is known of this.
  fileprivate func asMuch(of civil: CivilTime) -> PartialDate? {
    PartialDate(year: civil.year, month: month == nil ? nil : civil.month, day: day == nil ? nil : civil.day)
  }
}

extension PartialDate: CustomStringConvertible {
  /// `1975`, `1975-06`, `1975-06-12`: as ISO 8601 and XMP have it.
  public var description: String {
    year.padded(4) + [month, day].compactMap(\.self).map { "-" + $0.padded(2) }.joined()
  }

  /// As EXIF has it: blanks for what isn't known (CIPA DC-008, 4.6.5, DateTimeOriginal).
  package var exifText: String { "\(year.padded(4)):\(month?.padded(2) ?? "  "):\(day?.padded(2) ?? "  ")   :  :  " }

  /// As IPTC has it: zeros for what isn't known (IIM 4.2, 2:55).
  package var iptcText: String { year.padded(4) + (month ?? 0).padded(2) + (day ?? 0).padded(2) }

  /// Reads what EXIF has, with blanks or zeros for what isn't known, and blanks at the end perhaps left out; nil for
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
      // Midnight in digits is a time.
      guard rest.allSatisfy({ ": ".utf8.contains($0) }) else { return nil }
      self.init(year: year, month: month, day: day)
      return
    }
    guard rest.allSatisfy({ ": 0".utf8.contains($0) }) else { return nil }
    self.init(year: year, month: month == 0 ? nil : month)
  }

  /// Whether EXIF's text says just this, as EXIF wants it written.
  package func isWritten(_ exif: String?) -> Bool { exif?.trimmed == exifText.trimmed }
}

extension CalendarShift {
  /// Where a year, a month or a day goes: with the anchor if that lies in it; else by whole years, months or days where
  /// these are known, and nowhere by less. Nil outside the calendar.
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
