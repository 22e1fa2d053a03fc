/// Places that cameras write into their maker's note. Nobody else edits those, so that such a place can't be erased.
enum MakerPlaces {
  private static let makerNote: UInt16 = 0x927C
  private static let panasonicHeader = Array("Panasonic\0\0\0".utf8)
  /// The names that Panasonic's cameras with maps record, by ExifTool's list of tags; offsets count from the TIFF header.
  private static let panasonicNames: [UInt16: String] = [
    0x67: "Location", 0x69: "Country", 0x6B: "State", 0x6D: "City", 0x6F: "Landmark", 0x80: "City2",
  ]

  /// The field in which a maker's note names a place; nil when it names none that we know of.
  static func field(in block: TIFFBlock) -> String? {
    guard let note = block.exif?[makerNote]?.value, let bytes = try? block.bytes(note), bytes.has(panasonicHeader),
      let directory = block.directory(at: note.lowerBound + panasonicHeader.count)
    else { return nil }
    for entry in directory.entries {
      guard let name = panasonicNames[entry.tag], let value = block.raw(entry)?.array.prefix(while: { $0 != 0 }) else {
        continue
      }
      // The camera writes `---` where it knows no name.
      if value.contains(where: { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }) { return "Panasonic's \(name)" }
    }
    return nil
  }
}
