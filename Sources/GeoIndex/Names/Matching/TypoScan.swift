import CSys

/// Finds Latin names within one edit of a query of four letters or more, or two edits for seven or more: a superfluous,
/// missing or wrong letter, or two adjacent letters swapped (optimal string alignment).
struct TypoScan {
  private let tables: NameTables
  private let key: [UInt8]
  private let edits: Int

  init(_ tables: NameTables, _ key: [UInt8]) {
    self.tables = tables
    self.key = key
    // Numbers are not treated as misspelled.
    let isWord = key.allSatisfy { !(0x30...0x39).contains($0) }
    edits = key.count < 4 || !isWord ? 0 : key.count < 7 ? 1 : 2
  }

  func forEach(_ body: (_ alias: Int, _ edits: Int) -> Void) {
    guard edits > 0, key.count <= TypoTable.lengths.upperBound else { return }
    let lengths = TypoTable.lengths.clamped(to: (key.count - edits)...(key.count + edits))
    let range = Int(tables.typoStarts[lengths.lowerBound])..<Int(tables.typoStarts[lengths.upperBound + 1])
    let (signature, pattern) = (TypoTable.signature(key), EditPattern(key))
    var (close, next) = ([UInt32](repeating: 0, count: Self.block), range.lowerBound)
    while next < range.upperBound {
      let count = csys_close_sets(
        tables.typoSignatures.baseAddress.map { $0 + next }, min(Self.block, range.upperBound - next), signature,
        CInt(edits), &close)
      for number in close.prefix(count) {
        let position = Int(tables.typoPositions[next + Int(number)])
        let distance = pattern.distance(to: tables.keys, at: position)
        if distance <= edits { body(tables.alias(at: position), distance) }
      }
      next += Self.block
    }
  }

  /// The number of names whose letters are compared at a time.
  private static let block = 4_096
}

/// Edit distances from one word of up to 64 bytes: computes a whole column of the table at once, with one bit for each
/// cell (Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances", 2003).
private struct EditPattern {
  /// The positions of each byte in the word, as bits.
  private var places = [UInt64](repeating: 0, count: 256)
  private let count: Int

  init(_ word: [UInt8]) {
    count = word.count
    for (index, byte) in word.enumerated() { places[Int(byte)] |= 1 << UInt64(index) }
  }

  /// Returns the distance to the zero-terminated name at `start`.
  func distance(to keys: UnsafeBufferPointer<UInt8>, at start: Int) -> Int {
    var (distance, position) = (count, start)
    var (positive, negative, diagonal, before) = (UInt64.max, UInt64(0), UInt64(0), UInt64(0))
    let last = UInt64(1) << UInt64(count - 1)
    while keys[position] != 0 {
      let here = places[Int(keys[position])]
      let swapped = ((~diagonal & here) << 1) & before
      diagonal = (((here & positive) &+ positive) ^ positive) | here | negative | swapped
      var right = negative | ~(diagonal | positive)
      var left = diagonal & positive
      distance += right & last != 0 ? 1 : left & last != 0 ? -1 : 0
      right = right << 1 | 1
      left <<= 1
      positive = left | ~(diagonal | right)
      negative = right & diagonal
      before = here
      position += 1
    }
    return distance
  }
}
