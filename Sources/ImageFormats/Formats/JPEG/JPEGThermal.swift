/// FLIR thermal data in APP1 segments that continue each other. It is not read, but may hold positions, each in a
/// record of its own: 0x2B of the FFF format, by ExifTool's description, and 0x2E with the same layout.
struct JPEGThermal {
  private let parts: [Range<Int>]
  private let source: any ByteSource

  private static let header = Array("FLIR\0".utf8)
  /// A version, the segment's number and the last segment's number follow the header.
  private static let headerCount = 8
  private static let positions: Set<UInt16> = [0x2B, 0x2E]
  /// The range of latitude and longitude in such a record, eight bytes each.
  private static let numbers = 16..<32
  private static let mostRecords = 1_024

  init(_ segments: JPEGSegments, _ source: any ByteSource) {
    self.source = source
    parts = segments.all.filter { segment in
      segment.marker == 0xE1 && segment.payload.count > JPEGThermal.headerCount
        && (try? source.bytes(at: segment.payload.lowerBound, count: JPEGThermal.header.count).has(JPEGThermal.header))
          ?? false
    }
    .map { $0.payload.lowerBound + JPEGThermal.headerCount..<$0.payload.upperBound }
  }

  /// The data as blocks: a date may stay in it; a position is erased, or can't be.
  var blocks: [Block] {
    guard let start = parts.first?.lowerBound else { return [] }
    func block(at offset: Int, _ facts: Block.Facts, _ access: Block.Access) -> Block {
      .unread("FLIR thermal data", at: offset, mayHold: facts, access)
    }
    var blocks = [block(at: start, .date, .kept)]
    if holdsLocation { blocks.append(block(at: start, .place, .erasable)) }
    if let hiddenPlace { blocks.append(block(at: hiddenPlace, .place, .opaque(remedy: .clearAll))) }
    return blocks
  }

  /// The offset of a valid position that can't be erased.
  private var hiddenPlace: Int? {
    let (positions, others) = records
    for record in positions where pieces(of: record) == nil { return bytes(at: record.lowerBound, count: 4)?.at }
    // An unknown record with the same numbers records the same place.
    let numbers = positions.flatMap { record in
      [8, 0].compactMap { back in
        bytes(at: record.lowerBound + JPEGThermal.numbers.upperBound - 8 - back, count: 8)?.bytes.array
      }
    }
    .filter { number in number.contains { $0 != 0 } }
    for record in others where !numbers.isEmpty {
      guard let content = bytes(at: record.lowerBound, count: record.count) else { continue }
      if numbers.contains(where: { content.bytes.firstIndex(of: $0) != nil }) { return content.at }
    }
    return nil
  }

  /// Whether the data records a position.
  private var holdsLocation: Bool { !records.positions.isEmpty }

  /// Splices that put zeros over every position: the first zero means that there is no position.
  var erasures: [Splice] { records.positions.flatMap { pieces(of: $0) ?? [] }.merged().map(Splice.erasing) }

  /// The records with valid positions and those of unknown content, in the joined data.
  private var records: (positions: [Range<Int>], others: [Range<Int>]) {
    guard let head = bytes(at: 0, count: 64)?.bytes, head.has(Array("FFF\0".utf8)) else { return ([], []) }
    // The version is between 100 and 200 in the right byte order.
    guard let version = try? head.u32(20, .big) else { return ([], []) }
    let order = (100..<200).contains(version) ? Bytes.Order.big : .little
    guard let start = try? head.u32(24, order), let count = try? head.u32(28, order) else {
      return ([], [])
    }
    var (positions, others): ([Range<Int>], [Range<Int>]) = ([], [])
    for index in 0..<min(Int(count), JPEGThermal.mostRecords) {
      guard let record = bytes(at: Int(start) + 32 * index, count: 32)?.bytes else { break }
      guard let type = try? record.u16(0, order), let offset = try? record.u32(12, order),
        let length = try? record.u32(16, order), let value = bytes(at: Int(offset), count: 4)
      else { continue }
      let range = Int(offset)..<Int(offset) + max(4, Int(length))
      guard JPEGThermal.positions.contains(type) else {
        if type != 0 { others.append(range) }
        continue
      }
      // The record's byte order may differ: only 0 means that there is no fix.
      guard value.bytes.array.contains(where: { $0 != 0 }) else { continue }
      positions.append(range)
    }
    return (positions, others)
  }

  /// Returns the ranges of a record in the file; nil when it extends past the data.
  private func pieces(of record: Range<Int>) -> [Range<Int>]? {
    var (start, left) = (0, record.count)
    var pieces: [Range<Int>] = []
    for part in parts {
      let piece = record.clamped(to: start..<start + part.count)
      if !piece.isEmpty {
        let shift = part.lowerBound - start
        pieces.append(piece.lowerBound + shift..<piece.upperBound + shift)
        left -= piece.count
      }
      start += part.count
    }
    return left == 0 ? pieces : nil
  }

  /// Returns bytes of the joined data and the first one's position in the file; nil past the end.
  private func bytes(at offset: Int, count: Int) -> (bytes: Bytes, at: Int)? {
    guard let pieces = pieces(of: offset..<offset + count), let first = pieces.first else { return nil }
    var joined: [UInt8] = []
    for piece in pieces {
      guard let bytes = try? source.bytes(piece) else { return nil }
      joined += bytes.array
    }
    return (Bytes(joined), first.lowerBound)
  }
}
