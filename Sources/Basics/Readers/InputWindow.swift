/// A window over the content of a file, decompressed, and converted to UTF-8 if it is text.
package struct InputWindow {
  /// The bytes in the window.
  package private(set) var bytes: [UInt8] = []
  /// The index in `bytes` of the next byte to read.
  package var at = 0
  /// The position of `bytes` in the content.
  package private(set) var base = 0
  /// Whether nothing follows the bytes in the window.
  package private(set) var isComplete = false
  private var stream: any ByteStream
  /// The number of bytes used to detect a file's format.
  private static let headCount = 1 << 16
  /// The largest length of a line or a name; no track has a longer one.
  package static let longestToken = 16 << 20

  /// Opens a stream; decompresses gzip and converts UTF-16 to UTF-8.
  ///
  /// - Parameters:
  ///   - inflates: Whether gzip is decompressed. Of an incomplete file that gives the beginning, so only for formats whose
  ///     readers notice that or can use it.
  ///   - decodesXML: Whether XML that declares another encoding is converted too. Tracks don't need it: what is read from
  ///     them is ASCII in all these encodings.
  /// - Throws: `.unsupported` if XML declares an encoding that is not supported.
  package init(_ stream: any ByteStream, inflates: Bool = true, decodesXML: Bool = false) throws(FileError) {
    var stream = stream
    var head = try stream.next() ?? []
    stream = ResumedStream(head, then: stream)
    if inflates, head.starts(with: [0x1F, 0x8B]) {
      stream = try InflatingStream(stream, .gzip)
      head = try stream.next() ?? []
      stream = ResumedStream(head, then: stream)
    }
    if let text = UTF8Stream(stream, head: head) {
      stream = text
    } else if decodesXML, !head.starts(with: [0xEF, 0xBB, 0xBF]), let encoding = try DeclaredEncoding(head[...]) {
      stream = DecodedStream(stream, encoding)
    }
    self.stream = stream
    try fill(InputWindow.headCount)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
  }

  /// Creates a window over `bytes`, unmodified.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    isComplete = true
    stream = SourceStream(Bytes([]))
  }

  /// The number of bytes in the window that are still unread.
  package var remaining: Int { bytes.count - at }
  /// The position of the next byte to read in the content.
  package var position: Int { base + at }
  /// The first bytes, by which a format is detected.
  package var head: ArraySlice<UInt8> { bytes[at..<min(at + InputWindow.headCount, bytes.count)] }

  /// Extends the window to at least `count` unread bytes, if the content has so many. Bytes that were read may be
  /// dropped, which invalidates positions in `bytes`.
  package mutating func fill(_ count: Int) throws(FileError) {
    guard remaining < count, !isComplete else { return }
    bytes.removeFirst(at)
    (base, at) = (base + at, 0)
    while bytes.count < count, let piece = try piece() { bytes += piece }
  }

  /// Returns the next piece without adding it to the window; nil at the end.
  package mutating func piece() throws(FileError) -> [UInt8]? {
    let piece = try stream.next()
    isComplete = piece == nil
    return piece
  }

  /// Returns the next line without its end, as a range in `bytes`; nil at the end. `isWhole` is false if the file ends
  /// within the line.
  package mutating func line() throws(FileError) -> (range: Range<Int>, isWhole: Bool)? {
    var searched = 0
    while true {
      if let end = bytes[(at + searched)...].firstIndex(of: 0x0A) {
        defer { at = end + 1 }
        return (PlainText.trimmed(bytes, at..<end), true)
      }
      guard !isComplete else { break }
      searched = remaining
      guard searched < InputWindow.longestToken else {
        throw FileError(.malformed, "a line is longer than any track has", at: position)
      }
      try fill(searched + 1)
    }
    guard remaining > 0 else { return nil }
    defer { at = bytes.count }
    return (PlainText.trimmed(bytes, at..<bytes.count), false)
  }
}
