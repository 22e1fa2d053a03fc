/// Names by their sound, for places with about a thousand people or more.
struct SoundTable {
  /// The hashes and the positions of the keys.
  private var pairs: [UInt64] = []

  /// The importance of the least place that is found by the sound of its name.
  private static let least: Float = 0.355

  /// Adds a Latin name.
  /// - Parameter position: The position of its key.
  mutating func add(_ key: [UInt8], at position: UInt32, importance: Float) {
    guard importance >= Self.least, (3...32).contains(key.count) else { return }
    for hash in Phonetics.hashes(key[...]) { pairs.append(UInt64(hash) << 32 | UInt64(position)) }
  }

  /// The hashes, sorted, and the positions of their keys; at equal hash, the more important first.
  var columns: (hashes: [UInt32], positions: [UInt32]) {
    // Keys are in the order of the ranks of their places.
    let sorted = pairs.sorted()
    return (sorted.map { UInt32($0 >> 32) }, sorted.map { UInt32(truncatingIfNeeded: $0) })
  }
}
