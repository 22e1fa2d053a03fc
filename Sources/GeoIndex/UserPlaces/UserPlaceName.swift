/// Under which keys a place of the user's is found.
struct UserPlaceName {
  /// What a key is of the name.
  enum Form: Int {
    /// All of it.
    case whole
    /// From a word after the first to the end.
    case word
    /// All of it, the last letter first: finds names that are misspelled at their beginning.
    case backwards
  }

  private var folding = Folding()
  private var key = Folding.Key()

  /// Lengths of names that are looked for misspelled.
  static let misspelled = 4...64

  /// Calls `body` with each key of `name`; with none if it has no letter or digit.
  mutating func forEachKey(_ name: String, _ body: (Form, [UInt8]) throws -> Void) rethrows {
    folding.fold(name.utf8, into: &key)
    guard !key.bytes.isEmpty else { return }
    try body(.whole, key.bytes)
    for word in key.words.prefix(16) { try body(.word, Array(key.bytes[word...])) }
    if Self.misspelled.contains(key.bytes.count), key.bytes.allSatisfy({ $0 < 0x80 }) {
      try body(.backwards, key.bytes.reversed())
    }
    if let spelled = Folding.spelledOut(name.utf8) {
      folding.fold(spelled, into: &key)
      try body(.whole, key.bytes)
    }
  }

  mutating func key(of name: String) -> [UInt8] { folding.keyBytes(name) }
}
