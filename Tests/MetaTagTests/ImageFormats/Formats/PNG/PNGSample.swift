@testable import ImageFormats
@testable import MetaTag

/// A made-up PNG file of 32 × 24 pixels that aren't decoded, with any chunks.
struct PNGSample {
  /// Chunks before the image data and after it.
  var before: [[UInt8]] = []
  var behind: [[UInt8]] = []
  var trailer: [UInt8] = []
  var isAnimated = false

  static func chunk(_ type: FourCC, _ data: [UInt8]) throws -> [UInt8] { try PNGChunk.bytes(type, data) }

  static func exif(_ tiff: [UInt8]) throws -> [UInt8] { try chunk("eXIf", tiff) }

  static func xmp(_ packet: [UInt8], isCompressed: Bool = false) throws -> [UInt8] {
    let lead = Array("XML:com.adobe.xmp\0".utf8) + [isCompressed ? 1 : 0, 0, 0, 0]
    return try chunk("iTXt", lead + (isCompressed ? try Zlib.packed(packet) : packet))
  }

  /// A profile as ImageMagick writes it: hexadecimal text, compressed or not.
  static func profile(_ name: String, _ bytes: [UInt8], in type: FourCC = "zTXt") throws -> [UInt8] {
    let text = RawProfile.text(name, bytes)
    let keyword = Array("Raw profile type \(name)\0".utf8)
    switch type {
    case "tEXt": return try chunk(type, keyword + text)
    case "iTXt": return try chunk(type, keyword + [1, 0, 0, 0] + (try Zlib.packed(text)))
    default: return try chunk(type, keyword + [0] + (try Zlib.packed(text)))
    }
  }

  var bytes: Bytes {
    get throws {
      let header: [UInt8] = [0, 0, 0, 32, 0, 0, 0, 24, 8, 2, 0, 0, 0]
      var file = PNGFile.signature + (try Self.chunk("IHDR", header)) + before.flatMap { $0 }
      if isAnimated {
        file += try Self.chunk("acTL", [0, 0, 0, 1, 0, 0, 0, 0])
        file += try Self.chunk("fcTL", [UInt8](repeating: 0, count: 26))
      }
      file += try Self.chunk("IDAT", Array(1...60)) + (try Self.chunk("IDAT", Array(61...90)))
      if isAnimated { file += try Self.chunk("fdAT", Array(0...40)) }
      return Bytes(file + behind.flatMap { $0 } + (try Self.chunk("IEND", [])) + trailer)
    }
  }
}
