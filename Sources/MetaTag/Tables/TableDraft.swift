/// A row of a table with its cells parsed. What bare degrees mean is only known after all rows are read.
struct TableDraft {
  let line: Int
  let name: [UInt8]
  private(set) var latitude, longitude: TableAngle?
  private var altitude: Double?
  private var direction: Direction?
  private var time: CaptureTime?
  private var partialDate: PartialDate?
  private var failure: String?
  /// Notes about parts of the date that were left out, with the reasons.
  private var remarks: [String] = []
  private var lacksUnit = false
  private let hasDecimalCommas: Bool

  /// Parses a row; nil if it names no photo.
  init?(_ record: DelimitedText.Record, _ columns: TableColumns, hasDecimalCommas: Bool) {
    guard let name = columns.name(record.fields) else { return nil }
    line = record.line
    self.name = name
    self.hasDecimalCommas = hasDecimalCommas
    let cell = { (role: TableColumns.Role) in columns.text(role, record.fields) }
    do throws(ParseError) {
      try takePosition(cell)
      altitude = try height(cell, columns)
      direction = try direction(cell)
    } catch {
      failure = error.description
    }
    takeTime(columns.time(record.fields), cell)
  }

  private mutating func takePosition(_ cell: (TableColumns.Role) -> String?) throws(ParseError) {
    var texts = (cell(.latitude), cell(.longitude))
    if texts == (nil, nil), let both = cell(.position) {
      let parts = both.split { $0 == "," }
      let halves = parts.count == 2 ? parts : both.split { $0 == " " }
      guard halves.count == 2 else { throw ParseError("'\(both)' is not a latitude and a longitude") }
      texts = (String(halves[0]), String(halves[1]))
    }
    guard let latitude = texts.0, let longitude = texts.1 else {
      guard texts == (nil, nil) else {
        throw ParseError("it has a \(texts.0 == nil ? "longitude, but no latitude" : "latitude, but no longitude")")
      }
      return
    }
    self.latitude = try TableAngle(decimal(latitude), reference: cell(.latitudeReference), ("north", "south"))
    self.longitude = try TableAngle(decimal(longitude), reference: cell(.longitudeReference), ("east", "west"))
  }

  /// Parses an altitude to metres: `3 m Above Sea Level`, `-3`, `10 ft`.
  private mutating func height(
    _ cell: (TableColumns.Role) -> String?, _ columns: TableColumns
  ) throws(ParseError) -> Double? {
    guard let text = cell(.altitude) else { return nil }
    let parts = text.lowercased().split(separator: " ").map(String.init)
    let bytes = Array(decimal(parts.first ?? "").utf8)
    let unit = parts.dropFirst().first.flatMap { Units.lengths[$0] }
    let rest = parts.dropFirst(unit == nil ? 1 : 2).joined(separator: " ")
    guard let number = PlainText.number(bytes, bytes.indices), rest.isEmpty || rest.hasSuffix("sea level") else {
      throw ParseError("its altitude, '\(text)', is not a number")
    }
    guard let factor = unit ?? columns.altitudeUnit else {
      lacksUnit = true
      return nil
    }
    let words = [rest, (cell(.altitudeReference) ?? "").lowercased()]
    var recorded: [Bool] = []
    for word in words { if let isBelow = try TableDraft.isBelow(word) { recorded.append(isBelow) } }
    guard Set(recorded).count < 2, number >= 0 || recorded.first != false else {
      throw ParseError("its altitude, '\(text)', is both above and below sea level")
    }
    let metres = (recorded.first == true ? -abs(number) : number) * factor + 0
    guard Location.altitudes.contains(metres) else {
      throw ParseError("its altitude, '\(text)', is out of range (-11000 to 100000 m)")
    }
    return metres
  }

  /// Parses EXIF's GPSAltitudeRef, as a number or in exiftool's words.
  private static func isBelow(_ word: String) throws(ParseError) -> Bool? {
    switch word {
    case "": nil
    case "0", "above sea level": false
    case "1", "below sea level": true
    default: throw ParseError("'\(word)' is neither above nor below sea level")
    }
  }

  private func direction(_ cell: (TableColumns.Role) -> String?) throws(ParseError) -> Direction? {
    guard let text = cell(.direction) else { return nil }
    let bytes = Array(decimal(text).utf8)
    let word = (cell(.directionReference) ?? "t").lowercased()
    guard let degrees = PlainText.number(bytes, bytes.indices), (0...360).contains(degrees),
      "tm".contains(word.prefix(1))
    else { throw ParseError("'\(text)' is not a direction") }
    return Direction(degrees: degrees, reference: word.hasPrefix("m") ? .magneticNorth : .trueNorth)
  }

  /// Parses the date. A malformed one is left out, and the rest of the row is used: cameras without a clock write zeros
  /// or blanks.
  private mutating func takeTime(_ text: String?, _ cell: (TableColumns.Role) -> String?) {
    guard let text, text.contains(where: { "123456789".contains($0) }) else { return }
    guard var time = try? CaptureTime(parsing: text) else {
      partialDate = try? PartialDate(parsing: text)
      guard partialDate == nil else { return }
      remarks.append("'\(text)' is not a date")
      return
    }
    if let text = cell(.fraction), time.fraction == nil {
      time.fraction = SecondFraction(digits: text.hasPrefix("0.") ? text.dropFirst(2) : text[...])
      if time.fraction == nil { remarks.append("'\(text)' is not a fraction of a second") }
    }
    if let text = cell(.offset) { take(zone: text, of: &time) }
    self.time = time
  }

  /// Parses an offset, also with one digit (`+9`, `+9:00`), or a time zone's name.
  private mutating func take(zone text: String, of time: inout CaptureTime) {
    guard let zone = Zone(known: text), case .one(let offset) = zone.offsets(forCivil: time.civil) else {
      remarks.append("'\(text)' is not an offset from UTC")
      return
    }
    if let own = time.offset, own != offset {
      remarks.append("'\(text)' is not the offset of \(time)")
    } else {
      time.offset = offset
    }
  }

  /// Returns the text with a decimal point. A comma is taken for one if it doesn't separate the columns.
  private func decimal(_ text: String) -> String { hasDecimalCommas ? text.replacing(",", with: ".") : text }

  /// Returns the values of the row.
  func entry(_ hemispheres: Hemispheres, _ rules: PlaceTable.Rules) throws(TableFailure) -> TableEntry {
    if let failure { throw .malformedRow(line: line, failure) }
    var entry = TableEntry(line: line)
    (entry.time, entry.partialDate) = (time, partialDate)
    if let latitude, let longitude {
      let south = try isNegative(latitude, hemispheres.latitudesAreSigned, "N nor S", "latitude", 90)
      let west = try isNegative(longitude, hemispheres.longitudesAreSigned, "E nor W", "longitude", 180)
      do throws(ParseError) {
        entry.coordinate = try Coordinate(
          checking: south ? -latitude.degrees : latitude.degrees, west ? -longitude.degrees : longitude.degrees)
      } catch {
        throw .malformedRow(line: line, error.description)
      }
      guard rules.allowsZero || latitude.degrees != 0 || longitude.degrees != 0 else { throw .noFix(line: line) }
      (entry.altitude, entry.direction) = (altitude, direction)
    }
    guard entry.coordinate != nil || time != nil || partialDate != nil else { throw .emptyRow(line: line) }
    return entry
  }

  private func isNegative(
    _ angle: TableAngle, _ areSigned: Bool, _ letters: String, _ name: String, _ limit: Int
  ) throws(TableFailure) -> Bool {
    guard let isNegative = angle.isNegative ?? (areSigned ? false : nil) else {
      guard angle.degrees <= Double(limit) else {
        throw .malformedRow(line: line, "\(name) \(angle.degrees) is out of range (-\(limit) to \(limit))")
      }
      throw .malformedRow(line: line, "it has neither \(letters), unlike other rows")
    }
    return isNegative
  }

  static func notes(on drafts: [TableDraft], in columns: TableColumns) -> [String] {
    let dates = drafts.flatMap { draft in
      draft.remarks.map { "line \(draft.line): \($0) and is ignored" }
    }
    let lacksUnit = drafts.contains(where: \.lacksUnit)
    return dates + (lacksUnit ? ["the column '\(columns.title(.altitude))' has no unit and is ignored"] : [])
  }
}
