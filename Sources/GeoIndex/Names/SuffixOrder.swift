import Dispatch

/// The order of names and words by what they begin with; of equal ones, the weightier first.
enum SuffixOrder {
  private struct Entry {
    /// The first eight bytes, so that most comparisons need no look at the rest.
    let start: UInt64
    let number: UInt32
  }

  /// As many as two bytes can tell apart.
  private static let buckets = 1 << 16

  /// Numbers of entries, sorted.
  static func sorted(_ columns: NameColumns) -> [UInt32] {
    columns.keys.withUnsafeBufferPointer { keys in
      columns.entryPositions.withUnsafeBufferPointer { positions in
        columns.entryWeights.withUnsafeBufferPointer { weights in
          sorted(Names(keys: keys, positions: positions, weights: weights))
        }
      }
    }
  }

  /// What is compared; nobody writes to it meanwhile.
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

  /// Entries that begin with the same two bytes are put together, then sorted: half of them on each of two cores.
  private static func sorted(_ names: Names) -> [UInt32] {
    let count = names.positions.count
    let starts = (0..<count).map { names.start(of: $0) }
    var ends = [Int](repeating: 0, count: buckets + 1)
    for start in starts { ends[Int(start >> 48) + 1] += 1 }
    for bucket in 1...buckets { ends[bucket] += ends[bucket - 1] }
    // Moves from each bucket's start to its end.
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

  /// Two threads write to it, to two parts.
  private struct Shared: @unchecked Sendable {
    let entries: UnsafeMutableBufferPointer<Entry>
  }
}
