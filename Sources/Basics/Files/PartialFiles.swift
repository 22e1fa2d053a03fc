import Glibc
package import SystemPackage
import Synchronization

/// Files of which only some bytes are here: those of objects in a store, which a parent process fetches as they are asked
/// for. A file has its full size, and any bytes where they are missing.
///
/// Every missing range that a reader tries to read is remembered, even if the reader goes on without it: it may then find
/// something wrong.
package final class PartialFiles: Sendable {
  /// The partial files of the present task; nil if all files are whole.
  @TaskLocal package static var current: PartialFiles?

  private struct FileID: Hashable {
    let device: dev_t
    let inode: ino_t

    init(_ status: stat) { (device, inode) = (status.st_dev, status.st_ino) }
  }

  private let present: [FileID: [Range<Int>]]
  private let missing = Mutex<[FileID: [Range<Int>]]>([:])

  /// Creates a list of partial files.
  /// - Parameter present: The bytes that are here. A path that leads nowhere is left out.
  package init(_ present: [(path: FilePath, ranges: [Range<Int>])]) {
    let found = present.compactMap { file in
      file.path.status(followingLinks: true).map { (FileID($0), file.ranges) }
    }
    self.present = Dictionary(found) { first, _ in first }
  }

  /// Returns the missing bytes of a file that were to be read.
  package func missing(in path: FilePath) -> [Range<Int>] {
    guard let status = path.status(followingLinks: true) else { return [] }
    return missing.withLock { $0[FileID(status)] ?? [] }
  }

  /// Returns the bytes of a file that are here; nil if it is whole.
  func present(in file: stat) -> [Range<Int>]? { present[FileID(file)] }

  /// Throws if bytes that are needed aren't here.
  func require(_ range: Range<Int>, of file: stat) throws(FileError) {
    guard let present = present(in: file), ![range].excluding(present).isEmpty else { return }
    missing.withLock { missing in
      if missing[FileID(file)]?.contains(range) != true { missing[FileID(file), default: []].append(range) }
    }
    throw FileError(.missingBytes, "bytes \(range.lowerBound) to \(range.upperBound - 1) aren't here yet")
  }
}
