import Synchronization

@testable import MetaTag

/// Counts what is read of a file.
final class CountingSource: ByteSource {
  private let bytes: Bytes
  private let total = Atomic<Int>(0)

  init(_ bytes: Bytes) { self.bytes = bytes }

  var count: Int { bytes.count }
  /// Bytes read so far, in all.
  var read: Int { total.load(ordering: .relaxed) }

  func bytes(_ range: Range<Int>) throws(FileError) -> Bytes {
    total.add(range.count, ordering: .relaxed)
    return try bytes.bytes(range)
  }
}
