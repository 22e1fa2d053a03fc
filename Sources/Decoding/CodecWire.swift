/// The protocol of `metatag-codecs` and `metatag-pictures`. `Sources/CChild/include/wire.hpp` is its other end; both
/// must be changed together, and `version` with them.
package enum CodecWire {
  package static let version: UInt32 = 3
  /// The largest number of blocks in a request.
  static let mostBlocks = 3
  /// The longest answer in bytes.
  static let longestAnswer = 16 << 20
  /// The number of bytes that precede every answer.
  package static let headCount = 8

  /// The requested operation.
  package enum Task: UInt16 {
    case libexifEntries = 1
    case tags = 2
    case exiv2Entries = 3
    case recode = 4
  }

  /// The result of an operation.
  package enum Status: UInt32 {
    case done = 0
    case unreadable = 1
    case tooLarge = 2
    case unsupported = 3

    package var code: FileError.Code {
      switch self {
      case .done, .unreadable: .malformed
      case .tooLarge: .tooLarge
      case .unsupported: .unsupported
      }
    }
  }

  package static func request(_ task: Task, _ blocks: [EXIFBlock], _ recoding: Recoding = Recoding()) -> [UInt8] {
    request(task, blocks.map(\.range), recoding)
  }

  /// Encodes a request that contains the blocks themselves.
  package static func request(aboutEntriesOf blocks: [[UInt8]]) -> [UInt8] {
    blocks.reduce(into: request(.libexifEntries, blocks.map { 0..<$0.count }, Recoding())) { $0 += $1 }
  }

  private static func request(_ task: Task, _ blocks: [Range<Int>], _ recoding: Recoding) -> [UInt8] {
    var bytes = version.bytes(.little) + task.rawValue.bytes(.little) + UInt16(blocks.count).bytes(.little)
    for index in 0..<mostBlocks {
      let range = index < blocks.count ? blocks[index] : 0..<0
      bytes += UInt64(max(0, range.lowerBound)).bytes(.little) + UInt64(range.count).bytes(.little)
    }
    return bytes + recoding.bytes
  }

  package static func readings(_ answer: Bytes, count: Int) throws(FileError) -> [EXIFReading?] {
    var parser = Parser(answer)
    var readings: [EXIFReading?] = []
    for _ in 0..<count {
      let isReadable = try parser.u8() == 1
      let order: Bytes.Order = try parser.u8() == 1 ? .big : .little
      var entries: [EXIFEntry] = []
      for _ in 0..<(try parser.u32()) {
        entries.append(
          EXIFEntry(
            ifd: try parser.u16(), tag: try parser.u16(), format: try parser.u16(), components: try parser.u32(),
            bytes: try parser.counted().array))
      }
      readings.append(isReadable ? EXIFReading(order: order, entries: entries) : nil)
    }
    return readings
  }

  package static func tags(_ answer: Bytes) throws(FileError) -> [TagDump] {
    var parser = Parser(answer)
    var tags: [TagDump] = []
    for _ in 0..<(try parser.u32()) {
      tags.append(
        TagDump(key: try parser.text(), type: try parser.text(), text: try parser.text(), raw: try parser.text()))
    }
    return tags
  }

  /// Parses an answer from front to back. A photo may have taken over the program, so nothing in the answer is trusted.
  private struct Parser {
    private let bytes: Bytes
    private var offset = 0

    init(_ bytes: Bytes) { self.bytes = bytes }

    mutating func u8() throws(FileError) -> UInt8 {
      defer { offset += 1 }
      return try bytes.u8(offset)
    }

    mutating func u16() throws(FileError) -> UInt16 {
      defer { offset += 2 }
      return try bytes.u16(offset, .little)
    }

    mutating func u32() throws(FileError) -> UInt32 {
      defer { offset += 4 }
      return try bytes.u32(offset, .little)
    }

    mutating func counted() throws(FileError) -> Bytes {
      let count = Int(try u32())
      defer { offset += count }
      return try bytes.bytes(at: offset, count: count)
    }

    mutating func text() throws(FileError) -> String {
      try counted().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
  }
}
