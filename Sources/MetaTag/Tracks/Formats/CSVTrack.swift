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
