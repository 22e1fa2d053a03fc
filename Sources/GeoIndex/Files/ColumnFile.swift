import Foundation
import Glibc

/// A new file that is written column by column, with numbers in the machine's own format.
final class ColumnFile {
  private let descriptor: CInt
  private var count = 0

  init(path: String) throws {
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteNoPermission) }
  }

  deinit { close(descriptor) }

  func append(_ column: [some BitwiseCopyable]) throws {
    try column.withUnsafeBytes {
      try write($0, at: count)
      count += $0.count
    }
  }

  /// Appends zeros up to the next multiple of eight bytes.
  func pad() throws { try append([UInt8](repeating: 0, count: -count & 7)) }

  /// Overwrites the beginning of the file.
  func replaceStart(_ column: [some BitwiseCopyable]) throws { try column.withUnsafeBytes { try write($0, at: 0) } }

  private func write(_ bytes: UnsafeRawBufferPointer, at start: Int) throws {
    var done = 0
    while done < bytes.count {
      let written = pwrite(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(start + done))
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw CocoaError(.fileWriteOutOfSpace) }
      done += written
    }
  }
}
