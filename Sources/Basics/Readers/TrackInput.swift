/// A window over the content of a track file, unpacked and in UTF-8 where it is text.
package struct TrackInput {
  /// What is in the window.
  package private(set) var bytes: [UInt8] = []
  /// Where the next byte to read stands in `bytes`.
  package var at = 0
  /// Where `bytes` begin in the content.
  package private(set) var base = 0
  /// Whether nothing follows what is in the window.
  package private(set) var isComplete = false
  private var stream: any ByteStream
  /// How many bytes tell what a file is.
  private static let headCount = 1 << 16
  /// A line, a tag or a name that is longer belongs to no track.
  package static let longestToken = 16 << 20

  /// Unpacks gzip and turns UTF-16 into UTF-8.
  package init(_ stream: any ByteStream) throws(FileError) {
    var stream = stream
    var head = try stream.next() ?? []
    stream = ResumedStream(head, then: stream)
    if head.starts(with: [0x1F, 0x8B]) {
      stream = try InflatingStream(stream, .gzip)
      head = try stream.next() ?? []
      stream = ResumedStream(head, then: stream)
    }
    self.stream = UTF8Stream(stream, head: head) ?? stream
    try fill(TrackInput.headCount)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
  }

  /// How many bytes of the window are still to be read.
  package var remaining: Int { bytes.count - at }
  /// Where the next byte to read stands in the content.
  package var position: Int { base + at }
  /// The first bytes, by which a format is told.
  package var head: ArraySlice<UInt8> { bytes[at..<min(at + TrackInput.headCount, bytes.count)] }

  /// Lets `count` bytes stand in the window from `at` on, if there are so many. What was read may be dropped: positions
  /// in `bytes` become void.
  package mutating func fill(_ count: Int) throws(FileError) {
    guard remaining < count, !isComplete else { return }
    bytes.removeFirst(at)
    (base, at) = (base + at, 0)
    while bytes.count < count, let piece = try piece() { bytes += piece }
  }

  /// The next piece, which does not come into the window; nil at the end.
  package mutating func piece() throws(FileError) -> [UInt8]? {
    let piece = try stream.next()
    isComplete = piece == nil
    return piece
  }

  /// The next line without its end, as a range in `bytes`; nil at the end. `isWhole` unless the file ends in it.
  package mutating func line() throws(FileError) -> (range: Range<Int>, isWhole: Bool)? {
    var searched = 0
    while true {
      if let end = bytes[(at + searched)...].firstIndex(of: 0x0A) {
        defer { at = end + 1 }
        return (PlainText.trimmed(bytes, at..<end), true)
      }
      guard !isComplete else { break }
      searched = remaining
      guard searched < TrackInput.longestToken else {
        throw FileError(.malformed, "a line is longer than any track has", at: position)
      }
      try fill(searched + 1)
    }
    guard remaining > 0 else { return nil }
    defer { at = bytes.count }
    return (PlainText.trimmed(bytes, at..<bytes.count), false)
  }
}
