/// Latin names of four letters or more, sorted by length, each with the set of its letters: names that can't be within
/// an edit or two of a query are excluded by comparing sets alone, a hundred million per second.
struct TypoTable {
  /// For each length 0...64, the index at which its names begin.
  private(set) var starts: [UInt32] = []
  private(set) var signatures: [UInt32] = []
  /// The positions at which their keys begin.
  private(set) var positions: [UInt32] = []

  static let lengths = 4...64

  init(_ columns: NameColumns) {
    var byLength = [[UInt32]](repeating: [], count: Self.lengths.upperBound + 1)
    for alias in columns.aliasKeys.indices where columns.aliasFlags[alias] & (NameIndex.code | NameIndex.initials) == 0
    {
      guard let key = columns.latinKey(alias), Self.lengths.contains(key.count) else { continue }
      byLength[key.count].append(columns.aliasKeys[alias])
    }
    for names in byLength {
      starts.append(UInt32(positions.count))
      positions += names
    }
    starts.append(UInt32(positions.count))
    signatures = positions.map { Self.signature(columns.keys[Int($0)...].prefix { $0 != 0 }) }
  }

  /// Returns a set with one bit for each letter, and one for all digits.
  static func signature(_ key: some Collection<UInt8>) -> UInt32 {
    key.reduce(0) { $0 | 1 << (($1 >= 0x61 && $1 <= 0x7A) ? UInt32($1 - 0x61) : 26) }
  }
}

extension NameColumns {
  /// Returns the key of an alias if it has only the letters a to z and digits; otherwise nil.
  func latinKey(_ alias: Int) -> ArraySlice<UInt8>? {
    let start = Int(aliasKeys[alias])
    var end = start
    while keys[end] != 0 {
      guard keys[end] < 0x80 else { return nil }
      end += 1
    }
    return keys[start..<end]
  }
}
