/// The properties of a HEIF picture that are needed to decode and re-encode it: position, coding, colours, and features
/// that another format can't hold.
package struct HEIFPixels {
  /// The picture to decode: the primary, or the base of a tone map.
  package let item: Int
  /// The coding; nil if we know no decoder for it.
  package let coding: PictureCoding?
  /// The code of the coding (`hvc1`, `av01`, `unci`).
  package let codingName: FourCC
  /// Bits per channel.
  package private(set) var depth = 8
  /// Whether the colour resolution is higher than 4:2:0.
  package private(set) var hasFullChroma = false
  package let colour: HEIFColour
  /// Whether there is only brightness.
  private(set) var isGray = false
  /// The size before the rotation by properties; nil if none is recorded.
  private(set) var storedSize: PixelSize?
  /// The displayed size according to the properties. Only decoding shows it for certain.
  package private(set) var size = PixelSize.smallest
  /// A small version of the picture (`thmb`).
  package let thumbnail: Int?
  private let file: HEIFFile
  private let meta: HEIFMeta
  private let parts: [Int: [Int]]

  /// Reads the properties of a picture: of the primary one, or of another item.
  /// - Throws: `.unsupported` when there is no picture.
  package init(_ file: HEIFFile, item other: Int? = nil) throws(FileError) {
    guard let meta = file.meta else { throw file.absence }
    guard let primary = meta.primary else {
      throw FileError(.noPrimaryPicture, "has no primary item", at: meta.box.range.lowerBound)
    }
    self.file = file
    self.meta = meta
    let parts = Dictionary(meta.references.filter { $0.type == "dimg" }.map { ($0.from, $0.to) }) { first, _ in first }
    let types = Dictionary(meta.items.map { ($0.id, $0.type) }) { first, _ in first }
    item = other ?? (types[primary] == "tmap" ? parts[primary]?.first ?? primary : primary)
    var leaf = item
    for _ in 0..<8 { leaf = HEIFPixels.codings[types[leaf] ?? "    "] == nil ? parts[leaf]?.first ?? leaf : leaf }
    codingName = types[leaf] ?? "    "
    coding = HEIFPixels.codings[codingName]
    thumbnail = meta.references.first { [item] in $0.type == "thmb" && $0.to.contains(item) }?.from
    self.parts = parts
    let properties = try HEIFProperties(meta.children.first { $0.type == "iprp" }, in: file.source)
    let own = try properties.boxes(of: item)
    let coded = try properties.boxes(of: leaf)
    colour = try HEIFColour(own + coded, in: file.source)
    for box in own where ["ispe", "irot"].contains(box.type) {
      let content = try file.source.prefix(at: box.payload.lowerBound, count: min(box.payload.count, 12))
      if box.type == "ispe" {
        let (width, height) = (Int(try content.u32(4, .big)), Int(try content.u32(8, .big)))
        storedSize = PixelSize(width: width, height: height)
        size = storedSize ?? size
      } else if try content.u8(0) & 1 == 1 {
        size = size.turned
      }
    }
    for box in coded {
      let configuration = try file.source.prefix(at: box.payload.lowerBound, count: min(box.payload.count, 32))
      switch box.type {
      case "hvcC":
        // ISO/IEC 14496-15, 8.3.2.1.2: chromaFormat, bitDepthLumaMinus8.
        hasFullChroma = (try configuration.u8(16)) & 3 > 1
        isGray = try configuration.u8(16) & 3 == 0
        depth = Int((try configuration.u8(17)) & 7) + 8
      case "av1C":
        // AV1 in ISOBMFF, 2.3.3: high_bitdepth, twelve_bit, monochrome, chroma_subsampling_x, _y.
        let flags = try configuration.u8(2)
        hasFullChroma = flags & 0x10 == 0 && flags & 0x0C != 0x0C
        isGray = flags & 0x10 != 0
        depth = flags & 0x40 == 0 ? 8 : flags & 0x20 == 0 ? 10 : 12
      default: break
      }
    }
  }

  private static let codings: [FourCC: PictureCoding] = [
    "hvc1": .hevc, "hev1": .hevc, "av01": .av1, "jpeg": .jpeg,
  ]

  /// Returns the file in a form that libheif can read. libheif refuses references to tone maps from new iPhones, and
  /// crashes on others. They aren't needed for pixels, so they become boxes that are skipped.
  package func readable() throws(FileError) -> any ByteSource {
    guard let table = meta.referenceTable?.box else { return file.source }
    var splices: [Splice] = []
    for reference in try file.source.boxes(in: table.payload.lowerBound + 4..<table.payload.upperBound)
    where ["cdsc", "auxl", "thmb"].contains(reference.type) {
      splices.append(Splice(reference.typeRange, FourCC("skip").bytes))
    }
    return splices.isEmpty
      ? file.source : file.source.patched(by: try Patch(splices, to: file.source.count, imageData: []))
  }

  /// Returns the features that a file with one picture of 8 bits per channel can't hold.
  package func losses() throws(FileError) -> [Note] {
    var losses: [Note] = []
    if depth > 8 { losses.append(Note(.depthReduced, "\(depth) bits per channel (8 are kept)")) }
    losses += colour.losses
    for kind in try auxiliaryKinds().map(\.words) where !losses.contains(where: { $0.sentence == kind }) {
      losses.append(Note(.picturesLost, kind))
    }
    let others = additionalItems.count
    if others > 0 {
      losses.append(Note(.picturesLost, others == 1 ? "an additional picture" : "\(others) additional pictures"))
    }
    if file.hasTracks { losses.append(Note(.picturesLost, "the sequence of pictures")) }
    if file.boxes.contains(where: { $0.type == "mpvd" }) { losses.append(.movieLost) }
    return losses
  }

  /// The purpose of an auxiliary image.
  enum AuxiliaryKind: Hashable {
    case alpha, depth, gainMap
    /// A mask, with the last word of its name.
    case matte(String)

    init(_ urn: String) {
      if urn.hasSuffix(":auxid:1") || urn.hasSuffix("auxiliary:alpha") {
        self = .alpha
      } else if urn.hasSuffix(":auxid:2") || urn.hasSuffix("auxiliary:depth") {
        self = .depth
      } else if urn.lowercased().contains("gainmap") {
        self = .gainMap
      } else {
        self = .matte(urn.split(separator: ":").last.map(String.init) ?? "unnamed")
      }
    }

    /// The words for what a file without it lacks.
    var words: String {
      switch self {
      case .alpha: "the transparency"
      case .depth: "the depth map"
      case .gainMap: "the gain map (HDR)"
      case .matte(let name): "masks (\(name))"
      }
    }

    var image: AuxiliaryImage? {
      switch self {
      case .alpha: nil
      case .depth: .depth
      case .gainMap: .gainMap
      case .matte: .matte
      }
    }
  }

  private var auxiliary: Set<Int> { Set(meta.references.filter { $0.type == "auxl" }.map(\.from)) }

  /// Returns the kinds of auxiliary images, by their items' numbers.
  func auxiliaryKinds() throws(FileError) -> [AuxiliaryKind] {
    let properties = try HEIFProperties(meta.children.first { $0.type == "iprp" }, in: file.source)
    var kinds: [AuxiliaryKind] = []
    for id in auxiliary.sorted() {
      for box in try properties.boxes(of: id) where box.type == "auxC" && box.payload.count > 4 {
        let name = try file.source.bytes(box.payload.lowerBound + 4..<box.payload.upperBound).array.prefix { $0 != 0 }
        kinds.append(AuxiliaryKind(String(decoding: name, as: UTF8.self)))
      }
    }
    if meta.items.contains(where: { $0.type == "tmap" }) { kinds.append(.gainMap) }
    return kinds
  }

  /// The items that are additional pictures: not parts of another, thumbnails or maps.
  var additionalItems: [Int] {
    let used = Set(parts.values.joined()).union(auxiliary)
      .union(meta.references.filter { $0.type == "thmb" }.map(\.from))
    let derived: Set<FourCC> = ["grid", "iovl", "iden", "unci", "j2k1", "avc1", "vvc1"]
    let pictures = derived.union(HEIFPixels.codings.keys)
    return meta.items.filter { $0.id != item && pictures.contains($0.type) && !used.contains($0.id) }.map(\.id)
  }
}
