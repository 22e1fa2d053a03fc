/// A source of bytes that arrive in pieces, so that a file need never be in memory as a whole.
package protocol ByteStream {
  /// Returns the next piece, which is not empty; nil at the end.
  mutating func next() throws(FileError) -> [UInt8]?
}

/// A stream over a part of a file or of memory, unmodified.
package struct SourceStream: ByteStream {
  private let source: any ByteSource
  private var rest: Range<Int>
  private static let pieceCount = 1 << 18

  /// Creates a stream over all of `source`, or the part in `range`.
  package init(_ source: any ByteSource, _ range: Range<Int>? = nil) {
    self.source = source
    rest = range ?? 0..<source.count
  }

  package mutating func next() throws(FileError) -> [UInt8]? {
    guard !rest.isEmpty else { return nil }
    let end = min(rest.lowerBound + SourceStream.pieceCount, rest.upperBound)
    defer { rest = end..<rest.upperBound }
    return try source.bytes(rest.lowerBound..<end).array
  }
}

/// A stream whose beginning was already read, to detect its format.
struct ResumedStream: ByteStream {
  private var head: [UInt8]?
  private var rest: any ByteStream

  /// Creates a stream of `head`, followed by the rest of `rest`.
  init(_ head: [UInt8], then rest: any ByteStream) {
    self.head = head.isEmpty ? nil : head
    self.rest = rest
  }

  mutating func next() throws(FileError) -> [UInt8]? {
    guard let first = head.take() else { return try rest.next() }
    return first
  }
}
