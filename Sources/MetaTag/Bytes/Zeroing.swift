extension ByteSource {
  private var windowCount: Int { 1 << 20 }
  /// No file has more that describes it.
  private var mostZeroed: Int { 64 << 20 }
  private var mostZeroings: Int { 65_536 }

  /// Zeros over all that isn't zero in `ranges`, to which nothing in the new file refers.
  /// - Throws: `.refused` when that is more than any metadata.
  func zeroing(_ ranges: [Range<Int>]) throws(PhotoError) -> [Splice] {
    var splices: [Splice] = []
    var left = mostZeroed
    for range in ranges {
      for start in stride(from: range.lowerBound, to: range.upperBound, by: windowCount) {
        let window = try bytes(start..<Swift.min(start + windowCount, range.upperBound)).array
        guard let first = window.firstIndex(where: { $0 != 0 }), let last = window.lastIndex(where: { $0 != 0 }) else {
          continue
        }
        left -= last + 1 - first
        guard left >= 0, splices.count < mostZeroings else {
          throw PhotoError(.refused, "has more to be erased than metadata can be", at: start)
        }
        splices.append(.erasing(start + first..<start + last + 1))
      }
    }
    return splices
  }
}
