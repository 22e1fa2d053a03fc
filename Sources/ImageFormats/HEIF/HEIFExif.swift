/// EXIF in HEIF: a TIFF structure in an item, after a few bytes that record its offset (ISO/IEC 23008-12, A.2.1).
extension HEIFDraft {
  /// The zeros to leave after EXIF that moved, as space for the next edit.
  private static let spareCount = 1_024

  /// Puts `changes` into an Exif item.
  mutating func edit(_ block: HEIFPicture.Block, _ changes: TIFFChanges) throws(FileError) {
    guard !changes.isEmpty else { return }
    guard let range = block.tiff else {
      guard block.range.isEmpty else {
        throw FileError(.malformed, "its Exif item holds no TIFF structure", at: block.range.lowerBound)
      }
      if let bytes = try HEIFDraft.newExif(changes) { try put(bytes, in: block, erasing: false) }
      return
    }
    let tiff = try TIFFBlock(file.source, range)
    let references = try TIFFReferences(of: tiff)
    let changes = changes.completed(for: tiff)
    let place = try tiff.tail(references, for: changes)
    // Values to erase are overwritten in place, including the thumbnail's.
    let strategy = changes.erasesDates && !movesAll ? .growingIFD0 : strategy(references)
    let edit = try TIFFEditor.edit(
      tiff, changes, references: references, appendingAt: place,
      strategy: strategy ?? .growingIFD0)
    let end = place + edit.appended.count
    if strategy != nil, edit.appended.isEmpty || end <= range.count {
      let appended: [Splice] = edit.appended.isEmpty ? [] : [Splice(place..<end, edit.appended, usedBy: .new)]
      overwrite((edit.overwrites + appended).map { $0.moved(by: range.lowerBound) })
      return
    }
    let spare = [UInt8](repeating: 0, count: HEIFDraft.spareCount)
    let content = try edit.applied(to: tiff, appendingAt: place) + spare
    let lead = try file.source.bytes(block.range.lowerBound..<range.lowerBound)
    let trail = try file.source.bytes(range.upperBound..<block.range.upperBound).array
    try put(HEIFDraft.lead(lead, to: content.count, from: range.count) + content + trail, in: block, erasing: true)
  }

  /// Adds an Exif item, if `changes` set anything.
  mutating func addExif(_ changes: TIFFChanges) throws(FileError) {
    if let bytes = try HEIFDraft.newExif(changes) { add(bytes, .exif) }
  }

  /// Returns the bytes before the TIFF structure, adjusted. Xiaomi has a JPEG segment there; its length changes with
  /// the same counting rule as before.
  private static func lead(_ bytes: Bytes, to count: Int, from old: Int) throws(FileError) -> [UInt8] {
    var lead = bytes.array
    let segment = lead.count - 10
    guard segment >= 0, bytes.has([0xFF, 0xE1], at: segment) else { return lead }
    guard let length = (Int(try bytes.u16(segment + 2, .big)) - old + count).bigEndian(count: 2) else {
      throw FileError(
        .tooLarge, "the EXIF block would outgrow the 64 KB that this phone's form allows", at: bytes.base)
    }
    lead.replaceSubrange(segment + 2..<segment + 4, with: length)
    return lead
  }

  /// Returns EXIF without any tag.
  static func emptyExif(_ order: Bytes.Order) -> [UInt8] {
    let head: [UInt8] = order == .big ? [0x4D, 0x4D, 0, 42, 0, 0, 0, 8] : [0x49, 0x49, 42, 0, 8, 0, 0, 0]
    return [0, 0, 0, 6] + Array("Exif\0\0".utf8) + head + [0, 0, 0, 0, 0, 0]
  }

  /// Returns the bytes of a new item; nil when `changes` set nothing.
  static func newExif(
    _ changes: TIFFChanges, _ order: Bytes.Order = .big, spare: Int = spareCount
  ) throws(FileError) -> [UInt8]? {
    guard let block = try changes.newBlock(order) else { return nil }
    return [0, 0, 0, 6] + Array("Exif\0\0".utf8) + block + [UInt8](repeating: 0, count: spare)
  }
}
