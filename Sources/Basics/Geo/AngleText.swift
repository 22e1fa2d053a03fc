/// The notation that a client accepts in angles, beyond the signs that all accept.
package struct AngleNotation: OptionSet, Sendable {
  package let rawValue: Int
  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Characters that only look like a sign: `˚`, accents and opening quotes, and the dash `–` as a minus.
  package static let lookalikes = AngleNotation(rawValue: 1)
  /// A sign that is written several times: `48°°`.
  package static let repeatedSigns = AngleNotation(rawValue: 2)
  /// Colons between numbers and after a letter, and `M` for minutes: `48:51:30`, `N: 48`, `48D51M`.
  package static let colons = AngleNotation(rawValue: 4)

  /// The notation of values: of options, tables, sidecars and photos.
  package static let recorded: AngleNotation = [.lookalikes, .repeatedSigns]
  /// The notation of a search, whose text can also be a name.
  package static let typed: AngleNotation = [.colons]
}

extension Coordinate {
  /// Parses a latitude and a longitude in degrees, or with minutes and seconds, with letters or signs.
  /// - Throws: `ParseError`, also for decimals with a comma.
  package init(angles text: String, _ notation: AngleNotation) throws(ParseError) {
    self = try AngleText.coordinate(try String.plainCoordinate(text, notation), notation)
  }
}

/// An angle in the free form of coordinates: degrees, degrees and minutes, or degrees, minutes and seconds, with a sign
/// or a letter.
package struct AngleText {
  private enum Token: Equatable {
    case number(Substring)
    /// The unit of the number before it: 0 degrees, 1 minutes, 2 seconds.
    case unit(Int)
    case letter(Character)
    case comma
    case colon
  }

  package private(set) var value = 0.0
  /// The letter `N`, `S`, `E` or `W`, or nil.
  package private(set) var letter: Character?
  /// Whether the angle has a sign.
  package private(set) var isSigned = false
  private var isLongitude: Bool { letter == "E" || letter == "W" }

  /// Parses a coordinate of two angles. `text` consists of upper-case ASCII and `°`.
  static func coordinate(_ text: String, _ notation: AngleNotation) throws(ParseError) -> Coordinate {
    let halves = try split(tokens(text, notation))
    let (first, second) = (try AngleText(halves.0, notation), try AngleText(halves.1, notation))
    guard (first.letter == nil) == (second.letter == nil) else {
      throw ParseError("only one of the two angles has a hemisphere letter (N, S, E, W)")
    }
    guard first.letter == nil || first.isLongitude != second.isLongitude else {
      throw ParseError(
        "expected a latitude and a longitude, found two \(first.isLongitude ? "longitudes" : "latitudes")")
    }
    return first.isLongitude
      ? try Coordinate(checking: second.value, first.value) : try Coordinate(checking: first.value, second.value)
  }

  /// Parses one angle, in which degrees can also be written as `deg`.
  package init(parsing text: String) throws(ParseError) {
    let plain = try String.plainCoordinate(text).replacing("DEG", with: "°")
    try self.init(AngleText.tokens(plain, .recorded), .recorded)
  }

  private static func tokens(_ text: String, _ notation: AngleNotation) throws(ParseError) -> [Token] {
    var tokens: [Token] = []
    var rest = text[...]
    while let character = rest.first {
      switch character {
      case " ": rest.removeFirst()
      case "0"..."9", ".", "+", "-":
        let number = rest.prefix(1) + rest.dropFirst().prefix { $0.isNumber || $0 == "." }
        guard Double(plainDecimal: number) != nil else {
          throw ParseError("'\(number)' is not a number: decimals have a point, as in 31.2304,121.4737")
        }
        tokens.append(.number(number))
        rest = rest.dropFirst(number.count)
      default:
        switch character {
        case "°", "D": tokens.append(.unit(0))
        case "'": tokens.append(.unit(1))
        case "\"": tokens.append(.unit(2))
        case "N", "S", "E", "W": tokens.append(.letter(character))
        case ",", ";": tokens.append(.comma)
        case "M" where notation.contains(.colons): tokens.append(.unit(1))
        case ":" where notation.contains(.colons): tokens.append(.colon)
        default:
          throw ParseError("unexpected '\(character)' in a coordinate: write for example 31.2304,121.4737")
        }
        rest.removeFirst()
      }
    }
    return tokens
  }

  /// Splits the tokens into two angles: at a comma, else by letters, else by degree signs, else in the middle.
  private static func split(_ tokens: [Token]) throws(ParseError) -> ([Token], [Token]) {
    let commas = tokens.indices.filter { tokens[$0] == .comma }
    let letters = tokens.indices.filter { if case .letter = tokens[$0] { true } else { false } }
    let degrees = tokens.indices.filter { tokens[$0] == .unit(0) }
    let middle: Int
    switch (commas.count, letters.count, degrees.count) {
    case (1, _, _): return (Array(tokens[..<commas[0]]), Array(tokens[(commas[0] + 1)...]))
    case (0, 2, _): middle = letters[0] == 0 ? letters[1] : letters[0] + 1
    case (0, 0, 2): middle = max(degrees[1] - 1, 0)
    case (0, 0, 0) where tokens.count % 2 == 0: middle = tokens.count / 2
    default: throw ParseError("a coordinate is two angles, as in 31.2304,121.4737 or 31°13'49.44\"N 121°28'25.32\"E")
    }
    return (Array(tokens[..<middle]), Array(tokens[middle...]))
  }

  private init(_ tokens: [Token], _ notation: AngleNotation) throws(ParseError) {
    var numbers: [Substring] = []
    // Whether the last number has its sign.
    var hasSign = false
    for token in tokens {
      switch token {
      case .number(let number):
        numbers.append(number)
        hasSign = false
      case .unit(let unit):
        guard unit == numbers.count - 1, !hasSign || notation.contains(.repeatedSigns) else {
          throw ParseError("degrees, minutes and seconds come in this order, as in 31°13'49.44\"")
        }
        hasSign = true
      case .colon where numbers.isEmpty: break
      case .colon:
        guard !hasSign else { throw ParseError("a colon separates numbers, as in 31:13:49.44") }
        hasSign = true
      case .letter(let found):
        guard letter == nil else { throw ParseError("an angle has more than one of N, S, E, W") }
        letter = found
      case .comma: throw ParseError("a coordinate has one comma, between latitude and longitude")
      }
    }
    guard (1...3).contains(numbers.count) else {
      throw ParseError("an angle has one to three numbers: degrees, minutes, seconds")
    }
    guard tokens.last(where: { if case .letter = $0 { false } else { true } }) != .colon else {
      throw ParseError("a colon separates numbers, as in 31:13:49.44")
    }
    isSigned = numbers[0].first == "-" || numbers[0].first == "+"
    guard letter == nil || !isSigned else { throw ParseError("an angle has a sign or a letter (N, S, E, W), not both") }
    let parts = numbers.compactMap { Double($0) }.map(abs)
    guard parts.count == numbers.count, numbers.dropFirst().allSatisfy({ $0.first != "-" && $0.first != "+" }),
      let size = Double(sexagesimal: parts)
    else { throw ParseError("minutes and seconds are 0 to 59, without a sign") }
    guard numbers.dropLast().allSatisfy({ !$0.contains(".") }) else {
      throw ParseError("only the last number of an angle may have decimals")
    }
    value = size
    if numbers[0].first == "-" || letter == "S" || letter == "W" { value = -value }
  }
}
