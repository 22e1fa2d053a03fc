/// A range of a file that is read like a file of its own.
package struct SourcePart: ByteSource {
  private let whole: any ByteSource
  private let range: Range<Int>

  /// - Throws: An error if `range` is not within the file.
  package init(_ whole: any ByteSource, _ range: Range<Int>) throws(FileError) {
    guard range.lowerBound >= 0, range.upperBound <= whole.count else {
      throw FileError.endsTooSoon(needing: range.count, at: range.lowerBound)
    }
    (self.whole, self.range) = (whole, range)
  }

  package var count: Int { range.count }

  package func bytes(_ part: Range<Int>) throws(FileError) -> Bytes {
    guard part.lowerBound >= 0, part.upperBound <= count else {
      throw FileError.endsTooSoon(needing: part.count, at: range.lowerBound + part.lowerBound)
    }
    return try whole.bytes(range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound)
  }
}

/// A file followed by data that it contains in encoded form: compressed, or written as text.
package struct UnpackedSource: ByteSource {
  package let file: any ByteSource
  package let unpacked: [UInt8]

  package init(file: any ByteSource, unpacked: [UInt8]) {
    self.file = file
    self.unpacked = unpacked
  }

  package var count: Int { file.count + unpacked.count }

  /// Returns the bytes of `range`, which may cross from the file into the decoded data: searches of all bytes need
  /// that.
  package func bytes(_ range: Range<Int>) throws(FileError) -> Bytes {
    guard range.upperBound > file.count else { return try file.bytes(range) }
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw FileError.endsTooSoon(needing: range.count, at: min(max(0, range.lowerBound), count))
    }
    let start = max(range.lowerBound, file.count)
    let behind = unpacked[start - file.count..<range.upperBound - file.count]
    guard range.lowerBound < file.count else { return Bytes(behind, base: range.lowerBound) }
    return Bytes(try file.bytes(range.lowerBound..<file.count).array + behind, base: range.lowerBound)
  }
}
