/// The duration and the picture of a movie.
extension MovieContainer {
  func properties(of type: ImageType, _ layout: Layout, source: any ByteSource) -> ImageProperties {
    var properties = ImageProperties(type, layout)
    guard let facts = try? MovieFacts(of: source) else { return properties }
    properties.duration = facts.duration
    guard let picture = facts.picture else { return properties }
    (properties.pixelSize, properties.orientation) = (picture.size, picture.orientation)
    (properties.frameCount, properties.frameRate) = (picture.frames, picture.frameRate)
    (properties.codec, properties.bitDepth) = (picture.codec, picture.bitDepth)
    properties.colorModel = .rgb
    if picture.isHDR { properties.subtypes.insert(.hdr) }
    if picture.isStereo { properties.subtypes.insert(.spatial) }
    if let data = layout.quickTime, let captured = QuickTime(data, source).captureRate, let shown = picture.frameRate {
      if captured > shown * 1.5 { properties.subtypes.insert(.slowMotion) }
      if captured < shown / 1.5 { properties.subtypes.insert(.timeLapse) }
    }
    return properties
  }
}

extension QuickTime {
  /// The frames per second at which Android's camera recorded.
  fileprivate var captureRate: Double? {
    guard let item = data.items.first(where: { $0.name == .key("com.android.capture.fps") }), item.value.count == 4,
      let bits = try? source.bytes(item.value).u32(0, .big)
    else { return nil }
    let rate = Double(Float(bitPattern: bits))
    return rate > 0 && rate.isFinite ? rate : nil
  }
}

/// The duration and the picture of a movie according to its headers (ISO/IEC 14496-12, 8).
struct MovieFacts {
  /// The picture of a track.
  struct Picture {
    var size: PixelSize?
    var orientation: Int?
    var duration: Duration?
    var frames: Int?
    var frameRate: Double?
    /// The code of the coding.
    var codec: String?
    /// Bits per channel.
    var bitDepth: Int?
    /// Whether the transfer characteristics are those of PQ or HLG.
    var isHDR = false
    /// Whether there is a picture for each eye.
    var isStereo = false
  }

  private(set) var duration: Duration?
  /// The largest picture of all tracks.
  private(set) var picture: Picture?

  private static let pictures: Set<FourCC> = ["vide", "pict"]
  /// The limit of a table of times.
  private static let longestTable = 24 << 20

  init(of source: any ByteSource) throws(FileError) {
    let file = try MovieFile(of: source)
    let children = try source.closedBoxes(in: file.moov.payload)
    if let header = children.first(where: { $0.type == "mvhd" }) {
      let (scale, count) = try Self.length(in: header, of: source)
      // The header of a fragmented movie may leave the duration to another box.
      let whole = count > 0 ? count : try Self.fragmentedLength(in: children, of: source)
      duration = whole > 0 ? Duration.units(whole, perSecond: scale) : nil
    }
    let fragments = try MovieFragments(in: file.boxes, children, of: source)
    func area(_ picture: Picture?) -> Int { (picture?.size).map { $0.width * $0.height } ?? 0 }
    for box in children where box.type == "trak" {
      let inside = try source.closedBoxes(in: box.payload)
      let track = try MovieTrack(box, inside, source)
      let samples = try Self.number(of: track, source).flatMap { fragments.tracks[$0] }
      if let samples, let header = track.headers.first(where: { $0.type == "mdhd" }) {
        let (scale, _) = try Self.length(in: header, of: source)
        if let end = Duration.units(samples.end, perSecond: scale), end > (duration ?? .zero) { duration = end }
      }
      guard let kind = track.kind, Self.pictures.contains(kind) else { continue }
      let found = try Self.picture(of: track, inside, samples, source)
      if picture == nil || area(found) > area(picture) { picture = found }
    }
  }

  private static func picture(
    of track: MovieTrack, _ boxes: [Box], _ fragments: MovieFragments.Samples?, _ source: any ByteSource
  ) throws(FileError) -> Picture {
    var picture = Picture()
    if let header = track.headers.first(where: { $0.type == "tkhd" }) {
      let fields = try source.prefix(at: header.payload.lowerBound, count: min(header.payload.count, 96))
      let matrix = try fields.u8(0) == 1 ? 52 : 40
      // Sixteen bits before the binary point.
      picture.size = PixelSize(
        width: Int(try fields.u32(matrix + 36, .big) >> 16), height: Int(try fields.u32(matrix + 40, .big) >> 16))
      picture.orientation = try orientation(by: fields.bytes(matrix..<matrix + 20))
    }
    if let header = track.headers.first(where: { $0.type == "mdhd" }) {
      let (scale, count) = try length(in: header, of: source)
      picture.duration = count > 0 ? Duration.units(count, perSecond: scale) : nil
      if let times = track.table("stts") {
        var (frames, units) = try sum(of: times, source)
        if let fragments, frames == 0 {
          (frames, units) = (fragments.count, fragments.end)
          if scale > 0 { picture.duration = Duration.units(units, perSecond: scale) }
        }
        picture.frames = frames > 0 ? frames : nil
        if frames > 0, units > 0, scale > 0 { picture.frameRate = Double(frames) * Double(scale) / Double(units) }
      }
    }
    if let descriptions = track.descriptions { try describe(descriptions, &picture, source) }
    return picture
  }

  /// Returns the timescale and the duration in a header (`mvhd`, `mdhd`); an unknown duration is 0.
  private static func length(in header: Box, of source: any ByteSource) throws(FileError) -> (scale: Int, count: Int) {
    let fields = try source.prefix(at: header.payload.lowerBound, count: min(header.payload.count, 36))
    if try fields.u8(0) == 1 {
      let count = try fields.u64(24, .big)
      return (Int(try fields.u32(20, .big)), count == .max ? 0 : Int(clamping: count))
    }
    let count = try fields.u32(16, .big)
    return (Int(try fields.u32(12, .big)), count == .max ? 0 : Int(count))
  }

  /// Returns the number of a track.
  private static func number(of track: MovieTrack, _ source: any ByteSource) throws(FileError) -> Int? {
    guard let header = track.headers.first(where: { $0.type == "tkhd" }) else { return nil }
    let fields = try source.prefix(at: header.payload.lowerBound, count: min(header.payload.count, 24))
    return Int(try fields.u32(try fields.u8(0) == 1 ? 20 : 12, .big))
  }

  private static func fragmentedLength(in boxes: [Box], of source: any ByteSource) throws(FileError) -> Int {
    guard let extends = boxes.first(where: { $0.type == "mvex" }),
      let header = try source.closedBoxes(in: extends.payload).first(where: { $0.type == "mehd" })
    else { return 0 }
    let fields = try source.prefix(at: header.payload.lowerBound, count: min(header.payload.count, 12))
    return try fields.u8(0) == 1 ? Int(clamping: try fields.u64(4, .big)) : Int(try fields.u32(4, .big))
  }

  /// Returns a track's matrix as an EXIF orientation; nil if it does something else.
  private static func orientation(by matrix: Bytes) throws(FileError) -> Int? {
    func number(_ place: Int) throws(FileError) -> Int32 { Int32(bitPattern: try matrix.u32(4 * place, .big)) }
    // Sixteen bits follow the binary point.
    let one: Int32 = 0x1_0000
    switch (try number(0), try number(1), try number(3), try number(4)) {
    case (one, 0, 0, one): return 1
    case (-one, 0, 0, one): return 2
    case (-one, 0, 0, -one): return 3
    case (one, 0, 0, -one): return 4
    case (0, one, one, 0): return 5
    case (0, one, -one, 0): return 6
    case (0, -one, -one, 0): return 7
    case (0, -one, one, 0): return 8
    default: return nil
    }
  }

  /// Returns the number of samples and the sum of their durations (`stts`, 8.6.1.2).
  private static func sum(of box: Box, _ source: any ByteSource) throws(FileError) -> (frames: Int, units: Int) {
    guard box.payload.count <= longestTable else { return (0, 0) }
    let table = try source.bytes(box.payload)
    var (frames, units) = (0, 0)
    let rows = min(Int(try table.u32(4, .big)), max(0, table.count - 8) / 8)
    for row in 0..<rows {
      let (count, delta) = (Int(try table.u32(8 + 8 * row, .big)), Int(try table.u32(12 + 8 * row, .big)))
      let (product, isTooLong) = count.multipliedReportingOverflow(by: delta)
      guard !isTooLong, frames < 1 << 40, units < 1 << 60, product < 1 << 60 else { return (0, 0) }
      (frames, units) = (frames + count, units + product)
    }
    return (frames, units)
  }

  /// Reads the first description of a track's pictures (ISO/IEC 14496-12, 12.1.3): its coding, and the boxes behind its
  /// 78 bytes of fields.
  private static func describe(
    _ descriptions: Box, _ picture: inout Picture, _ source: any ByteSource
  ) throws(FileError) {
    let start = descriptions.payload.lowerBound + 8
    guard start < descriptions.payload.upperBound else { return }
    let entry = try source.box(at: start, before: descriptions.payload.upperBound)
    picture.codec = "\(entry.type)".trimmed
    guard entry.payload.count >= MovieStructure.pictureFields.count else { return }
    let fields = try source.bytes(at: entry.payload.lowerBound, count: 28)
    if picture.size == nil {
      picture.size = PixelSize(width: Int(try fields.u16(24, .big)), height: Int(try fields.u16(26, .big)))
    }
    let rest = entry.payload.lowerBound + MovieStructure.pictureFields.count..<entry.payload.upperBound
    for box in (try? source.closedBoxes(in: rest)) ?? [] {
      let content = try source.prefix(at: box.payload.lowerBound, count: min(box.payload.count, 32))
      switch box.type {
      case "hvcC": picture.bitDepth = (try? content.u8(17)).map { Int($0 & 7) + 8 }
      case "av1C":
        picture.bitDepth = (try? content.u8(2)).map { $0 & 0x40 == 0 ? 8 : $0 & 0x20 == 0 ? 10 : 12 }
      case "vpcC": picture.bitDepth = (try? content.u8(6)).map { Int($0 >> 4) }
      // ISO/IEC 14496-10, A.2: the profiles High 10, High 4:2:2 and High 4:4:4 may have more bits; the others have 8.
      case "avcC": picture.bitDepth = (try? content.u8(1)).flatMap { [110, 122, 244].contains($0) ? nil : 8 }
      case "colr":
        let isCoded = content.has("nclx".utf8) || content.has("nclc".utf8)
        if isCoded, let transfer = try? content.u16(6, .big) { picture.isHDR = transfer == 16 || transfer == 18 }
      case "vexu": picture.isStereo = true
      default: break
      }
    }
  }
}
