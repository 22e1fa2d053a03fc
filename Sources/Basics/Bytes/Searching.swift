extension ByteSource {
  /// Reports every position in `range` at which `pattern` begins, in order. Keeps only a window of the range in memory.
  package func search(
    _ pattern: [UInt8], in range: Range<Int>, _ announce: (Int) throws(FileError) -> Void
  ) throws(FileError) {
    let windowCount = 1 << 20
    var at = range.lowerBound
    while at < range.upperBound {
      let end = min(at + windowCount, range.upperBound)
      let window = try bytes(at..<end)
      var from = 0
      while let found = window.firstIndex(of: pattern, from: from) {
        from = found + pattern.count
        try announce(at + found)
      }
      // A match may cross the boundary between two windows.
      at = end == range.upperBound ? end : max(end - pattern.count + 1, at + from)
    }
  }
}

extension ByteSource {
  /// Whether one of `patterns` occurs in `range`. Keeps only a window of the range in memory.
  package func contains(anyOf patterns: [[UInt8]], in range: Range<Int>) throws(FileError) -> Bool {
    let overlap = max(0, (patterns.map(\.count).max() ?? 0) - 1)
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
      let window = try bytes(start..<Swift.min(start + 1 << 20 + overlap, range.upperBound))
      if patterns.contains(where: { window.firstIndex(of: $0) != nil }) { return true }
    }
    return false
  }
}

extension ByteSource {
  /// Whether the bytes from `start` on seem to contain metadata in a form that a supported format uses, or are too many
  /// (over 64 MiB) to search.
  package func seemsToTell(from start: Int) throws(FileError) -> Bool {
    guard start < count else { return false }
    guard count - start <= 64 << 20 else { return true }
    let names = ["Exif", "EXIF", "eXIf", "tEXt", "zTXt", "iTXt", "tIME", "xmpmeta", "8BIM"].map { Array($0.utf8) }
    var at = start
    while at < count {
      let window = try prefix(at: at, count: 1 << 20)
      if names.contains(where: { window.firstIndex(of: $0) != nil }) { return true }
      // A match may cross the boundary between two windows.
      at += at + window.count < count ? window.count - 8 : window.count
    }
    return false
  }
}
