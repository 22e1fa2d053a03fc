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
  package let file: Descriptor
  private let head: Bytes
  /// Where to look up which bytes are here, if some aren't.
  private let partial: PartialFiles?

  package var descriptor: CInt { file.rawValue }

  /// Opens a regular file. Symbolic links are followed.
  package convenience init(_ path: FilePath) throws(FileError) {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let system = FileSystems.current
    // Only the owner may read a file without changing its access time.
    var descriptor = path.withPlatformString { system.openat(AT_FDCWD, $0, flags | csys_o_noatime, 0) }
    if descriptor < 0, errno == EPERM { descriptor = path.withPlatformString { system.openat(AT_FDCWD, $0, flags, 0) } }
    guard descriptor >= 0 else { throw FileError(errno: errno, doing: "open it") }
    try self.init(Descriptor(owning: descriptor, of: system))
  }

  /// Takes ownership of a file that the kernel opened, and closes it in the end, even if this throws.
  package convenience init(owning descriptor: CInt, headCount: Int = FileSource.headCount) throws(FileError) {
    try self.init(Descriptor(owning: descriptor), headCount: headCount)
  }

  package init(_ file: consuming Descriptor, headCount: Int = FileSource.headCount) throws(FileError) {
    let status = try file.status(doing: "read its attributes")
    guard status.st_mode & S_IFMT == S_IFREG else { throw FileError(.notRegularFile, "is not a regular file") }
    count = Int(status.st_size)
    if let partial = PartialFiles.current, partial.present(in: status) != nil {
      (self.partial, head) = (partial, Bytes([]))
    } else {
      (partial, head) = (nil, try file.read(0..<min(count, headCount)))
    }
    self.status = status
    self.file = file
  }

  /// Creates another reader of an open file, which stays open.
  ///
  /// - Parameter headCount: The number of bytes that are read at once.
  package convenience init(
    duplicating file: borrowing Descriptor, headCount: Int = FileSource.headCount
  ) throws(FileError) { try self.init(file.duplicate(), headCount: headCount) }

  /// Creates another reader of an open file that reads from disk, not from the page cache.
  package convenience init(reopening file: borrowing Descriptor) throws(FileError) {
    file.forget()
    try self.init(duplicating: file)
  }

  /// Whether the first bytes are those of another file.
  package func begins(with other: FileSource) throws(FileError) -> Bool {
    guard other.count <= count else { return false }
    for start in stride(from: 0, to: other.count, by: 1 << 18) {
      let range = start..<min(start + 1 << 18, other.count)
      guard try bytes(range).isEqual(to: other.bytes(range)) else { return false }
    }
    return true
  }

  package func bytes(_ range: Range<Int>) throws(FileError) -> Bytes {
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw FileError.endsTooSoon(needing: range.count, at: min(range.lowerBound, count))
    }
    if range.upperBound <= head.count { return try head.bytes(range) }
    try requirePresent(range)
    return try file.read(range)
  }

  /// Throws if bytes aren't here yet. To be called before another process reads them.
  package func requirePresent(_ range: Range<Int>) throws(FileError) { try partial?.require(range, of: status) }
}

extension FileSource {
  /// Whether the disk stores less than all of its bytes: it has holes, or is compressed.
  package var isSparse: Bool { Int(status.st_blocks) * 512 < count }
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
    self.init(
      cause, "could not \(act): \(Errno(rawValue: code).description)", at: offset,
      remedy: cause == .diskFull ? .freeSpace(nil) : nil)
  }
}
