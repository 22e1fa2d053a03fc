/// The meaning of the columns in a table of photos, according to their headings: names of exiftool's tags, with or
/// without their group, and plain words.
struct TableColumns {
  /// The meaning of a column.
  enum Role: CaseIterable, Sendable {
    case name, folder
    case latitude, latitudeReference, longitude, longitudeReference, position
    case altitude, altitudeReference, direction, directionReference
    case time, clock, fraction, offset
  }

  /// Headings in lowercase, with only letters and digits. Of several columns for `name` or `time` the first of these
  /// headings counts; for other roles, a second column is an error.
  private static let headings: [Role: [String]] = [
    .name: ["sourcefile", "path", "filepath", "file", "filename", "photo", "image", "name"], .folder: ["directory"],
    .latitude: ["gpslatitude", "latitude", "lat", "gpslat"],
    .latitudeReference: ["gpslatituderef", "latituderef", "latref", "ns"],
    .longitude: ["gpslongitude", "longitude", "lon", "lng", "long", "gpslon", "gpslong"],
    .longitudeReference: ["gpslongituderef", "longituderef", "lonref", "ew"],
    .position: ["gpsposition", "gpscoordinates", "coordinates", "position"],
    .altitude: ["gpsaltitude", "altitude", "alt", "elevation", "ele", "height"],
    .altitudeReference: ["gpsaltituderef", "altituderef"],
    .direction: ["gpsimgdirection", "imgdirection", "imagedirection", "direction"],
    .directionReference: ["gpsimgdirectionref", "imgdirectionref", "imagedirectionref"],
    .time: ["subsecdatetimeoriginal", "taken", "datetimeoriginal", "datetaken", "capturetime", "datetime", "date"],
    .clock: ["time"], .fraction: ["subsectimeoriginal"], .offset: ["offsettimeoriginal"],
  ]
  private static let ranked: Set<Role> = [.name, .time]
  /// The headings of tables that metatag itself writes: degrees are signed, altitudes are in metres.
  private static let own = ["path,latitude,longitude,altitude,taken,camera"] + shown + shown.map { $0 + derived }
  private static let shown = [earlier, earlier + ",kind,width,height,duration"]
  private static let earlier =
    "path,type,taken,latitude,longitude,altitude,sublocation,city,state,country,countryCode,make,model,orientation,notes"
  private static let derived = ",derivedSublocation,derivedCity,derivedState,derivedCountry,derivedCountryCode"

  /// Whether metatag wrote the table.
  let isOwn: Bool
  /// The unit of altitudes in metres; nil if the heading doesn't name one.
  let altitudeUnit: Double?
  private let columns: [Role: Int]
  private let titles: [String]
  /// Whether the column of times is called `Date`, so that another one may have the time of day.
  private let hasDayOnly: Bool

  /// Reads the headings.
  /// - Throws: `.unsupported` when no column names photos, no column has a position or a date, or two columns could
  ///   mean the same.
  init(_ fields: [[UInt8]]) throws(FileError) {
    let titles = fields.map { String(decoding: $0[PlainText.trimmed($0, 0..<$0.count)], as: UTF8.self) }
    let isOwn = TableColumns.own.contains(titles.joined(separator: ","))
    var columns: [Role: Int] = [:]
    let parts = titles.map { TableColumns.parts(of: $0) }
    for role in Role.allCases { columns[role] = try TableColumns.column(of: role, in: parts, titles) }
    if columns[.latitude] != nil, columns[.longitude] != nil { columns[.position] = nil }
    let isPlaced = columns[.latitude] != nil && columns[.longitude] != nil || columns[.position] != nil
    guard columns[.name] != nil, isPlaced || columns[.time] != nil else {
      let missing =
        columns[.name] == nil
        ? "SourceFile, path, FileName or name" : "GPSLatitude and GPSLongitude, nor one DateTimeOriginal or taken"
      throw FileError(
        .missingColumn, "no column is named \(missing): the columns are \(titles.joined(separator: ", "))", at: 0)
    }
    altitudeUnit = columns[.altitude].flatMap { index in
      parts[index].unit ?? (parts[index].tag == "gpsaltitude" || isOwn ? 1 : nil)
    }
    hasDayOnly = columns[.time].map { parts[$0].tag == "date" } ?? false
    (self.titles, self.isOwn, self.columns) = (titles, isOwn, columns)
  }

  /// Returns the text for `role` without surrounding blanks; nil if it is missing. exiftool's `-f` writes a dash for a
  /// missing value, pandas `NaN` or `NaT`.
  func text(_ role: Role, _ fields: [[UInt8]]) -> String? {
    guard let field = raw(role, fields) else { return nil }
    let text = String(decoding: field[PlainText.trimmed(field, 0..<field.count)], as: UTF8.self)
    return ["", "-", "nan", "nat"].contains(text.lowercased()) ? nil : text
  }

  /// Returns the photo's name, byte for byte. A name without a folder is prefixed with the folder column, if there is
  /// one.
  func name(_ fields: [[UInt8]]) -> [UInt8]? {
    guard let name = raw(.name, fields), !name.isEmpty else { return nil }
    guard let folder = raw(.folder, fields), !folder.isEmpty, !name.contains(UInt8(ascii: "/")) else { return name }
    return folder + [UInt8(ascii: "/")] + name
  }

  /// Returns the record's capture time. A separate time column counts only after a column `Date`.
  func time(_ fields: [[UInt8]]) -> String? {
    guard hasDayOnly, let clock = text(.clock, fields) else {
      return text(.time, fields)
    }
    return text(.time, fields).map { "\($0) \(clock)" }
  }

  /// Whether degrees without sign or letter are signed by convention: both columns have the plain names that programs
  /// give to signed decimals, not those of exiftool's tags.
  var areSignedByCustom: Bool {
    let plain: Set<String> = ["lat", "latitude", "lon", "lng", "long", "longitude"]
    let isPlain = { (role: Role) in plain.contains(title(role).lowercased()) }
    return isPlain(.latitude) && isPlain(.longitude)
      && columns[.latitudeReference] == nil && columns[.longitudeReference] == nil
  }

  /// Returns the heading of the column.
  func title(_ role: Role) -> String { columns[role].map { titles[$0] } ?? "" }

  private func raw(_ role: Role, _ fields: [[UInt8]]) -> [UInt8]? {
    columns[role].flatMap { $0 < fields.count ? fields[$0] : nil }
  }

  private static func column(
    of role: Role, in parts: [HeadingParts], _ titles: [String]
  ) throws(FileError) -> Int? {
    var names = headings[role] ?? []
    // If there is a width, the height is the picture's.
    if role == .altitude, parts.contains(where: { $0.tag == "width" }) {
      names.removeAll { $0 == "height" }
    }
    let found = parts.enumerated().compactMap { index, heading -> (index: Int, rank: Int)? in
      let (tag, isComposite, unit) = heading
      guard unit == nil || role == .altitude, let rank = names.firstIndex(of: tag) else { return nil }
      // Prefer exiftool's Composite tags, which have a sign or letter; the tags they are made of have not.
      return (index, (ranked.contains(role) ? rank * 2 : 0) + (isComposite ? 0 : 1))
    }
    guard let best = found.map(\.rank).min() else { return nil }
    let chosen = found.filter { $0.rank == best }.map(\.index)
    guard chosen.count == 1 else {
      let both = chosen.prefix(2).map { "'\(titles[$0])'" }.joined(separator: " and ")
      throw FileError(.ambiguousColumns, "the columns \(both) could mean the same", at: 0, remedy: .renameColumn)
    }
    return chosen[0]
  }

  /// A heading's tag, whether it is one of exiftool's Composite tags, and its unit in metres.
  private typealias HeadingParts = (tag: String, isComposite: Bool, unit: Double?)

  /// The largest size of a heading that means something, in bytes.
  private static let longestHeading = 200

  /// Splits a heading: `GPS:GPSLatitude` is `gpslatitude`; `Altitude (ft)` is `altitude` in feet.
  private static func parts(of title: String) -> HeadingParts {
    guard title.utf8.count <= longestHeading else { return ("", false, nil) }
    let groups = title.lowercased().split(separator: ":", omittingEmptySubsequences: false)
    let words = (groups.last ?? "").split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map(String.init)
    let unit = words.count > 1 ? words.last.flatMap { Units.lengths[$0] } : nil
    let tag = words.dropLast(unit == nil ? 0 : 1).joined()
    return (tag, groups.count > 1 && groups.first == "composite", unit)
  }
}

/// A latitude or longitude in a table, whose hemisphere may be unknown.
struct TableAngle {
  /// The degrees from the equator or from Greenwich, never negative.
  let degrees: Double
  /// Whether the angle is south or west; nil if it has neither sign nor letter.
  let isNegative: Bool?
  /// Whether the hemisphere was given as a letter.
  let hasLetter: Bool
  /// Whether the text is a plain number, without minutes or words.
  let isDecimal: Bool
  /// Whether the text has a sign.
  let isSigned: Bool

  /// Parses `-33.5`, `33.5 S`, `33 deg 30' 0.00" S`, or a number whose `reference` in another column is `S` or `South`.
  ///
  /// - Parameter letters: The words for the positive and the negative hemisphere, in lowercase: `north`, `south`.
  /// - Throws: `ParseError`, also if sign and letters contradict each other.
  init(_ text: String, reference: String?, _ letters: (positive: String, negative: String)) throws(ParseError) {
    var recorded: [Bool] = []
    if let reference { recorded.append(try TableAngle.isNegative(reference, letters)) }
    let bytes = Array(text.utf8)
    if let number = PlainText.number(bytes, bytes.indices) {
      degrees = abs(number)
      isDecimal = true
      hasLetter = reference != nil
      isSigned = text.hasPrefix("-") || text.hasPrefix("+")
      if isSigned { recorded.append(text.hasPrefix("-")) }
    } else {
      let angle = try AngleText(parsing: text)
      degrees = abs(angle.value)
      isDecimal = false
      hasLetter = reference != nil || angle.letter != nil
      isSigned = angle.isSigned
      if let letter = angle.letter { recorded.append(try TableAngle.isNegative(String(letter), letters)) }
      if isSigned { recorded.append(angle.value.sign == .minus) }
    }
    guard Set(recorded).count < 2 else {
      throw ParseError("'\(text)' and '\(reference ?? "")' are in different hemispheres")
    }
    isNegative = recorded.first ?? (degrees == 0 ? false : nil)
  }

  private static func isNegative(
    _ word: String, _ letters: (positive: String, negative: String)
  ) throws(ParseError) -> Bool {
    let small = word.lowercased()
    if small == letters.positive || small == letters.positive.prefix(1) { return false }
    if small == letters.negative || small == letters.negative.prefix(1) { return true }
    throw ParseError("'\(word)' is neither \(letters.positive) nor \(letters.negative)")
  }
}
