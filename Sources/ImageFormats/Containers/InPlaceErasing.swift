/// Erasing in metadata that must not move: every splice is as long as the bytes it replaces.
enum InPlaceErasing {
  /// Returns the splices for an EXIF block.
  /// - Throws: `.refused` when in-place erasing is impossible.
  static func splices(
    inEXIF range: Range<Int>, of source: any ByteSource, by edit: MetadataEdit
  ) throws(FileError) -> [Splice] {
    guard let block = try? TIFFBlock(source, range) else { return [] }
    var changes = try EXIF.changes(for: edit, in: block)
    changes.removesGPS = edit.erasesPlaces && EXIF.holdsLocation(block)
    if edit.erasesPlaces, let field = MakerPlaces.field(in: block) {
      guard let note = try MakerPlaces.cleared(in: block) else {
        throw FileError(
          .notErasable,
          "\(field) in the maker note of an additional picture contains a place name, which can't be erased separately",
          at: range.lowerBound)
      }
      changes.set(TIFFTag.makerNote, in: .exif, to: note)
    }
    let edit = try TIFFEditor.edit(
      block, changes, references: try TIFFReferences(of: block), appendingAt: block.count + block.count % 2)
    guard edit.appended.isEmpty else {
      throw FileError(
        .notErasable, "an additional EXIF block contains data to erase, but can't be changed",
        at: range.lowerBound)
    }
    return edit.overwrites.map { $0.moved(by: block.range.lowerBound) }
  }

  /// Returns the splices for an XMP packet. They erase place names too.
  /// - Throws: `.refused` when in-place erasing is impossible.
  static func splices(
    inXMP range: Range<Int>, of source: any ByteSource, by edit: MetadataEdit
  ) throws(FileError) -> [Splice] {
    let bytes = try source.bytes(range)
    guard let packet = try? XMPPacket(bytes) else {
      try requireNothing(inUnreadXMP: range, of: source, by: edit)
      return []
    }
    guard let new = try packet.edited(by: edit) else { return [] }
    guard new.count <= range.count else {
      throw FileError(
        .notErasable, "additional XMP contains data to erase, but can't be changed", at: range.lowerBound)
    }
    return [Splice(range, new + [UInt8](repeating: 0x20, count: range.count - new.count))]
  }

  /// Checks XMP that isn't edited, such as a part of an extended packet.
  /// - Throws: `.refused` when it seems to contain something that `edit` erases.
  static func requireNothing(
    inUnreadXMP range: Range<Int>, of source: any ByteSource, by edit: MetadataEdit
  ) throws(FileError) {
    let bytes = try source.bytes(range)
    let holds =
      edit.erasesPlaces && XMPProperty.mayContainPlace(in: bytes)
      || edit.erasesDates && XMPPacket.mayContainDate(in: bytes)
    guard holds else { return }
    throw FileError(
      .notErasable, "additional XMP that can't be edited contains \(edit.erasesPlaces ? "a location" : "a date")",
      at: range.lowerBound)
  }
}
