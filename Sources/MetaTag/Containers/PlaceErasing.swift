/// A position in metadata that may not move: what erases it, none longer or shorter than what it replaces.
enum PlaceErasing {
  /// In an EXIF block.
  /// - Throws: `.refused` when it can't be erased so.
  static func splices(inEXIF range: Range<Int>, of source: any ByteSource) throws(PhotoError) -> [Splice] {
    guard let block = try? TIFFBlock(source, range) else { return [] }
    var changes = TIFFChanges()
    changes.removesGPS = true
    let edit = try TIFFEditor.edit(
      block, changes, references: try TIFFReferences(of: block), appendingAt: block.count + block.count % 2)
    guard edit.appended.isEmpty else {
      throw PhotoError(.refused, "a further EXIF block has a position that can't be erased", at: range.lowerBound)
    }
    return edit.overwrites.map { $0.moved(by: block.range.lowerBound) }
  }

  /// In an XMP packet, names of places too.
  /// - Throws: `.refused` when they can't be erased so.
  static func splices(inXMP range: Range<Int>, of source: any ByteSource) throws(PhotoError) -> [Splice] {
    let refusal = PhotoError(.refused, "further XMP tells a place that can't be erased", at: range.lowerBound)
    let bytes = try source.bytes(range)
    guard let packet = try? XMPPacket(bytes) else {
      if XMPProperty.seemToTellPlace(in: bytes) { throw refusal }
      return []
    }
    var removal = MetadataEdit()
    removal.location = .remove
    guard let new = try packet.edited(by: removal) else { return [] }
    guard new.count <= range.count else { throw refusal }
    return [Splice(range, new + [UInt8](repeating: 0x20, count: range.count - new.count))]
  }
}
