/// The position of a JPEG according to a maker note, for raw files whose directories don't record it. From ExifTool's
/// lists of tags.
enum MakerPreview {
  private static let olympus = Array("OLYMPUS\0".utf8)
  private static let nikon = Array("Nikon\0\u{2}".utf8)
  private static let cameraSettings: UInt16 = 0x2020
  private static let nikonPreview: UInt16 = 0x11

  /// The range in offsets of the block. Nil when there is no preview, or it is elsewhere.
  static func range(in block: TIFFBlock) -> Range<Int>? {
    guard !block.isBig, let note = block.exif?[TIFFTag.makerNote]?.value, note.count > 18,
      let head = try? block.bytes(note.lowerBound..<note.lowerBound + 18)
    else { return nil }
    let start = note.lowerBound
    if head.has(olympus) {
      let settings = block.directory(at: start + 12)?[cameraSettings].flatMap(block.pointer(of:))
      return range(settings.flatMap { block.directory(at: start + $0) }, 0x0101, 0x0102, from: start, in: block)
    }
    if head.has(nikon), let first = try? head.u32(14, block.order) {
      // The note is a TIFF structure of its own, after ten bytes.
      let preview = block.directory(at: start + 10 + Int(first))?[nikonPreview].flatMap(block.pointer(of:))
      let directory = preview.flatMap { block.directory(at: start + 10 + $0) }
      return range(directory, TIFFTag.jpegOffset, TIFFTag.jpegByteCount, from: start + 10, in: block)
    }
    // Minolta's note is a bare directory, with the same offsets as all other directories.
    return range(block.directory(at: start), 0x0088, 0x0089, from: 0, in: block)
  }

  private static func range(
    _ directory: TIFFDirectory?, _ offset: UInt16, _ count: UInt16, from base: Int, in block: TIFFBlock
  ) -> Range<Int>? {
    guard let directory, let start = block.integer(of: offset, in: directory),
      let count = block.integer(of: count, in: directory), count > 0, start <= block.count - base,
      count <= block.count - base - start
    else { return nil }
    return base + start..<base + start + count
  }
}
