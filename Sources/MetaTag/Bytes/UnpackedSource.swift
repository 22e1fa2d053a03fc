/// A file, and behind its last byte what it holds packed: compressed, or spelled as text.
struct UnpackedSource: ByteSource {
  let file: any ByteSource
  let unpacked: [UInt8]

  var count: Int { file.count + unpacked.count }

  /// Who searches all bytes asks for ranges that lie in both.
  func bytes(_ range: Range<Int>) throws(PhotoError) -> Bytes {
    guard range.upperBound > file.count else { return try file.bytes(range) }
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw PhotoError.endsTooSoon(needing: range.count, at: min(max(0, range.lowerBound), count))
    }
    let start = max(range.lowerBound, file.count)
    let behind = unpacked[start - file.count..<range.upperBound - file.count]
    guard range.lowerBound < file.count else { return Bytes(behind, base: range.lowerBound) }
    return Bytes(try file.bytes(range.lowerBound..<file.count).array + behind, base: range.lowerBound)
  }
}
