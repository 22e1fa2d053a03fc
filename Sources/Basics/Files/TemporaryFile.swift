import Foundation
import Glibc

/// A file without a name, which vanishes when it is closed.
package final class TemporaryFile {
  package let descriptor: CInt
  /// The number of bytes.
  package private(set) var count = 0

  /// Creates an empty file.
  package init(in folder: String) throws {
    let unnamed = open(folder, O_RDWR | Self.tmpFile | O_CLOEXEC, 0o600)
    // Not every file system has files without a name.
    descriptor = unnamed < 0 && [EOPNOTSUPP, EISDIR, EINVAL].contains(errno) ? Self.unlinked(in: folder) : unnamed
    guard descriptor >= 0 else { throw CocoaError(errno == ENOSPC ? .fileWriteOutOfSpace : .fileWriteNoPermission) }
  }

  /// Linux's `O_TMPFILE`, which Swift doesn't import.
  private static let tmpFile = 0o20_000_000 | O_DIRECTORY

  private static func unlinked(in folder: String) -> CInt {
    let path = "\(folder)/.\(UUID().uuidString)"
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 { unlink(path) }
    return descriptor
  }

  deinit { close(descriptor) }

  /// Adds values at the end.
  package func append(_ values: [some BitwiseCopyable]) throws {
    try values.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let written = pwrite(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(count + done))
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { throw CocoaError(.fileWriteOutOfSpace) }
        done += written
      }
      count += bytes.count
    }
  }

  /// Reads as many bytes as fit, or fewer at the end.
  /// - Returns: The number of bytes that were read.
  package func read(into bytes: inout [UInt8], at position: Int) throws -> Int {
    try bytes.withUnsafeMutableBytes { buffer in
      var done = 0
      while done < buffer.count {
        let got = pread(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(position + done))
        if got < 0, errno == EINTR { continue }
        guard got >= 0 else { throw CocoaError(.fileReadUnknown) }
        if got == 0 { break }
        done += got
      }
      return done
    }
  }

  /// Removes all bytes.
  package func removeAll() throws {
    guard ftruncate(descriptor, 0) == 0 else { throw CocoaError(.fileWriteUnknown) }
    count = 0
  }
}
