import Glibc

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
