import Glibc

/// A file that is mapped into memory for reading. It must not change while it is mapped; removing or replacing it by name
/// is harmless.
final class MappedFile: Sendable {
  nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

  /// Maps a whole file.
  convenience init(_ path: String) throws(GeoIndexError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw GeoIndexError.unreadable }
    defer { close(descriptor) }
    try self.init(descriptor: descriptor)
  }

  /// Maps all of an open file, which may then be closed.
  init(descriptor: CInt) throws(GeoIndexError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw GeoIndexError.unreadable }
    let count = Int(status.st_size)
    guard count > 0 else {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    guard let start = mmap(nil, count, PROT_READ, MAP_SHARED, descriptor, 0), start != MAP_FAILED else {
      throw GeoIndexError.unreadable
    }
    bytes = UnsafeRawBufferPointer(start: start, count: count)
  }

  /// Gives up the memory that holds parts of the file; they are mapped again when they are read.
  func release() {
    if let start = bytes.baseAddress { madvise(UnsafeMutableRawPointer(mutating: start), bytes.count, MADV_DONTNEED) }
  }

  deinit {
    if let start = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: start), bytes.count) }
  }
}
