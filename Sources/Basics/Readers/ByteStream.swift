import CSys
import Glibc

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

/// A stream over a file or a pipe, which is read once, from beginning to end.
package final class FileStream: ByteStream {
  private let descriptor: CInt
  /// The size of the file in bytes; 0 if unknown.
  private let size: Int
  private var count = 0
  private let progress: (_ read: Int, _ size: Int) -> Void
  private static let pieceCount = 1 << 16

  /// Opens the file.
  ///
  /// - Parameter progress: Called with the number of bytes read and the size of the file; 0 if that is unknown.
  /// - Throws: `.io` if the file can't be opened.
  package init(
    path: String, progress: @escaping (_ read: Int, _ size: Int) -> Void = { _, _ in }
  ) throws(FileError) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(errno: errno, doing: "open it") }
    var status = stat()
    size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    self.progress = progress
  }

  deinit { close(descriptor) }

  package func next() throws(FileError) -> [UInt8]? {
    var failure: CInt = 0
    let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceCount) { buffer, read in
      var result: Int
      repeat { result = Glibc.read(descriptor, buffer.baseAddress, buffer.count) } while result < 0 && errno == EINTR
      failure = result < 0 ? errno : 0
      read = max(0, result)
    }
    guard failure == 0 else { throw FileError(errno: failure, doing: "read it", at: count) }
    count += piece.count
    progress(count, size)
    return piece.isEmpty ? nil : piece
  }
}

/// A stream that decompresses gzip (RFC 1952, all members) or the deflate data of zip (RFC 1951).
///
/// A truncated file yields what could be decompressed; the reader of the format in it will notice.
final class InflatingStream: ByteStream {
  /// The compression formats.
  enum Packing {
    case gzip
    /// Deflate without header or checksum, as in zip files.
    case deflate
  }

  /// The largest decompressed size: more than any track has.
  private static let mostUnpacked = 4 << 30
  /// The largest growth factor, checked from this decompressed size on. A track compresses 10 to 30 times, a zip bomb
  /// 1,000 times; small bombs do no harm.
  private static let mostGrowth = (times: 250, from: 64 << 20)
  private static let pieceCount = 1 << 18

  private let handle: OpaquePointer
  private let packing: Packing
  private var packed: any ByteStream
  private var input: ArraySlice<UInt8> = []
  private var (read, unpacked) = (0, 0)
  private var isAtEnd = false

  init(_ packed: any ByteStream, _ packing: Packing) throws(FileError) {
    guard let handle = csys_inflater_new(packing == .gzip) else {
      throw FileError(.outOfMemory, "not enough memory to decompress the file")
    }
    self.handle = handle
    self.packed = packed
    self.packing = packing
  }

  deinit { csys_inflater_free(handle) }

  func next() throws(FileError) -> [UInt8]? {
    while !isAtEnd {
      if input.isEmpty { input = try packed.next()?[...] ?? [] }
      let isLast = input.isEmpty
      let (code, output) = step()
      unpacked += output.count
      guard unpacked <= Self.mostUnpacked,
        unpacked <= Self.mostGrowth.from || unpacked / Self.mostGrowth.times <= read
      else {
        throw FileError(
          .suspiciousArchive, "the file decompresses to a suspiciously large size", at: read, remedy: .unpack)
      }
      switch code {
      case CSYS_INFLATE_END: isAtEnd = try !startsAnotherMember()
      case CSYS_INFLATE_MORE: isAtEnd = isLast && output.isEmpty
      case CSYS_INFLATE_NO_MEMORY:
        throw FileError(.outOfMemory, "not enough memory to decompress the file", at: read)
      default:
        throw FileError(.malformed, "the compressed data is corrupt (invalid block or checksum)", at: read)
      }
      if !output.isEmpty { return output }
    }
    return nil
  }

  private func step() -> (code: Int, output: [UInt8]) {
    var (used, code) = (0, CInt(0))
    let output = [UInt8](unsafeUninitializedCapacity: Self.pieceCount) { output, written in
      input.withUnsafeBufferPointer { input in
        code = csys_inflate(handle, input.baseAddress, input.count, &used, output.baseAddress, output.count, &written)
      }
    }
    input = input.dropFirst(used)
    read += used
    return (Int(code), output)
  }

  /// Zeros or a signature may follow the last member of a gzip file.
  private func startsAnotherMember() throws(FileError) -> Bool {
    guard packing == .gzip else { return false }
    if input.count < 2, let more = try packed.next() { input = (input + more)[...] }
    guard input.starts(with: [0x1F, 0x8B]) else { return false }
    return csys_inflater_reset(handle) != 0
  }
}
