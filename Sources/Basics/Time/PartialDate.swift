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

extension PartialDate {
  /// Parses a file name that contains only a year, or a year and a month: `Urlaub 1975.jpg`, `1975-08 Oma.jpg`; nil for
  /// any other.
  ///
  /// Numbers that look like years may count pictures (`IMG_1975`), name a camera (`Canon 1975`) or be measurements
  /// (`1920 px`), so the rules are strict. A year is four digits from 1840 on that are separate, in a name with no
  /// other number of more than three digits, and next to words that don't imply another meaning. A full century
  /// (`Windows 2000`) counts only at the beginning of the name or in brackets. A month is two digits after the year:
  /// `1975-08`, or at the beginning of the name also `1975_08`.
  public init?(fileName: String) {
    let whole = fileName.lastIndex(of: ".").map { fileName[..<$0] } ?? fileName[...]
    let name = whole.replacing(Pattern.copy, with: "")
    let numbers = name.matches(of: Pattern.number)
    let years = numbers.filter { $0.output.count == 4 && ("1840"..."2099").contains($0.output) }
    guard years.count == 1, let year = years.first, let number = Int(year.output),
      numbers.allSatisfy({ $0.output.count <= 3 || $0.range == year.range })
    else { return nil }
    let (before, behind) = (name[..<year.range.lowerBound], name[year.range.upperBound...])
    guard PartialDate.mayStand(before: before), PartialDate.mayStand(behind: behind) else { return nil }
    if let match = behind.prefixMatch(of: Pattern.month) {
      // `Urlaub 1975_03` may be its third picture, and `1975-78` a range of years.
      guard before.isEmpty || behind.first == "-", let month = Int(match.1), (1...12).contains(month) else {
        return nil
      }
      self.init(year: number, month: month)
    } else {
      guard behind.prefixMatch(of: Pattern.count) == nil else { return nil }
      guard number % 100 != 0 || before.isEmpty || "([".contains(before.last ?? " ") else { return nil }
      self.init(year: number)
    }
  }

  /// Whether a year can follow this beginning of a name.
  private static func mayStand(before text: Substring) -> Bool {
    guard let last = text.last else { return true }
    guard let match = text.firstMatch(of: Pattern.lastWord) else { return false }
    let word = match.1
    guard !notYears.contains(word.lowercased()) else { return false }
    switch last {
    case " ", "(", "[":
      return text.last { $0 != " " && $0 != "(" && $0 != "[" }.map { $0.isLetter || $0 == "," } ?? true
    // Cameras write short names in capitals.
    case "_", "-": return word.count >= 4 && word.contains { $0.isLowercase }
    default: return false
    }
  }

  /// Whether a year can precede this end of a name.
  private static func mayStand(behind text: Substring) -> Bool {
    guard let first = text.first else { return true }
    guard " _-)],".contains(first) else { return false }
    let word = text.firstMatch(of: Pattern.firstWord)?.1 ?? ""
    return !units.contains(word.lowercased())
  }

  /// Words after which a number is not a year.
  private static let notYears: Set = [
    "img", "image", "dsc", "dscn", "dscf", "dscs", "pict", "pic", "picture", "mvi", "mov", "vid", "video", "sam",
    "gopr", "gp", "dji", "pxl", "photo", "foto", "bild", "immagine", "imagen", "scan", "scn", "file", "frame", "page",
    "seite", "nr", "no", "number", "num", "film", "roll", "rolle", "dia", "slide", "negativ", "track", "copy", "kopie",
    "edit", "screenshot", "wallpaper", "desktop", "resized", "size", "width", "height", "breite", "full", "canon",
    "nikon", "sony", "fuji", "fujifilm", "olympus", "leica", "pentax", "samsung", "apple", "iphone", "gopro",
    "panasonic", "minolta", "kodak", "epson", "hp", "model", "wa", "id", "room", "zimmer", "route", "version", "v",
  ]

  /// Units and other words before which a number is not a year.
  private static let units: Set = [
    "px", "pixel", "pixels", "x", "p", "dpi", "ppi", "mm", "cm", "m", "km", "ft", "kb", "mb", "gb", "iso", "kg", "g",
    "euro", "eur", "usd", "photo", "photos", "foto", "fotos", "picture", "pictures", "bild", "bilder", "image",
    "images", "dias", "slides", "uhr", "h", "hz", "w", "ps", "hp", "bc", "bce", "v",
  ]
}

/// Patterns that are compiled once.
private enum Pattern {
  nonisolated(unsafe) static let copy = #/ ?\([0-9]{1,3}\)$/#
  nonisolated(unsafe) static let number = /[0-9]+/
  nonisolated(unsafe) static let month = /[-_]([0-9]{2})(?:$| |[-_](?=\p{L}))/
  nonisolated(unsafe) static let count = /[-_][0-9]{1,2}(?![0-9])/
  nonisolated(unsafe) static let lastWord = /(\p{L}*)[^\p{L}0-9]*$/
  nonisolated(unsafe) static let firstWord = /^[^\p{L}0-9]*(\p{L}*)/
}
