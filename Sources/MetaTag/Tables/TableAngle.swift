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
