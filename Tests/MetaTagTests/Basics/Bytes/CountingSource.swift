import Synchronization

@testable import MetaTag

/// Counts the bytes that are read from a source.
final class CountingSource: ByteSource {
  private let bytes: Bytes
  private let total = Atomic<Int>(0)

  init(_ bytes: Bytes) { self.bytes = bytes }

  var count: Int { bytes.count }
  /// The number of bytes read so far.
  var read: Int { total.load(ordering: .relaxed) }

  func bytes(_ range: Range<Int>) throws(FileError) -> Bytes {
    total.add(range.count, ordering: .relaxed)
    return try bytes.bytes(range)
  }
}
