/// Finds names that sound like a query.
struct SoundScan {
  private let tables: PlaceIndex
  private let key: [UInt8]

  /// The maximum number of names of one sound.
  private static let longest = 600

  init(_ tables: PlaceIndex, _ key: [UInt8]) {
    self.tables = tables
    self.key = key
  }

  func forEach(_ body: (_ alias: Int, _ distance: Float) -> Void) {
    guard (3...32).contains(key.count), key.allSatisfy({ !(0x30...0x39).contains($0) }) else { return }
    for hash in Phonetics.hashes(key) {
      var (low, high) = (0, tables.soundHashes.count)
      while low < high {
        let middle = (low + high) / 2
        if tables.soundHashes[middle] < hash { low = middle + 1 } else { high = middle }
      }
      for index in low..<min(low + Self.longest, tables.soundHashes.count) {
        guard tables.soundHashes[index] == hash else { break }
        let position = Int(tables.soundPositions[index])
        let distance = Phonetics.distance(key, Array(tables.keys[position...].prefix { $0 != 0 }))
        if distance <= 0.36 { body(tables.alias(at: position), distance) }
      }
    }
  }
}
