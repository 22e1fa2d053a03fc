package import Foundation

/// Sparse copies of small files that are as large as those of cameras, to test behaviour that changes at a size.
package enum LargeFile {
  /// The position of a movie's media data.
  package enum Shape: String, Sendable, CaseIterable {
    /// Zeros follow the file, or are in a box at its end.
    case padded
    /// A movie with media data of that length, followed by `moov`.
    case moovLast
  }

  /// Enlarges `photo` to a size in bytes.
  package static func enlarge(_ photo: URL, to size: Int, _ shape: Shape = .padded) throws {
    var bytes = [UInt8](try Data(contentsOf: photo))
    let isBoxed = bytes.count > 12 && bytes[4..<8].elementsEqual("ftyp".utf8)
    guard shape == .padded else { return try movie(of: bytes, at: photo, size) }
    let start = bytes.count
    if isBoxed {
      guard let last = boxes(of: bytes).last else { throw CocoaError(.fileReadCorruptFile) }
      // An open box would include what follows.
      if bytes[last.range.lowerBound..<last.range.lowerBound + 4].allSatisfy({ $0 == 0 }) {
        bytes.replaceSubrange(last.range.lowerBound..<last.range.lowerBound + 4, with: big(last.range.count))
      }
      bytes += big(size - start) + Array("mdat".utf8)
    }
    if bytes.count > 8, [[0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42]].contains(Array(bytes[..<4])) {
      addPage(to: &bytes, size)
    }
    try write(bytes, to: photo, size)
  }

  /// Adds a page to the end of a TIFF, whose strip reaches to the end of the file. Bytes outside all directories would
  /// be taken for a maker's picture.
  private static func addPage(to bytes: inout [UInt8], _ size: Int) {
    let isBig = bytes[0] == 0x4D
    func number(_ at: Int, _ count: Int) -> Int {
      let word = bytes[at..<at + count]
      return (isBig ? Array(word) : word.reversed()).reduce(0) { $0 << 8 + Int($1) }
    }
    func field(_ value: Int, _ count: Int) -> [UInt8] {
      let word = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return isBig ? word.reversed() : word
    }
    if bytes.count % 2 == 1 { bytes.append(0) }
    let page = bytes.count
    var at = 4
    while case let directory = number(at, 4), directory != 0, directory < page - 2 {
      at = directory + 2 + 12 * number(directory, 2)
      guard at + 4 <= page else { return }
    }
    bytes.replaceSubrange(at..<at + 4, with: field(page, 4))
    let entries: [(tag: Int, type: Int, value: Int)] = [
      (254, 4, 2), (256, 4, 4_096), (257, 4, 4_096), (258, 3, 8), (259, 3, 1), (262, 3, 1),
      (273, 4, page + 2 + 12 * 10 + 4), (277, 3, 1), (278, 4, 4_096), (279, 4, size - page - 2 - 12 * 10 - 4),
    ]
    bytes += field(entries.count, 2)
    for entry in entries {
      let value = entry.type == 3 ? field(entry.value, 2) + [0, 0] : field(entry.value, 4)
      bytes += field(entry.tag, 2) + field(entry.type, 2) + field(1, 4) + value
    }
    bytes += [0, 0, 0, 0]
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

  /// Adjacent boxes, with 32-bit sizes.
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

  /// Returns the movie with its media data in a sparse box of 64-bit size, followed by `moov`. Chunk offsets follow.
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
