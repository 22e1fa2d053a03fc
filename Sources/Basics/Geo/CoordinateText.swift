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
      self = try GeoURI(plain.dropFirst(4)).location
    } else if let place = try Location(iso6709: plain) {
      self = place
    } else {
      self.init(try AngleText.coordinate(plain, .recorded))
    }
  }

  /// Parses ISO 6709 Annex H: `±DD.D±DDD.D[±A](/|CRSWGS_84/)`; the number of digits distinguishes degrees from degrees
  /// and minutes (and seconds). Returns nil if the text doesn't have that form.
  /// - Parameters:
  ///   - text: The text, with upper-case letters.
  ///   - ofAnySystem: Whether another reference system is ignored, and the `/` after a system can be missing.
  package init?(iso6709 text: String, ofAnySystem: Bool = false) throws(ParseError) {
    var fields: [Substring] = []
    var rest = text[...]
    while let sign = rest.first, "+-".contains(sign) {
      let field = rest.prefix(1) + rest.dropFirst().prefix { $0.isNumber || $0 == "." }
      fields.append(field)
      rest = rest.dropFirst(field.count)
    }
    guard (2...3).contains(fields.count),
      ofAnySystem ? rest.wholeMatch(of: Pattern.system) != nil : ["", "/", "CRSWGS_84/"].contains(rest),
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

  /// Creates degrees from degrees, minutes and seconds; the last ones can be missing. Returns nil unless there are one
  /// to three numbers, and minutes and seconds are below 60.
  package init?(sexagesimal parts: [Double]) {
    guard (1...3).contains(parts.count), parts.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
    self = zip(parts, [1.0, 60, 3_600]).reduce(0) { $0 + $1.0 / $1.1 }
  }

  /// Parses degrees (`degreeDigits` digits before the point), degrees and minutes (two more), or also seconds (four
  /// more), after a sign.
  fileprivate init?(iso6709 text: Substring, degreeDigits: Int) {
    let digits = text.dropFirst()
    let whole = digits.prefix { $0 != "." }.count
    guard Double(plainDecimal: digits) != nil, [0, 2, 4].contains(whole - degreeDigits) else { return nil }
    var (parts, rest) = ([Substring](), digits)
    for length in [degreeDigits, 2, 2].prefix((whole - degreeDigits) / 2) {
      parts.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    guard let value = Double(sexagesimal: (parts + [rest]).compactMap { Double($0) }) else { return nil }
    self = text.first == "-" ? -value : value
  }
}

extension String {
  /// The text with full-width ASCII (`３５`, `，`) and `、` as ASCII.
  package var narrowed: String {
    guard unicodeScalars.contains(where: { $0 == "、" || String.fullWidth.contains($0.value) }) else { return self }
    var narrow = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      // Full-width ASCII has an offset of 0xFEE0 from ASCII.
      let ascii = String.fullWidth.contains(scalar.value) ? Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar : scalar
      narrow.append(ascii == "、" ? "," : ascii)
    }
    return String(narrow)
  }

  private static let fullWidth: ClosedRange<UInt32> = 0xFF01...0xFF5E

  /// Characters that only look like a sign: a dash, a ring, accents and opening quotes.
  private static let lookalikes: [Character: Character] = [
    "–": "-", "˚": "°", "‘": "'", "´": "'", "ʹ": "'", "“": "\"", "ʺ": "\"",
  ]

  /// Returns the text in upper-case ASCII: full-width forms are narrowed, and typographic marks for degrees, minutes
  /// and seconds become `°`, `'`, `"`.
  static func plainCoordinate(_ text: String, _ notation: AngleNotation = .recorded) throws(ParseError) -> String {
    var plain = ""
    for character in text.trimmed.narrowed {
      switch character {
      case _ where character.isWhitespace: plain.append(" ")
      case _ where character.isASCII: plain.append(character)
      case "−": plain.append("-")
      case "°", "º": plain.append("°")
      case "′", "’": plain.append("'")
      case "″", "”": plain.append("\"")
      default:
        guard notation.contains(.lookalikes), let sign = String.lookalikes[character] else {
          throw ParseError("unexpected '\(character)' in a coordinate: write for example 31.2304,121.4737")
        }
        plain.append(sign)
      }
    }
    guard !plain.isEmpty else { throw ParseError("a coordinate is missing: write for example 31.2304,121.4737") }
    return plain.uppercased().replacing("''", with: "\"")
  }
}

/// Patterns that are compiled once.
private enum Pattern {
  nonisolated(unsafe) static let system = #/(?:CRS\w+)?\/?/#
}
