/// WebP (RFC 9649): EXIF and XMP are chunks after the picture, announced by flags in `VP8X`, which is added if missing.
/// Nothing else changes except the length of the file.
struct WebPContainer: Container {
  let types: [ImageType] = [.webp]

  private static let exifHeader = Array("Exif\0\0".utf8)

  func type(of head: Bytes) -> ImageType? {
    head.has("RIFF".utf8) && head.has("WEBP".utf8, at: 8) ? .webp : nil
  }

  func layout(of source: any ByteSource) throws(FileError) -> Layout {
    let file = try WebPFile(source)
    var layout = Layout()
    for chunk in file.chunks where chunk.type == "EXIF" {
      layout.add(.exif, at: try WebPContainer.block(in: chunk, of: source))
    }
    layout.add(.xmp, at: file.chunks.filter { $0.type == "XMP " }.map(\.data))
    layout.pixelSize = file.picture.size
    layout.imageData = WebPContainer.protected(file)
    if file.cut != nil { layout.notes.append(Note(.truncatedFile, "file is truncated")) }
    if file.cut == nil { layout.add(trailer: file.end, of: source) }
    if let chunk = try file.frameMetadata().first {
      layout.blocks.append(
        .unread(
          "metadata in its frames", at: chunk.range.lowerBound, mayHold: .date, .opaque(remedy: .clearDateOfCopy)))
    }
    layout.add(manifests: file.chunks.filter { $0.type == "C2PA" }.map(\.data))
    return layout
  }

  func patch(_ changes: BlockChanges, layout: Layout, source: any ByteSource) throws(FileError) -> Patch {
    let file = try WebPFile(source)
    if let cut = file.cut { throw FileError(.truncated, "file is truncated: expected another chunk", at: cut) }
    if changes.erasesAll { return try erased(changes.exif, layout.exifOrder(of: source), file) }
    let exif = file.chunks.filter { $0.type == "EXIF" }
    let xmp = file.chunks.filter { $0.type == "XMP " }
    let newEXIF = exif.isEmpty ? try changes.exif.newBlock() : nil
    let newXMP = xmp.isEmpty ? changes.xmp : nil
    var replacements: [Splice] = []
    for (index, chunk) in exif.enumerated() {
      let wanted = changes.exif(at: index)
      let range = try WebPContainer.block(in: chunk, of: source)
      guard let block = try? TIFFBlock(source, range) else {
        guard !changes.mustReadAll else { throw changes.unreadEXIF(at: chunk.range.lowerBound) }
        continue
      }
      guard !wanted.isEmpty else { continue }
      let prefix = try source.bytes(chunk.data.lowerBound..<range.lowerBound).array
      replacements.append(Splice(chunk.range, try RIFFChunk.bytes("EXIF", prefix + block.edited(by: wanted))))
    }
    for (index, chunk) in xmp.enumerated() {
      guard let packet = changes.xmp(at: index) else { continue }
      replacements.append(Splice(chunk.range, try RIFFChunk.bytes("XMP ", packet)))
    }
    // EXIF comes before XMP, and both after everything else; the last chunk may lack its padding.
    let (end, place) = (file.end, xmp.first?.range.lowerBound ?? file.end)
    var splices: [Splice] = []
    if let last = file.chunks.last, last.range.count % 2 == 1, newXMP != nil || newEXIF != nil && place == end,
      !replacements.contains(where: { $0.range == last.range })
    {
      splices.append(Splice(end..<end, [0]))
    }
    if let newEXIF { splices.append(Splice(place..<place, try RIFFChunk.bytes("EXIF", newEXIF))) }
    splices += replacements
    if let newXMP { splices.append(Splice(end..<end, try RIFFChunk.bytes("XMP ", newXMP))) }
    let erasures = changes.erasesPlaces ? try frameErasures(file) : []
    splices += erasures
    guard !splices.isEmpty else { return try Patch([], to: source.count, imageData: []) }
    splices += try headSplices(
      file, hasEXIF: !exif.isEmpty || newEXIF != nil, hasXMP: !xmp.isEmpty || newXMP != nil)
    splices += try sizeSplice(file, splices)
    return try Patch(
      splices, to: source.count, imageData: layout.imageData.excluding(erasures.map(\.range)))
  }

  /// Returns the TIFF structure in an `EXIF` chunk; some writers put JPEG's six bytes before it.
  static func block(in chunk: RIFFChunk, of source: any ByteSource) throws(FileError) -> Range<Int> {
    let head = try source.prefix(at: chunk.data.lowerBound, count: min(exifHeader.count, chunk.data.count))
    return chunk.data.lowerBound + (head.has(exifHeader) ? exifHeader.count : 0)..<chunk.data.upperBound
  }

  /// Returns the splices for the flags in `VP8X`, or for a new `VP8X`.
  func headSplices(_ file: WebPFile, hasEXIF: Bool, hasXMP: Bool) throws(FileError) -> [Splice] {
    let wanted = (hasEXIF ? WebPFile.Flag.exif : 0) | (hasXMP ? WebPFile.Flag.xmp : 0)
    if let chunk = file.chunk("VP8X") {
      let place = chunk.data.lowerBound
      let old = try file.source.bytes(at: place, count: 1).u8(0)
      let new = old & ~(WebPFile.Flag.exif | WebPFile.Flag.xmp) | wanted
      return old == new ? [] : [Splice(place..<place + 1, [new])]
    }
    guard let size = file.picture.size, 1...1 << 24 ~= size.width, 1...1 << 24 ~= size.height else {
      throw FileError(.malformed, "the picture size is invalid or missing", at: WebPFile.headCount)
    }
    let flags = wanted | (file.picture.hasAlpha ? WebPFile.Flag.alpha : 0)
    let canvas = [size.width, size.height].flatMap { UInt32($0 - 1).bytes(.little).prefix(3) }
    let start = WebPFile.headCount
    return [Splice(start..<start, try RIFFChunk.bytes("VP8X", [flags, 0, 0, 0] + canvas))]
  }

  func sizeSplice(_ file: WebPFile, _ splices: [Splice]) throws(FileError) -> [Splice] {
    let growth = splices.reduce(0) { $0 + $1.growth }
    guard growth != 0 else { return [] }
    guard let count = UInt32(exactly: file.end - 8 + growth), count <= .max - 10 else {
      throw FileError(.tooLarge, "a WebP file can't be longer than 4 GB")
    }
    return [Splice(4..<8, count.bytes(.little))]
  }

  /// Returns every other chunk, without padding, and the bytes after the file.
  private static func protected(_ file: WebPFile) -> [Range<Int>] {
    file.chunks.filter { !["VP8X", "EXIF", "XMP "].contains($0.type) }
      .map { $0.range.lowerBound..<$0.data.upperBound } + [file.end..<file.source.count]
  }
}

/// A chunk of a RIFF file.
struct RIFFChunk: Sendable {
  let type: FourCC
  /// The content of the chunk.
  let data: Range<Int>
  /// The range of type, length and data, including the padding byte if present.
  let range: Range<Int>

  /// Returns a whole chunk, padded.
  static func bytes(_ type: FourCC, _ data: [UInt8]) throws(FileError) -> [UInt8] {
    guard let count = UInt32(exactly: data.count) else {
      throw FileError(.tooLarge, "a WebP chunk can't exceed 4 GB")
    }
    return type.bytes + count.bytes(.little) + data + [UInt8](repeating: 0, count: data.count % 2)
  }
}

/// The chunks of a WebP file (RFC 9649).
struct WebPFile: Sendable {
  /// Bits in the first byte of `VP8X`.
  package enum Flag {
    static let xmp: UInt8 = 0x04
    static let exif: UInt8 = 0x08
    static let alpha: UInt8 = 0x10
  }

  /// The limit of chunks. Only a file made to exhaust its readers has more; an animation has one per frame.
  private static let mostChunks = 65_536
  /// `RIFF`, its length, `WEBP`.
  static let headCount = 12
  /// The bytes before the chunks of a frame: its position, size, and duration (RFC 9649, 2.7.1.1).
  static let frameHeadCount = 16

  let source: any ByteSource
  let chunks: [RIFFChunk]
  /// The end according to the recorded length.
  let end: Int
  /// The offset where the file breaks off earlier.
  let cut: Int?
  /// Width, height and presence of alpha by the picture's own header; of the whole canvas if there is one.
  let picture: (size: PixelSize?, hasAlpha: Bool)

  init(_ source: any ByteSource) throws(FileError) {
    let head = try source.bytes(at: 0, count: WebPFile.headCount)
    let wanted = Int(try head.u32(4, .little)) + 8
    let end = min(wanted, source.count)
    var cut = wanted > source.count ? source.count : nil
    var chunks: [RIFFChunk] = []
    var at = WebPFile.headCount
    while at < end {
      let head = try source.prefix(at: at, count: min(8, end - at))
      guard head.count == 8 else {
        cut = cut ?? at
        break
      }
      let data = at + 8..<at + 8 + Int(try head.u32(4, .little))
      guard data.upperBound <= end else {
        cut = cut ?? at
        break
      }
      // Some writers omit the last padding byte.
      let next = min(data.upperBound + data.count % 2, end)
      chunks.append(RIFFChunk(type: FourCC(rawValue: try head.u32(0, .big)), data: data, range: at..<next))
      guard chunks.count <= WebPFile.mostChunks else {
        throw FileError(.malformed, "has too many chunks", at: at)
      }
      at = next
    }
    (self.source, self.chunks, self.end, self.cut) = (source, chunks, end, cut)
    picture = try WebPFile.picture(in: chunks, of: source)
  }

  /// Finds EXIF and XMP among the chunks of frames, where the standard allows unknown chunks and no reader looks for
  /// these.
  func frameMetadata() throws(FileError) -> [RIFFChunk] {
    var (found, left): ([RIFFChunk], Int) = ([], 4 * WebPFile.mostChunks)
    for frame in chunks where frame.type == "ANMF" {
      var at = frame.data.lowerBound + WebPFile.frameHeadCount
      while at + 8 <= frame.data.upperBound {
        left -= 1
        guard left > 0 else { throw FileError(.malformed, "has too many chunks", at: at) }
        let head = try source.bytes(at: at, count: 8)
        let type = FourCC(rawValue: try head.u32(0, .big))
        let data = (at + 8..<at + 8 + Int(try head.u32(4, .little))).clamped(to: frame.data)
        if ["EXIF", "XMP "].contains(type) {
          found.append(RIFFChunk(type: type, data: data, range: at..<data.upperBound))
        }
        at = data.upperBound + data.count % 2
      }
    }
    return found
  }

  func chunk(_ type: FourCC) -> RIFFChunk? { chunks.first { $0.type == type } }

  private static func picture(
    in chunks: [RIFFChunk], of source: any ByteSource
  ) throws(FileError) -> (size: PixelSize?, hasAlpha: Bool) {
    for chunk in chunks where ["VP8X", "VP8 ", "VP8L"].contains(chunk.type) && chunk.data.count >= 10 {
      let head = try source.bytes(at: chunk.data.lowerBound, count: 10)
      switch chunk.type {
      case "VP8X":
        let (width, height) = (try head.u32(4, .little) & 0xFF_FFFF, try head.u32(6, .little) >> 8)
        return (PixelSize(width: Int(width) + 1, height: Int(height) + 1), try head.u8(0) & Flag.alpha != 0)
      case "VP8 ":
        // RFC 6386, 9.1: a key frame's tag, its start code, 14 bits of width and of height.
        guard head.has([0x9D, 0x01, 0x2A], at: 3) else { continue }
        let (width, height) = (try head.u16(6, .little) & 0x3FFF, try head.u16(8, .little) & 0x3FFF)
        return (PixelSize(width: Int(width), height: Int(height)), false)
      default:
        // RFC 9649, 3.4: 14 bits of width and of height, less one, and whether alpha is used.
        guard try head.u8(0) == 0x2F else { continue }
        let bits = try head.u32(1, .little)
        let size = PixelSize(width: Int(bits & 0x3FFF) + 1, height: Int(bits >> 14 & 0x3FFF) + 1)
        return (size, bits >> 28 & 1 == 1)
      }
    }
    return (nil, false)
  }
}

/// Erasing of everything that describes a WebP file.
extension WebPContainer {
  private static let picture: Set<FourCC> = ["VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP"]
  private static let frame: Set<FourCC> = ["VP8 ", "VP8L", "ALPH"]

  /// Keeps the chunks of the picture, and an `EXIF` chunk with the tags that `exif` sets. Bytes after the file are
  /// removed.
  ///
  /// - Throws: `.refused` when a frame holds data of unknown content.
  func erased(_ exif: TIFFChanges, _ order: Bytes.Order, _ file: WebPFile) throws(FileError) -> Patch {
    let new = try exif.newBlock(order)
    var kept: [Range<Int>] = []
    var splices: [Splice] = []
    var isWritten = new == nil
    for chunk in file.chunks {
      if chunk.type == "ANMF" { try requirePlain(chunk, of: file.source) }
      let isNew = isWritten || chunk.type != "EXIF" ? false : try file.source.holds(new, in: chunk.data)
      isWritten = isWritten || isNew
      if isNew || WebPContainer.picture.contains(chunk.type) {
        if chunk.type != "VP8X" { kept.append(chunk.data) }
      } else {
        splices.append(Splice(chunk.range, []))
      }
    }
    if let new, !isWritten {
      // The last chunk may lack its padding.
      let isOdd = file.chunks.last.map { $0.range.count % 2 == 1 && WebPContainer.picture.contains($0.type) } ?? false
      splices.append(Splice(file.end..<file.end, (isOdd ? [0] : []) + (try RIFFChunk.bytes("EXIF", new))))
    }
    if file.chunk("VP8X") != nil || new != nil {
      splices += try headSplices(file, hasEXIF: new != nil, hasXMP: false)
    }
    splices += try sizeSplice(file, splices)
    if file.end < file.source.count { splices.append(Splice(file.end..<file.source.count, [])) }
    return try Patch(splices, to: file.source.count, imageData: kept)
  }

  private func requirePlain(_ chunk: RIFFChunk, of source: any ByteSource) throws(FileError) {
    var at = chunk.data.lowerBound + WebPFile.frameHeadCount
    while at < chunk.data.upperBound {
      let head = try source.prefix(at: at, count: min(8, chunk.data.upperBound - at))
      guard head.count == 8, WebPContainer.frame.contains(FourCC(rawValue: try head.u32(0, .big))) else {
        throw FileError(.notErasable, "has an unknown chunk in a frame, which can't be erased", at: at)
      }
      let count = Int(try head.u32(4, .little))
      at += 8 + count + count % 2
    }
  }

  /// Returns splices that erase the places that frames record, in place: frames neither move nor grow.
  func frameErasures(_ file: WebPFile) throws(FileError) -> [Splice] {
    var splices: [Splice] = []
    for chunk in try file.frameMetadata() {
      guard chunk.type == "EXIF" else {
        splices += try InPlaceErasing.splices(inXMP: chunk.data, of: file.source, by: .placeRemoval)
        continue
      }
      let block = try WebPContainer.block(in: chunk, of: file.source)
      guard (try? TIFFBlock(file.source, block)) != nil else {
        throw FileError(
          .notErasable, "has EXIF in a frame that can't be read and may contain a location", at: block.lowerBound)
      }
      splices += try InPlaceErasing.splices(inEXIF: block, of: file.source, by: .placeRemoval)
    }
    return splices
  }
}
