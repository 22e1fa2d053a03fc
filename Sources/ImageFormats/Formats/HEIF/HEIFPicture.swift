/// The metadata items of a file, with the picture that each describes.
package struct HEIFPicture: Sendable {
  /// A metadata item.
  struct Block: Sendable {
    let item: HEIFMeta.Item
    /// The table rows that locate the item: one for each item with the same bytes.
    fileprivate(set) var rows: [ItemLocations.Row]
    /// All bytes of the item; empty if another program deleted them.
    let range: Range<Int>
    /// The TIFF structure of an EXIF item, up to the end of the item or of the JPEG segment in it; nil if not found.
    let tiff: Range<Int>?
    let subject: Subject
  }

  /// The subject of a metadata item.
  enum Subject: Int, CaseIterable, Sendable {
    case picture
    /// The other picture of a stereo pair.
    case otherEye
    case other
  }

  /// EXIF of the picture, including the other picture of a stereo pair and duplicates; the primary's comes first.
  private(set) var exif: [Block] = []
  /// EXIF of other pictures in the file.
  private(set) var otherExif: [Block] = []
  private(set) var xmp: [Block] = []
  private(set) var iptc: Block?
  /// XMP of other pictures in the file: neither read nor edited.
  private(set) var otherXMP: [Range<Int>] = []
  /// The reason why metadata can't be read: it is compressed, encrypted or in parts.
  private(set) var unreadable: String?
  /// The items that an EXIF item of the picture describes: the primary, and tone maps derived from it.
  let described: [Int]
  /// The bytes of all other items and of tracks: unordered, possibly overlapping.
  private(set) var protected: [Range<Int>] = []
  /// Whether an item lies outside of the file.
  private(set) var isCut = false
  private(set) var notes: [Note] = []
  /// The range where metadata items partly overlap.
  private(set) var overlap: Range<Int>?

  init(_ meta: HEIFMeta, in file: HEIFFile) throws(FileError) {
    let targets = Dictionary(meta.references.filter { $0.type == "cdsc" }.map { ($0.from, $0.to) }) { $0 + $1 }
    let derived = meta.references.filter { $0.type == "dimg" }
    let toneMaps = Set(meta.items.filter { $0.type == "tmap" }.map(\.id))
    let primary = meta.primary
    described =
      primary.map { primary in
        [primary] + derived.filter { toneMaps.contains($0.from) && $0.to.contains(primary) }.map(\.from)
      } ?? []
    // A tone map that is the primary shows the same picture as its base.
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
            notes.append(
              Note(
                .unreadBlock, "its \(kind.rawValue) is compressed, encrypted or fragmented, and is not read or edited"))
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
    overlap = HEIFPicture.overlap(joined.values.flatMap { $0.map(\.range) })
    protectMedia(of: file)
  }

  /// Returns the primary's blocks before those of the other eye. Blocks with the same bytes are joined into one with
  /// all rows.
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

  private static func overlap(_ ranges: [Range<Int>]) -> Range<Int>? {
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
    // Other programs mark a deleted item with length 0, which has another meaning in the standard.
    let isEmpty = row.extents.first?.length.value == 0
    return Block(
      item: item, rows: [row], range: isEmpty ? range.lowerBound..<range.lowerBound : range,
      tiff: kind == .exif && !isEmpty ? tiff(in: range, of: source) : nil,
      subject: subject)
  }

  /// Finds the TIFF structure of an Exif item. Its first four bytes record the offset (ISO/IEC 23008-12, A.2.1). Xiaomi
  /// has a JPEG segment there, followed by a preview; some writers omit the four bytes.
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
      // The phones' lengths exclude the two length bytes, unlike JPEG's. The position of the next segment decides.
      let ends = [length, length + 2].map { rest.lowerBound + $0 }
      return rest.lowerBound..<(ends.first { isSegment(at: $0, in: source) && $0 < range.upperBound } ?? ends[0])
    }
    return nil
  }

  /// Whether an application segment of a JPEG begins at `start`.
  private static func isSegment(at start: Int, in source: any ByteSource) -> Bool {
    guard let marker = try? source.bytes(at: start, count: 2).u16(0, .big) else { return false }
    return marker & 0xFFF0 == 0xFFE0
  }

  /// Protects media data: tracks share `mdat` with items; a movie at the end belongs to the phone's own software.
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
