/// Checks of maker notes, whose form depends on the camera's maker.
extension EXIF {
  /// Returns a warning when the camera maker changes and the maker note doesn't name its own format. Most notes begin
  /// with a name, but Canon's and some others begin with their directory, so that readers recognize them only by Make.
  package static func makerNotice(on changes: TIFFChanges, in block: TIFFBlock) -> Note? {
    guard changes.tags[.ifd0]?[TIFFTag.make] != nil, let make = block.text(of: TIFFTag.make, in: .ifd0),
      let note = block.exif?[TIFFTag.makerNote].flatMap({ block.raw($0) }), isBareDirectory(note, block.order)
    else { return nil }
    return Note(.makerNoteUnreadable, "its maker note is readable only if Make is '\(make)'")
  }

  /// Whether the number of entries fits, and the first entry has an existing type.
  private static func isBareDirectory(_ note: Bytes, _ order: Bytes.Order) -> Bool {
    guard let count = try? note.u16(0, order), let type = try? note.u16(4, order) else { return false }
    return count > 0 && 2 + Int(count) * 12 <= note.count && (1...13).contains(type)
  }
}

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
    names(in: block).first?.name ?? (nikonCaptureHasPlace(in: block) ? "Nikon Capture data" : nil)
  }

  /// Returns the maker note without place names, at the same length. Returns nil when some names are outside of it, or
  /// when something else refers to it, so that it can't be replaced.
  package static func cleared(in block: TIFFBlock) throws(FileError) -> TIFFValue? {
    guard let entry = block.exif?[makerNote], let note = entry.value, entry.type == TIFFType.undefined,
      !nikonCaptureHasPlace(in: block), try TIFFReferences(of: block).owners(of: note) == 1
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
  package static func nikonCaptureHasDate(in block: TIFFBlock) -> Bool {
    capture(in: block, holds: IPTCData.Number.dates)
  }

  private static func nikonCaptureHasPlace(in block: TIFFBlock) -> Bool {
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

/// The part of Apple's maker note that we read: `Apple iOS`, a version, `MM`, then a TIFF directory whose offsets count
/// from the note's first byte. No standard describes it; exiftool's Apple.pm does.
package enum AppleMakerNote {
  package static let head = Array("Apple iOS\0".utf8)
  /// The offset of the directory, after the head, the version and the byte order.
  private static let directory = 14
  private static let mostEntries = 512
  /// Longer than any UUID as text.
  private static let longestText = 128

  /// Returns the identifier that a Live Photo's still shares with its movie; nil if the note has none.
  package static func contentIdentifier(in note: Bytes) -> String? { text(0x0011, in: note) }

  /// Returns the identifier that the photos of a burst share; nil if the note has none.
  package static func burstIdentifier(in note: Bytes) -> String? { text(0x000B, in: note) }

  private static func text(_ wanted: UInt16, in note: Bytes) -> String? {
    guard note.has(head), note.has(Array("MM".utf8), at: directory - 2), let count = try? note.u16(directory, .big)
    else { return nil }
    for index in 0..<min(Int(count), mostEntries) {
      let entry = directory + 2 + index * 12
      guard let tag = try? note.u16(entry, .big) else { return nil }
      guard tag == wanted else { continue }
      guard (try? note.u16(entry + 2, .big)) == TIFFType.ascii, let length = try? note.u32(entry + 4, .big),
        (5...longestText).contains(Int(length)), let offset = try? note.u32(entry + 8, .big),
        let text = try? note.bytes(at: Int(offset), count: Int(length))
      else { return nil }
      return String(decoding: text.array.prefix { $0 != 0 }, as: UTF8.self)
    }
    return nil
  }
}
