/// A file, and behind its last byte what it holds packed: compressed, or spelled as text.
struct UnpackedSource: ByteSource {
  let file: any ByteSource
  let unpacked: [UInt8]

  var count: Int { file.count + unpacked.count }

  /// - Throws: also when `range` lies in both.
  func bytes(_ range: Range<Int>) throws(PhotoError) -> Bytes {
    guard range.lowerBound >= file.count else { return try file.bytes(range) }
    guard range.upperBound <= count else {
      throw PhotoError.endsTooSoon(needing: range.count, at: min(range.lowerBound, count))
    }
    return Bytes(
      unpacked[range.lowerBound - file.count..<range.upperBound - file.count], base: range.lowerBound)
  }
}
