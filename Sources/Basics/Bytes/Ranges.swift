/// Merging and subtraction of lists of byte ranges.
extension [Range<Int>] {
  /// Returns the ranges in order, with those that touch or overlap joined.
  package func merged() -> [Range<Int>] {
    var joined: [Range<Int>] = []
    for range in sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined
  }

  /// Returns the parts of each range that no hole covers.
  package func excluding(_ holes: [Range<Int>]) -> [Range<Int>] {
    let holes = holes.merged()
    return flatMap { range in
      var parts: [Range<Int>] = []
      var at = range.lowerBound
      for hole in holes[holes.partitionPoint { $0.upperBound <= at }...] {
        guard hole.lowerBound < range.upperBound else { break }
        if hole.lowerBound > at { parts.append(at..<hole.lowerBound) }
        at = Swift.max(at, hole.upperBound)
      }
      if at < range.upperBound { parts.append(at..<range.upperBound) }
      return parts
    }
  }
}

/// An index of ranges that counts with two binary searches how many of them overlap another range. A hostile file may
/// have a hundred thousand ranges and query each.
@usableFromInline package struct RangeIndex: Sendable {
  @usableFromInline package let starts: [Int]
  @usableFromInline package let ends: [Int]

  @inlinable package init(_ ranges: some Sequence<Range<Int>>) {
    let ranges = ranges.filter { !$0.isEmpty }
    starts = ranges.map(\.lowerBound).sorted()
    ends = ranges.map(\.upperBound).sorted()
  }

  /// Returns the number of ranges that `range` overlaps. For an empty `range`, returns the number of ranges that
  /// contain it strictly, edges excluded.
  package func count(cutBy range: Range<Int>) -> Int {
    starts.partitionPoint { $0 < range.upperBound } - ends.partitionPoint { $0 <= range.lowerBound }
  }
}
