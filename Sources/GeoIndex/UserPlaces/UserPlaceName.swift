/// The keys under which a user's place is found.
struct UserPlaceName {
  /// The relation of a key to the name.
  enum Form: Int {
    /// The whole name.
    case whole
    /// The name from a later word to the end.
    case word
    /// The whole name, reversed: finds names with an error at the beginning.
    case backwards
  }

  private var folding = Folding()
  private var key = Folding.Key()

  /// The lengths of keys for which misspelled names are searched.
  static let misspelled = 4...64

  /// Calls `body` with each key of `name`, but not at all if the name has no letter or digit.
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
