import Glibc

/// The bytes of a file of any size, read piece by piece. UTF-16 with a byte order mark is converted to UTF-8, and so is
/// XML that declares another encoding.
struct ByteStream: ~Copyable {
  private let descriptor: CInt
  private var buffer: [UInt8] = []
  private var position = 0
  /// Whether the byte order mark has been looked for.
  private var hasBegun = false
  /// Whether the text is big-endian UTF-16; nil if it isn't UTF-16.
  private var isBigEndian: Bool?
  /// The encoding that XML declares.
  private var encoding: DeclaredEncoding?
  /// Bytes of UTF-16 that wait for the rest of their character.
  private var rest: [UInt8] = []
  /// The number of bytes read from the file.
  private(set) var count = 0

  /// The size of the file in bytes; 0 if unknown.
  private let size: Int
  private let progress: (_ read: Int, _ size: Int) -> Void

  private static let piece = 1 << 16

  /// - Parameter progress: Called with the number of bytes read and the size of the file.
  /// - Throws: `.badFile` if the file can't be opened.
  init(path: String, progress: @escaping (_ read: Int, _ size: Int) -> Void = { _, _ in }) throws(GeoIndexError) {
    descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.unreadable(errno) }
    var status = stat()
    size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    self.progress = progress
  }

  deinit { close(descriptor) }

  /// Returns the next byte; nil at the end.
  mutating func next() throws(GeoIndexError) -> UInt8? {
    if position == buffer.count {
      buffer.removeAll(keepingCapacity: true)
      position = 0
      try fill()
      if buffer.isEmpty { return nil }
    }
    defer { position += 1 }
    return buffer[position]
  }

  /// Returns the first bytes without consuming them: 64 KiB, or all of a shorter file. Call it only before the first
  /// `next`.
  mutating func head() throws(GeoIndexError) -> ArraySlice<UInt8> {
    while buffer.count < Self.piece {
      let count = buffer.count
      try fill()
      if buffer.count == count { break }
    }
    return buffer[position...]
  }

  /// Reads one more piece.
  private mutating func fill() throws(GeoIndexError) {
    var piece = [UInt8](repeating: 0, count: Self.piece)
    let before = buffer.count
    while buffer.count == before {
      let read = Glibc.read(descriptor, &piece, piece.count)
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else { throw Self.unreadable(errno) }
      count += read
      progress(count, size)
      guard read > 0 || !rest.isEmpty else { return }
      try append(piece[..<read], isLast: read == 0)
      if read == 0 { return }
    }
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>, isLast: Bool) throws(GeoIndexError) {
    var bytes = bytes
    if !hasBegun {
      hasBegun = true
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
        // The text is UTF-8, whatever a later declaration says.
        bytes = bytes.dropFirst(3)
      } else if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
        isBigEndian = bytes.first == 0xFE
        bytes = bytes.dropFirst(2)
      } else {
        encoding = try DeclaredEncoding(bytes)
      }
    }
    guard let isBigEndian else {
      buffer += try encoding?.utf8(bytes) ?? Array(bytes)
      return
    }
    rest += bytes
    var units: [UInt16] = []
    for at in stride(from: 0, to: rest.count - 1, by: 2) {
      let (high, low) = isBigEndian ? (rest[at], rest[at + 1]) : (rest[at + 1], rest[at])
      units.append(UInt16(high) << 8 | UInt16(low))
    }
    // The second half of a surrogate pair comes with the next piece.
    if !isLast, let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
    rest.removeFirst(units.count * 2)
    if isLast { rest = [] }
    buffer += String(decoding: units, as: UTF16.self).utf8
  }

  private static func unreadable(_ code: CInt) -> GeoIndexError {
    GeoIndexError(.badFile, "can't be read: \(String(cString: strerror(code)))")
  }
}
