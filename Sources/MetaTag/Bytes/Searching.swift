extension ByteSource {
  /// Tells of every place in `range` where `pattern` begins, in order; no more than a window of it is in memory.
  func search(
    _ pattern: [UInt8], in range: Range<Int>, _ tell: (Int) throws(PhotoError) -> Void
  ) throws(PhotoError) {
    let windowCount = 1 << 20
    var at = range.lowerBound
    while at < range.upperBound {
      let end = min(at + windowCount, range.upperBound)
      let window = try bytes(at..<end)
      var from = 0
      while let found = window.firstIndex(of: pattern, from: from) {
        from = found + pattern.count
        try tell(at + found)
      }
      // It may lie across the border of two windows.
      at = end == range.upperBound ? end : max(end - pattern.count + 1, at + from)
    }
  }
}
