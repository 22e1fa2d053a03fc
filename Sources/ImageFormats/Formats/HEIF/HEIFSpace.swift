/// The space for new bytes of items in a HEIF file. Other boxes make way so that image data stays in place or moves as
/// a whole.
struct HEIFSpace: Sendable {
  /// The splices that make the space; those inside `meta` come before them.
  private(set) var splices: [Splice] = []
  /// The splice that holds the new bytes.
  private(set) var home: Splice
  /// The offset in `home` where the new bytes begin.
  private(set) var headerLength: Int
  /// The box that makes way, moved to the beginning of `home`.
  private(set) var moved: Box?

  /// A file that grows by whole pages can share the rest of its bytes with the original (reflink).
  private static let pageCount = 4_096
  private static let mostMoved = 64 << 20
  private static let headerCount = 8

  /// Finds space for `content` while `meta` grows by `growth`.
  init(for content: [UInt8], in file: HEIFFile, _ meta: HEIFMeta, growth: Int) throws(FileError) {
    let media = Box.bytes("mdat", content)
    guard media.count <= HEIFSpace.mostMoved else {
      throw FileError(.tooLarge, "its metadata would be too large (\(media.count) bytes)")
    }
    let following = file.boxes.filter { $0.range.lowerBound >= meta.box.range.upperBound }
    let next = following.first
    let inner = meta.children.first { $0.canGive(growth) }
    var taken: Box?
    var moving: [UInt8] = []
    if growth > 0 {
      taken = inner ?? next.flatMap { $0.canGive(growth) ? $0 : nil }
      if let taken {
        splices.append(taken.giving(growth))
      } else if following.allSatisfy({ $0.canFollow }), file.rest.isEmpty {
        // Nothing after it is pointed to, or the pointer is known.
      } else if let next, next.type == "moov", next.range.count >= growth + HEIFSpace.headerCount,
        next.range.count <= HEIFSpace.mostMoved
      {
        // `moov` points only to chunks that stay, and the pointers into it are known: it moves to the end.
        moving = try file.source.bytes(next.range).array
        moved = next
        let left = next.range.count - growth - HEIFSpace.headerCount
        splices.append(Splice(next.range, Box.bytes("free", [UInt8](repeating: 0, count: left))))
      } else {
        guard !file.hasTracks else {
          throw FileError(
            .sequenceWithoutRoom, "has no room for EXIF before its tracks, which can't be moved",
            at: meta.box.range.upperBound)
        }
        let place = meta.box.range.upperBound
        let missing = growth + media.count + HEIFSpace.headerCount
        let pages = (missing + HEIFSpace.pageCount - 1) / HEIFSpace.pageCount * HEIFSpace.pageCount
        let filling = Box.bytes("free", [UInt8](repeating: 0, count: pages - missing))
        home = Splice(place..<place, media + filling)
        headerLength = HEIFSpace.headerCount
        splices = [try meta.box.resized(by: growth), home].compactMap { $0 }
        return
      }
      if inner == nil, let resized = try meta.box.resized(by: growth) { splices.append(resized) }
    }
    let free = file.boxes.first { $0.canGive(media.count) && $0 != taken }
    let behind = file.boxes.reversed().prefix { ["mpvd", "sefd"].contains($0.type) }
    let place = behind.last?.range.lowerBound ?? file.rest.lowerBound
    if let free, moving.isEmpty, growth > 0 || !file.isBig {
      home = free.giving(media.count, for: media)
      headerLength = HEIFSpace.headerCount
    } else {
      if let last = file.boxes.last(where: { $0.range.upperBound == place }), last.isOpen {
        guard let count = UInt32(exactly: last.range.count) else {
          throw FileError(
            .tooLarge, "its last box is larger than 4 GiB and has no explicit size", at: last.range.lowerBound)
        }
        splices.append(Splice(last.range.lowerBound..<last.range.lowerBound + 4, count.bytes(.big)))
      }
      home = Splice(place..<place, moving + media)
      headerLength = moving.count + HEIFSpace.headerCount
    }
    splices.append(home)
  }
}

extension Box {
  /// Whether this is an unused box from which `count` bytes can be cut.
  fileprivate func canGive(_ count: Int) -> Bool {
    (type == "free" || type == "skip") && !isOpen && headerCount == 8
      && (range.count == count || range.count >= count + headerCount)
  }

  /// Whether the box may move when it follows `meta`.
  fileprivate var canFollow: Bool { ["free", "skip", "mpvd", "sefd"].contains(type) }

  /// Returns the splice that replaces the first `count` bytes of this box with `new`, followed by a new box header.
  fileprivate func giving(_ count: Int, for new: [UInt8] = []) -> Splice {
    let start = range.lowerBound
    guard range.count > count else { return Splice(range, new) }
    let header = UInt32(clamping: range.count - count).bytes(.big) + type.bytes
    return Splice(start..<start + count + headerCount, new + header)
  }
}

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

  /// Plans new items for metadata, with unused numbers.
  /// - Throws: `.unsupported` when the file has no primary item; `.tooLarge` when its tables can't take more.
  init(_ kinds: [Kind], in meta: HEIFMeta, describing pictures: [Int]) throws(FileError) {
    guard !pictures.isEmpty else {
      throw FileError(
        .noPrimaryPicture, "has no primary item that metadata could describe", at: meta.box.range.lowerBound)
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
    else { throw FileError(.tooLarge, "has no free ID for another item", at: meta.box.range.lowerBound) }
    guard ![meta.itemTable.box, meta.locations.box, meta.box].contains(where: \.isOpen),
      !(meta.referenceTable?.box.isOpen ?? false)
    else { throw FileError(.itemStorage, "has an item table without a length", at: meta.box.range.lowerBound) }
    self.meta = meta
    let wide = (meta.referenceTable?.version ?? (width == 2 ? 0 : 1)) == 0 ? 2 : 4
    var entries: [UInt8] = []
    var references: [UInt8] = []
    for (id, kind) in zip(ids, kinds) {
      // Version 2 or 3 with flag 1: hidden, because it is not a picture.
      entries += Box.bytes(
        "infe", [width == 2 ? 2 : 3, 0, 0, 1] + (id.bigEndian(count: width) ?? []) + [0, 0] + kind.description)
      let numbers = [(id, wide), (pictures.count, 2)] + pictures.map { ($0, wide) }
      let body = numbers.compactMap { $0.bigEndian(count: $1) }
      guard body.count == numbers.count else {
        throw FileError(
          .malformed, "the ID of the primary item is too large for its references", at: meta.box.range.lowerBound)
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
