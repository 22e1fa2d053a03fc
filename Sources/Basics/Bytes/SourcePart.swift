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
