/// Names with words that are cut to their first letters, as is usual in Germany: `Frankfurt a.M.`, `Bad Homburg
/// v.d.H.`, `Frankfurt/Main`.
extension NameSearch {
  /// Adds the places whose names are `text` with its shortened words written out; nothing if `text` has no such words.
  mutating func addShortenedWords(_ text: String, in areas: [Areas]) {
    guard let name = ShortenedName(text) else { return }
    let entries = tables.entries(beginningWith: name.key).all.prefix(Self.namesakes)
    for entry in entries where tables.isWhole(entry) {
      let alias = tables.alias(ofEntry: entry)
      guard tables.mayHaveSeveralWords(alias), name.isShort(for: tables.text(of: alias)) else { continue }
      let match = fit.whole(alias, length: name.key.count) - Spelling.variant
      if let hit = add(alias, match: match, in: areas) { known = max(known, hit.importance) }
    }
  }
}

/// A name in which some words are whole and others are cut.
private struct ShortenedName {
  /// The key of the beginning that has no missing letters.
  let key: [UInt8]
  private var words: [(key: String, isCut: Bool)] = []
  /// Whether it has a slash, which may replace words like `am` and `an der`.
  private let hasSlash: Bool

  /// Returns nil if no word after the first is cut, which a dot or a slash shows.
  init?(_ text: String) {
    hasSlash = text.contains("/")
    guard hasSlash || text.contains(".") else { return nil }
    var (folding, isBehindSlash) = (Folding(), false)
    var rest = text[...]
    while let first = rest.first {
      let word = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(max(word.count, 1))
      if first == "/" { isBehindSlash = true }
      guard !word.isEmpty else { continue }
      words.append((folding.key(word), isBehindSlash || rest.first == "."))
    }
    let whole = words.prefix { !$0.isCut }.count
    key = folding.keyBytes(words.prefix(hasSlash ? whole : whole + 1).map(\.key).joined())
    guard whole > 0, key.count > 2, words.contains(where: \.isCut) else { return nil }
  }

  /// Whether `name` has exactly these words.
  func isShort(for name: String) -> Bool {
    var folding = Folding()
    var others = name.split { !$0.isLetter }.map { folding.key($0) }[...]
    for word in words {
      if hasSlash, word.isCut { others = others.drop { Self.small.contains($0) && !$0.hasPrefix(word.key) } }
      guard let other = others.popFirst(), word.isCut ? other.hasPrefix(word.key) : other == word.key else {
        return false
      }
    }
    return others.isEmpty
  }

  private static let small = Spelling.qualifiers.union(["der", "dem", "den"])
}
