extension EXIF {
  /// Returns a warning when the camera maker changes and the maker note doesn't name its own format. Most notes begin
  /// with a name, but Canon's and some others begin with their directory, so that readers recognize them only by Make.
  package static func makerNotice(on changes: TIFFChanges, in block: TIFFBlock) -> Note? {
    guard changes.tags[.ifd0]?[TIFFTag.make] != nil, let make = block.text(of: TIFFTag.make, in: .ifd0),
      let note = block.exif?[TIFFTag.makerNote].flatMap({ block.raw($0) }), isBareDirectory(note, block.order)
    else { return nil }
    return Note(.makerNoteUnreadable, "its maker note can only be read where Make is '\(make)'")
  }

  /// Whether the number of entries fits, and the first entry has an existing type.
  private static func isBareDirectory(_ note: Bytes, _ order: Bytes.Order) -> Bool {
    guard let count = try? note.u16(0, order), let type = try? note.u16(4, order) else { return false }
    return count > 0 && 2 + Int(count) * 12 <= note.count && (1...13).contains(type)
  }
}
