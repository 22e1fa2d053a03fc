@testable import ImageFormats
import SystemPackage

@testable import MetaTag

/// Made-up movies.
enum MovieSample {
  static let brand = Box.bytes("ftyp", Array("qt  ".utf8) + [0, 0, 0, 0] + Array("qt  ".utf8))
  static let media = Array("frames of the first track, frames of the second".utf8)

  /// A header with times since 1904, followed by `fields`.
  static func header(_ type: FourCC, _ seconds: UInt64, isWide: Bool = false) -> [UInt8] {
    let times =
      isWide
      ? seconds.bytes(.big) + seconds.bytes(.big)
      : UInt32(truncatingIfNeeded: seconds).bytes(.big) + UInt32(truncatingIfNeeded: seconds).bytes(.big)
    return Box.bytes(type, [isWide ? 1 : 0, 0, 0, 0] + times + [UInt8](repeating: 7, count: 20))
  }

  /// 2024-05-01T10:05:00Z in QuickTime's time.
  static let seconds: UInt64 = 3_797_402_700

  static func track(_ seconds: UInt64, chunks: [Int], kind: FourCC = "avc1", isWide: Bool = false) -> [UInt8] {
    let offsets = UInt32(chunks.count).bytes(.big) + chunks.flatMap { UInt32($0).bytes(.big) }
    let descriptions = [0, 0, 0, 0, 0, 0, 0, 1] + Box.bytes(kind, [UInt8](repeating: 0, count: 8))
    let table = Box.bytes("stbl", Box.bytes("stsd", descriptions) + Box.bytes("stco", [0, 0, 0, 0] + offsets))
    let media = Box.bytes("mdia", header("mdhd", seconds, isWide: isWide) + Box.bytes("minf", table))
    return Box.bytes("trak", header("tkhd", seconds, isWide: isWide) + media)
  }

  /// A `moov` with two tracks whose chunks are at `media`, and with the boxes of `extra`.
  static func moov(
    media: Int, extra: [UInt8] = [], seconds: UInt64 = seconds, isWide: Bool = false, kind: FourCC = "avc1"
  ) -> [UInt8] {
    Box.bytes(
      "moov",
      header("mvhd", seconds, isWide: isWide) + track(seconds, chunks: [media, media + 10], isWide: isWide)
        + track(seconds, chunks: [media + 20], kind: kind, isWide: isWide) + extra)
  }

  /// Media data first, as cameras write it.
  static func movie(
    extra: [UInt8] = [], seconds: UInt64 = seconds, isWide: Bool = false, kind: FourCC = "avc1", tail: [UInt8] = []
  ) -> Bytes {
    let head = brand + Box.bytes("mdat", media)
    let moov = moov(media: brand.count + 8, extra: extra, seconds: seconds, isWide: isWide, kind: kind)
    return Bytes(head + moov + tail)
  }

  /// Media data last, after `between`, as for streaming.
  static func streaming(extra: [UInt8] = [], between: [UInt8] = [], tail: [UInt8] = [], isOpen: Bool = false) -> Bytes {
    let count = moov(media: 0, extra: extra).count
    let moov = moov(media: brand.count + count + between.count + 8, extra: extra)
    var data = Box.bytes("mdat", media)
    if isOpen { data.replaceSubrange(0..<4, with: [0, 0, 0, 0]) }
    return Bytes(brand + moov + between + data + tail)
  }

  /// A metadata list with keys, in QuickTime's form or that of ISO/IEC 14496-12. `named` are items without a key.
  static func keys(
    _ items: [(String, String)], named: [(FourCC, String)] = [], isFull: Bool = false, hasKeys: Bool = true
  ) -> [UInt8] {
    let handler = Box.bytes(
      "hdlr", [UInt8](repeating: 0, count: 8) + FourCC("mdta").bytes + [UInt8](repeating: 0, count: 13))
    let names = items.flatMap { Box.bytes("mdta", Array($0.0.utf8)) }
    let numbered = items.enumerated().map { (FourCC(rawValue: UInt32($0 + 1)), $1.1) }
    let list = (numbered + named).flatMap { type, text in
      Box.bytes(type, Box.bytes("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array(text.utf8)))
    }
    let keys = hasKeys ? Box.bytes("keys", [0, 0, 0, 0] + UInt32(items.count).bytes(.big) + names) : []
    return Box.bytes("meta", (isFull ? [0, 0, 0, 0] : []) + handler + keys + Box.bytes("ilst", list))
  }

  /// A text of user data.
  static func text(_ type: FourCC, _ text: String) -> [UInt8] {
    Box.bytes(type, UInt16(text.utf8.count).bytes(.big) + [0x15, 0xC7] + Array(text.utf8))
  }

  static func userData(_ boxes: [UInt8]) -> [UInt8] { Box.bytes("udta", boxes) }

  static func loci(_ latitude: Double, _ longitude: Double, _ altitude: Double) -> [UInt8] {
    let numbers = [longitude, latitude, altitude].flatMap { Int32(($0 * 65_536).rounded()).bytes(.big) }
    return Box.bytes(
      "loci", [0, 0, 0, 0, 0x15, 0xC7] + Array("Seattle\0".utf8) + [0] + numbers + Array("earth\0\0".utf8))
  }

  static func open(_ source: any ByteSource) throws -> ImageSource { try ImageSource(source, path: "made.mov") }

  /// Returns the movie after `edit`. The change must read back, and undo must restore every byte.
  static func edited(_ movie: Bytes, _ edit: MetadataEdit) throws -> Bytes {
    let image = try open(movie)
    let patch = try image.patch(for: edit)
    let new = Bytes(try patch.applied(to: movie))
    try Expectation(edit: edit, before: image.metadata()).check(try open(new).metadata())
    guard try patch.inverse(of: movie).applied(to: new) == movie.array else {
      throw FileError(.malformed, "undo gives other bytes")
    }
    return new
  }

  /// The first bytes of the chunks of all tracks.
  static func chunks(_ movie: Bytes) throws -> [[UInt8]] {
    let box = try MovieBox(in: MovieFile(of: movie), of: movie)
    var chunks: [[UInt8]] = []
    for table in box.offsetTables {
      for offset in try MediaOffsets(table, movie) { chunks.append(try movie.prefix(at: offset, count: 10).array) }
    }
    return chunks
  }
}
