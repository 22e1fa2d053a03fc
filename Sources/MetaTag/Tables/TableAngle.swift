/// A latitude or longitude in a table, and whether its hemisphere was told.
struct TableAngle {
  /// How far from the equator, or from Greenwich: never negative.
  let degrees: Double
  /// Whether it is south or west; nil when neither a sign nor a letter tells.
  let isNegative: Bool?
  /// Whether a letter told it.
  let hasLetter: Bool
  /// Whether it is a plain number: neither minutes nor words.
  let isDecimal: Bool
  /// Whether it has a sign.
  let isSigned: Bool

  /// `-33.5`, `33.5 S`, `33 deg 30' 0.00" S`, or the number and, in a column of its own, `S` or `South`.
  ///
  /// - Parameter letters: The positive and the negative hemisphere's word, in small letters: `north`, `south`.
  /// - Throws: `ParseError`, also where sign and letters contradict each other.
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
      throw ParseError("'\(text)' and '\(reference ?? "")' tell different hemispheres")
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
