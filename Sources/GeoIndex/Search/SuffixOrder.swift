/// The order of names and words by what they begin with; of equal ones, the weightier first.
enum SuffixOrder {
  fileprivate struct Entry {
    /// The first eight bytes, so that most comparisons need no look at the rest.
    let start: UInt64
    let number: UInt32
  }

  /// Numbers of entries, sorted.
  static func sorted(_ columns: NameColumns) -> [UInt32] {
    columns.keys.withUnsafeBufferPointer { keys in
      let entries = columns.entryPositions.indices.map { number in
        var (position, start) = (Int(columns.entryPositions[number]), UInt64(0))
        for _ in 0..<8 {
          let byte = keys[position]
          start = start << 8 | UInt64(byte)
          // Nothing follows the zero that ends a key.
          position += byte == 0 ? 0 : 1
        }
        return Entry(start: start, number: UInt32(number))
      }
      return byStart(entries).sortedRuns(columns, keys)
    }
  }

  /// A radix sort, from the last two bytes to the first two.
  private static func byStart(_ entries: [Entry]) -> [Entry] {
    var (from, to) = (entries, entries)
    for shift in stride(from: 0, to: 64, by: 16) {
      var counts = [Int](repeating: 0, count: 65_537)
      for entry in from { counts[Int(entry.start >> UInt64(shift) & 0xFFFF) + 1] += 1 }
      for digit in 1..<counts.count { counts[digit] += counts[digit - 1] }
      for entry in from {
        let digit = Int(entry.start >> UInt64(shift) & 0xFFFF)
        to[counts[digit]] = entry
        counts[digit] += 1
      }
      swap(&from, &to)
    }
    return from
  }
}

extension [SuffixOrder.Entry] {
  /// Sorts the rest of each run of entries that begin the same.
  fileprivate func sortedRuns(_ columns: NameColumns, _ keys: UnsafeBufferPointer<UInt8>) -> [UInt32] {
    var numbers = map(\.number)
    var first = 0
    while first < count {
      var end = first + 1
      while end < count, self[end].start == self[first].start { end += 1 }
      if end - first > 1 {
        numbers[first..<end].sort { left, right in
          var (a, b) = (Int(columns.entryPositions[Int(left)]), Int(columns.entryPositions[Int(right)]))
          while keys[a] == keys[b], keys[a] != 0 { (a, b) = (a + 1, b + 1) }
          if keys[a] != keys[b] { return keys[a] < keys[b] }
          let (heavy, light) = (columns.entryWeights[Int(left)], columns.entryWeights[Int(right)])
          return heavy != light ? heavy > light : left < right
        }
      }
      first = end
    }
    return numbers
  }
}
