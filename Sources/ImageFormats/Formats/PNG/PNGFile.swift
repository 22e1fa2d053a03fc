/// A chunk of a PNG file.
struct PNGChunk: Sendable {
  let type: FourCC
  /// The range of length, type, data and checksum.
  let range: Range<Int>

  var data: Range<Int> { range.lowerBound + 8..<range.upperBound - 4 }

  /// Returns a whole chunk.
  static func bytes(_ type: FourCC, _ data: [UInt8]) throws(FileError) -> [UInt8] {
    guard data.count <= longest else { throw FileError(.tooLarge, "a PNG chunk can't exceed 2 GB") }
    return UInt32(data.count).bytes(.big) + type.bytes + data + Bytes(type.bytes + data).crc.bytes(.big)
  }

  /// The most that a chunk's data may be (ISO/IEC 15948, 5.3).
  static let longest = 1 << 31 - 1
}

/// The chunks of a PNG file (ISO/IEC 15948; W3C's third edition has APNG's and `eXIf`).
package struct PNGFile: Sendable {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  /// The limits of chunks. Only a file made to exhaust its readers has more. Image data, which is often cut into pieces
  /// of 8 KB, has a much higher limit.
  private static let mostChunks = 4_096
  private static let mostPieces = 1 << 20

  let source: any ByteSource
  /// All chunks except image data (`IDAT`, `fdAT`), in file order.
  let chunks: [PNGChunk]
  /// The ranges of image data, with adjacent chunks joined.
  let images: [Range<Int>]
  /// The position for new chunks: before the first image data and its `fcTL`.
  let home: Int
  /// The offset where the file breaks off without an `IEND`.
  let cut: Int?
  package let pixelSize: PixelSize?

  package init(_ source: any ByteSource) throws(FileError) {
    var chunks: [PNGChunk] = []
    var images: [Range<Int>] = []
    var pieces = 0
    var at = PNGFile.signature.count
    var cut: Int?
    while chunks.last?.type != "IEND" {
      guard let chunk = try PNGFile.chunk(of: source, at: at) else {
        cut = at
        break
      }
      at = chunk.range.upperBound
      pieces += 1
      if chunk.type == "IDAT" || chunk.type == "fdAT" {
        if images.last?.upperBound == chunk.range.lowerBound, let first = images.popLast()?.lowerBound {
          images.append(first..<at)
        } else {
          images.append(chunk.range)
        }
      } else {
        chunks.append(chunk)
      }
      guard chunks.count <= PNGFile.mostChunks, pieces <= PNGFile.mostPieces else {
        throw FileError(.malformed, "has too many chunks", at: at)
      }
    }
    // Apple's phones put their own chunk first.
    guard let header = chunks.first(where: { $0.type != "CgBI" }), header.type == "IHDR", header.data.count >= 8 else {
      throw FileError(.malformed, "expected IHDR as the first chunk", at: PNGFile.signature.count)
    }
    let numbers = try source.bytes(at: header.data.lowerBound, count: 8)
    pixelSize = PixelSize(width: Int(try numbers.u32(0, .big)), height: Int(try numbers.u32(4, .big)))
    let first = images.first?.lowerBound ?? chunks.last?.range.lowerBound ?? at
    let control = chunks.last { $0.range.upperBound == first && $0.type == "fcTL" }
    home = control?.range.lowerBound ?? first
    (self.source, self.chunks, self.images, self.cut) = (source, chunks, images, cut)
  }

  /// Returns the chunk that begins at `offset`; nil when the file ends within it.
  private static func chunk(of source: any ByteSource, at offset: Int) throws(FileError) -> PNGChunk? {
    let head = try source.prefix(at: offset, count: 8)
    guard head.count == 8 else { return nil }
    let count = Int(try head.u32(0, .big))
    let type = try head.bytes(4..<8).array
    guard count <= PNGChunk.longest, type.allSatisfy({ 0x41...0x5A ~= $0 & 0xDF }) else {
      throw FileError(.malformed, "invalid PNG chunk", at: offset)
    }
    guard count + 12 <= source.count - offset else { return nil }
    return PNGChunk(type: FourCC(rawValue: try head.u32(4, .big)), range: offset..<offset + count + 12)
  }

  /// Whether the chunk's checksum is right.
  func isSound(_ chunk: PNGChunk) throws(FileError) -> Bool {
    let bytes = try source.bytes(chunk.range)
    return try bytes.bytes(4..<bytes.count - 4).crc == bytes.u32(bytes.count - 4, .big)
  }
}

/// Erasing of everything that describes a PNG.
extension PNGContainer {
  /// The chunks that decoders need to show the picture correctly (ISO/IEC 15948, 11): colours, transparency,
  /// background, pixel aspect ratio, and APNG's frames.
  private static let shown: Set<FourCC> = [
    "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "mDCv", "cLLI", "cLLi", "sBIT", "bKGD", "pHYs", "acTL",
    "fcTL",
  ]

  /// Removes all chunks that no decoder needs, except an `eXIf` with the tags that `exif` sets, and everything after
  /// the picture.
  package func erased(_ exif: TIFFChanges, _ order: Bytes.Order, _ file: PNGFile) throws(FileError) -> Patch {
    let new = try exif.newBlock(order).map { block throws(FileError) in try PNGChunk.bytes("eXIf", block) }
    var kept: [Range<Int>] = file.images
    var splices: [Splice] = []
    var isWritten = new == nil
    for chunk in file.chunks {
      // The sixth bit of the first letter marks a chunk that decoders may ignore.
      let isNeeded = chunk.type.bytes[0] & 0x20 == 0 || PNGContainer.shown.contains(chunk.type)
      let isNew = isWritten || chunk.type != "eXIf" ? false : try file.source.holds(new, in: chunk.range)
      isWritten = isWritten || isNew
      if isNeeded || isNew { kept.append(chunk.range) } else { splices.append(Splice(chunk.range, [])) }
    }
    if let new, !isWritten { splices.append(Splice(file.home..<file.home, new)) }
    let end = file.chunks.last?.range.upperBound ?? file.source.count
    if end < file.source.count { splices.append(Splice(end..<file.source.count, [])) }
    // On both sides of the position for the new chunk.
    let sides = [0..<file.home, file.home..<file.source.count]
    return try Patch(splices, to: file.source.count, imageData: sides.excluding(sides.excluding(kept)))
  }
}
