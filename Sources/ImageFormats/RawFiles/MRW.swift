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
      throw FileError(.malformed, "has no TTW block, where Minolta keeps EXIF", at: 8)
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
