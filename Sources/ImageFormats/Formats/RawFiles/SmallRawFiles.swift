/// Minolta's raw format: blocks, one of which is a TIFF structure with all EXIF, followed by the sensor's data.
struct MRWContainer: ReadOnlyContainer {
  let types: [ImageType] = [.mrw]

  private static let signature = Array("\0MRM".utf8)
  private static let tiff = Array("\0TTW".utf8)
  private static let dimensions = Array("\0PRD".utf8)
  /// The limit of blocks. Cameras write four.
  private static let mostBlocks = 64

  func type(of head: Bytes) -> ImageType? { head.has(MRWContainer.signature) ? .mrw : nil }

  func layout(of source: any ByteSource) throws(FileError) -> Layout {
    var layout = Layout(readOnly: .mrw, in: source)
    let end = 8 + Int(try source.bytes(at: 4, count: 4).u32(0, .big))
    guard end <= source.count else { throw FileError.endsTooSoon(needing: end - source.count, at: source.count) }
    var found: Range<Int>?
    var at = 8
    for _ in 0..<MRWContainer.mostBlocks where at <= end - 8 {
      let head = try source.bytes(at: at, count: 8)
      let payload = try head.u32(4, .big)
      guard Int(payload) <= end - at - 8 else { throw FileError.endsTooSoon(needing: Int(payload), at: at + 8) }
      let range = at + 8..<at + 8 + Int(payload)
      if head.has(MRWContainer.tiff) { found = range }
      if head.has(MRWContainer.dimensions), let block = try? source.bytes(range), let height = try? block.u16(12, .big),
        let width = try? block.u16(14, .big)
      {
        layout.pixelSize = PixelSize(width: Int(width), height: Int(height))
      }
      at = range.upperBound
    }
    guard let exif = found else {
      throw FileError(.malformed, "has no TTW block, which holds EXIF", at: 8)
    }
    layout.add(.exif, at: exif)
    guard let block = try? TIFFBlock(source, exif.lowerBound..<source.count) else { return layout }
    func inFile(_ range: Range<Int>) -> Range<Int> {
      range.lowerBound + exif.lowerBound..<range.upperBound + exif.lowerBound
    }
    func value(_ tag: UInt16) -> Range<Int>? {
      block.ifd0[tag]?.value.flatMap { $0.count <= TIFFBlock.longestValue ? inFile($0) : nil }
    }
    if let packet = value(TIFFTag.xmp) { layout.add(.xmp, at: packet) }
    if let records = value(TIFFTag.iptc) { layout.add(.iptc, at: records) }
    if let preview = MakerPreview.range(in: block) { layout.add(.preview, at: inFile(preview)) }
    return layout
  }
}

/// Fujifilm's raw format: a header with a table of offsets, a JPEG with all EXIF, and the sensor's data.
struct RAFContainer: ReadOnlyContainer {
  let types: [ImageType] = [.raf]

  private static let signature = Array("FUJIFILMCCD-RAW ".utf8)
  /// The positions in the header of offset and length of the JPEG and of the list of records, as 32-bit big-endian
  /// numbers.
  private static let (jpeg, records) = (84, 92)
  /// The tags with height and width, cropped and full.
  private static let sizes: [UInt16] = [0x111, 0x121, 0x100]

  func type(of head: Bytes) -> ImageType? { head.has(RAFContainer.signature) ? .raf : nil }

  func layout(of source: any ByteSource) throws(FileError) -> Layout {
    let head = try source.bytes(at: 0, count: 100)
    let start = Int(try head.u32(RAFContainer.jpeg, .big))
    let length = Int(try head.u32(RAFContainer.jpeg + 4, .big))
    guard start < source.count else { throw FileError.endsTooSoon(needing: length, at: start) }
    var layout = Layout(readOnly: .raf, in: source)
    layout.pixelSize = RAFContainer.size(at: Int(try head.u32(RAFContainer.records, .big)), in: source)
    layout.adopt(jpeg: start..<start + min(length, source.count - start), in: source)
    return layout
  }

  /// Returns the size from a list of records: a count, then tag, length and value of each.
  private static func size(at offset: Int, in source: any ByteSource) -> PixelSize? {
    guard offset > 0, let list = try? source.prefix(at: offset, count: 65_536), let count = try? list.u32(0, .big)
    else { return nil }
    var found: [UInt16: PixelSize] = [:]
    var at = 4
    for _ in 0..<min(count, 255) {
      guard let tag = try? list.u16(at, .big), let length = try? list.u16(at + 2, .big) else { break }
      if length >= 4, let height = try? list.u16(at + 4, .big), let width = try? list.u16(at + 6, .big) {
        found[tag] = found[tag] ?? PixelSize(width: Int(width), height: Int(height))
      }
      at += 4 + Int(length)
    }
    return sizes.lazy.compactMap { found[$0] }.first
  }
}
