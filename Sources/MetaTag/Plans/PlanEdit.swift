/// The form of an edit in a plan file, for writing and reading. Values that are kept are not written; `null` removes. A
/// new field of `MetadataEdit` needs one line in `planValue` and one in `init(plan:)`, and nothing else.
extension MetadataEdit {
  var planValue: PlanValue {
    .object([
      ("location", location.planValue { $0.planValue }),
      ("keepCompanions", .bool(ifSo: keepsCompanions)),
      ("onlyMissing", .bool(ifSo: fillsGapsOnly)),
      ("eraseOldPlace", .bool(ifSo: erasesOldPlace)),
      ("dates", dates == .keep ? nil : dates.planValue),
      ("names", names.planValue { $0.planValue }),
      ("namesShown", .bool(ifSo: namesPlaceShown)),
      ("iptc", .bool(ifSo: addsIPTC)),
      ("title", fields[.title]?.planValue { .text($0.planText) }),
      ("keywords", fields[.keywords]?.planValue { .list($0.planTexts) }),
      ("addKeywords", addedKeywords.isEmpty ? nil : .list(addedKeywords.map { .text($0) })),
      ("tags", planTags),
      ("xmp", planProperties),
      ("eraseDates", .bool(ifSo: erasesDates)),
      ("eraseAll", .bool(ifSo: erasure != nil)),
      ("keepDate", .bool(ifSo: erasure?.keepsDate ?? false)),
      ("dropTimed", .bool(ifSo: dropsTimedPlaces)),
      ("endReconstruction", .bool(ifSo: endsReconstruction)),
    ])
  }

  /// Reads an edit.
  /// - Throws: `ParseError` for unknown members, and for values that no photo may get: positions out of range, and 0, 0
  ///   unless `allowsZero`, since devices write it without a fix.
  init(plan value: PlanValue, allowsZero: Bool) throws(ParseError) {
    self.init()
    var members = try PlanMembers(value, "change")
    location = try Change(plan: members.take("location")) { value throws(ParseError) in
      try Location(plan: value, allowsZero: allowsZero)
    }
    keepsCompanions = try members.bool("keepCompanions")
    fillsGapsOnly = try members.bool("onlyMissing")
    if let value = members.take("dates") { dates = try DateChange(plan: value) }
    names = try Change(plan: members.take("names")) { value throws(ParseError) in
      // Names copied from one of a photo's files to the others may have any country code.
      try PlaceNames(plan: value, takingAnyCode: fillsGapsOnly)
    }
    namesPlaceShown = try members.bool("namesShown")
    addsIPTC = try members.bool("iptc")
    erasesOldPlace = try members.bool("eraseOldPlace")
    if erasesPlaces, case .set = names {
      let member = location == .remove ? "'location' null" : "'eraseOldPlace'"
      throw ParseError("\(member) also erases the place names", remedy: .omitMember("names"))
    }
    if let value = members.take("tags") { try read(planTags: value) }
    if let value = members.take("xmp") { try read(planProperties: value) }
    try readTitleAndKeywords(&members)
    erasesDates = try members.bool("eraseDates")
    guard !erasesDates || dates == .keep else {
      throw ParseError("'eraseDates' and 'dates' can't be used together")
    }
    let keepsDate = try members.bool("keepDate")
    if try members.bool("eraseAll") {
      guard isEmpty else { throw ParseError("'eraseAll' can't be used with other changes in 'change'") }
      erasure = Erasure()
      erasure?.keepsDate = keepsDate
    } else if keepsDate {
      throw ParseError("'keepDate' requires 'eraseAll'")
    }
    dropsTimedPlaces = try members.bool("dropTimed")
    endsReconstruction = try members.bool("endReconstruction")
    try members.finish()
    guard !isEmpty else { throw ParseError("'change' is empty", remedy: .omitRow) }
  }
}

extension DateChange {
  /// The JSON value: `"keep"`, `{"set": "2024-05-01T10:00:00+02:00"}`, `{"set": "2024-05-01T10:00:00", "offset":
  /// null}`, or `{"shift": "+1h23m", "offset": "+09:00"}`.
  var planValue: PlanValue {
    switch self {
    case .keep: .text("keep")
    case .set(let time, let replacing):
      .object([("set", .text("\(time)")), ("offset", replacing ? .null : nil)])
    case .setPartial(let date): .object([("set", .text("\(date)"))])
    case .adjust(let shift, let offset):
      .object([
        ("shift", .text("\(shift)")), ("from", .text(shift.anchor?.description)),
        ("offset", offset.planValue { .text("\($0)") }),
      ])
    }
  }

  init(plan value: PlanValue) throws(ParseError) {
    if value == .text("keep") {
      self = .keep
      return
    }
    var members = try PlanMembers(value, "dates")
    let (set, shift) = (try members.text("set"), try members.text("shift"))
    let offset = try Change(plan: members.take("offset")) { value throws(ParseError) in
      guard case .text(let text) = value, let offset = UTCOffset(text) else {
        throw ParseError("'offset' in 'dates' is not an offset from UTC", remedy: .writeLike("\"+09:00\""))
      }
      return offset
    }
    if let set, shift == nil {
      let isPartial = PartialDate.isAll(of: set)
      guard offset == .keep || offset == .remove && !isPartial else {
        throw ParseError("with 'set', 'offset' must be absent or null: the date of 'set' has the offset")
      }
      self =
        isPartial
        ? .setPartial(try PartialDate(parsing: set))
        : .set(try CaptureTime(parsing: set), replacingOffsets: offset == .remove)
    } else if let shift, set == nil {
      let anchor = try members.text("from").map { text throws(ParseError) in try CaptureTime(parsing: text) }
      self = .adjust(try CalendarShift(parsing: shift).anchored(at: anchor), offset: offset)
    } else {
      throw ParseError("'dates' requires either 'set' or 'shift'")
    }
    try members.finish()
  }
}

extension Change {
  /// Returns the JSON value; nil if the value is kept.
  func planValue(_ value: (Value) -> PlanValue) -> PlanValue? {
    switch self {
    case .keep: nil
    case .set(let new): value(new)
    case .remove: .null
    }
  }

  init(plan value: PlanValue?, _ read: (PlanValue) throws(ParseError) -> Value) throws(ParseError) {
    switch value {
    case nil: self = .keep
    case .null?: self = .remove
    case let value?: self = .set(try read(value))
    }
  }
}

extension Location {
  var planValue: PlanValue {
    .object([
      ("latitude", .number(coordinate.latitude)), ("longitude", .number(coordinate.longitude)),
      ("altitude", .number(altitude)),
      ("imageDirection", .number(imageDirection?.degrees)),
      ("imageDirectionReference", .text(imageDirection?.reference.rawValue)),
      ("track", .number(track?.degrees)), ("trackReference", .text(track?.reference.rawValue)),
      ("speed", .number(speed)), ("horizontalError", .number(horizontalError)),
      ("dilutionOfPrecision", .number(dilutionOfPrecision)), ("timestamp", .text(timestamp?.inUTC)),
      ("processingMethod", .text(processingMethod)),
    ])
  }

  init(plan value: PlanValue, allowsZero: Bool) throws(ParseError) {
    var members = try PlanMembers(value, "location")
    let latitude = try members.required("latitude", try members.number("latitude"))
    let longitude = try members.required("longitude", try members.number("longitude"))
    let coordinate = try Coordinate(checking: latitude, longitude)
    guard allowsZero || !coordinate.isNoFix else {
      throw ParseError("0,0 usually means \"no fix\"", remedy: .allowZero)
    }
    self.init(coordinate, altitude: try members.number("altitude"))
    imageDirection = try members.direction("imageDirection")
    track = try members.direction("track")
    speed = try members.size("speed")
    horizontalError = try members.size("horizontalError")
    dilutionOfPrecision = try members.size("dilutionOfPrecision")
    if let text = try members.text("timestamp") {
      guard let instant = try CaptureTime(parsing: text).instant else {
        throw ParseError("'timestamp' in 'location' has no offset from UTC", remedy: .addOffset)
      }
      timestamp = instant
    }
    processingMethod = try members.text("processingMethod")
    try requireRecordable()
    try members.finish()
  }
}

extension PlanMembers {
  fileprivate mutating func direction(_ name: String) throws(ParseError) -> Direction? {
    let reference = try text(name + "Reference")
    guard let degrees = try number(name) else {
      guard reference == nil else { throw ParseError("'\(name)Reference' requires '\(name)'") }
      return nil
    }
    guard degrees >= 0, degrees < 360, let north = Direction.Reference(rawValue: reference ?? "T") else {
      throw ParseError("'\(name)' must be from 0 to less than 360, with the reference T or M")
    }
    return Direction(degrees: degrees, reference: north)
  }

  fileprivate mutating func size(_ name: String) throws(ParseError) -> Double? {
    let number = try number(name)
    guard number ?? 0 >= 0 else { throw ParseError("'\(name)' can't be less than 0") }
    return number
  }
}

extension PlaceNames {
  var planValue: PlanValue {
    .object([
      ("sublocation", .text(sublocation)), ("city", .text(city)), ("state", .text(state)),
      ("country", .text(country)), ("countryCode", .text(countryCode)),
    ])
  }

  init(plan value: PlanValue, takingAnyCode: Bool) throws(ParseError) {
    self.init()
    var members = try PlanMembers(value, "names")
    sublocation = try members.name("sublocation")
    city = try members.name("city")
    state = try members.name("state")
    country = try members.name("country")
    countryCode = try members.name("countryCode")
    if !takingAnyCode, let code = countryCode {
      guard CountryLetters.three(of: code) != nil else {
        throw ParseError("'countryCode' in 'names' must be two or three letters of ISO 3166-1, not \(code)")
      }
      countryCode = code.uppercased()
    }
    try members.finish()
  }
}

extension PlanMembers {
  /// Reads a name: a non-empty text of at most 2,000 bytes, without control characters.
  fileprivate mutating func name(_ name: String) throws(ParseError) -> String? {
    guard let text = try text(name) else { return nil }
    guard !text.isEmpty, text.utf8.count <= 2_000,
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else { throw ParseError("'\(name)' in 'names' is empty, too long, or has control characters") }
    return text
  }
}

/// The EXIF tags of an edit in a plan file: by their names, with the values in the syntax of `metatag set --set`.
extension MetadataEdit {
  var planTags: PlanValue? {
    let named = fields.compactMap { field, change in field.tag.map { ($0, change) } }
    let all = tags.merging(named) { first, _ in first }
    guard !all.isEmpty else { return nil }
    return .object(
      all.sorted { $0.key.key < $1.key.key }.map { ($0.key.key, $0.value.planValue { .text($0.planText) }) })
  }

  mutating func read(planTags value: PlanValue) throws(ParseError) {
    guard case .members(let members) = value else { throw ParseError("'tags' is not an object") }
    for member in members {
      let tag = try EXIFTag.named(member.name)
      let change: Change<TagValue>
      switch member.value {
      case .null: change = .remove
      case .text(let text):
        change = try tag.change(parsing: text)
        guard change != .remove else { throw ParseError("'\(member.name)' in 'tags' is empty", remedy: .giveNull) }
      default: throw ParseError("'\(member.name)' in 'tags' is not a string")
      }
      let field = PhotoField(tag)
      guard field.map({ fields[$0] == nil }) ?? (tags[tag] == nil) else {
        throw ParseError("'\(member.name)' occurs twice in 'tags'")
      }
      if let field { fields[field] = change } else { tags[tag] = change }
    }
  }
}

/// The values in XMP of an edit in a plan file, by their paths.
extension MetadataEdit {
  var planProperties: PlanValue? {
    guard !properties.isEmpty else { return nil }
    return .object(
      properties.sorted { "\($0.key)" < "\($1.key)" }.map { ("\($0.key)", $0.value.planValue { .text($0) }) })
  }

  mutating func read(planProperties value: PlanValue) throws(ParseError) {
    guard case .members(let members) = value else { throw ParseError("'xmp' is not an object") }
    for member in members {
      let path = try XMPPath(parsing: member.name)
      try path.requireEditable()
      guard properties[path] == nil else { throw ParseError("'\(member.name)' occurs twice in 'xmp'") }
      switch member.value {
      case .null: properties[path] = .remove
      case .text(let text): properties[path] = .set(text)
      default: throw ParseError("'\(member.name)' in 'xmp' is not a string")
      }
    }
  }
}

extension MetadataEdit {
  /// Reads title and keywords, which are no tags.
  mutating func readTitleAndKeywords(_ members: inout PlanMembers) throws(ParseError) {
    switch members.take("title") {
    case nil: break
    case .null?: fields[.title] = .remove
    case .text(let text)?:
      fields[.title] = try PhotoField.title.change(parsing: text)
      guard fields[.title] != .remove else { throw ParseError("'title' is empty", remedy: .giveNull) }
    default: throw ParseError("'title' in 'change' is not a string")
    }
    var wanted = members.take("keywords")
    // An empty list removes the keywords, as `--keywords ""` does.
    if case .list(let words)? = wanted, words.isEmpty { wanted = .null }
    let keywords = try Change(plan: wanted) { value throws(ParseError) in
      TagValue.list(try MetadataEdit.keywords(value, "keywords"))
    }
    if keywords != .keep { fields[.keywords] = keywords }
    if let value = members.take("addKeywords") {
      guard keywords == .keep else { throw ParseError("'keywords' and 'addKeywords' can't be used together") }
      addedKeywords = try MetadataEdit.keywords(value, "addKeywords")
    }
  }

  private static func keywords(_ value: PlanValue, _ name: String) throws(ParseError) -> [String] {
    guard case .list(let values) = value, !values.isEmpty else {
      throw ParseError("'\(name)' in 'change' is not a list of strings")
    }
    var keywords: [String] = []
    for value in values {
      guard case .text(let text) = value else {
        throw ParseError("'\(name)' in 'change' has a value that is not a string")
      }
      keywords = keywords.adding([try PhotoField.keyword(parsing: text)])
    }
    return keywords
  }
}

extension TagValue {
  /// The texts of a list.
  var planTexts: [PlanValue] { if case .list(let texts) = self { texts.map { .text($0) } } else { [] } }

  /// The value in the syntax of `EXIFTag.change(parsing:)`.
  var planText: String {
    switch self {
    case .text(let text): text
    case .list(let texts): texts.joined(separator: ", ")
    case .whole(let numbers): numbers.map(String.init).joined(separator: " ")
    case .fractions(let fractions): fractions.map { $0.decimal ?? "\($0)" }.joined(separator: " ")
    }
  }
}

extension Fraction {
  /// The exact value in decimal digits, if it has one short enough to be read back: `2.8`, `-.333333333`.
  fileprivate var decimal: String? {
    var scale: Int64 = 1
    for places in 0...9 {
      if scale % denominator == 0 {
        let digits = "\(numerator.magnitude * UInt64(scale / denominator))"
        let padded = String(repeating: "0", count: max(0, places - digits.count)) + digits
        let point = padded.index(padded.endIndex, offsetBy: -places)
        return (numerator < 0 ? "-" : "") + padded[..<point] + (places > 0 ? "." + padded[point...] : "")
      }
      scale *= 10
    }
    return nil
  }
}
