import Glibc
import SystemPackage

/// Lines of input that arrive in pieces.
struct LineBuffer {
  private(set) var bytes = [UInt8](repeating: 0, count: 1 << 17)
  /// The bytes that were read, from the first one that belongs to no earlier line.
  private(set) var rest = 0..<0
  /// Where to look for the end of the next line.
  private var unseen = 0

  /// Reads what has arrived, or waits for it; returns false at the end.
  mutating func read(from input: FileDescriptor) throws -> Bool {
    if rest.upperBound == bytes.count { bytes += repeatElement(0, count: bytes.count) }
    let end = rest.upperBound
    let count = try bytes.withUnsafeMutableBytes { try input.read(into: .init(rebasing: $0[end...])) }
    rest = rest.lowerBound..<end + count
    return count > 0
  }

  /// Returns the complete lines, without their ends.
  mutating func takeLines() -> [Range<Int>] {
    var lines: [Range<Int>] = []
    while let line = nextLine() { lines.append(line) }
    return lines
  }

  private mutating func nextLine() -> Range<Int>? {
    let (start, length) = (unseen, rest.upperBound - unseen)
    let end = bytes.withUnsafeBytes { bytes in
      bytes.baseAddress.flatMap { first in
        memchr(first + start, 0x0A, length).map { UnsafeRawPointer($0) - first }
      }
    }
    guard let end else {
      unseen = rest.upperBound
      return nil
    }
    defer { (rest, unseen) = (end + 1..<rest.upperBound, end + 1) }
    return rest.lowerBound..<end
  }

  /// Makes room: moves the incomplete line to the beginning.
  mutating func dropLines() {
    guard rest.lowerBound > 0 else { return }
    bytes.withUnsafeMutableBytes { bytes in
      let kept = UnsafeRawBufferPointer(rebasing: bytes[rest])
      if let start = bytes.baseAddress, let from = kept.baseAddress { memmove(start, from, kept.count) }
    }
    (rest, unseen) = (0..<rest.count, rest.count)
  }

  /// Drops the incomplete line.
  mutating func dropRest() { (rest, unseen) = (0..<0, 0) }
}
