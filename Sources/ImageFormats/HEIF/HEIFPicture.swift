/// Which of a file's items are metadata, and which of those describe the picture itself.
package struct HEIFPicture: Sendable {
  /// A metadata item.
  struct Block: Sendable {
    let item: HEIFMeta.Item
    /// Where its place is written: once for each item of the same bytes.
    fileprivate(set) var rows: [ItemLocations.Row]
    /// All its bytes; empty when a deletion by others has left none.
    let range: Range<Int>
    /// Of EXIF: its TIFF structure, to the end of the item or of the JPEG segment in it; nil when none can be found.
    let tiff: Range<Int>?
    let subject: Subject
  }

  /// What a metadata item describes.
  enum Subject: Int, CaseIterable, Sendable {
    case picture
    /// The other one of a stereo pair.
    case otherEye
    case other
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
  private(set) var unreadable: String?
  /// The items that an EXIF item of the picture describes: the primary, and tone maps made of it.
  let described: [Int]
  /// Bytes of all other items, and of tracks: not in order, they may overlap.
  private(set) var protected: [Range<Int>] = []
  /// An item should lie where the file has no bytes.
  private(set) var isCut = false
  private(set) var notes: [String] = []
  /// Metadata items that have only some of their bytes in common.
  private(set) var tangle: Range<Int>?

  init(_ meta: HEIFMeta, in file: HEIFFile) throws(FileError) {
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
    func subject(_ item: HEIFMeta.Item) -> Subject {
      guard let pictures = targets[item.id], !pictures.contains(where: own.contains) else { return .picture }
      return pictures.contains(where: all.contains) ? .otherEye : .other
    }
    var blocks: [Kind: [Block]] = [:]
    for owner in [meta] + file.trackMetas {
      let isTrack = owner.box.range != meta.box.range
      let items = Dictionary(owner.items.map { ($0.id, $0) }) { first, _ in first }
      for row in owner.locations.rows {
        let ranges = file.ranges(of: row, in: owner)
        isCut = isCut || ranges == nil
        guard let item = items[row.id], let kind = Kind(item) else {
          protected += ranges ?? []
          continue
        }
        let subject = isTrack ? .picture : subject(item)
        guard let block = HEIFPicture.block(item, row, ranges ?? [], kind, subject, in: file.source) else {
          protected += ranges ?? []
          unreadable = unreadable ?? kind.rawValue
          if subject != .other {
            notes.append("its \(kind.rawValue) is compressed, encrypted or in parts, and is not read and not edited")
          }
          continue
        }
        blocks[kind, default: []].append(block)
      }
    }
    let joined = blocks.mapValues(HEIFPicture.joined)
    func found(_ kind: Kind, ofOthers: Bool) -> [Block] {
      joined[kind, default: []].filter { ($0.subject == .other) == ofOthers }
    }
    exif = found(.exif, ofOthers: false)
    otherExif = found(.exif, ofOthers: true)
    xmp = found(.xmp, ofOthers: false)
    otherXMP = found(.xmp, ofOthers: true).map(\.range)
    protected += otherXMP
    iptc = joined[.iptc]?.first
    tangle = HEIFPicture.tangle(joined.values.flatMap { $0.map(\.range) })
    protectMedia(of: file)
  }

  /// The primary's own before those of the other eye; those of the same bytes are one, which all their rows follow.
  private static func joined(_ blocks: [Block]) -> [Block] {
    var joined: [Block] = []
    var places: [Range<Int>: Int] = [:]
    for block in Subject.allCases.flatMap({ subject in blocks.filter { $0.subject == subject } }) {
      if let index = places[block.range] {
        joined[index].rows += block.rows
      } else {
        places[block.range] = joined.count
        joined.append(block)
      }
    }
    return joined
  }

  private static func tangle(_ ranges: [Range<Int>]) -> Range<Int>? {
    let sorted = ranges.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
    return zip(sorted, sorted.dropFirst()).first { $0.overlaps($1) }?.1
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
    _ item: HEIFMeta.Item, _ row: ItemLocations.Row, _ ranges: [Range<Int>], _ kind: Kind,
    _ subject: Subject, in source: any ByteSource
  ) -> Block? {
    guard let range = ranges.first, ranges.count == 1, !item.isProtected, item.contentEncoding.isEmpty else {
      return nil
    }
    // Others leave an item that they have emptied with length 0, which the standard gives another meaning.
    let isEmpty = row.extents.first?.length.value == 0
    return Block(
      item: item, rows: [row], range: isEmpty ? range.lowerBound..<range.lowerBound : range,
      tiff: kind == .exif && !isEmpty ? tiff(in: range, of: source) : nil,
      subject: subject)
  }

  /// The TIFF structure of an Exif item. Its first four bytes say where it begins (ISO/IEC 23008-12, A.2.1); Xiaomi has
  /// a JPEG segment there, and a preview behind it; some leave them out.
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
