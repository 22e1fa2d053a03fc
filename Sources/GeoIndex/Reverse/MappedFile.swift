import Glibc

/// A file of the cache in memory, page by page as it is looked at. It was found whole when it was opened, and nobody changes
/// it in place.
final class MappedFile: Sendable {
  nonisolated(unsafe) private let start: UnsafeMutableRawPointer
  private let count: Int

  init(_ path: String) throws(GeoIndexError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw GeoIndex.unreadable }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size > 0,
      let start = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED
    else { throw GeoIndex.unreadable }
    (self.start, count) = (start, Int(status.st_size))
  }

  deinit { munmap(start, count) }

  /// So many values as this machine keeps them in memory, from `position` on, which moves behind them.
  func values<Value: BitwiseCopyable>(_ count: Int, at position: inout Int) throws(GeoIndexError) -> Column<Value> {
    let size = MemoryLayout<Value>.stride
    guard count >= 0, count <= (self.count - position) / size, position % MemoryLayout<Value>.alignment == 0 else {
      throw GeoIndex.unreadable
    }
    defer { position += count * size }
    let values = UnsafeRawBufferPointer(start: start + position, count: count * size).bindMemory(to: Value.self)
    return Column(file: self, values: values)
  }
}

/// Values in a mapped file.
struct Column<Value: BitwiseCopyable & Sendable>: Sendable, RandomAccessCollection {
  private let file: MappedFile
  /// They must not outlive the column.
  nonisolated(unsafe) let values: UnsafeBufferPointer<Value>

  fileprivate init(file: MappedFile, values: UnsafeBufferPointer<Value>) {
    self.file = file
    self.values = values
  }

  var startIndex: Int { 0 }
  var endIndex: Int { values.count }
  subscript(position: Int) -> Value { values[position] }
}
