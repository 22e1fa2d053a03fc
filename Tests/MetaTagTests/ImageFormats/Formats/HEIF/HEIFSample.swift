@testable import ImageFormats
@testable import MetaTag

/// A made-up HEIF file with one picture of 300 bytes and any metadata items.
struct HEIFSample {
  /// The version of `iloc`, and the widths of its offsets, lengths, bases and indexes.
  var version: UInt8 = 0
  var widths = [4, 4, 0, 0]
  /// Whether bases hold the offsets.
  var isPlacedByBase = false
  var exif: [[UInt8]] = []
  var xmp: [UInt8]?
  var isInIdat = false
  var properties: [[UInt8]] = []
  var behindMeta: [UInt8] = []
  /// The length of the header of `mdat`. If 0, its size is written as 0.
  var mediaHeader = 8
  var isMediaFirst = false
  var tail: [UInt8] = []
  /// Further boxes of `meta`.
  var extra: [UInt8] = []
  /// The writing program, in the handler's name.
  var program = ""
  /// Unused bytes at the end of `mdat`.
  var dead: [UInt8] = []

  static let picture: [UInt8] = (0..<300).map { UInt8($0 % 251) }
  static let fileType = Box.bytes("ftyp", FourCC("heic").bytes + [0, 0, 0, 0] + Array("mif1heic".utf8))

  /// EXIF as Apple writes it.
  static func apple(_ tiff: [UInt8]) -> [UInt8] { [0, 0, 0, 6] + Array("Exif\0\0".utf8) + tiff }
  /// EXIF as libheif writes it.
  static func libheif(_ tiff: [UInt8]) -> [UInt8] { [0, 0, 0, 0] + tiff }
  /// EXIF as Xiaomi writes it, with further data after it.
  static func xiaomi(_ tiff: [UInt8]) -> [UInt8] {
    [0, 0, 0, 10, 0xFF, 0xE1] + UInt16(tiff.count + 8).bytes(.big) + Array("Exif\0\0".utf8) + tiff
      + [0xFF, 0xE2] + Array("a preview".utf8)
  }

  private func full(_ type: FourCC, _ version: UInt8 = 0, _ payload: [UInt8]) -> [UInt8] {
    Box.bytes(type, [version, 0, 0, 0] + payload)
  }

  private var payloads: [(type: FourCC, bytes: [UInt8])] {
    var payloads: [(type: FourCC, bytes: [UInt8])] = [("hvc1", Self.picture)]
    payloads += exif.map { ("Exif", $0) }
    if let xmp { payloads.append(("mime", xmp)) }
    return payloads
  }

  private func places(_ start: Int) -> [UInt8] {
    var bytes = [UInt8(widths[0] << 4 | widths[1]), UInt8(widths[2] << 4 | (version == 0 ? 0 : widths[3]))]
    bytes += Int(payloads.count).bigEndian(count: version < 2 ? 2 : 4) ?? []
    var (file, inner) = (start, 0)
    for (index, item) in payloads.enumerated() {
      let isInner = isInIdat && item.type != "hvc1"
      let offset = isInner ? inner : file
      if isInner { inner += item.bytes.count } else { file += item.bytes.count }
      let fields = [
        (index + 1, version < 2 ? 2 : 4), (isInner ? 1 : 0, version == 0 ? 0 : 2), (0, 2),
        (isPlacedByBase ? offset : 0, widths[2]), (1, 2), (0, version == 0 ? 0 : widths[3]),
        (isPlacedByBase ? 0 : offset, widths[0]), (item.bytes.count, widths[1]),
      ]
      bytes += fields.flatMap { $0.0.bigEndian(count: $0.1) ?? [] }
    }
    return full("iloc", version, bytes)
  }

  private func meta(_ start: Int) -> [UInt8] {
    let entries = payloads.enumerated().map { index, item in
      let type = item.type.bytes + [0] + (item.type == "mime" ? Array("application/rdf+xml\0".utf8) : [])
      return full("infe", 2, UInt16(index + 1).bytes(.big) + [0, 0] + type)
    }
    let described = payloads.indices.dropFirst().map { index in
      Box.bytes("cdsc", UInt16(index + 1).bytes(.big) + [0, 1, 0, 1])
    }
    let association =
      [0, 0, 0, 1, 0, 1, UInt8(properties.count)] + (0..<properties.count).map { UInt8($0 + 1) | 0x80 }
    let inner = payloads.filter { isInIdat && $0.type != "hvc1" }.flatMap(\.bytes)
    return full(
      "meta", 0,
      full(
        "hdlr", 0, [0, 0, 0, 0] + Array("pict".utf8) + [UInt8](repeating: 0, count: 12) + Array("\(program)\0".utf8))
        + full("pitm", 0, [0, 1])
        + places(start) + full("iinf", 0, UInt16(payloads.count).bytes(.big) + entries.flatMap { $0 })
        + (described.isEmpty ? [] : full("iref", 0, described.flatMap { $0 }))
        + Box.bytes("iprp", Box.bytes("ipco", properties.flatMap { $0 }) + full("ipma", 0, association))
        + (inner.isEmpty ? [] : Box.bytes("idat", inner)) + extra)
  }

  var bytes: Bytes {
    let content = payloads.filter { !isInIdat || $0.type == "hvc1" }.flatMap(\.bytes) + dead
    let media: [UInt8] =
      switch mediaHeader {
      case 16: [0, 0, 0, 1] + Array("mdat".utf8) + UInt64(content.count + 16).bytes(.big) + content
      case 0: [0, 0, 0, 0] + Array("mdat".utf8) + content
      default: Box.bytes("mdat", content)
      }
    let head = Self.fileType
    let lead = media.count - content.count
    if isMediaFirst { return Bytes(head + media + meta(head.count + lead) + behindMeta + tail) }
    let count = head.count + meta(0).count + behindMeta.count
    return Bytes(head + meta(count + lead) + behindMeta + media + tail)
  }
}
