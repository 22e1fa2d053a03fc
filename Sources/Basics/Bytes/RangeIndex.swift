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
