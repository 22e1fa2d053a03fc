import Dispatch

/// Sorts names and words by their text; equal ones by descending weight.
enum SuffixOrder {
  private struct Entry {
    /// The first eight bytes, so that most comparisons don't need the rest.
    let start: UInt64
    let number: UInt32
  }

  /// The number of buckets: one for each value of two bytes.
  private static let buckets = 1 << 16

  /// Returns the numbers of the entries, sorted.
  static func sorted(_ columns: NameColumns) -> [UInt32] {
    columns.keys.withUnsafeBufferPointer { keys in
      columns.entryPositions.withUnsafeBufferPointer { positions in
        columns.entryWeights.withUnsafeBufferPointer { weights in
          sorted(Names(keys: keys, positions: positions, weights: weights))
        }
      }
    }
  }

  /// The data that is compared; it is not written to during the sort.
  private struct Names: @unchecked Sendable {
    let keys: UnsafeBufferPointer<UInt8>
    let positions: UnsafeBufferPointer<UInt32>
    let weights: UnsafeBufferPointer<UInt8>

    func start(of number: Int) -> UInt64 {
      var (position, start) = (Int(positions[number]), UInt64(0))
      for _ in 0..<8 {
        let byte = keys[position]
        start = start << 8 | UInt64(byte)
        // Nothing follows the zero that ends a key.
        position += byte == 0 ? 0 : 1
      }
      return start
    }

    func areInOrder(_ left: Entry, _ right: Entry) -> Bool {
      if left.start != right.start { return left.start < right.start }
      if left.start & 0xFF != 0 {
        var (a, b) = (Int(positions[Int(left.number)]) + 8, Int(positions[Int(right.number)]) + 8)
        while keys[a] == keys[b], keys[a] != 0 { (a, b) = (a + 1, b + 1) }
        if keys[a] != keys[b] { return keys[a] < keys[b] }
      }
      let (heavy, light) = (weights[Int(left.number)], weights[Int(right.number)])
      return heavy != light ? heavy > light : left.number < right.number
    }
  }

  /// Groups entries by their first two bytes, then sorts each group: half of them on each of two threads.
  private static func sorted(_ names: Names) -> [UInt32] {
    let count = names.positions.count
    let starts = (0..<count).map { names.start(of: $0) }
    var ends = [Int](repeating: 0, count: buckets + 1)
    for start in starts { ends[Int(start >> 48) + 1] += 1 }
    for bucket in 1...buckets { ends[bucket] += ends[bucket - 1] }
    // Advances from each bucket's start to its end.
    var next = ends
    let entries = UnsafeMutableBufferPointer<Entry>.allocate(capacity: count)
    defer { entries.deallocate() }
    for (number, start) in starts.enumerated() {
      let bucket = Int(start >> 48)
      entries.initializeElement(at: next[bucket], to: Entry(start: start, number: UInt32(number)))
      next[bucket] += 1
    }
    let middle = ends.firstIndex { $0 >= count / 2 } ?? buckets
    let (bounds, shared) = (ends, Shared(entries: entries))
    DispatchQueue.concurrentPerform(iterations: 2) { half in
      for bucket in half == 0 ? 0..<middle : middle..<buckets where bounds[bucket + 1] - bounds[bucket] > 1 {
        shared.entries[bounds[bucket]..<bounds[bucket + 1]].sort(by: names.areInOrder)
      }
    }
    return entries.map(\.number)
  }

  /// The entries, which two threads write to in disjoint parts.
  private struct Shared: @unchecked Sendable {
    let entries: UnsafeMutableBufferPointer<Entry>
  }
}
