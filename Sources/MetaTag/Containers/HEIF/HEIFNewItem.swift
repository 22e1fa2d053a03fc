/// What `meta` must hold so that a file without EXIF gets an Exif item: an entry in `iinf`, a row in `iloc`, a reference in
/// `iref`.
struct HEIFNewItem: Sendable {
  private let meta: HEIFMeta
  private let id: Int
  private let entry: [UInt8]
  private let reference: [UInt8]

  /// - Throws: `.unsupported` when the file has no primary item; `.tooLarge` when its tables can't take another.
  init(in meta: HEIFMeta, describing pictures: [Int]) throws(PhotoError) {
    guard !pictures.isEmpty else {
      throw PhotoError(.unsupported, "names no primary picture that EXIF could describe", at: meta.box.range.lowerBound)
    }
    // Items and groups share their numbers; a number out of order makes Apple's Preview ignore gain maps.
    let used = meta.items.map(\.id) + meta.locations.rows.map(\.id) + meta.groupIDs
    let id = used.reduce(0, max) + 1
    let width = id > 0xFFFF ? 4 : 2
    let mostCount = meta.itemTable.version == 0 ? 0xFFFF : Int(UInt32.max)
    guard id <= UInt32.max, meta.itemCount.value < mostCount, meta.locations.rowCount.value < 0xFFFF,
      width == 2 || meta.locations.version == 2 && (meta.referenceTable?.version ?? 1) > 0
    else { throw PhotoError(.tooLarge, "has no number left for another item", at: meta.box.range.lowerBound) }
    guard ![meta.itemTable.box, meta.locations.box, meta.box].contains(where: \.isOpen),
      !(meta.referenceTable?.box.isOpen ?? false)
    else { throw PhotoError(.unsupported, "leaves the length of a table open", at: meta.box.range.lowerBound) }
    self.meta = meta
    self.id = id
    // Version 2 or 3 with flag 1: hidden, as it is no picture.
    entry = Box.bytes(
      "infe", [width == 2 ? 2 : 3, 0, 0, 1] + (id.bigEndian(count: width) ?? []) + [0, 0] + FourCC("Exif").bytes + [0])
    let wide = (meta.referenceTable?.version ?? (width == 2 ? 0 : 1)) == 0 ? 2 : 4
    let numbers = [(id, wide), (pictures.count, 2)] + pictures.map { ($0, wide) }
    let body = numbers.compactMap { $0.bigEndian(count: $1) }
    guard body.count == numbers.count else {
      throw PhotoError(
        .malformed, "the primary's number is too large for its references", at: meta.box.range.lowerBound)
    }
    let describes = Box.bytes("cdsc", body.flatMap { $0 })
    reference = meta.referenceTable == nil ? Box.bytes("iref", [wide == 2 ? 0 : 1, 0, 0, 0] + describes) : describes
  }

  /// How much `meta` grows.
  var growth: Int { entry.count + reference.count + meta.locations.rowLength }

  /// The splices inside `meta`, its own length left out, for an item of `length` bytes at `offset` of the file.
  func splices(offset: Int, length: Int) throws(PhotoError) -> [Splice] {
    let row = try meta.locations.row(id: id, offset: offset, length: length)
    let place = meta.locations.end
    let entries = meta.itemTable.box.range.upperBound
    let references = meta.referenceTable?.box.range.upperBound ?? meta.box.range.upperBound
    let resized = [
      try meta.itemTable.box.resized(by: entry.count), try meta.locations.box.resized(by: row.count),
      try meta.referenceTable?.box.resized(by: reference.count),
    ]
    return [
      try meta.itemCount.splice(meta.itemCount.value + 1),
      try meta.locations.rowCount.splice(meta.locations.rowCount.value + 1),
      Splice(entries..<entries, entry), Splice(place..<place, row), Splice(references..<references, reference),
    ] + resized.compactMap { $0 }
  }
}
