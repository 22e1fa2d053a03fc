/// Latin names within one edit of a query of four letters or more, two of seven or more: a letter too many, too few, wrong, or
/// two neighbours swapped (optimal string alignment).
struct TypoScan {
  private let tables: NameTables
  private let key: [UInt8]
  private let edits: Int

  init(_ tables: NameTables, _ key: [UInt8]) {
    self.tables = tables
    self.key = key
    edits = key.count < 4 ? 0 : key.count < 7 ? 1 : 2
  }

  func forEach(_ body: (_ alias: UInt32, _ edits: Int) -> Void) {
    guard edits > 0, key.count <= TypoTable.lengths.upperBound else { return }
    let signature = TypoTable.signature(key)
    let lengths = max(TypoTable.lengths.lowerBound, key.count - edits)...min(
      TypoTable.lengths.upperBound, key.count + edits)
    let range = Int(tables.typoStarts[lengths.lowerBound])..<Int(tables.typoStarts[lengths.upperBound + 1])
    var rows = Rows(width: key.count + 1)
    for index in range {
      let different = tables.typoSignatures[index] ^ signature
      // An edit changes one letter into another: at most two bits.
      guard different.nonzeroBitCount <= 2 * edits else { continue }
      let alias = tables.typoAliases[index]
      let start = Int(tables.aliasKeys[Int(alias)])
      if let distance = rows.distance(key, tables.keys, start, atMost: edits) { body(alias, distance) }
    }
  }

  /// Three lines of the table of distances.
  private struct Rows {
    private var before: [Int]
    private var last: [Int]
    private var row: [Int]

    init(width: Int) {
      before = Array(repeating: 0, count: width)
      last = before
      row = before
    }

    /// The distance to the name at `start`, nil if it is more than `limit`.
    mutating func distance(
      _ key: [UInt8], _ keys: UnsafeBufferPointer<UInt8>, _ start: Int, atMost limit: Int
    ) -> Int? {
      for column in row.indices { row[column] = column }
      var line = 0
      while keys[start + line] != 0 {
        let letter = keys[start + line]
        (before, last, row) = (last, row, before)
        line += 1
        row[0] = line
        // Cells further from the diagonal than the limit can't be within it.
        let columns = max(1, line - limit)...max(max(1, line - limit), min(key.count, line + limit))
        row[columns.lowerBound - 1] = columns.lowerBound == 1 ? line : limit + 1
        var least = limit + 1
        for column in columns where column <= key.count {
          var cost = last[column - 1] + (key[column - 1] == letter ? 0 : 1)
          cost = min(cost, row[column - 1] + 1)
          if column < line + limit { cost = min(cost, last[column] + 1) }
          if line > 1, column > 1, key[column - 1] == keys[start + line - 2], key[column - 2] == letter {
            cost = min(cost, before[column - 2] + 1)
          }
          row[column] = cost
          least = min(least, cost)
        }
        if least > limit { return nil }
      }
      return abs(line - key.count) <= limit && row[key.count] <= limit ? row[key.count] : nil
    }
  }
}

/// Names that sound like a query.
struct SoundScan {
  private let tables: NameTables
  private let key: [UInt8]

  /// Of one sound, so many names.
  private static let longest = 600

  init(_ tables: NameTables, _ key: [UInt8]) {
    self.tables = tables
    self.key = key
  }

  func forEach(_ body: (_ alias: UInt32, _ distance: Float) -> Void) {
    guard (3...32).contains(key.count) else { return }
    for hash in Sound.hashes(key) {
      var (low, high) = (0, tables.soundHashes.count)
      while low < high {
        let middle = (low + high) / 2
        if tables.soundHashes[middle] < hash { low = middle + 1 } else { high = middle }
      }
      for index in low..<min(low + Self.longest, tables.soundHashes.count) {
        guard tables.soundHashes[index] == hash else { break }
        let alias = tables.soundAliases[index]
        let distance = Sound.distance(key, tables.key(of: Int(alias)))
        if distance <= 0.4 { body(alias, distance) }
      }
    }
  }
}
