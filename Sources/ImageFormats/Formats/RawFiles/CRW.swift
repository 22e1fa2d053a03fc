/// Canon's first raw format (CIFF): nested heaps of records, each heap with its directory at the end. It has no EXIF.
/// XMP exists only in data that programs put between the records and the pointer to that directory.
struct CRWContainer: ReadOnlyContainer {
  let types: [ImageType] = [.crw]

  private enum Record {
    static let makeAndModel: UInt16 = 0x080A
    static let imageInfo: UInt16 = 0x1810
    static let time: UInt16 = 0x180E
    static let jpeg: UInt16 = 0x2007
    static let thumbnail: UInt16 = 0x2008
  }
  /// The limits of records and nested heaps. Cameras write about fifty records on four levels.
  private static let (mostRecords, mostStoreys) = (4_096, 8)

  func type(of head: Bytes) -> ImageType? {
    let isOrdered = head.has(Array("II".utf8)) || head.has(Array("MM".utf8))
    return isOrdered && head.has(Array("HEAPCCDR".utf8), at: 6) ? .crw : nil
  }

  func layout(of source: any ByteSource) throws(FileError) -> Layout {
    let head = try source.bytes(at: 0, count: 14)
    let order: Bytes.Order = head.has([0x49]) ? .little : .big
    let start = Int(try head.u32(2, order))
    guard start < source.count else { throw FileError.endsTooSoon(needing: start - source.count, at: source.count) }
    var records: [UInt16: Range<Int>] = [:]
    var budget = CRWContainer.mostRecords
    try CRWContainer.read(start..<source.count, of: source, order, storey: 0, &budget, into: &records)
    var layout = Layout(readOnly: .crw, in: source)
    var tags = TIFFChanges()
    if let info = try CRWContainer.bytes(Record.imageInfo, 16, records, source) {
      layout.pixelSize = PixelSize(width: Int(try info.u32(0, order)), height: Int(try info.u32(4, order)))
      tags.state(rotation: Int(try info.u32(12, order)))
    }
    if let names = records[Record.makeAndModel], names.count <= 256 {
      let texts = try source.bytes(names).array.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      tags.state(texts.first, TIFFTag.make, in: .ifd0)
      tags.state(texts.dropFirst().first, TIFFTag.model, in: .ifd0)
    }
    if let time = try CRWContainer.bytes(Record.time, 4, records, source) {
      tags.state(clock: Int64(try time.u32(0, order)))
    }
    try layout.state(tags, in: source)
    for record in [Record.jpeg, Record.thumbnail] {
      if let range = records[record] { layout.adopt(jpeg: range, in: source) }
    }
    layout.add(.xmp, at: CanonVRD.packets(of: source))
    return layout
  }

  private static func bytes(
    _ record: UInt16, _ count: Int, _ records: [UInt16: Range<Int>], _ source: any ByteSource
  ) throws(FileError) -> Bytes? {
    guard let range = records[record], range.count >= count else { return nil }
    return try source.bytes(at: range.lowerBound, count: count)
  }

  /// Reads the records of a heap and of nested heaps, by their numbers; the first with each number counts.
  private static func read(
    _ heap: Range<Int>, of source: any ByteSource, _ order: Bytes.Order, storey: Int, _ budget: inout Int,
    into records: inout [UInt16: Range<Int>]
  ) throws(FileError) {
    guard heap.count >= 6, storey < mostStoreys else { return }
    let directory = Int(try source.bytes(at: heap.upperBound - 4, count: 4).u32(0, order))
    guard directory <= heap.count - 6 else {
      throw FileError(
        .truncated, "the directory offset at its end is invalid: truncated, or not a CRW file", at: heap.upperBound - 4)
    }
    let at = heap.lowerBound + directory
    let count = Int(try source.bytes(at: at, count: 2).u16(0, order))
    budget -= count + 1
    guard budget > 0 else { throw FileError(.malformed, "has more than \(mostRecords) records", at: at) }
    let table = try source.bytes(at: at + 2, count: 10 * count)
    for index in 0..<count {
      let tag = try table.u16(10 * index, order)
      let number = tag & 0x3FFF
      // Bits 14 and 15: the value is in the directory itself.
      if tag & 0xC000 == 0x4000 {
        let value = at + 2 + 10 * index + 2
        records[number] = records[number] ?? value..<value + 8
        continue
      }
      let length = Int(try table.u32(10 * index + 2, order))
      let offset = Int(try table.u32(10 * index + 6, order))
      guard tag & 0xC000 == 0, offset <= heap.count, length <= heap.count - offset else { continue }
      let range = heap.lowerBound + offset..<heap.lowerBound + offset + length
      if [0x2800, 0x3000].contains(tag & 0x3800) {
        try read(range, of: source, order, storey: storey + 1, &budget, into: &records)
      } else {
        records[number] = records[number] ?? range
      }
    }
  }
}
