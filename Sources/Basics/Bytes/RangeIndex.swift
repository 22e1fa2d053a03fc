/// Ranges, in such an order that it takes two binary searches to tell how many of them another one cuts. A hostile file
/// may have a hundred thousand, and ask about each.
@usableFromInline package struct RangeIndex: Sendable {
  @usableFromInline package let starts: [Int]
  @usableFromInline package let ends: [Int]

  @inlinable package init(_ ranges: some Sequence<Range<Int>>) {
    let ranges = ranges.filter { !$0.isEmpty }
    starts = ranges.map(\.lowerBound).sorted()
    ends = ranges.map(\.upperBound).sorted()
  }

  /// How many `range` overlaps; of an empty one, inside how many it stands, their edges left out.
  package func count(cutBy range: Range<Int>) -> Int {
    starts.partitionPoint { $0 < range.upperBound } - ends.partitionPoint { $0 <= range.lowerBound }
  }
}
