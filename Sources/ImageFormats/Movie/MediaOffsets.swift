/// The positions in a table of offsets.
struct MediaOffsets: Sequence, IteratorProtocol {
  private let table: Bytes
  private let width: Int
  private var at: Int

  /// The limit of a table in a movie.
  private static let longestTable = 24 << 20

  /// Reads chunk offsets of media data (`stco`, `co64`; ISO/IEC 14496-12, 8.7.5).
  init(_ box: Box, _ source: any ByteSource) throws(FileError) {
    try self.init(box, source, headerCount: 4, width: box.type == "co64" ? 8 : 4)
  }

  /// Reads offsets of auxiliary information on samples (`saio`, 8.7.9): two more fields if the flags say so, 64 bits in
  /// version 1.
  init(auxiliary box: Box, _ source: any ByteSource) throws(FileError) {
    let head = try source.prefix(at: box.payload.lowerBound, count: Swift.min(4, box.payload.count))
    let isLong = try head.u8(3) & 1 == 1
    try self.init(box, source, headerCount: isLong ? 12 : 4, width: try head.u8(0) == 0 ? 4 : 8)
  }

  private init(_ box: Box, _ source: any ByteSource, headerCount: Int, width: Int) throws(FileError) {
    guard box.range.count <= MediaOffsets.longestTable else {
      throw FileError(.tooLarge, "a \(box.type) table is longer than that of any movie", at: box.range.lowerBound)
    }
    let whole = try source.bytes(box.payload)
    at = headerCount + 4
    let count = whole.count >= at ? Int(try whole.u32(headerCount, .big)) : 0
    table = try whole.prefix(at: 0, count: Swift.min(whole.count, at + count * width))
    self.width = width
  }

  mutating func next() -> Int? {
    guard at <= table.count - width else { return nil }
    defer { at += width }
    return width == 8 ? (try? table.u64(at, .big)).map(Int.init(clamping:)) : (try? table.u32(at, .big)).map(Int.init)
  }
}
