public import Foundation

/// Sparse copies of small files that are as large as the files of cameras: what changes its behaviour at a size shows it.
public enum LargeFile {
  /// Where media data lies in a movie.
  public enum Shape: String, Sendable, CaseIterable {
    /// Zeros follow the file, or stand in a box at its end.
    case padded
    /// In a movie: media data of that length, and `moov` behind it.
    case moovLast
  }

  /// Makes `photo` so long, in bytes.
  public static func enlarge(_ photo: URL, to size: Int, _ shape: Shape = .padded) throws {
    var bytes = [UInt8](try Data(contentsOf: photo))
    let isBoxed = bytes.count > 12 && bytes[4..<8].elementsEqual("ftyp".utf8)
    guard shape == .padded else { return try movie(of: bytes, at: photo, size) }
    let start = bytes.count
    if isBoxed {
      guard let last = boxes(of: bytes).last else { throw CocoaError(.fileReadCorruptFile) }
      // An open one would take in what follows.
      if bytes[last.range.lowerBound..<last.range.lowerBound + 4].allSatisfy({ $0 == 0 }) {
        bytes.replaceSubrange(last.range.lowerBound..<last.range.lowerBound + 4, with: big(last.range.count))
      }
      bytes += big(size - start) + Array("mdat".utf8)
    }
    try write(bytes, to: photo, size)
  }

  private static func big(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) }
  }

  private static func write(_ bytes: [UInt8], to file: URL, _ size: Int) throws {
    try Data(bytes).write(to: file)
    let handle = try FileHandle(forUpdating: file)
    try handle.truncate(atOffset: UInt64(max(size, bytes.count)))
    try handle.close()
  }

  /// Boxes side by side, with 32-bit sizes.
  private static func boxes(of bytes: [UInt8]) -> [(type: String, range: Range<Int>)] {
    var (boxes, at): ([(type: String, range: Range<Int>)], Int) = ([], 0)
    while at + 8 <= bytes.count {
      let size = bytes[at..<at + 4].reduce(0) { $0 << 8 + Int($1) }
      let end = size == 0 ? bytes.count : at + size
      guard end >= at + 8, end <= bytes.count else { return boxes }
      boxes.append((String(decoding: bytes[at + 4..<at + 8], as: UTF8.self), at..<end))
      at = end
    }
    return boxes
  }

  /// The movie with its media data in a box of 64-bit size, sparse, and `moov` behind it; chunk offsets follow.
  private static func movie(of bytes: [UInt8], at file: URL, _ size: Int) throws {
    let boxes = boxes(of: bytes)
    func box(_ type: String) throws -> Range<Int> {
      guard let found = boxes.first(where: { $0.type == type }) else { throw CocoaError(.fileReadCorruptFile) }
      return found.range
    }
    let (type, media) = (try box("ftyp"), try box("mdat"))
    var moov = Array(bytes[try box("moov")])
    let shift = type.count + 16 - (media.lowerBound + 8)
    for at in moov.indices.dropLast(12) where moov[at..<at + 4].elementsEqual("stco".utf8) {
      let count = moov[at + 8..<at + 12].reduce(0) { $0 << 8 + Int($1) }
      for entry in 0..<count {
        let place = at + 12 + 4 * entry
        let old = moov[place..<place + 4].reduce(0) { $0 << 8 + Int($1) }
        moov.replaceSubrange(place..<place + 4, with: big(old + shift))
      }
    }
    let length = size - type.count - moov.count
    let head: [UInt8] = [0, 0, 0, 1] + Array("mdat".utf8) + [0, 0, 0, 0] + big(length)
    try write(Array(bytes[type]) + head + bytes[(media.lowerBound + 8)..<media.upperBound], to: file, size)
    let handle = try FileHandle(forUpdating: file)
    try handle.seek(toOffset: UInt64(type.count + length))
    try handle.write(contentsOf: Data(moov))
    try handle.close()
  }
}
