extension EXIF {
  /// What to tell when the camera's maker changes, and the maker's note doesn't say itself whose it is: most begin with
  /// a name, but Canon's and some others with their directory, so that readers know their form by Make alone.
  package static func makerNotice(on changes: TIFFChanges, in block: TIFFBlock) -> String? {
    guard changes.tags[.ifd0]?[Tag.make] != nil, let make = block.text(of: Tag.make, in: .ifd0),
      let note = block.exif?[TIFFTag.makerNote].flatMap({ block.raw($0) }), isBareDirectory(note, block.order)
    else { return nil }
    return "its maker's note can only be read where Make is '\(make)'"
  }

  /// A number of entries that fit, and a first one of a type that there is.
  private static func isBareDirectory(_ note: Bytes, _ order: Bytes.Order) -> Bool {
    guard let count = try? note.u16(0, order), let type = try? note.u16(4, order) else { return false }
    return count > 0 && 2 + Int(count) * 12 <= note.count && (1...13).contains(type)
  }
}
