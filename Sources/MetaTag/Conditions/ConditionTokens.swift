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
        throw ParseError("column \(start + 1): '=\(second)' means nothing here: write \(second)=")
      } else if let sign = ConditionTokens.slips[String(first)] {
        throw ParseError("column \(start + 1): '\(first)' means nothing here: write \(sign)")
      } else {
        throw ParseError("column \(start + 1): '\(first)' means nothing here: text stands in quotes, \"\(first)\"")
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
      throw ParseError("column \(start + 1): this text has no end: close it with \(quote)")
    }
    at += 1
    return text
  }
}
