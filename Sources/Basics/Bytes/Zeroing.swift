extension ByteSource {
  private var windowCount: Int { 1 << 20 }
  /// The largest number of bytes that are zeroed: no file has more metadata, and all of it is held in memory.
  private var mostZeroed: Int { 64 << 20 }
  private var mostZeroings: Int { 1 << 18 }
  /// The number of zeros that ends a splice. Cameras pad the samples of their telemetry.
  private var leastGap: Int { 256 }

  /// Returns splices that zero every nonzero byte in `ranges`, to which nothing in the new file refers.
  ///
  /// - Throws: `.refused` if that is more than any metadata.
  package func zeroing(_ ranges: [Range<Int>]) throws(FileError) -> [Splice] {
    var splices: [Splice] = []
    var left = mostZeroed
    for range in ranges {
      for start in stride(from: range.lowerBound, to: range.upperBound, by: windowCount) {
        let window = try bytes(start..<Swift.min(start + windowCount, range.upperBound)).array
        for run in window.runs(partedBy: leastGap) {
          left -= run.count
          guard left >= 0, splices.count < mostZeroings else {
            throw FileError(
              .refused, "has more than \(mostZeroed >> 20) MB to be erased, which is more than is kept to take it back",
              at: start + run.lowerBound)
          }
          splices.append(.erasing(start + run.lowerBound..<start + run.upperBound))
        }
      }
    }
    return splices
  }
}

extension [UInt8] {
  /// Returns the runs of nonzero bytes; shorter gaps of zeros than `gap` belong to a run.
  fileprivate func runs(partedBy gap: Int) -> [Range<Int>] {
    withUnsafeBytes { bytes in
      var runs: [Range<Int>] = []
      var (start, end) = (-1, 0)
      for (at, byte) in bytes.enumerated() where byte != 0 {
        if start >= 0, at - end >= gap {
          runs.append(start..<end)
          start = at
        } else if start < 0 {
          start = at
        }
        end = at + 1
      }
      if start >= 0 { runs.append(start..<end) }
      return runs
    }
  }
}
