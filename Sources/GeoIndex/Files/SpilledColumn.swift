import Basics

/// A column of values that can be larger than memory: they are in a temporary file, apart from the last ones.
///
/// An error of the file is kept, and thrown by the next call that can throw.
final class SpilledColumn<Value: BitwiseCopyable> {
  /// The number of values.
  private(set) var count = 0
  private let file: TemporaryFile
  private var last: [Value] = []
  private var failure: (any Error)?

  /// The number of values that are written at once.
  private static var most: Int { 1 << 16 / MemoryLayout<Value>.stride }

  /// Creates an empty column.
  /// - Parameter folder: The folder of the temporary file.
  init(in folder: String) throws { file = try TemporaryFile(in: folder) }

  func append(_ value: Value) {
    last.append(value)
    count += 1
    if last.count >= Self.most { spill() }
  }

  func append(contentsOf values: some Collection<Value>) {
    last.append(contentsOf: values)
    count += values.count
    if last.count >= Self.most { spill() }
  }

  private func spill() {
    do { if failure == nil { try file.append(last) } } catch { failure = error }
    last.removeAll(keepingCapacity: true)
  }

  /// Throws if a value could not be written.
  func check() throws { if let failure { throw failure } }

  /// Maps all values, which must not be added to while they are in use.
  func mapped() throws -> MappedFile {
    spill()
    try check()
    return try MappedFile(descriptor: file.descriptor)
  }

  /// Passes all values to `body`, in order and in parts.
  func forEachPart(_ body: (UnsafeBufferPointer<Value>) throws -> Void) throws {
    spill()
    try check()
    var part = [UInt8](repeating: 0, count: 1 << 20 / MemoryLayout<Value>.stride * MemoryLayout<Value>.stride)
    var position = 0
    while true {
      let count = try file.read(into: &part, at: position)
      guard count > 0 else { return }
      position += count
      try part.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count]).bindMemory(to: Value.self)) }
    }
  }

  /// Returns the values from a number on, fewer at the end.
  func values(from start: Int, count: Int) throws -> [Value] where Value == UInt8 {
    if start + count > file.count, !last.isEmpty {
      spill()
      try check()
    }
    var bytes = [UInt8](repeating: 0, count: count)
    let got = try file.read(into: &bytes, at: start)
    bytes.removeSubrange(got...)
    return bytes
  }

  /// Returns all values.
  func all() throws -> [Value] {
    var all: [Value] = []
    all.reserveCapacity(count)
    try forEachPart { all.append(contentsOf: $0) }
    return all
  }
}
