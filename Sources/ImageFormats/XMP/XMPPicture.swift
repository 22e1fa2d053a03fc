import Foundation

/// Packets for decoded pictures, pictures inside packets, and the padding at a packet's end.
extension XMPPacket {
  /// Returns the packet for a decoded, upright picture, with existing values of orientation and size updated.
  package func describing(_ size: PixelSize) throws(FileError) -> [UInt8] {
    let facts = [
      "tiff:Orientation": 1, "tiff:ImageWidth": size.width, "tiff:ImageLength": size.height,
      "exif:PixelXDimension": size.width, "exif:PixelYDimension": size.height,
    ]
    var splices: [Splice] = []
    for property in properties where property.isOwn && property.text != nil {
      guard let fact = facts[property.name], property.text != String(fact) else { continue }
      splices.append(try replacement(of: property, with: String(fact)))
    }
    return splices.isEmpty ? bytes : try applying(splices)
  }
}

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

extension XMPPacket {
  /// Returns the splice of the packet's padding that absorbs `growth` bytes, so that the length stays. If the padding
  /// is too small, the packet grows by the missing bytes and, if it may be written in place, by new padding (XMP part
  /// 1, 7.3.2).
  package func fitting(_ growth: Int) -> [Splice] {
    let padding = padding
    let start = padding.lowerBound
    switch growth {
    case 0: return []
    case ..<0: return [Splice(start..<start, [UInt8](repeating: 0x20, count: -growth))]
    case ...padding.count: return [Splice(start..<start + growth, [])]
    default: return [Splice(padding, newPadding(for: bytes.count + growth - padding.count))]
    }
  }

  /// The blanks before the trailer, or after the root element if there is no trailer.
  private var padding: Range<Int> {
    func isFiller(_ byte: UInt8) -> Bool { byte.isXMLBlank || byte == 0 }
    guard let trailer else { return rootEnd..<(bytes[rootEnd...].firstIndex { !isFiller($0) } ?? bytes.count) }
    var start = trailer
    while start > rootEnd, isFiller(bytes[start - 1]) { start -= 1 }
    return start..<trailer
  }

  /// The position after the root element of text that XML doesn't allow there: the rest of a longer packet.
  package var strayText: Int? {
    var at = rootEnd
    while let start = bytes[at...].firstIndex(where: { !$0.isXMLBlank && $0 != 0 }) {
      let rest = bytes[start...]
      let end: StaticString? = rest.starts(with: "<?".utf8) ? "?>" : rest.starts(with: "<!--".utf8) ? "-->" : nil
      guard let end, let found = Bytes(bytes).firstIndex(of: Array("\(end)".utf8), from: start) else { return start }
      at = found + end.utf8CodeUnitCount
    }
    return nil
  }

  /// The position of `<?xpacket end="w"?>`.
  private var trailer: Int? { Bytes(bytes).firstIndex(of: Array("<?xpacket end=".utf8), from: rootEnd) }

  /// Whether the trailer permits writing in place.
  private var isWritable: Bool {
    trailer.map { bytes.indices.contains($0 + 15) && bytes[$0 + 15] == UInt8(ascii: "w") } ?? false
  }

  /// Returns two kilobytes of padding, as Adobe recommends, in lines; less if a JPEG segment (XMP part 3, 1.1.3) would
  /// overflow.
  private func newPadding(for count: Int) -> [UInt8] {
    let most = 65_502
    guard isWritable else { return [] }
    let size = count > most ? 2_048 : min(2_048, most - count)
    return (0..<size).map { $0 % 100 == 0 || $0 == size - 1 ? 0x0A : 0x20 }
  }
}
