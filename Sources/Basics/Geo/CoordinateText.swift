/// Parsing and printing of coordinates as text.
extension Coordinate {
  /// Parses a coordinate as people and programs write it, whatever the locale: `31.2304,121.4737` · `31.2304 121.4737`
  /// · `31°13'49.44"N 121°28'25.32"E` · `N31 13.824 E121 28.422` · `geo:31.2304,121.4737;u=35` (RFC 5870) ·
  /// `+31.2304+121.4737+004.5/` (ISO 6709), and with `，` or `、` as the separator.
  ///
  /// Latitude comes first unless letters say otherwise. Decimals have a point.
  /// - Throws: `ParseError` with an explanation. Two numbers that are valid only in the opposite order are not swapped.
  public init(parsing text: String) throws(ParseError) { self = try Location(parsing: text).coordinate }
}

extension Location {
  /// Parses a location like `Coordinate.init(parsing:)`, with the altitude in metres that ISO 6709 and `geo:` may
  /// contain, and the uncertainty of `geo:` (`;u=` metres) as `horizontalError`.
  ///
  /// - Throws: `ParseError` with an explanation, also for an altitude outside `altitudes`.
  public init(parsing text: String) throws(ParseError) {
    try self.init(recorded: text)
    if let altitude, !Location.altitudes.contains(altitude) {
      throw ParseError("an altitude of \(altitude) m is out of range (-11000 to 100000)")
    }
  }

  /// Parses a location recorded in a photo, with any altitude.
  package init(recorded text: String) throws(ParseError) {
    let plain = try String.plainCoordinate(text)
    // The error for a word is about all of it, not about a letter.
    guard plain.contains(where: \.isNumber) || !plain.contains(where: \.isLetter) else {
      throw ParseError("'\(text)' is not a coordinate: write for example 31.2304,121.4737")
    }
    if plain.hasPrefix("GEO:") {
      self = try Location(geoURI: plain.dropFirst(4))
    } else if let place = try Location(iso6709: plain) {
      self = place
    } else {
      self.init(try AngleText.coordinate(plain))
    }
  }

  /// Parses a geo URI (RFC 5870): `lat,lon[,alt][;crs=wgs84][;u=metres][;…]`.
  private init(geoURI text: Substring) throws(ParseError) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    var numbers: [Double] = []
    for part in parts[0].split(separator: ",", omittingEmptySubsequences: false) {
      guard let number = Double(plainDecimal: part) else {
        throw ParseError("'\(part)' is not a number: a geo URI is geo:LAT,LON or geo:LAT,LON,ALT")
      }
      numbers.append(number)
    }
    guard numbers.count == 2 || numbers.count == 3 else {
      throw ParseError("a geo URI has two or three numbers: geo:LAT,LON or geo:LAT,LON,ALT")
    }
    self.init(try Coordinate(checking: numbers[0], numbers[1]), altitude: numbers.count == 3 ? numbers[2] : nil)
    for part in parts.dropFirst() {
      if part.hasPrefix("CRS="), part != "CRS=WGS84" {
        throw ParseError("the geo URI is not in WGS 84 (\(part.lowercased()))")
      }
      if part.hasPrefix("U=") {
        guard let metres = Double(plainDecimal: part.dropFirst(2)), metres >= 0 else {
          throw ParseError("the uncertainty of the geo URI (u=) is not a number of metres")
        }
        horizontalError = metres
      }
    }
  }

  /// Parses ISO 6709 Annex H: `±DD.D±DDD.D[±A](/|CRSWGS_84/)`; the number of digits distinguishes degrees from degrees
  /// and minutes (and seconds). Returns nil if the text doesn't have that form.
  private init?(iso6709 text: String) throws(ParseError) {
    var fields: [Substring] = []
    var rest = text[...]
    while let sign = rest.first, "+-".contains(sign) {
      let field = rest.prefix(1) + rest.dropFirst().prefix { $0.isNumber || $0 == "." }
      fields.append(field)
      rest = rest.dropFirst(field.count)
    }
    guard (2...3).contains(fields.count), ["", "/", "CRSWGS_84/"].contains(rest),
      let latitude = Double(iso6709: fields[0], degreeDigits: 2),
      let longitude = Double(iso6709: fields[1], degreeDigits: 3)
    else { return nil }
    let altitude = fields.count == 3 ? Double(plainDecimal: fields[2]) : nil
    guard fields.count == 2 || altitude != nil else { return nil }
    self.init(try Coordinate(checking: latitude, longitude), altitude: altitude)
  }
}

extension Coordinate {
  /// Creates a coordinate, or throws a sentence about the number that is out of range.
  package init(checking latitude: Double, _ longitude: Double) throws(ParseError) {
    if let coordinate = Coordinate(latitude: latitude, longitude: longitude) {
      self = coordinate
    } else if abs(latitude) > 90.01, abs(latitude) <= 180, abs(longitude) <= 90 {
      // A latitude slightly above 90 was rounded up at a pole, not swapped.
      throw ParseError(
        "latitude \(latitude) is out of range (-90 to 90); latitude comes first: did you mean \(longitude),\(latitude)?"
      )
    } else if abs(latitude) > 90 {
      throw ParseError("latitude \(latitude) is out of range (-90 to 90)")
    } else {
      throw ParseError("longitude \(longitude) is out of range (-180 to 180)")
    }
  }
}

extension Double {
  /// Parses `[+-]digits[.digits]` and nothing else. Unlike `Double(_:)`, accepts no exponent, `nan` or hexadecimal.
  @inlinable package init?(plainDecimal text: some StringProtocol) {
    var digits = text[...]
    if let sign = digits.first, "+-".contains(sign) { digits = digits.dropFirst() }
    guard digits.first != ".", digits.last != ".", !digits.isEmpty, digits.filter({ $0 == "." }).count <= 1,
      digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") })
    else { return nil }
    self.init(text)
  }

  /// Parses degrees (`degreeDigits` digits before the point), degrees and minutes (two more), or also seconds (four
  /// more).
  fileprivate init?(iso6709 text: Substring, degreeDigits: Int) {
    let digits = text.dropFirst()
    let whole = digits.prefix { $0 != "." }.count
    guard Double(plainDecimal: digits) != nil, [0, 2, 4].contains(whole - degreeDigits) else { return nil }
    let groups = (whole - degreeDigits) / 2
    guard let degrees = Double(digits.prefix(groups == 0 ? digits.count : degreeDigits)) else { return nil }
    var value = degrees
    if groups > 0 {
      let minutes = digits.dropFirst(degreeDigits)
      guard let first = Double(minutes.prefix(groups == 1 ? minutes.count : 2)), first < 60 else { return nil }
      value += first / 60
      if groups == 2 {
        guard let seconds = Double(minutes.dropFirst(2)), seconds < 60 else { return nil }
        value += seconds / 3_600
      }
    }
    self = text.first == "-" ? -value : value
  }
}

extension String {
  /// Returns the text in upper-case ASCII: full-width forms are narrowed, and typographic marks for degrees, minutes
  /// and seconds become `°`, `'`, `"`.
  static func plainCoordinate(_ text: String) throws(ParseError) -> String {
    var plain = ""
    for character in text.trimmed {
      switch character {
      case "\u{FF01}"..."\u{FF5E}":
        // Full-width ASCII has an offset of 0xFEE0 from ASCII.
        for scalar in character.unicodeScalars {
          plain.unicodeScalars.append(Unicode.Scalar(scalar.value - 0xFEE0) ?? " ")
        }
      case "、": plain.append(",")
      case "−", "–": plain.append("-")
      case "°", "º", "˚": plain.append("°")
      case "′", "’", "‘", "´", "ʹ": plain.append("'")
      case "″", "”", "“", "ʺ": plain.append("\"")
      case _ where character.isWhitespace: plain.append(" ")
      case _ where character.isASCII: plain.append(character)
      default: throw ParseError("unexpected '\(character)' in a coordinate: write for example 31.2304,121.4737")
      }
    }
    guard !plain.isEmpty else { throw ParseError("a coordinate is missing: write for example 31.2304,121.4737") }
    return plain.uppercased().replacing("''", with: "\"")
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
  }

  package private(set) var value = 0.0
  /// The letter `N`, `S`, `E` or `W`, or nil.
  package private(set) var letter: Character?
  /// Whether the angle has a sign.
  package private(set) var isSigned = false
  private var isLongitude: Bool { letter == "E" || letter == "W" }

  /// Parses a coordinate of two angles. `text` consists of upper-case ASCII and `°`.
  package static func coordinate(_ text: String) throws(ParseError) -> Coordinate {
    let halves = try split(tokens(text))
    let (first, second) = (try AngleText(halves.0), try AngleText(halves.1))
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
    try self.init(AngleText.tokens(plain))
  }

  private static func tokens(_ text: String) throws(ParseError) -> [Token] {
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

  private init(_ tokens: [Token]) throws(ParseError) {
    var numbers: [Substring] = []
    for token in tokens {
      switch token {
      case .number(let number): numbers.append(number)
      case .unit(let unit):
        guard unit == numbers.count - 1 else {
          throw ParseError("degrees, minutes and seconds come in this order, as in 31°13'49.44\"")
        }
      case .letter(let found):
        guard letter == nil else { throw ParseError("an angle has more than one of N, S, E, W") }
        letter = found
      case .comma: throw ParseError("a coordinate has one comma, between latitude and longitude")
      }
    }
    guard (1...3).contains(numbers.count) else {
      throw ParseError("an angle has one to three numbers: degrees, minutes, seconds")
    }
    isSigned = numbers[0].first == "-" || numbers[0].first == "+"
    guard letter == nil || !isSigned else { throw ParseError("an angle has a sign or a letter (N, S, E, W), not both") }
    var scale = 1.0
    for (index, number) in numbers.enumerated() {
      let part = abs(Double(number) ?? 0)
      guard index == 0 || part < 60 && number.first != "-" && number.first != "+" else {
        throw ParseError("minutes and seconds are 0 to 59, without a sign")
      }
      guard index == numbers.count - 1 || !number.contains(".") else {
        throw ParseError("only the last number of an angle may have decimals")
      }
      value += part / scale
      scale *= 60
    }
    if numbers[0].first == "-" || letter == "S" || letter == "W" { value = -value }
  }
}
