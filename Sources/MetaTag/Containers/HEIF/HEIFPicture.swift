/// Which of a file's items are metadata, and which of those describe the picture itself.
struct HEIFPicture: Sendable {
  /// A metadata item.
  struct Block: Sendable {
    let item: HEIFMeta.Item
    let row: ItemLocations.Row
    /// All its bytes; empty when a deletion by others has left none.
    let range: Range<Int>
    /// Of EXIF: its TIFF structure, to the end of the item or of the JPEG segment in it; nil when none can be found.
    let tiff: Range<Int>?
  }

  /// EXIF of the picture, of both eyes of a stereo pair, or doubled; the primary's first.
  private(set) var exif: [Block] = []
  /// EXIF of other pictures in the file.
  private(set) var otherExif: [Block] = []
  private(set) var xmp: [Block] = []
  private(set) var iptc: Block?
  /// XMP of other pictures in the file: neither read nor edited.
  private(set) var otherXMP: [Range<Int>] = []
  /// Metadata whose bytes can't be read: compressed, encrypted or in parts.
  private(set) var sealed: String?
  /// The items that an EXIF item of the picture describes: the primary, and tone maps made of it.
  let described: [Int]
  /// Bytes of all other items, and of tracks: not in order, they may overlap.
  private(set) var protected: [Range<Int>] = []
  /// An item should lie where the file has no bytes.
  private(set) var isCut = false
  private(set) var notices: [String] = []

  init(_ meta: HEIFMeta, in file: HEIFFile) throws(PhotoError) {
    let targets = Dictionary(meta.references.filter { $0.type == "cdsc" }.map { ($0.from, $0.to) }) { $0 + $1 }
    let derived = meta.references.filter { $0.type == "dimg" }
    let toneMaps = Set(meta.items.filter { $0.type == "tmap" }.map(\.id))
    let primary = meta.primary
    described =
      primary.map { primary in
        [primary] + derived.filter { toneMaps.contains($0.from) && $0.to.contains(primary) }.map(\.from)
      } ?? []
    // A tone map that is itself the primary shows the same picture as what it is made of.
    let bases = derived.filter { $0.from == primary && toneMaps.contains($0.from) }.flatMap(\.to)
    let own = Set(described + bases)
    let all = own.union(meta.stereoPairs.filter { $0.contains { $0 == primary } }.flatMap { $0 })
    func describes(_ item: HEIFMeta.Item, _ pictures: Set<Int>) -> Bool {
      targets[item.id].map { $0.contains(where: pictures.contains) } ?? true
    }
    let items = Dictionary(meta.items.map { ($0.id, $0) }) { first, _ in first }
    for row in meta.locations.rows {
      let ranges = file.ranges(of: row)
      isCut = isCut || ranges == nil
      guard let item = items[row.id], let kind = Kind(item) else {
        protected += ranges ?? []
        continue
      }
      guard let block = HEIFPicture.block(item, row, ranges ?? [], kind, in: file.source) else {
        protected += ranges ?? []
        sealed = sealed ?? kind.rawValue
        if describes(item, all) {
          notices.append("its \(kind.rawValue) is compressed, encrypted or in parts, and is not read and not edited")
        }
        continue
      }
      switch kind {
      case .exif where describes(item, all): exif.append(block)
      case .exif: otherExif.append(block)
      case .xmp where describes(item, all): xmp.append(block)
      case .xmp:
        protected.append(block.range)
        otherXMP.append(block.range)
      case .iptc: iptc = iptc ?? block
      }
    }
    // The primary's own stand before those of the other eye.
    exif = exif.filter { describes($0.item, own) } + exif.filter { !describes($0.item, own) }
    xmp = xmp.filter { describes($0.item, own) } + xmp.filter { !describes($0.item, own) }
    protectMedia(of: file)
  }

  private enum Kind: String {
    case exif = "EXIF"
    case xmp = "XMP"
    case iptc = "IPTC"

    init?(_ item: HEIFMeta.Item) {
      switch item.type {
      case "Exif": self = .exif
      case "mime" where item.contentType == "application/rdf+xml": self = .xmp
      case "iptc": self = .iptc
      default: return nil
      }
    }
  }

  private static func block(
    _ item: HEIFMeta.Item, _ row: ItemLocations.Row, _ ranges: [Range<Int>], _ kind: Kind, in source: any ByteSource
  ) -> Block? {
    guard let range = ranges.first, ranges.count == 1, !item.isProtected, item.contentEncoding.isEmpty else {
      return nil
    }
    // Others leave an item that they have emptied with length 0, which the standard gives another meaning.
    let isEmpty = row.extents.first?.length.value == 0
    return Block(
      item: item, row: row, range: isEmpty ? range.lowerBound..<range.lowerBound : range,
      tiff: kind == .exif && !isEmpty ? tiff(in: range, of: source) : nil)
  }

  /// The TIFF structure of an Exif item. Its first four bytes say where it begins (ISO/IEC 23008-12, A.2.1); Xiaomi has a
  /// JPEG segment there, and a preview behind it; some leave them out.
  private static func tiff(in range: Range<Int>, of source: any ByteSource) -> Range<Int>? {
    guard let head = try? source.prefix(at: range.lowerBound, count: min(range.count, 32)) else { return nil }
    let said = (try? head.u32(0, .big)).map { Int($0) + 4 }
    for start in [said, 0, 4, 10, 14].compactMap({ $0 }) where start <= range.count - 8 {
      guard let mark = try? source.bytes(at: range.lowerBound + start, count: 4) else { continue }
      guard mark.has([0x49, 0x49, 42, 0]) || mark.has([0x4D, 0x4D, 0, 42]) else { continue }
      let rest = range.lowerBound + start..<range.upperBound
      guard start >= 10, let segment = try? source.bytes(at: rest.lowerBound - 10, count: 10),
        segment.has([0xFF, 0xE1]), let length = (try? segment.u16(2, .big)).map({ Int($0) - 8 }),
        (8...rest.count).contains(length)
      else { return rest }
      // The phones' own don't count the two bytes of the length, as JPEG does: what tells is where the next segment is.
      let ends = [length, length + 2].map { rest.lowerBound + $0 }
      return rest.lowerBound..<(ends.first { isSegment(at: $0, in: source) && $0 < range.upperBound } ?? ends[0])
    }
    return nil
  }

  /// Whether a JPEG segment of an application begins there.
  private static func isSegment(at start: Int, in source: any ByteSource) -> Bool {
    guard let marker = try? source.bytes(at: start, count: 2).u16(0, .big) else { return false }
    return marker & 0xFFF0 == 0xFFE0
  }

  /// Tracks share `mdat` with items; a movie at the end is nobody's business but the phone's.
  private mutating func protectMedia(of file: HEIFFile) {
    let own = (exif + otherExif + xmp + (iptc.map { [$0] } ?? [])).map(\.range).merged()
    for box in file.boxes where box.type == "mpvd" || box.type == "mdat" && file.hasTracks {
      var at = box.payload.lowerBound
      for range in own where range.overlaps(box.payload) {
        if range.lowerBound > at { protected.append(at..<range.lowerBound) }
        at = max(at, range.upperBound)
      }
      if at < box.payload.upperBound { protected.append(at..<box.payload.upperBound) }
    }
  }
}
