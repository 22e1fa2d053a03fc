import Dispatch

/// A place in the keys of an index at which a name or a word begins.
struct NameEntry: BitwiseCopyable {
  /// The position in the keys.
  let position: UInt32
  /// How important the place is, and how much of its name the text is.
  let weight: UInt8

  init(position: UInt32, weight: Float) {
    self.position = position
    self.weight = UInt8(max(0, min(255, weight * 220)))
  }
}

/// Sorts names and words by their text; equal ones by descending weight.
enum SuffixOrder {
  private struct Entry {
    /// The first eight bytes, so that most comparisons don't need the rest.
    let start: UInt64
    let entry: NameEntry
  }

  /// The number of buckets: one for each value of two bytes.
  private static let buckets = 1 << 16
  /// The number of entries that are sorted at once.
  private static let most = 2_000_000

  /// Sorts entries in parts that fit into memory.
  /// - Parameters:
  ///   - keys: The keys, each terminated by a zero.
  ///   - folder: The folder of temporary files.
  ///   - body: Called with the sorted entries, part by part.
  static func sort(
    _ entries: SpilledColumn<NameEntry>, of keys: UnsafeBufferPointer<UInt8>, in folder: String,
    most: Int = most, _ body: ([NameEntry]) throws -> Void
  ) throws {
    let names = Names(keys: keys)
    var counts = [Int](repeating: 0, count: buckets)
    try entries.forEachPart { part in for entry in part { counts[names.bucket(of: entry)] += 1 } }
    // Parts are ranges of buckets. There are at least two, for as many threads.
    let size = min(most, entries.count / 2 + 1)
    var (parts, part, filled) = ([UInt16](repeating: 0, count: buckets), UInt16(0), 0)
    for bucket in 0..<buckets {
      if filled > 0, filled + counts[bucket] > size { (part, filled) = (part + 1, 0) }
      parts[bucket] = part
      filled += counts[bucket]
    }
    let columns = try (0...part).map { _ in try SpilledColumn<NameEntry>(in: folder) }
    try entries.forEachPart { part in
      for entry in part { columns[Int(parts[names.bucket(of: entry)])].append(entry) }
    }
    for first in stride(from: 0, to: columns.count, by: 2) {
      let pair = try columns[first..<min(first + 2, columns.count)].map { try $0.all() }
      for sorted in names.sorted(pair) { try body(sorted) }
    }
  }

  /// The keys that are compared; they are not written to during the sort.
  private struct Names: @unchecked Sendable {
    let keys: UnsafeBufferPointer<UInt8>

    func bucket(of entry: NameEntry) -> Int {
      let first = keys[Int(entry.position)]
      return Int(first) << 8 | (first == 0 ? 0 : Int(keys[Int(entry.position) + 1]))
    }

    func start(of entry: NameEntry) -> UInt64 {
      var (position, start) = (Int(entry.position), UInt64(0))
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
        var (a, b) = (Int(left.entry.position) + 8, Int(right.entry.position) + 8)
        while keys[a] == keys[b], keys[a] != 0 { (a, b) = (a + 1, b + 1) }
        if keys[a] != keys[b] { return keys[a] < keys[b] }
      }
      let (heavy, light) = (left.entry.weight, right.entry.weight)
      return heavy != light ? heavy > light : left.entry.position < right.entry.position
    }

    /// Sorts each of the parts, on a thread of its own.
    func sorted(_ parts: [[NameEntry]]) -> [[NameEntry]] {
      let sorted = Results(count: parts.count)
      DispatchQueue.concurrentPerform(iterations: parts.count) { sorted.parts[$0] = self.sorted(parts[$0]) }
      return Array(sorted.parts)
    }

    /// Groups entries by their first two bytes, then sorts each group.
    private func sorted(_ part: [NameEntry]) -> [NameEntry] {
      var next = [Int](repeating: 0, count: buckets + 1)
      for entry in part { next[bucket(of: entry) + 1] += 1 }
      for bucket in 1...buckets { next[bucket] += next[bucket - 1] }
      let ends = next
      let entries = UnsafeMutableBufferPointer<Entry>.allocate(capacity: part.count)
      defer { entries.deallocate() }
      for entry in part {
        let bucket = bucket(of: entry)
        entries.initializeElement(at: next[bucket], to: Entry(start: start(of: entry), entry: entry))
        next[bucket] += 1
      }
      for bucket in 0..<buckets where ends[bucket + 1] - ends[bucket] > 1 {
        entries[ends[bucket]..<ends[bucket + 1]].sort(by: areInOrder)
      }
      return entries.map(\.entry)
    }
  }

  /// The sorted parts, each of which one thread writes.
  private final class Results: @unchecked Sendable {
    let parts: UnsafeMutableBufferPointer<[NameEntry]>

    init(count: Int) {
      parts = .allocate(capacity: count)
      parts.initialize(repeating: [])
    }

    deinit {
      parts.deinitialize()
      parts.deallocate()
    }
  }
}
