extension EXIFTag {
  /// Returns the tag of this name: `Exif.Photo.LensModel`.
  /// - Throws: `ParseError` for other names, suggesting the right command or the nearest name.
  public static func named(_ key: String) throws(ParseError) -> EXIFTag {
    if let tag = all[key] { return tag }
    if key.hasPrefix("Exif.GPSInfo.") {
      throw ParseError("'\(key)' is a location tag", remedy: .giveOrClearLocation)
    }
    if ["DateTime", "OffsetTime", "SubSecTime"].contains(where: { key.contains("." + $0) }) {
      throw ParseError("'\(key)' is a date tag", remedy: .changeDates)
    }
    if key.hasPrefix("Exif.Image.XP") {
      throw ParseError(
        "'\(key)' is Windows' copy of a title, author, description or keywords, and changes with them",
        remedy: .setFields)
    }
    let nearest = all.keys.map { (distance(from: key, to: $0), $0) }.min { $0 < $1 }
    throw ParseError("'\(key)' is no EXIF tag that can be set by its name; the nearest is \(nearest?.1 ?? "none")")
  }

  /// Parses `text` as a value of the tag's type; an empty text removes the tag.
  /// - Throws: `ParseError` when it isn't of the tag's type.
  public func change(parsing text: String) throws(ParseError) -> Change<TagValue> {
    if let field = PhotoField(self) { return try field.change(parsing: text) }
    let text = text.trimmed
    guard !text.isEmpty else { return .remove }
    if kind == .ascii || kind == .comment {
      return .set(.text(try text.requirePrintable(multiline: kind == .comment)))
    }
    let words = try text.withASCIIDigits().split(separator: " ")
    guard counts.contains(words.count) else {
      let range = counts.count == 1 ? "\(counts.lowerBound)" : "\(counts.lowerBound) to \(counts.upperBound)"
      throw ParseError("\(key) has \(range) value\(counts == 1...1 ? "" : "s"), not \(words.count)")
    }
    if let limit = kind.limit {
      let numbers = words.compactMap { word in word.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(word) : nil }
      guard numbers.count == words.count, numbers.allSatisfy({ $0 <= limit }) else {
        throw ParseError("'\(text)' doesn't fit \(key): a whole number from 0 to \(limit) is wanted")
      }
      return .set(.whole(numbers))
    }
    let fractions = words.compactMap { word in
      let parts = word.split(separator: "/", omittingEmptySubsequences: false).map { Fraction(decimal: $0) }
      return parts.count == 1
        ? parts[0] : parts.count == 2 ? parts[0].flatMap { a in parts[1].flatMap(a.divided) } : nil
    }
    let isSigned = kind == .signedRational
    let fits = fractions.allSatisfy { fraction in
      isSigned
        ? max(Int64(fraction.numerator.magnitude), fraction.denominator) <= Int32.max : fraction.numerator >= 0
    }
    guard fractions.count == words.count, fits else {
      throw ParseError("'\(text)' doesn't fit \(key): a \(isSigned ? "" : "positive ")number or fraction is wanted")
    }
    return .set(.fractions(fractions))
  }

  /// Returns the edit distance, ignoring case: the number of letters to insert, drop or replace.
  private static func distance(from a: String, to b: String) -> Int {
    let (a, b) = (Array(a.prefix(80).lowercased().utf8), Array(b.lowercased().utf8))
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for j in b.indices {
        let cost = min(diagonal + (letter == b[j] ? 0 : 1), row[j] + 1, row[j + 1] + 1)
        (diagonal, row[j + 1]) = (row[j + 1], cost)
      }
    }
    return row[b.count]
  }
}

extension EXIFTag.Kind {
  /// The largest whole number of the type; nil for types other than whole numbers.
  package var limit: Int? {
    switch self {
    case .code: Int(UInt8.max)
    case .short: Int(UInt16.max)
    case .long: Int(UInt32.max)
    case .ascii, .comment, .rational, .signedRational: nil
    }
  }
}
