import CSys
import Foundation
import Glibc

/// A file of the cache in memory, in large pages because access is random. The file was validated when the cache was
/// opened.
final class LoadedFile: Sendable {
  nonisolated(unsafe) private let start: UnsafeMutableRawPointer
  private let count: Int

  init(_ path: String) throws(GeoIndexError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw GeoIndexError.unreadable }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size > 0,
      let start = mmap(
        nil, Int(status.st_size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), start != MAP_FAILED
    else { throw GeoIndexError.unreadable }
    (self.start, count) = (start, Int(status.st_size))
    csys_large_pages(start, UInt(count))
    var done = 0
    while done < count {
      let got = pread(descriptor, start + done, count - done, off_t(done))
      guard got > 0 else { throw GeoIndexError.unreadable }
      done += got
    }
  }

  deinit { munmap(start, count) }

  /// Returns `count` values in the machine's own format from `position` on, and advances `position` past them.
  func values<Value: BitwiseCopyable>(_ count: Int, at position: inout Int) throws(GeoIndexError) -> Column<Value> {
    let size = MemoryLayout<Value>.stride
    guard count >= 0, count <= (self.count - position) / size, position % MemoryLayout<Value>.alignment == 0 else {
      throw GeoIndexError.unreadable
    }
    defer { position += count * size }
    let values = UnsafeRawBufferPointer(start: start + position, count: count * size).bindMemory(to: Value.self)
    return Column(file: self, values: values)
  }
}

/// A column of values in a loaded file.
struct Column<Value: BitwiseCopyable & Sendable>: Sendable, RandomAccessCollection {
  private let file: LoadedFile
  /// The values, which must not outlive the column.
  nonisolated(unsafe) let values: UnsafeBufferPointer<Value>

  fileprivate init(file: LoadedFile, values: UnsafeBufferPointer<Value>) {
    self.file = file
    self.values = values
  }

  var startIndex: Int { 0 }
  var endIndex: Int { values.count }
  subscript(position: Int) -> Value { values[position] }
}

extension Array {
  /// Reserves capacity for `count` elements, in large pages if the system has some: access will be random.
  mutating func reserveLargePages(for count: Int) {
    reserveCapacity(count)
    withUnsafeMutableBufferPointer { csys_large_pages($0.baseAddress, UInt(count * MemoryLayout<Element>.stride)) }
  }
}

/// A new file that is written column by column, with numbers in the machine's own format.
final class ColumnFile {
  private let descriptor: CInt
  private var count = 0

  /// Creates a file, or empties one.
  /// - Parameter mode: The permissions of the file, less the umask.
  init(path: String, mode: mode_t = 0o666) throws {
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteNoPermission) }
  }

  deinit { close(descriptor) }

  func append(_ column: [some BitwiseCopyable]) throws { try column.withUnsafeBytes { try append($0) } }

  func append(_ values: UnsafeBufferPointer<some BitwiseCopyable>) throws {
    try append(UnsafeRawBufferPointer(values))
  }

  private func append(_ bytes: UnsafeRawBufferPointer) throws {
    try write(bytes, at: count)
    count += bytes.count
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
