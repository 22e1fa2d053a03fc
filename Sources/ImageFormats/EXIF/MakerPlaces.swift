/// Places that cameras write into their maker notes: names in slots of a fixed length, filled with zeros where the
/// camera knows no name.
package enum MakerPlaces {
  private static let makerNote: UInt16 = 0x927C
  private static let panasonicHeader = Array("Panasonic\0\0\0".utf8)
  /// The names that Panasonic's cameras with maps record, from ExifTool's list of tags. Offsets count from the TIFF
  /// header.
  private static let panasonicNames: [UInt16: String] = [
    0x67: "Location", 0x69: "Country", 0x6B: "State", 0x6D: "City", 0x6F: "Landmark", 0x80: "City2",
  ]

  /// Returns the field in which a maker note names a place; nil if there is no known one.
  package static func field(in block: TIFFBlock) -> String? {
    names(in: block).first?.name ?? (captureTellsPlace(in: block) ? "Nikon Capture's data" : nil)
  }

  /// Returns the maker note without place names, at the same length. Returns nil when some names are outside of it, or
  /// when something else refers to it, so that it can't be replaced.
  package static func cleared(in block: TIFFBlock) throws(FileError) -> TIFFValue? {
    guard let entry = block.exif?[makerNote], let note = entry.value, entry.type == TIFFType.undefined,
      !captureTellsPlace(in: block), try TIFFReferences(of: block).owners(of: note) == 1
    else { return nil }
    var bytes = try block.bytes(note).array
    for (_, place) in names(in: block) {
      guard note.lowerBound <= place.lowerBound, place.upperBound <= note.upperBound else { return nil }
      let range = place.lowerBound - note.lowerBound..<place.upperBound - note.lowerBound
      bytes.replaceSubrange(range, with: [UInt8](repeating: 0, count: range.count))
    }
    return .undefined(bytes)
  }

  private static let nikonHeader = Array("Nikon\0".utf8)
  private static let nikonCapture: UInt16 = 0x0E01

  /// Whether Nikon's editor put date datasets of IPTC into its own data.
  package static func captureTellsDate(in block: TIFFBlock) -> Bool {
    capture(in: block, holds: IPTCData.Number.dates)
  }

  private static func captureTellsPlace(in block: TIFFBlock) -> Bool {
    capture(in: block, holds: IPTCData.Number.places)
  }

  /// Whether Nikon's editor put some of these IPTC datasets into its own data in the maker note. The note is a TIFF
  /// structure of its own after ten bytes (ExifTool's tables of Nikon and NikonCapture).
  private static func capture(in block: TIFFBlock, holds numbers: Set<UInt16>) -> Bool {
    guard let note = block.exif?[makerNote]?.value, note.count <= TIFFBlock.longestValue, note.count > 18,
      let bytes = try? block.bytes(note), bytes.has(nikonHeader), let own = try? TIFFBlock(bytes, 10..<bytes.count),
      let data = own.ifd0[nikonCapture].flatMap({ own.raw($0)?.array }), data.count > 5
    else { return false }
    for at in 0..<data.count - 5 where data[at] == 0x1C && data[at + 1] == 2 {
      let number: UInt16 = 0x0200 | UInt16(data[at + 2])
      let isFilled = data[at + 3] != 0 || data[at + 4] != 0
      if isFilled, numbers.contains(number) { return true }
    }
    return false
  }

  /// The place names and their positions.
  private static func names(in block: TIFFBlock) -> [(name: String, place: Range<Int>)] {
    namedByPanasonic(in: block) + namedByNikon(in: block)
  }

  private static let nikonLocation: UInt16 = 0x39
  /// The length of version and encoding, before the country and the name (ExifTool's table of Nikon's LocationInfo).
  private static let nikonLocationHead = 5

  private static func namedByNikon(in block: TIFFBlock) -> [(name: String, place: Range<Int>)] {
    guard let note = block.exif?[makerNote]?.value, note.count <= TIFFBlock.longestValue, note.count > 18,
      let bytes = try? block.bytes(note), bytes.has(nikonHeader), let own = try? TIFFBlock(bytes, 10..<bytes.count),
      let value = own.ifd0[nikonLocation]?.value, value.count > nikonLocationHead
    else { return [] }
    let start = note.lowerBound + 10 + value.lowerBound + nikonLocationHead
    let place = start..<start + value.count - nikonLocationHead
    guard let text = try? block.bytes(place).array, text.contains(where: isLetter) else { return [] }
    return [("Nikon's LocationInfo", place)]
  }

  /// Whether the byte differs from those that cameras write for an unknown name.
  private static func isLetter(_ byte: UInt8) -> Bool { ![0, UInt8(ascii: "-"), UInt8(ascii: " ")].contains(byte) }

  private static func namedByPanasonic(in block: TIFFBlock) -> [(name: String, place: Range<Int>)] {
    guard let note = block.exif?[makerNote]?.value, let bytes = try? block.bytes(note), bytes.has(panasonicHeader),
      let directory = block.directory(at: note.lowerBound + panasonicHeader.count)
    else { return [] }
    return directory.entries.compactMap { entry in
      guard let name = panasonicNames[entry.tag], let place = entry.value, let value = block.raw(entry)?.array else {
        return nil
      }
      // The camera writes `---` for an unknown name. After a NUL, the rest of an older name may follow.
      return value.contains(where: isLetter) ? ("Panasonic's \(name)", place) : nil
    }
  }
}
