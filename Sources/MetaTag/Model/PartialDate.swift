/// All that is known of when an old picture was taken: the year, or the month.
public struct PartialDate: Hashable, Sendable {
  /// 1…9999.
  public let year: Int
  /// 1…12; nil where only the year is known.
  public let month: Int?

  /// Returns nil for what no calendar has.
  public init?(year: Int, month: Int? = nil) {
    guard (1...9999).contains(year), (1...12).contains(month ?? 1) else { return nil }
    (self.year, self.month) = (year, month)
  }

  /// Reads `1975` and `1975-06`, or EXIF's `1975:06`.
  /// - Throws: `ParseError` for anything else.
  public init(parsing text: String) throws(ParseError) {
    let parts = text.trimmed.replacing(":", with: "-").split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil }
    guard (1...2).contains(parts.count), numbers.count == parts.count, parts[0].utf8.count == 4,
      parts.dropFirst().allSatisfy({ $0.utf8.count == 2 }),
      let date = PartialDate(year: numbers[0], month: numbers.dropFirst().first)
    else { throw ParseError("'\(text)' is no year and no month: write for example 1975 or 1975-06") }
    self = date
  }

  /// Whether a text is too short to tell more than a year and a month.
  static func isAll(of text: String) -> Bool { text.trimmed.utf8.count <= 7 }

  /// Its first second.
  var first: CivilTime? { CivilTime(year: year, month: month ?? 1, day: 1) }

  /// Its last second.
  var last: CivilTime? {
    let month = month ?? 12
    return CivilTime(
      year: year, month: month, day: CivilTime.days(inMonth: month, of: year), hour: 23, minute: 59, second: 59)
  }

  /// Whether this day may be meant.
  func contains(_ civil: CivilTime) -> Bool { civil.year == year && (month ?? civil.month) == civil.month }

  /// Whether both may mean one day.
  func agrees(with other: PartialDate) -> Bool {
    year == other.year && (month == nil || other.month == nil || month == other.month)
  }
}

extension PartialDate: CustomStringConvertible {
  /// `1975`, `1975-06`: as ISO 8601 and XMP have it.
  public var description: String { year.padded(4) + (month.map { "-" + $0.padded(2) } ?? "") }

  /// As EXIF has it: blanks for what isn't known (CIPA DC-008, 4.6.5, DateTimeOriginal).
  var exifText: String { "\(year.padded(4)):\(month?.padded(2) ?? "  "):     :  :  " }

  /// As IPTC has it: zeros for what isn't known (IIM 4.2, 2:55).
  var iptcText: String { year.padded(4) + (month ?? 0).padded(2) + "00" }

  /// Reads what EXIF has, with blanks or zeros for what isn't known, and blanks at the end perhaps left out; nil for
  /// anything else.
  init?(exif text: String) {
    guard text.utf8.count <= 19 else { return nil }
    var rest = (Array(text.utf8) + [UInt8](repeating: 0x20, count: 19 - text.utf8.count))[...]
    guard let year = rest.takeNumber(4), rest.take(":") else { return nil }
    let month = rest.takeNumber(2)
    if month == nil {
      guard rest.take(" "), rest.take(" ") else { return nil }
    }
    guard rest.allSatisfy({ ": 0".utf8.contains($0) }) else { return nil }
    self.init(year: year, month: month == 0 ? nil : month)
  }

  /// Whether EXIF's text says just this, as EXIF wants it written.
  func isWritten(_ exif: String?) -> Bool { exif?.trimmed == exifText.trimmed }
}

extension CalendarShift {
  /// Where a year or a month goes: with the anchor if that lies in it; else by whole years, or months where these are
  /// known, and nowhere by less. Nil outside the calendar.
  func moving(_ date: PartialDate) -> PartialDate? {
    if let anchor, date.contains(anchor.civil) {
      return anchor.adding(self).flatMap {
        PartialDate(year: $0.civil.year, month: date.month == nil ? nil : $0.civil.month)
      }
    }
    guard span == .zero, date.month != nil || months % 12 == 0 else { return date }
    return date.first?.adding(months: months).flatMap {
      PartialDate(year: $0.year, month: date.month == nil ? nil : $0.month)
    }
  }
}

extension Metadata {
  /// When it was taken as far as that is known, in words: the believed time, else the year or month.
  public var takenText: String? { captureTime?.description ?? partialDates.first?.value.description }

  /// Every copy of when it was taken and digitized, in words, by tag and namespace; also a text that is none.
  public var dateCopies: [String: String] {
    let copies =
      (captureTimes + digitizedTimes).map { DateFinding.Statement($0) } + captureDays.map { DateFinding.Statement($0) }
      + partialDates.map { DateFinding.Statement($0) } + furtherDates.map { DateFinding.Statement($0) }
      + captureTexts.map { DateFinding.Statement($0) }
    return Dictionary(copies.map { ("\($0.tag) (\($0.source))", $0.value) }) { first, _ in first }
  }

  /// Texts where dates of taking and digitizing should stand, raw. EXIF DateTime is that of the file's last change.
  public var captureTexts: [Sourced<String>] {
    malformedDates.filter { $0.tag != EXIF.DateTags.modified.name }
  }

  /// Whether it says when it was taken, if only the year.
  var isDated: Bool { captureTime != nil || !partialDates.isEmpty }
}
