/// The format of tables of positions (CSV, TSV) whose first line names the columns.
///
/// A column that could mean two things is refused by name; one without a unit is left out. Times need a time zone, in
/// themselves or by a heading that says UTC (as `GPSDateTime` does), unless they count from 1970. The requirements for
/// a table are in Documentation/TRACKS.md.
struct CSVTrack: TrackFormat {
  let name = "CSV"

  func recognizes(_ head: [UInt8]) -> Bool {
    var text = DelimitedText(head, quotesSpanLines: false)
    guard let heading = try? text.next() else { return false }
    guard let columns = try? CSVColumns(heading.fields, separator: text.separator) else {
      return CSVColumns.havePosition(heading.fields)
    }
    return columns.count > 2
  }

  func read(_ input: InputWindow, into builder: inout TrackBuilder) throws(FileError) {
    var text = DelimitedText(input, quotesSpanLines: false)
    guard let heading = try text.next() else { return }
    let columns = try CSVColumns(heading.fields, separator: text.separator)
    if !columns.unknownUnits.isEmpty { builder.note(.unknownUnits(columns.unknownUnits)) }
    var lastCount = 0
    var flight = FlightClock()
    var unusable: [TrackSource.Rejection: String] = [:]
    while let line = try text.next() {
      let fields = columns.values(line.fields)
      guard fields != [[]] else { continue }
      // In a truncated file, the last number may be cut off: it is shorter than in the line before.
      if !line.isWhole, fields.count < columns.count || (fields.last?.count ?? 0) < lastCount {
        builder.noteEnd(at: text.position)
        continue
      }
      lastCount = fields.last?.count ?? 0
      var draft = try columns.draft(fields, at: line.offset)
      if let elapsed = columns.elapsed(fields), let coordinate = draft.coordinate {
        if coordinate.isNoFix {
          draft.rejection = .noFix
        } else {
          draft.instant = try flight.instant(elapsed, at: coordinate, into: &builder)
        }
      }
      if let reason = draft.rejection, unusable[reason] == nil { unusable[reason] = columns.timeText(fields) }
      draft.finish(into: &builder)
    }
    if let text = unusable[.noZone] { builder.note(.zoneUnsaid(text)) }
    if let text = unusable[.malformedTime] { builder.note(.timeUnread(text)) }
  }
}

/// The parsing of times in tables.
enum CSVTime {
  /// Parses `text`, preceded by `date` if that has a column of its own.
  ///
  /// Accepted are XML Schema's times, also with `/`, `.` or `:` in a date that begins with the year, or with a date
  /// like `31.12.2024`; ` UTC` and ` GMT` at the end; `20241231235959`; and seconds, milliseconds or microseconds since
  /// 1970. `03/04/2024` is ambiguous and not accepted.
  static func draft(date: [UInt8]?, _ text: [UInt8], isUTC: Bool) -> PointDraft {
    var draft = PointDraft()
    if date == nil, text.count != 14 || text.contains(UInt8(ascii: ".")), let number = PlainText.number(text[...]) {
      draft.take(epoch: number)
      return draft
    }
    guard let time = iso(date: date, text) else {
      draft.rejection = .malformedTime
      return draft
    }
    draft.take(time: time, 0..<time.count, missingZone: isUTC ? .isSaidUTC : .isRejected)
    return draft
  }

  /// Returns `20241231` for `241231` or `311224`; nil for anything but six digits. Two-digit years from 80 on are in
  /// the last century.
  static func wholeYear(_ date: [UInt8], isYearFirst: Bool) -> [UInt8]? {
    guard date.count == 6, Int64(digits: date[...]) != nil else { return nil }
    let pairs = [date[0..<2], date[2..<4], date[4..<6]]
    let parts = isYearFirst ? pairs : pairs.reversed()
    let century = parts[0].lexicographicallyPrecedes("80".utf8) ? "20" : "19"
    return Array(century.utf8) + parts.joined()
  }

  private static func iso(date: [UInt8]?, _ text: [UInt8]) -> [UInt8]? {
    var (date, time) = (date ?? [], text[...])
    if date.isEmpty {
      let rest = text.dropFirst(14)
      if rest.isEmpty || rest.elementsEqual("Z"), Int64(digits: text.prefix(14)) != nil {
        (date, time) = (Array(text.prefix(8)), text.dropFirst(8))
      } else {
        date = Array(text.prefix { $0 != UInt8(ascii: "T") && $0 != UInt8(ascii: "t") && $0 != 0x20 })
        time = text.dropFirst(date.count + 1)
      }
    }
    guard var day = isoDay(date) else { return nil }
    if let digits = Int64(digits: time.prefix(6)), time.count >= 6 {
      let parts = [digits / 10_000, digits / 100 % 100, digits % 100].map { $0.padded(2) }
      time = (Array(parts.joined(separator: ":").utf8) + time.dropFirst(6))[...]
    }
    for zone in [" UTC", " GMT"] where time.suffix(4).elementsEqual(Array(zone.utf8)) {
      time = (time.dropLast(4) + [UInt8(ascii: "Z")])[...]
    }
    day.append(UInt8(ascii: "T"))
    return day + time.filter { $0 != 0x20 }
  }

  private static func isoDay(_ date: [UInt8]) -> [UInt8]? {
    if date.count == 8, Int64(digits: date[...]) != nil {
      return date[..<4] + [0x2D] + date[4..<6] + [0x2D] + date[6...]
    }
    let parts = date.split(omittingEmptySubsequences: false) { [0x2D, 0x2E, 0x2F, 0x3A].contains($0) }.map(Array.init)
    guard parts.count == 3 else { return nil }
    if parts.map(\.count) == [4, 2, 2] { return Array(parts.joined(separator: [0x2D])) }
    guard parts.map(\.count) == [2, 2, 4], date[2] == UInt8(ascii: ".") else { return nil }
    return Array(parts.reversed().joined(separator: [0x2D]))
  }
}

/// The meaning of the columns in a table of positions, according to their headings.
struct CSVColumns {
  /// The meaning of a column.
  private enum Role: Hashable {
    case latitude, longitude, northSouth, eastWest, time, date, altitude, speed, course, hdop, pdop, accuracy
  }

  private static let roles: [(Role, Set<String>)] = [
    (.latitude, ["lat", "latitude"]), (.longitude, ["lon", "lng", "long", "longitude"]),
    (.northSouth, ["n/s", "ns", "lat ref", "latref", "latitude ref", "latituderef"]),
    (.eastWest, ["e/w", "ew", "lon ref", "lonref", "longitude ref", "longituderef"]),
    (
      .time,
      [
        "time", "timestamp", "time stamp", "datetime", "date time", "date/time", "epoch", "unixtime", "unix time",
        "created at", "recorded at", "utc",
      ]
    ),
    (.date, ["date"]), (.altitude, ["alt", "altitude", "ele", "elevation", "height"]), (.speed, ["speed", "velocity"]),
    (.course, ["course", "bearing", "heading", "cog"]), (.hdop, ["hdop"]), (.pdop, ["pdop"]),
    (.accuracy, ["accuracy", "acc", "hacc", "horizontal accuracy"]),
  ]
  /// Words that don't affect the meaning of a heading.
  private static let fillers: Set<String> = [
    "gps", "location", "position", "deg", "degree", "degrees", "decimal", "wgs84", "msl", "iso", "iso8601", "gmt",
    "utc", yearFirst, dayFirst,
  ]
  /// Words for the order of a six-digit date: `Date (YYMMDD)`.
  private static let (yearFirst, dayFirst) = ("yymmdd", "ddmmyy")
  /// Units of times that count from 1970.
  private static let counts: Set<String> = [
    "s", "sec", "seconds", "ms", "milliseconds", "us", "unix", "unixtime", "epoch",
  ]
  private static let text = "text"
  /// A number of seconds that is longer than any flight, and less than the time since 1970.
  private static let longestFlight = 1e7

  private static func isFlightTime(_ words: [String]) -> Bool { words == ["time", "seconds"] }

  /// The number of columns.
  let count: Int
  /// Headings of columns that are left out because they don't name their unit.
  let unknownUnits: [String]
  private let separator: UInt8
  private let columns: [Role: (index: Int, unit: Double)]
  /// The time columns. There are two if one names a unit and the other doesn't: loggers write the same instant in both
  /// forms.
  private let times: [TimeColumn]
  private let isUTC: Bool
  /// Whether six-digit dates begin with the year; nil if the heading doesn't say.
  private let isYearFirst: Bool?

  private struct TimeColumn {
    let index: Int
    let heading: String
    /// Whether the time counts from 1970.
    let isCount: Bool
    let namesUnit: Bool
    /// Whether the time may count from the start of a flight, as in DJI's logs.
    let isFlightTime: Bool

    init(_ index: Int, _ heading: String, _ words: [String]) {
      (self.index, self.heading) = (index, heading)
      isFlightTime = CSVColumns.isFlightTime(words)
      isCount = !CSVColumns.counts.isDisjoint(with: words)
      namesUnit = isCount || words.contains(CSVColumns.text)
    }
  }

  /// Reads the headings.
  /// - Throws: `FileError` when there is no column for position or time, or there are two that may differ.
  init(_ fields: [[UInt8]], separator: UInt8) throws(FileError) {
    self.separator = separator
    let headings = CSVColumns.headings(fields)
    count = headings.count
    let allWords = headings.map { CSVColumns.words($0) }
    let isFlight = allWords.contains { CSVColumns.isFlightTime($0) }
    var columns: [Role: (index: Int, unit: Double)] = [:]
    var (unknownUnits, times, isUTC, isYearFirst): ([String], [TimeColumn], Bool, Bool?) = ([], [], false, nil)
    for (index, heading) in headings.enumerated() {
      let words = allWords[index]
      guard let (role, unit) = CSVColumns.meaning(of: words) else { continue }
      guard let unit else {
        unknownUnits.append(heading)
        continue
      }
      // `Time(text)` repeats `Time(seconds)` in another form: 1m 2.5s.
      if isFlight, role == .time, words == ["time", CSVColumns.text] { continue }
      let time = role == .time ? TimeColumn(index, heading, words) : nil
      let isOtherWay = times.count == 1 && time.map { $0.namesUnit != times[0].namesUnit } ?? false
      if let other = columns[role]?.index, [.latitude, .longitude, .time, .date].contains(role), !isOtherWay {
        throw FileError(
          .ambiguousColumns, "the columns '\(headings[other])' and '\(heading)' could both be the \(role)", at: 0,
          remedy: .renameColumn)
      }
      if columns[role] == nil { columns[role] = (index, unit) }
      if let time { times.append(time) }
      if role == .date, words.contains(CSVColumns.yearFirst) { isYearFirst = true }
      if role == .date, words.contains(CSVColumns.dayFirst) { isYearFirst = false }
      if role == .time || role == .date {
        // ExifTool's tag of the GPS time is always in UTC.
        let isSatellites = role == .time && heading.lowercased().filter(\.isLetter) == "gpsdatetime"
        isUTC = isUTC || words.contains("utc") || words.contains("gmt") || isSatellites
      }
    }
    for role in [Role.latitude, .longitude, .time] where columns[role] == nil {
      throw FileError(
        .missingColumn, "no column is named '\(role)': the columns are \(headings.joined(separator: ", "))", at: 0)
    }
    (self.columns, self.unknownUnits, self.times) = (columns, unknownUnits, times)
    (self.isUTC, self.isYearFirst) = (isUTC, isYearFirst)
  }

  /// Whether the headings name a latitude and a longitude, even if they have other errors.
  static func havePosition(_ fields: [[UInt8]]) -> Bool {
    let roles = headings(fields).compactMap { meaning(of: words($0))?.role }
    return roles.contains(.latitude) && roles.contains(.longitude)
  }

  private static func headings(_ fields: [[UInt8]]) -> [String] {
    fields.map { String(decoding: $0[PlainText.trimmed($0, 0..<$0.count)], as: UTF8.self) }
  }

  /// Returns the fields without surrounding blanks. Those in which pandas marks a missing value are empty.
  func values(_ fields: [[UInt8]]) -> [[UInt8]] {
    fields.map { field in
      let range = PlainText.trimmed(field, 0..<field.count)
      let value = range.count == field.count ? field : Array(field[range])
      return value.count == 3 && ["nan", "nat"].contains(value.folded) ? [] : value
    }
  }

  /// Parses the fields of a line.
  /// - Parameter offset: The line's offset in the file.
  func draft(_ fields: [[UInt8]], at offset: Int) throws(FileError) -> PointDraft {
    let text = { (role: Role) -> [UInt8]? in
      guard let index = columns[role]?.index, index < fields.count else { return nil }
      return fields[index]
    }
    let number = { (role: Role) -> Double? in
      text(role).flatMap { self.number($0) }.map { $0 * (columns[role]?.unit ?? 1) }
    }
    guard var draft = elapsed(fields) == nil ? try time(fields, at: offset) : PointDraft() else {
      var draft = PointDraft()
      (draft.latitude, draft.longitude) = (0, 0)
      return draft
    }
    draft.latitude = angle(text(.latitude), text(.northSouth), "N", "S")
    draft.longitude = angle(text(.longitude), text(.eastWest), "E", "W")
    (draft.altitude, draft.speed, draft.course) = (number(.altitude), number(.speed), number(.course))
    (draft.dilution, draft.accuracy) = (number(.pdop) ?? number(.hdop), number(.accuracy))
    return draft
  }

  /// Returns the seconds since the start of the flight, if no other column has the time.
  func elapsed(_ fields: [[UInt8]]) -> Double? {
    guard times.count == 1, times[0].isFlightTime, times[0].index < fields.count,
      let seconds = number(fields[times[0].index]), (0..<CSVColumns.longestFlight).contains(seconds)
    else { return nil }
    return seconds
  }

  /// Returns the first time that can be read, otherwise the first one; nil if no column has one.
  private func time(_ fields: [[UInt8]], at offset: Int) throws(FileError) -> PointDraft? {
    var found: (draft: PointDraft, heading: String)?
    for column in times {
      let date = column.isCount ? nil : date(fields)
      guard column.index < fields.count, !(fields[column.index] + (date ?? [])).isEmpty else { continue }
      let draft = CSVTime.draft(date: date, fields[column.index], isUTC: isUTC)
      guard draft.rejection == nil, let instant = draft.instant, let other = found?.draft.instant,
        found?.draft.rejection == nil
      else {
        if found == nil || draft.rejection == nil { found = (draft, column.heading) }
        continue
      }
      // One of them may lack the fraction.
      guard abs(instant.timeInterval(since: other)) <= 1 else {
        throw FileError(
          .ambiguousColumns, "the columns '\(found?.heading ?? "")' and '\(column.heading)' have different times",
          at: offset, remedy: .renameColumn)
      }
    }
    return found?.draft
  }

  private func date(_ fields: [[UInt8]]) -> [UInt8]? {
    guard let index = columns[.date]?.index, index < fields.count else { return nil }
    return isYearFirst.flatMap { CSVTime.wholeYear(fields[index], isYearFirst: $0) } ?? fields[index]
  }

  /// Returns the time as in the line, for a message.
  func timeText(_ fields: [[UInt8]]) -> String {
    [columns[.date]?.index, times.first?.index].compactMap(\.self).filter { $0 < fields.count }
      .map { String(decoding: fields[$0].prefix(40), as: UTF8.self) }.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Parses `47.5`, `-47.5`, `47.5 N`, `S47.5`, or a number with a letter in another column. A sign together with a
  /// letter is ambiguous and refused.
  private func angle(
    _ text: [UInt8]?, _ letter: [UInt8]?, _ positive: StaticString, _ negative: StaticString
  ) -> Double? {
    guard var text else { return nil }
    let isLetter = { (byte: UInt8) in byte & 0xDF >= 0x41 && byte & 0xDF <= 0x5A }
    var letters = (letter ?? []).filter(isLetter)
    if letter != nil, letters.isEmpty { return nil }
    for place in [text.first, text.last] {
      if let byte = place, isLetter(byte) { letters.append(byte) }
    }
    if let first = text.first, isLetter(first) { text.removeFirst() }
    if let last = text.last, isLetter(last) { text.removeLast() }
    guard letters.count <= 1, let value = number(text) else { return nil }
    guard let letter = letters.first.map({ [$0 & 0xDF] }) else { return value }
    guard !text.contains(UInt8(ascii: "-")), !text.contains(UInt8(ascii: "+")) else { return nil }
    if letter.elementsEqual(positive) { return value }
    return letter.elementsEqual(negative) ? -value : nil
  }

  /// Parses a number. A comma is taken for a decimal point if it doesn't separate the columns.
  private func number(_ text: [UInt8]) -> Double? {
    let comma = UInt8(ascii: ",")
    guard separator != comma, text.contains(comma) else { return PlainText.number(text[...]) }
    return PlainText.number(text.map { $0 == comma ? UInt8(ascii: ".") : $0 }[...])
  }

  // MARK: Headings

  /// Splits a heading into lowercase words without brackets: `Speed (km/h)` becomes `speed`, `km/h`.
  /// The largest size of a heading that means something, in bytes.
  private static let longestHeading = 200

  private static func words(_ heading: String) -> [String] {
    guard heading.utf8.count <= longestHeading else { return [] }
    return heading.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "/" }
      .map { $0.hasPrefix("gps") && $0.count > 3 ? String($0.dropFirst(3)) : String($0) }
  }

  /// Returns the meaning of a heading, and its unit. The unit is nil if it is missing but needed.
  private static func meaning(of words: [String]) -> (role: Role, unit: Double?)? {
    var words = words
    if words != ["utc"], words != ["n/s"], words != ["e/w"] {
      words.removeAll { fillers.contains($0) || ["n/s", "e/w"].contains($0) }
    }
    for length in [words.count, words.count - 1] where length > 0 {
      let (name, unit) = (words.prefix(length).joined(separator: " "), words.dropFirst(length).first)
      guard let role = roles.first(where: { $0.1.contains(name) })?.0 else { continue }
      switch role {
      case .altitude, .accuracy: return (role, unit.flatMap { Units.lengths[$0] })
      case .speed: return (role, unit.flatMap { Units.speeds[$0] })
      case .time: return unit.map { counts.contains($0) || $0 == text } ?? true ? (role, 1) : nil
      default: return unit == nil ? (role, 1) : nil
      }
    }
    return nil
  }
}
