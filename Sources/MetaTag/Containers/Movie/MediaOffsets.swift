/// The positions in a table of chunk offsets (`stco`, `co64`; ISO/IEC 14496-12, 8.7.5), as many as the table holds.
struct MediaOffsets: Sequence, IteratorProtocol {
  private let table: Bytes
  private let width: Int
  private var at = 8

  init(_ box: Box, _ source: any ByteSource) throws(PhotoError) {
    width = box.type == "co64" ? 8 : 4
    let whole = try source.bytes(box.payload)
    let count = whole.count >= 8 ? Int(try whole.u32(4, .big)) : 0
    table = try whole.prefix(at: 0, count: Swift.min(whole.count, 8 + count * width))
  }

  mutating func next() -> Int? {
    guard at <= table.count - width else { return nil }
    defer { at += width }
    return width == 8 ? (try? table.u64(at, .big)).map(Int.init(clamping:)) : (try? table.u32(at, .big)).map(Int.init)
  }
}
