@testable import MetaTag

/// Made-up photos, written byte by byte without the tested code that writes directories.
enum Sample {
  /// A classic TIFF block: `lead`, then IFD0, EXIF and GPS directories, each followed by its values.
  static func tiff(
    _ order: Bytes.Order = .little, ifd0: [UInt16: TIFFValue] = [:], exif: [UInt16: TIFFValue] = [:],
    gps: [UInt16: TIFFValue] = [:], magic: UInt16 = 42, lead: [UInt8] = []
  ) -> [UInt8] {
    var block: [UInt8] = (order == .little ? [0x49, 0x49] : [0x4D, 0x4D]) + magic.bytes(order)
    let start = 8 + lead.count
    block += UInt32(start).bytes(order) + lead
    var ifd0 = ifd0
    // Pointers have their final size from the start, so that IFD0 doesn't move.
    if !exif.isEmpty { ifd0[0x8769] = .long([0]) }
    if !gps.isEmpty { ifd0[0x8825] = .long([0]) }
    let first = directory(ifd0, at: start, order)
    let second = exif.isEmpty ? [] : directory(exif, at: start + first.count, order)
    if !exif.isEmpty { ifd0[0x8769] = .long([UInt32(start + first.count)]) }
    if !gps.isEmpty { ifd0[0x8825] = .long([UInt32(start + first.count + second.count)]) }
    block += directory(ifd0, at: start, order) + second
    if !gps.isEmpty { block += directory(gps, at: block.count, order) }
    return block
  }

  static func directory(_ tags: [UInt16: TIFFValue], at offset: Int, _ order: Bytes.Order) -> [UInt8] {
    var table = UInt16(tags.count).bytes(order)
    var values: [UInt8] = []
    let start = offset + 2 + 12 * tags.count + 4
    for (tag, value) in tags.sorted(by: { $0.key < $1.key }) {
      let (type, count, bytes) = value.encoded(order)
      table += tag.bytes(order) + type.bytes(order) + UInt32(count).bytes(order)
      if bytes.count <= 4 {
        table += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
      } else {
        table += UInt32(start + values.count).bytes(order)
        values += bytes + (bytes.count % 2 == 1 ? [0] : [])
      }
    }
    return table + [0, 0, 0, 0] + values
  }

  static let jfif: [UInt8] =
    [0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0]

  /// A JPEG almost without pixels: segments, a frame of 32 × 24, one scan, and trailing data.
  static func jpeg(_ segments: [UInt8] = [], trailer: [UInt8] = [], hasFourInks: Bool = false) -> Bytes {
    let colours: [UInt8] = hasFourInks ? [20, 8, 0, 24, 0, 32, 4] : [17, 8, 0, 24, 0, 32, 3]
    let frame = [0xFF, 0xC0, 0] + colours + [1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1] + (hasFourInks ? [4, 0x22, 0] : [])
    let scan: [UInt8] = [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0, 1, 2, 3, 4, 0xFF, 0, 5, 0xFF, 0xD9]
    return Bytes([0xFF, 0xD8] + segments + frame + scan + trailer)
  }

  static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker] + UInt16(payload.count + 2).bytes(.big) + payload
  }

  static func exif(_ tiff: [UInt8]) -> [UInt8] { segment(0xE1, Array("Exif\0\0".utf8) + tiff) }

  /// Fields as a camera of 2024 writes them.
  static let cameraDates: [UInt16: TIFFValue] = [
    0x9000: .undefined(Array("0230".utf8)), 0x9003: .ascii("2024:05:23 18:38:41"),
    0x9004: .ascii("2024:05:23 18:38:41"), 0x9011: .ascii("+09:00"), 0x9012: .ascii("+09:00"),
    0x9291: .ascii("601"), 0x9292: .ascii("601"), 0x927C: .undefined(Array("a maker's private note".utf8)),
  ]

  static func place(_ latitude: [Rational], _ south: String?, _ longitude: [Rational], _ west: String?)
    -> [UInt16: TIFFValue]
  {
    var tags: [UInt16: TIFFValue] = [2: .rational(latitude), 4: .rational(longitude)]
    tags[1] = south.map { .ascii($0) }
    tags[3] = west.map { .ascii($0) }
    return tags
  }
}
