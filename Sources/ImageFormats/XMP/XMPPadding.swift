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
