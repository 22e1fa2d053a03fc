import Foundation

extension XMPPacket {
  /// The beginnings of JPEG and PNG files in base64.
  private static let pictureHeads = ["/9j/", "iVBORw0KGgo"].map { Array($0.utf8) }

  /// Returns whole pictures that XMP holds in base64: thumbnails (`xmpGImg:image`), and data that phones keep of a
  /// portrait (`GImage:Data`). They have metadata of their own. XMP that can't be parsed may hold some, too.
  package static func pictures(in packet: Bytes) -> [Bytes] {
    // UTF-16 and UTF-32 are ASCII between NULs.
    let text = packet.array.filter { $0 != 0 }
    var found: [Bytes] = []
    for head in pictureHeads {
      var at = 0
      while let start = Bytes(text).firstIndex(of: head, from: at) {
        at = start + head.count
        // Within other base64 it is a coincidence.
        guard start == 0 || !text[start - 1].isBase64 else { continue }
        let end = text[start...].firstIndex { [UInt8(ascii: "<"), UInt8(ascii: "\""), UInt8(ascii: "'")].contains($0) }
        let picture = decoded(text[start..<(end ?? text.endIndex)])
        found.append(Bytes(picture, base: packet.base))
        at = max(at, end ?? text.endIndex)
      }
    }
    return found
  }

  /// Decodes base64 in lines, which XMP separates by blanks or character references (`&#xA;`). If the text is cut off,
  /// returns the bytes up to there.
  private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let parts = text.split(separator: UInt8(ascii: "&"))
    let lines = parts.prefix(1) + parts.dropFirst().map { $0.drop { $0 != UInt8(ascii: ";") } }
    let letters = lines.joined().filter(\.isBase64)
    return Array(Data(base64Encoded: Data(letters.dropLast(letters.count % 4))) ?? Data())
  }
}

extension UInt8 {
  /// Whether the byte is a base64 digit, without the padding `=`.
  fileprivate var isBase64: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"): true
    default: false
    }
  }
}
