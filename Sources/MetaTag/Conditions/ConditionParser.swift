/// Parsing of conditions.
extension Condition {
  /// Parses a condition such as `camera == "X-T4" && !location && taken >= 2024-05-01`.
  /// - Parameter place: Finds the place with a name; without it, places can be given only by coordinates.
  /// - Throws: `ParseError` with the column and a remedy.
  package init(
    parsing text: String,
    place: @escaping (String) throws(ParseError) -> ConditionPlace = { name throws(ParseError) in
      throw ParseError("place names can't be looked up here: '\(name)'")
    }
  ) throws(ParseError) {
    var parser = ConditionParser(try ConditionTokens(text), place)
    term = try parser.whole()
  }
}

/// Parses a condition from its tokens; every comparison must have a value of the right kind.
private struct ConditionParser {
  /// Maximum nesting depth of parentheses and negations.
  private static let deepest = 64

  private let tokens: ConditionTokens
  private let place: (String) throws(ParseError) -> ConditionPlace
  private var at = 0

  init(_ tokens: ConditionTokens, _ place: @escaping (String) throws(ParseError) -> ConditionPlace) {
    self.tokens = tokens
    self.place = place
  }

  mutating func whole() throws(ParseError) -> Condition.Term {
    guard !tokens.tokens.isEmpty else {
      throw ParseError("a condition is missing", remedy: .writeLike("camera == \"X-T4\" && !location"))
    }
    let term = try alternatives(depth: 0)
    guard let token else { return term }
    if case .word(let word) = token, let sign = ["and": "&&", "or": "||"][word.lowercased()] {
      throw error("'\(word)' is not an operator", .write(sign))
    }
    throw error("unexpected \(spell(token)) after a condition", .joinConditions)
  }

  private mutating func alternatives(depth: Int) throws(ParseError) -> Condition.Term {
    var terms = [try conjunction(depth: depth)]
    while skip("||") { terms.append(try conjunction(depth: depth)) }
    return terms.count == 1 ? terms[0] : .any(terms)
  }

  private mutating func conjunction(depth: Int) throws(ParseError) -> Condition.Term {
    var terms = [try single(depth: depth)]
    while skip("&&") { terms.append(try single(depth: depth)) }
    return terms.count == 1 ? terms[0] : .all(terms)
  }

  private mutating func single(depth: Int) throws(ParseError) -> Condition.Term {
    guard depth <= ConditionParser.deepest else {
      throw error("more than \(ConditionParser.deepest) nested parentheses or '!'")
    }
    if skip("!") { return .not(try single(depth: depth + 1)) }
    if skip("(") {
      let term = try alternatives(depth: depth + 1)
      try expect(")")
      return term
    }
    guard case .word(let word) = token else {
      let what = token.map(spell).map { "\($0) is not a field" } ?? "unexpected end of the condition"
      throw error(what, .writeLike("camera == \"X-T4\"", or: ["location"]))
    }
    if word.lowercased() == "within" { return try circle() }
    if word.lowercased() == "place" { return .place(try namedPlace()) }
    guard let field = ConditionField(rawValue: word.lowercased()) else {
      if word.lowercased() == "not" { throw error("'not' is not an operator", .write("!")) }
      let names = ConditionField.allCases.map(\.rawValue)
      throw error("unknown field '\(word)'", .useOneOf(names + ["place(\"Kyoto\")", "within(\"Kyoto\", 20km)"]))
    }
    let column = self.column
    at += 1
    return try comparison(of: field, at: column)
  }

  private mutating func comparison(of field: ConditionField, at column: Int) throws(ParseError) -> Condition.Term {
    guard case .sign(let sign) = token, let relation = Condition.Relation(rawValue: sign) else {
      guard !field.isAlwaysThere else {
        throw ParseError("column \(column): every photo has a \(field.rawValue)", remedy: .writeLike(field.example))
      }
      return .has(field)
    }
    let place = self.column
    at += 1
    switch field.kind {
    case .presence:
      throw ParseError(
        "column \(place): '\(field.rawValue)' has no value to compare",
        remedy: .writeLike(field.rawValue, or: ["!\(field.rawValue)", "within(46.02,7.75,5km)"]))
    case .text:
      guard [.equal, .notEqual, .matches].contains(relation) else {
        throw ParseError(
          "column \(place): '\(sign)' compares numbers and dates, not texts such as \(field.rawValue)",
          remedy: .useOneOf(["==", "!=", "~"]))
      }
      return try comparison(of: field, relation)
    case .date, .number:
      guard relation != .matches else {
        throw ParseError("column \(place): '~' compares texts with patterns", remedy: .writeLike(field.example))
      }
      return field.kind == .date ? try date(field, relation) : try number(field, relation)
    }
  }

  private mutating func comparison(
    of field: ConditionField, _ relation: Condition.Relation
  ) throws(ParseError) -> Condition.Term {
    guard case .text(let text) = token else {
      if case .word(let word) = token { throw error("the text '\(word)' has no quotes", .quote(word)) }
      throw error("a text is missing", .writeLike(field.example))
    }
    if relation == .matches {
      at += 1
      return .matches(field, Glob(text))
    }
    var wanted = text
    if field == .type {
      guard let type = ImageType(rawValue: text.lowercased()) else {
        throw error("'\(text)' is not a type", .useOneOf(ImageType.allCases.map(\.rawValue)))
      }
      wanted = type.rawValue
    }
    if field == .kind || field == .subtype {
      let words = field == .kind ? MediaKind.allCases.map(\.rawValue) : MediaSubtype.allCases.map(\.rawValue)
      guard words.contains(text.lowercased()) else { throw error("'\(text)' is not a \(field)", .useOneOf(words)) }
      wanted = text.lowercased()
    }
    if field == .offset {
      guard let offset = UTCOffset(text) else {
        throw error("'\(text)' is not an offset from UTC", .writeLike("\"+09:00\""))
      }
      wanted = offset.description
    }
    at += 1
    return .text(field, isEqual: relation == .equal, wanted)
  }

  private mutating func date(
    _ field: ConditionField, _ relation: Condition.Relation
  ) throws(ParseError) -> Condition.Term {
    guard case .word(let word) = token, let span = DateSpan(word) else {
      if case .text(let text) = token, DateSpan(text) != nil {
        throw error("the date '\(text)' is in quotes", .write(text))
      }
      throw error(
        "\(token.map(spell) ?? "nothing") is not a valid date",
        .writeLike("2024", or: ["2024-05", "2024-05-01", "2024-05-01T10:00"]))
    }
    at += 1
    return .date(field, relation, span)
  }

  private mutating func number(
    _ field: ConditionField, _ relation: Condition.Relation
  ) throws(ParseError) -> Condition.Term {
    guard case .number(let measure) = field.kind else { return .has(field) }
    return .number(field, relation, try number(measure))
  }

  /// Parses `within(LAT,LON,RADIUS)`, `within("Kyoto", 20km)` or `within(@home, 2km)`.
  private mutating func circle() throws(ParseError) -> Condition.Term {
    at += 1
    try expect("(")
    if !isName, case .word(let word) = token, word.first?.isLetter == true {
      throw error("the place's name '\(word)' has no quotes", .writeLike("within(\"\(word)\", 20km)"))
    }
    let center = try isName ? namedCenter() : writtenCenter()
    try expectComma()
    let column = self.column
    let radius = try number(.metres)
    guard radius >= 0 else { throw ParseError("column \(column): a distance can't be negative") }
    try expect(")")
    return .within(center, radius: radius)
  }

  /// Takes a comma between the arguments of `within`.
  private mutating func expectComma() throws(ParseError) {
    guard skip(",") else { throw error("within() takes a place and a distance, or a latitude, longitude and distance") }
  }

  private mutating func writtenCenter() throws(ParseError) -> Coordinate {
    let column = self.column
    let latitude = try number(.plain)
    try expectComma()
    let longitude = try number(.plain)
    guard let center = Coordinate(latitude: latitude, longitude: longitude) else {
      let why = abs(latitude) > 90 ? "latitude comes first, -90 to 90" : "longitude is -180 to 180"
      throw ParseError("column \(column): \(latitude),\(longitude) is not a place: \(why)")
    }
    return center
  }

  private mutating func namedCenter() throws(ParseError) -> Coordinate {
    let column = self.column
    let found = try name()
    guard let center = found.center else {
      throw ParseError(
        "column \(column): '\(found.name)' is a country or region, which has no center",
        remedy: .write("place(\"\(found.name)\")"))
    }
    return center
  }

  /// Parses `place("Kyoto")`.
  private mutating func namedPlace() throws(ParseError) -> ConditionPlace {
    at += 1
    try expect("(")
    guard isName else { throw error("a place's name is missing", .writeLike("place(\"Kyoto\")")) }
    let found = try name()
    try expect(")")
    return found
  }

  /// Whether the next token is a quoted name or a pin.
  private var isName: Bool {
    switch token {
    case .text: true
    case .word(let word): word.hasPrefix("@")
    default: false
    }
  }

  private mutating func name() throws(ParseError) -> ConditionPlace {
    let column = self.column
    let text =
      switch token {
      case .text(let text), .word(let text): text
      default: ""
      }
    at += 1
    do throws(ParseError) { return try place(text) } catch {
      throw ParseError("column \(column): \(error.description)", remedy: error.remedy)
    }
  }

  private mutating func number(_ measure: ConditionField.Measure) throws(ParseError) -> Double {
    guard case .word(let word) = token else {
      throw error("\(token.map(spell) ?? "nothing") is not a number", .writeLike(measure.example))
    }
    let digits = word.prefix { "+-.0123456789".contains($0) }
    guard let value = Double(plainDecimal: digits) else {
      throw error("'\(word)' is not a number", .writeLike(measure.example))
    }
    var unit = word.dropFirst(digits.count).lowercased()
    // `685 m`: no other word can follow a number.
    if unit.isEmpty, at + 1 < tokens.tokens.count, case .word(let next) = tokens.tokens[at + 1].token,
      measure.units[next.lowercased()] != nil
    {
      at += 1
      unit = next.lowercased()
    }
    guard let factor = measure.units[unit] else {
      throw error(
        unit.isEmpty ? "\(word) has no unit" : "'\(unit)' is not a valid unit", .writeLike(measure.example))
    }
    at += 1
    return value * factor
  }

  // MARK: Words

  private var token: ConditionTokens.Token? { at < tokens.tokens.count ? tokens.tokens[at].token : nil }
  private var column: Int { at < tokens.tokens.count ? tokens.tokens[at].column : tokens.end }

  private mutating func skip(_ sign: String) -> Bool {
    guard token == .sign(sign) else { return false }
    at += 1
    return true
  }

  private mutating func expect(_ sign: String) throws(ParseError) {
    guard !skip(sign) else { return }
    throw error("'\(sign)' is missing" + (token.map { " before \(spell($0))" } ?? " at the end"))
  }

  private func error(_ sentence: String, _ remedy: Remedy? = nil) -> ParseError {
    ParseError("column \(column): \(sentence)", remedy: remedy)
  }

  private func spell(_ token: ConditionTokens.Token) -> String {
    switch token {
    case .word(let text), .sign(let text): "'\(text)'"
    case .text(let text): "\"\(text)\""
    }
  }
}

/// The tokens of a condition, each with its column, starting at 1.
struct ConditionTokens {
  enum Token: Hashable {
    /// A field, a number or a date.
    case word(String)
    /// A quoted text, without the quotes.
    case text(String)
    /// An operator or punctuation, such as `&&`, `(` or `<=`.
    case sign(String)
  }

  private(set) var tokens: [(token: Token, column: Int)] = []
  /// The column after the last character.
  let end: Int
  private static let longest = 10_000
  /// The signs, longer ones first.
  private static let signs = ["&&", "||", "==", "!=", "<=", ">=", "<", ">", "~", "!", "(", ")", ","]
  private static let slips = ["&": "&&", "|": "||", "=": "=="]

  init(_ text: String) throws(ParseError) {
    let characters = Array(text)
    end = characters.count + 1
    guard characters.count <= ConditionTokens.longest else {
      throw ParseError("a condition has at most \(ConditionTokens.longest) characters, not \(characters.count)")
    }
    var at = 0
    while at < characters.count {
      let start = at
      let first = characters[at]
      if first.isWhitespace {
        at += 1
      } else if first == "\"" || first == "'" {
        let quoted = try ConditionTokens.quoted(characters, &at)
        tokens.append((.text(quoted), start + 1))
      } else if ConditionTokens.isOfWord(first) {
        while at < characters.count, ConditionTokens.isOfWord(characters[at]) { at += 1 }
        tokens.append((.word(String(characters[start..<at])), start + 1))
      } else if let sign = ConditionTokens.signs.first(where: { characters[at...].starts(with: $0) }) {
        at += sign.count
        tokens.append((.sign(sign), start + 1))
      } else if first == "=", at + 1 < characters.count, "<>".contains(characters[at + 1]) {
        let second = characters[at + 1]
        throw ParseError("column \(start + 1): unexpected '=\(second)'", remedy: .write("\(second)="))
      } else if let sign = ConditionTokens.slips[String(first)] {
        throw ParseError("column \(start + 1): unexpected '\(first)'", remedy: .write(sign))
      } else {
        throw ParseError("column \(start + 1): unexpected '\(first)'", remedy: .quote(String(first)))
      }
    }
  }

  private static func isOfWord(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "+-.:_@".contains(character))
  }

  /// Returns the text up to the closing quote. A `\` before that quote is removed; before other characters it stays,
  /// for patterns.
  private static func quoted(_ characters: [Character], _ at: inout Int) throws(ParseError) -> String {
    let (start, quote) = (at, characters[at])
    var text = ""
    at += 1
    while at < characters.count, characters[at] != quote {
      if characters[at] == "\\", at + 1 < characters.count, characters[at + 1] == quote { at += 1 }
      text.append(characters[at])
      at += 1
    }
    guard at < characters.count else {
      throw ParseError("column \(start + 1): unterminated text: its closing \(quote) is missing")
    }
    at += 1
    return text
  }
}
