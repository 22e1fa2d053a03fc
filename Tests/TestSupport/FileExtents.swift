package import Foundation
import Glibc

/// The non-zero bytes of a file, also of one with gigabytes of holes.
package enum FileExtents {
  /// The number of zeros that separates two extents.
  private static let gap = 4_096
  /// Linux's names for these are hidden behind _GNU_SOURCE.
  private static let seekData: CInt = 3
  private static let seekHole: CInt = 4

  /// The extents of a file, each with its offset.
  package static func read(_ file: URL) throws -> [(offset: Int, bytes: [UInt8])] {
    let descriptor = open(file.path, O_RDONLY)
    guard descriptor >= 0 else { throw CocoaError(.fileReadNoSuchFile) }
    defer { close(descriptor) }
    let size = lseek(descriptor, 0, SEEK_END)
    var extents: [(offset: Int, bytes: [UInt8])] = []
    var at: off_t = 0
    while at < size {
      let start = lseek(descriptor, at, seekData)
      guard start >= 0 else { break }
      let end = lseek(descriptor, start, seekHole)
      var bytes = [UInt8](repeating: 0, count: Int(end - start))
      guard pread(descriptor, &bytes, bytes.count, start) == bytes.count else { throw CocoaError(.fileReadUnknown) }
      extents += parts(of: bytes).map { (Int(start) + $0.lowerBound, Array(bytes[$0])) }
      at = end
    }
    return extents
  }

  private static func parts(of bytes: [UInt8]) -> [Range<Int>] {
    let zeros = [UInt8](repeating: 0, count: gap)
    var parts: [Range<Int>] = []
    // In steps of a page: pages of zeros are left out.
    var start: Int?
    bytes.withUnsafeBytes { raw in
      for at in stride(from: 0, to: raw.count, by: gap) {
        let count = min(gap, raw.count - at)
        let isEmpty = raw.baseAddress.map { memcmp($0 + at, zeros, count) == 0 } ?? true
        if isEmpty, let from = start {
          parts.append(from..<at)
          start = nil
        } else if !isEmpty, start == nil {
          start = at
        }
      }
    }
    if let start { parts.append(start..<bytes.count) }
    return parts
  }
}
