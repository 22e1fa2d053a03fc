import Basics
import CSys
import Foundation

/// Reads the files written by Scripts/borders part by part (the script describes the formats).
struct BorderReader {
  private let bytes: Data
  private var position: Int

  /// Checks the first eight letters and the checksum.
  init(_ bytes: Data, magic: String) throws(GeoIndexError) {
    guard bytes.count >= 12, bytes.prefix(8).elementsEqual(magic.utf8) else { throw Self.damaged }
    self.bytes = bytes
    position = 8
    let sum = try nextNumber()
    let actual = bytes.withUnsafeBytes {
      crc32(0, $0.bindMemory(to: UInt8.self).baseAddress.map { $0 + 12 }, uInt(truncatingIfNeeded: $0.count - 12))
    }
    guard Int(actual) == sum else { throw Self.damaged }
  }

  /// Reads data that was already checked.
  init(_ bytes: Data) {
    self.bytes = bytes
    position = 0
  }

  /// Returns a whole file, memory-mapped: it is read once, from front to back, and is never changed in place.
  static func bytes(of file: URL) throws(GeoIndexError) -> Data {
    do { return try Data(contentsOf: file, options: .alwaysMapped) } catch { throw missing }
  }

  mutating func nextNumber() throws(GeoIndexError) -> Int {
    let numbers: [UInt32] = try next(1)
    return Int(numbers[0])
  }

  /// Returns the next `count` little-endian numbers.
  mutating func next<Number: FixedWidthInteger>(_ count: Int) throws(GeoIndexError) -> [Number] {
    let size = MemoryLayout<Number>.size
    guard count >= 0, count <= (bytes.count - position) / size else { throw Self.damaged }
    defer { position += count * size }
    return [Number](unsafeUninitializedCapacity: count) { numbers, filled in
      csys_large_pages(numbers.baseAddress, UInt(count * size))
      bytes.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(numbers).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: $0[position..<(position + count * size)]))
      }
      for index in 0..<count { numbers[index] = Number(littleEndian: numbers[index]) }
      filled = count
    }
  }

  /// Returns the lines of a text of `length` bytes; each line ends with a line feed.
  mutating func nextText(_ length: Int) throws(GeoIndexError) -> [String] {
    let text: [UInt8] = try next(length)
    return text.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The number of remaining bytes.
  var rest: Int { bytes.count - position }

  static let missing = GeoIndexError(
    .missingGazetteer,
    "the border data was not found next to the program or in ../share/metatag/borders",
    remedy: .reinstall)
  static let damaged = GeoIndexError(
    .damagedGazetteer, "the border data that came with the program is damaged", remedy: .reinstall)
}
