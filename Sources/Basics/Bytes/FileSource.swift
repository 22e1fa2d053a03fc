import CSys
package import Glibc
package import SystemPackage

/// A file open for reading. It is read only by `pread` and never mapped, because another program may truncate a photo
/// at any time.
///
/// The head is read once, because that is where most formats keep their metadata.
package final class FileSource: ByteSource {
  /// The number of bytes read at once from the start of a file.
  package static let headCount = 65_536

  package let count: Int
  package let status: stat
  package let descriptor: CInt
  private let head: Bytes

  /// Opens a regular file. Symbolic links are followed.
  package convenience init(_ path: FilePath) throws(FileError) {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    // Only the owner may read a file without changing its access time.
    var descriptor = path.withPlatformString { open($0, flags | csys_o_noatime) }
    if descriptor < 0, errno == EPERM { descriptor = path.withPlatformString { open($0, flags) } }
    guard descriptor >= 0 else { throw FileError(errno: errno, doing: "open it") }
    try self.init(owning: descriptor)
  }

  /// Takes ownership of `descriptor` and closes it in the end, even if this throws.
  package init(owning descriptor: CInt, headCount: Int = FileSource.headCount) throws(FileError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let error = errno
      close(descriptor)
      throw FileError(errno: error, doing: "read its attributes")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw FileError(.notRegularFile, "is not a regular file")
    }
    let size = Int(status.st_size)
    do throws(FileError) {
      head = try FileSource.read(descriptor, 0..<min(size, headCount))
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.status = status
    count = size
  }

  deinit { close(descriptor) }

  package func bytes(_ range: Range<Int>) throws(FileError) -> Bytes {
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw FileError.endsTooSoon(needing: range.count, at: min(range.lowerBound, count))
    }
    if range.upperBound <= head.count { return try head.bytes(range) }
    return try FileSource.read(descriptor, range)
  }

  private static func read(_ descriptor: CInt, _ range: Range<Int>) throws(FileError) -> Bytes {
    var failure: CInt = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
      while filled < range.count {
        let n = pread(descriptor, buffer.baseAddress! + filled, range.count - filled, off_t(range.lowerBound + filled))
        if n < 0, errno == EINTR { continue }
        if n < 0 { failure = errno }
        if n <= 0 { break }
        filled += n
      }
    }
    if failure != 0 { throw FileError(errno: failure, doing: "read it", at: range.lowerBound) }
    guard bytes.count == range.count else {
      throw FileError(
        .changedDuringRead, "the file was truncated while it was being read", at: range.lowerBound + bytes.count)
    }
    return Bytes(bytes, base: range.lowerBound)
  }
}

extension FileError {
  /// Creates the error for the `errno` value of a failed operation, such as "open it".
  package init(errno code: CInt, doing act: String, at offset: Int? = nil) {
    let cause: Code =
      switch code {
      case ENOENT, ENOTDIR: .noSuchFile
      case EACCES, EPERM: .permissionDenied
      case ENOSPC, EDQUOT: .diskFull
      case ENOMEM: .outOfMemory
      default: .io
      }
    self.init(cause, "could not \(act): \(Errno(rawValue: code).description)", at: offset)
  }
}
