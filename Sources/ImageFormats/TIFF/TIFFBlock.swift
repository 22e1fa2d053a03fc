/// A TIFF structure wherever it lies in a file: header, directories, values (TIFF 6.0, BigTIFF, EXIF 3.0 4.5).
///
/// Offsets count from the header. Reading is tolerant: an entry that makes no sense is left out, not fatal.
package struct TIFFBlock: Sendable {
  /// The range of the block in the file.
  package let range: Range<Int>
  package let order: Bytes.Order
  /// Whether offsets have 64 bits (BigTIFF).
  package let isBig: Bool
  /// The number after the byte order.
  package let magic: UInt16
  /// IFD0.
  package let ifd0: TIFFDirectory
  /// EXIF directory.
  package let exif: TIFFDirectory?
  /// GPS directory.
  package let gps: TIFFDirectory?
  private let bytes: any ByteSource
  private let origin: Int

  /// The size up to which blocks are read at once, such as an APP1 segment.
  private static let smallCount = 65_536
  /// The numbers that Olympus and Panasonic write instead of 42; nothing else differs.
  static let olympus: Set<UInt16> = [0x4F52, 0x5352]
  static let panasonic: UInt16 = 0x55
  private static let magics = olympus.union([42, 43, panasonic])
  /// The limit of a value to decode; longer ones are pixels or private data.
  package static let longestValue = 1 << 24

  /// Reads the header and the three directories that we edit.
  /// - Throws: An error when there is no TIFF header, or no directory where it points.
  package init(_ source: any ByteSource, _ range: Range<Int>) throws(FileError) {
    guard range.lowerBound >= 0, range.upperBound <= source.count else {
      throw FileError(.truncated, "the TIFF structure extends beyond the end of the file", at: max(0, range.lowerBound))
    }
    let block = try TIFFBlock(header: source, range)
    let pointer = try block.word(at: block.headerPointer)
    guard pointer >= 8, let ifd0 = block.directory(at: pointer) else {
      throw FileError(
        .malformed, "the TIFF header points to an invalid directory", at: range.lowerBound + block.headerPointer
      )
    }
    // A circular pointer isn't a directory of its own.
    let exif = ifd0[TIFFTag.exifIFD].flatMap(block.directory(of:)).flatMap { $0.range == ifd0.range ? nil : $0 }
    let gps = ifd0[TIFFTag.gpsIFD].flatMap(block.directory(of:))
      .flatMap { [ifd0.range, exif?.range].contains($0.range) ? nil : $0 }
    self.init(block, ifd0: ifd0, exif: exif, gps: gps)
  }

  /// Joins directories that each have a TIFF structure of their own, IFD0's first, as if they were in one.
  /// - Throws: The errors of reading any of them; `.malformed` when they differ in byte order.
  package init(_ source: any ByteSource, directories: [IFD: Range<Int>]) throws(FileError) {
    guard let first = directories[.ifd0] else { throw FileError(.malformed, "has no IFD0") }
    let start = directories.values.reduce(first.lowerBound) { min($0, $1.lowerBound) }
    let end = directories.values.reduce(first.upperBound) { max($0, $1.upperBound) }
    let head = try TIFFBlock(header: source, first)
    let joined = TIFFBlock(
      source, origin: start, range: start..<end, order: head.order, magic: 42)
    var moved: [IFD: TIFFDirectory] = [:]
    for (ifd, range) in directories {
      let part = try TIFFBlock(source, range)
      guard part.order == head.order, !part.isBig else {
        throw FileError(.malformed, "its EXIF directories differ in byte order", at: range.lowerBound)
      }
      moved[ifd] = part.ifd0.moved(by: range.lowerBound - start)
    }
    self.init(
      joined, ifd0: moved[.ifd0] ?? joined.ifd0, exif: moved[.exif], gps: moved[.gps])
  }

  /// Creates a header without any directory, to which an editor adds everything, with space for the IFD0 that `changes`
  /// make.
  package init(blank order: Bytes.Order, for changes: TIFFChanges) {
    let header: [UInt8] = order == .big ? [0x4D, 0x4D, 0, 42, 0, 0, 0, 0] : [0x49, 0x49, 42, 0, 0, 0, 0, 0]
    let bare = TIFFBlock(Bytes(header), origin: 0, range: 0..<header.count, order: order, magic: 42)
    let bytes = header + [UInt8](repeating: 0, count: TIFFEditor.ifd0Slot(of: bare, after: changes).count)
    self.init(Bytes(bytes), origin: 0, range: 0..<bytes.count, order: order, magic: 42)
  }

  private init(header source: any ByteSource, _ range: Range<Int>) throws(FileError) {
    let head = try source.bytes(at: range.lowerBound, count: min(16, range.count))
    let order: Bytes.Order
    switch try head.u16(0, .big) {
    case 0x4949: order = .little
    case 0x4D4D: order = .big
    default: throw FileError(.malformed, "expected a TIFF header (II or MM)", at: range.lowerBound)
    }
    let magic = try head.u16(2, order)
    guard TIFFBlock.magics.contains(magic) else {
      throw FileError(.unsupported, "unknown TIFF version \(magic)", at: range.lowerBound + 2)
    }
    if magic == 43 {
      guard try head.u16(4, order) == 8, try head.u16(6, order) == 0 else {
        throw FileError(.malformed, "invalid BigTIFF header: expected offsets of 8 bytes", at: range.lowerBound + 4)
      }
    }
    let isSmall = range.count <= TIFFBlock.smallCount
    self.init(
      isSmall ? try source.bytes(range) : source, origin: isSmall ? 0 : range.lowerBound, range: range,
      order: order, magic: magic)
  }

  private init(_ bytes: any ByteSource, origin: Int, range: Range<Int>, order: Bytes.Order, magic: UInt16) {
    self.bytes = bytes
    self.origin = origin
    self.range = range
    self.order = order
    self.magic = magic
    isBig = magic == 43
    ifd0 = TIFFDirectory(range: 0..<0, entries: [], next: nil, isWhole: true)
    exif = nil
    gps = nil
  }

  private init(_ block: TIFFBlock, ifd0: TIFFDirectory, exif: TIFFDirectory?, gps: TIFFDirectory?) {
    (bytes, origin, range) = (block.bytes, block.origin, block.range)
    (order, isBig, magic) = (block.order, block.isBig, block.magic)
    (self.ifd0, self.exif, self.gps) = (ifd0, exif, gps)
  }

  /// Length in bytes.
  package var count: Int { range.count }
  /// Bytes of an entry: tag, type, count, value or offset.
  var entryCount: Int { isBig ? 20 : 12 }
  /// The bytes that an entry can hold itself, and the bytes of an offset.
  var wordCount: Int { isBig ? 8 : 4 }
  /// The position of the offset of IFD0 in the header.
  var headerPointer: Int { isBig ? 8 : 4 }

  package func directory(_ ifd: IFD) -> TIFFDirectory? {
    switch ifd {
    case .ifd0: ifd0
    case .exif: exif
    case .gps: gps
    }
  }

  package func bytes(_ range: Range<Int>) throws(FileError) -> Bytes {
    guard range.lowerBound >= 0, range.upperBound <= count else {
      throw FileError(
        .truncated, "unexpected end of the TIFF structure: expected \(range.count) bytes",
        at: self.range.lowerBound + min(max(0, range.lowerBound), count))
    }
    return try bytes.bytes(origin + range.lowerBound..<origin + range.upperBound)
  }

  /// Returns the offset (4 bytes, 8 in BigTIFF) at `position`.
  package func word(at position: Int) throws(FileError) -> Int {
    guard position >= 0, position <= count - wordCount else {
      throw FileError(.truncated, "the TIFF structure is truncated inside an offset", at: range.upperBound)
    }
    let field = try bytes(position..<position + wordCount)
    return isBig ? Int(clamping: try field.u64(0, order)) : Int(try field.u32(0, order))
  }

  /// Returns the directory at `offset`; nil when there can be none.
  package func directory(at offset: Int) -> TIFFDirectory? {
    let sizeCount = isBig ? 8 : 2
    guard offset >= headerPointer + wordCount, offset <= count - sizeCount,
      let size = try? bytes(offset..<offset + sizeCount),
      let wanted = isBig ? (try? size.u64(0, order)).map(Int.init(clamping:)) : (try? size.u16(0, order)).map(Int.init),
      wanted <= 65_535
    else { return nil }
    let start = offset + sizeCount
    let held = min(wanted, (count - start) / entryCount)
    guard let table = try? bytes(start..<start + held * entryCount) else { return nil }
    var entries: [TIFFEntry] = []
    entries.reserveCapacity(held)
    for index in 0..<held {
      guard let entry = try? entry(in: table, at: index * entryCount, position: start + index * entryCount) else {
        break
      }
      entries.append(entry)
    }
    let end = start + held * entryCount
    let next = held == wanted ? try? word(at: end) : nil
    return TIFFDirectory(
      range: offset..<(next == nil ? end : end + wordCount), entries: entries, next: next, isWhole: held == wanted)
  }

  /// Returns the directory that `entry` points to. A pointer is always in the entry itself, whatever its type.
  package func directory(of entry: TIFFEntry) -> TIFFDirectory? { pointer(of: entry).flatMap(directory(at:)) }

  /// Returns the offset in an entry for a single directory.
  package func pointer(of entry: TIFFEntry) -> Int? {
    let field = entry.position + entryCount - wordCount
    if isBig, entry.type == TIFFType.long || entry.type == TIFFType.ifd {
      return (try? bytes(field..<field + 4).u32(0, order)).map(Int.init)
    }
    return try? word(at: field)
  }

  private func entry(in table: Bytes, at start: Int, position: Int) throws(FileError) -> TIFFEntry {
    let type = try table.u16(start + 2, order)
    let count = isBig ? Int(clamping: try table.u64(start + 4, order)) : Int(try table.u32(start + 4, order))
    let field = start + entryCount - wordCount
    var value: Range<Int>?
    if let size = TIFFType.size(type) {
      let (length, overflow) = count.multipliedReportingOverflow(by: size)
      if overflow {
        value = nil
      } else if length <= wordCount {
        value = position + entryCount - wordCount..<position + entryCount - wordCount + length
      } else {
        let offset = isBig ? Int(clamping: try table.u64(field, order)) : Int(try table.u32(field, order))
        if offset <= self.count, length <= self.count - offset { value = offset..<offset + length }
      }
    }
    return TIFFEntry(
      tag: try table.u16(start, order), type: type, count: count, position: position, value: value)
  }
}

extension TIFFBlock {
  /// Returns the undecoded bytes of a value; nil when it is missing, or too long for a value that we use.
  package func raw(_ entry: TIFFEntry) -> Bytes? {
    guard let range = entry.value, range.count <= TIFFBlock.longestValue else { return nil }
    return try? bytes(range)
  }
}

extension TIFFBlock {
  /// Returns the decoded value of a tag; nil when it is absent, leaves the block, or has a type that `TIFFValue` lacks.
  package func value(of tag: UInt16, in ifd: IFD) -> TIFFValue? { directory(ifd)?[tag].flatMap(value(of:)) }

  package func value(of entry: TIFFEntry) -> TIFFValue? {
    guard let raw = raw(entry) else { return nil }
    switch entry.type {
    case TIFFType.byte: return .bytes(raw.array)
    case TIFFType.undefined: return .undefined(raw.array)
    case TIFFType.ascii: return .ascii(TIFFBlock.text(raw.array))
    case TIFFType.short:
      return .short(stride(from: 0, to: raw.count - 1, by: 2).compactMap { try? raw.u16($0, order) })
    case TIFFType.long, TIFFType.ifd:
      return .long(stride(from: 0, to: raw.count - 3, by: 4).compactMap { try? raw.u32($0, order) })
    case TIFFType.rational:
      return .rational(
        stride(from: 0, to: raw.count - 7, by: 8).compactMap {
          guard let numerator = try? raw.u32($0, order), let denominator = try? raw.u32($0 + 4, order) else {
            return nil
          }
          return Rational(numerator, denominator)
        })
    default: return nil
    }
  }

  /// Returns a text without surrounding blanks, whatever type its writer chose; nil when nothing is left.
  package func text(of tag: UInt16, in ifd: IFD) -> String? {
    guard let entry = directory(ifd)?[tag], TIFFType.size(entry.type) == 1, let raw = raw(entry) else { return nil }
    let text = TIFFBlock.text(raw.array[...].prefix { $0 != 0 }.drop { $0 == 0x20 })
    return text.isEmpty ? nil : text
  }

  /// Returns a whole number of any unsigned type.
  package func integer(of tag: UInt16, in ifd: IFD) -> Int? { directory(ifd).flatMap { integer(of: tag, in: $0) } }

  /// The first value, without a look at the others: there may be millions, and thousands of directories with them.
  package func integer(of tag: UInt16, in directory: TIFFDirectory) -> Int? {
    guard let entry = directory[tag], let value = entry.value, let size = TIFFType.size(entry.type), size <= value.count
    else { return nil }
    let first = value.lowerBound..<value.lowerBound + size
    return integers(of: TIFFEntry(tag: tag, type: entry.type, count: 1, position: entry.position, value: first)).first
  }

  /// Whole numbers of any unsigned type: offsets and counts of strips.
  func integers(of entry: TIFFEntry) -> [Int] {
    guard let raw = raw(entry), let size = TIFFType.size(entry.type) else { return [] }
    let starts = stride(from: 0, to: raw.count - size + 1, by: size)
    switch entry.type {
    case TIFFType.byte: return starts.compactMap { (try? raw.u8($0)).map(Int.init) }
    case TIFFType.short: return starts.compactMap { (try? raw.u16($0, order)).map(Int.init) }
    case TIFFType.long, TIFFType.ifd: return starts.compactMap { (try? raw.u32($0, order)).map(Int.init) }
    case TIFFType.long8, TIFFType.ifd8: return starts.compactMap { (try? raw.u64($0, order)).map(Int.init(clamping:)) }
    default: return []
    }
  }

  /// Returns fractions in lowest terms, signed or not; nil when one has the denominator zero, or the value is empty.
  func exactFractions(of entry: TIFFEntry) -> [Fraction]? {
    guard let raw = raw(entry), entry.type == TIFFType.rational || entry.type == TIFFType.signedRational,
      (1...64).contains(entry.count)
    else { return nil }
    let isSigned = entry.type == TIFFType.signedRational
    let fractions = stride(from: 0, to: raw.count - 7, by: 8).compactMap { at -> Fraction? in
      guard let n = try? raw.u32(at, order), let d = try? raw.u32(at + 4, order) else { return nil }
      guard isSigned else { return Fraction(Int64(n), Int64(d)) }
      let (top, bottom) = (Int64(Int32(bitPattern: n)), Int64(Int32(bitPattern: d)))
      return bottom < 0 ? Fraction(-top, -bottom) : Fraction(top, bottom)
    }
    return fractions.count == entry.count ? fractions : nil
  }

  /// Fractions as numbers, signed or not. A fraction over zero says nothing: nil.
  package func fractions(of tag: UInt16, in ifd: IFD) -> [Double?] {
    guard let entry = directory(ifd)?[tag], let raw = raw(entry),
      entry.type == TIFFType.rational || entry.type == TIFFType.signedRational
    else { return [] }
    return stride(from: 0, to: raw.count - 7, by: 8).map { at in
      guard let n = try? raw.u32(at, order), let d = try? raw.u32(at + 4, order), d != 0 else { return nil }
      return entry.type == TIFFType.rational
        ? Double(n) / Double(d) : Double(Int32(bitPattern: n)) / Double(Int32(bitPattern: d))
    }
  }

  /// Text up to its trailing NULs and blanks. EXIF says ASCII; cameras write UTF-8 too.
  private static func text(_ bytes: some BidirectionalCollection<UInt8>) -> String {
    let end = bytes.lastIndex { $0 != 0 && $0 != 0x20 }
    return end.map { String(decoding: bytes[...$0], as: UTF8.self) } ?? ""
  }
}
