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
      throw FileError(.tooLarge, "a chunk of a WebP file holds no more than 4 GB")
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
        throw FileError(.malformed, "has more chunks than any picture needs", at: at)
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
        guard left > 0 else { throw FileError(.malformed, "has more chunks than any picture needs", at: at) }
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
