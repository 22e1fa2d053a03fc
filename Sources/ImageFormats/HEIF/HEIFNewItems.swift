/// The additions to `meta` for new metadata items: entries in `iinf`, rows in `iloc`, references in `iref`.
struct HEIFNewItems: Sendable {
  /// The kind of an item's content.
  package enum Kind: Sendable {
    case exif
    case xmp

    /// Type, name and, for XMP, content type (ISO/IEC 14496-12, 8.11.6; 23008-12, A.2 and A.3).
    fileprivate var description: [UInt8] {
      switch self {
      case .exif: FourCC("Exif").bytes + [0]
      case .xmp: FourCC("mime").bytes + [0] + Array("application/rdf+xml\0".utf8)
      }
    }
  }

  private let meta: HEIFMeta
  private let ids: Range<Int>
  private let entries: [UInt8]
  private let references: [UInt8]

  /// - Throws: `.unsupported` when the file has no primary item; `.tooLarge` when its tables can't take more.
  init(_ kinds: [Kind], in meta: HEIFMeta, describing pictures: [Int]) throws(FileError) {
    guard !pictures.isEmpty else {
      throw FileError(
        .unsupported, "names no primary picture that metadata could describe", at: meta.box.range.lowerBound)
    }
    // Items and groups share one number space; an id out of order makes Apple's Preview ignore gain maps.
    let used = meta.items.map(\.id) + meta.locations.rows.map(\.id) + meta.groupIDs
    let last = used.reduce(0, max)
    ids = last + 1..<last + 1 + kinds.count
    let width = ids.upperBound > 0x1_0000 ? 4 : 2
    let mostCount = meta.itemTable.version == 0 ? 0xFFFF : Int(UInt32.max)
    guard ids.upperBound <= Int(UInt32.max), meta.itemCount.value <= mostCount - kinds.count,
      meta.locations.rowCount.value <= 0xFFFF - kinds.count,
      width == 2 || meta.locations.version == 2 && (meta.referenceTable?.version ?? 1) > 0
    else { throw FileError(.tooLarge, "has no number left for another item", at: meta.box.range.lowerBound) }
    guard ![meta.itemTable.box, meta.locations.box, meta.box].contains(where: \.isOpen),
      !(meta.referenceTable?.box.isOpen ?? false)
    else { throw FileError(.unsupported, "leaves the length of a table open", at: meta.box.range.lowerBound) }
    self.meta = meta
    let wide = (meta.referenceTable?.version ?? (width == 2 ? 0 : 1)) == 0 ? 2 : 4
    var entries: [UInt8] = []
    var references: [UInt8] = []
    for (id, kind) in zip(ids, kinds) {
      // Version 2 or 3 with flag 1: hidden, because it is no picture.
      entries += Box.bytes(
        "infe", [width == 2 ? 2 : 3, 0, 0, 1] + (id.bigEndian(count: width) ?? []) + [0, 0] + kind.description)
      let numbers = [(id, wide), (pictures.count, 2)] + pictures.map { ($0, wide) }
      let body = numbers.compactMap { $0.bigEndian(count: $1) }
      guard body.count == numbers.count else {
        throw FileError(
          .malformed, "the primary's number is too large for its references", at: meta.box.range.lowerBound)
      }
      references += Box.bytes("cdsc", body.flatMap { $0 })
    }
    self.entries = entries
    self.references =
      meta.referenceTable == nil ? Box.bytes("iref", [wide == 2 ? 0 : 1, 0, 0, 0] + references) : references
  }

  /// The growth of `meta`.
  var growth: Int { entries.count + references.count + ids.count * meta.locations.rowLength }

  /// Returns the splices inside `meta` for items at these positions in the file, except that of its own length.
  func splices(_ places: [(offset: Int, length: Int)]) throws(FileError) -> [Splice] {
    var rows: [UInt8] = []
    for (id, place) in zip(ids, places) {
      rows += try meta.locations.row(id: id, offset: place.offset, length: place.length)
    }
    let place = meta.locations.end
    let entryPlace = meta.itemTable.box.range.upperBound
    let referencePlace = meta.referenceTable?.box.range.upperBound ?? meta.box.range.upperBound
    let resized = [
      try meta.itemTable.box.resized(by: entries.count), try meta.locations.box.resized(by: rows.count),
      try meta.referenceTable?.box.resized(by: references.count),
    ]
    return [
      try meta.itemCount.splice(meta.itemCount.value + ids.count),
      try meta.locations.rowCount.splice(meta.locations.rowCount.value + ids.count),
      Splice(entryPlace..<entryPlace, entries), Splice(place..<place, rows),
      Splice(referencePlace..<referencePlace, references),
    ] + resized.compactMap { $0 }
  }
}
