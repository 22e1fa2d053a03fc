import Glibc

/// Search for bytes and texts in a source, a window at a time.
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
  package func mayContainMetadata(from start: Int) throws(FileError) -> Bool {
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

extension Bytes {
  /// The texts of 16-bit characters (UTF-16 in either byte order) in these bytes, with one byte per character and a
  /// zero after each text. A character that needs more than a byte ends a text.
  package var wideTexts: Bytes {
    let fewest = 4
    return Bytes(
      withUnsafeBytes { bytes in
        var texts: [UInt8] = []
        var at = 1
        while at + 2 < bytes.count, let zero = bytes.index(of: 0, from: at) {
          at = zero + 1
          guard zero + 2 < bytes.count, Self.isText(bytes[zero - 1]), Self.isText(bytes[zero + 1]), bytes[zero + 2] == 0
          else { continue }
          var end = zero - 1
          while end < bytes.count, Self.isText(bytes[end]), end == zero - 1 || bytes[end - 1] == 0 { end += 2 }
          if (end - zero + 1) / 2 >= fewest {
            let text = stride(from: zero - 1, to: end, by: 2).map { bytes[$0] }
            // The first character may be the last letter of a zero-terminated text of single bytes.
            if zero > 1, Self.isText(bytes[zero - 2]) { texts += text.dropFirst() + [0] }
            texts += text + [0]
          }
          at = Swift.max(at, end - 1)
        }
        return texts
      })
  }

  private static func isText(_ byte: UInt8) -> Bool { byte >= 0x20 || (9...13).contains(byte) }
}

extension UnsafeRawBufferPointer {
  /// Returns the position of the first such byte at or after `offset`; nil if there is no such byte.
  package func index(of byte: UInt8, from offset: Int) -> Int? {
    guard offset < count, let base = baseAddress, let found = memchr(base + offset, Int32(byte), count - offset) else {
      return nil
    }
    return UnsafeRawPointer(found) - base
  }
}

extension ByteSource {
  /// Calls `look` with windows of `range`, and with the 16-bit texts in each, until it returns true.
  package func eachText(in range: Range<Int>, _ look: (Bytes) -> Bool) throws(FileError) {
    // A text may cross the boundary between two windows.
    let overlap = 64
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
      let window = try bytes(start..<Swift.min(range.upperBound, start + 1 << 20 + 2 * overlap))
      if look(window) { return }
      let wide = window.wideTexts
      if wide.count > 0, look(wide) { return }
    }
  }
}
