/// Names by their sound, for places with about a thousand people or more.
struct SoundTable {
  /// The hashes, sorted.
  private(set) var hashes: [UInt32] = []
  /// The positions of their keys; at equal hash, the more important first.
  private(set) var positions: [UInt32] = []

  init(_ columns: NameColumns) {
    var pairs: [UInt64] = []
    for alias in columns.aliasKeys.indices where columns.aliasFlags[alias] & (NameIndex.code | NameIndex.initials) == 0
    {
      guard columns.importances[Int(columns.aliasPlaces[alias])] >= 0.355, let key = columns.latinKey(alias),
        (3...32).contains(key.count)
      else { continue }
      for hash in Phonetics.hashes(key) { pairs.append(UInt64(hash) << 32 | UInt64(columns.aliasKeys[alias])) }
    }
    // Keys are in the order of the ranks of their places.
    pairs.sort()
    hashes = pairs.map { UInt32($0 >> 32) }
    positions = pairs.map { UInt32(truncatingIfNeeded: $0) }
  }
}
