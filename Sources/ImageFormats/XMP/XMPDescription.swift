/// The addition of properties to a packet.
extension XMPPacket {
  /// An empty packet.
  package static let blank = Array(
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
     <rdf:RDF xmlns:rdf="\(XMPSchema.rdf.uri)">
     </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="w"?>
    """.utf8)

  /// Returns the splice that adds properties at the end of the packet's RDF. Their own description declares their
  /// prefixes, and has the same `about` as the others (ISO 16684-1, 7.4).
  package func description(holding elements: [String]) -> Splice {
    func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    let used = XMPSchema.allCases.filter { schema in
      schema != .other && elements.contains { $0.contains("<\(schema.rawValue):") }
    }
    let name = string(rdf.name)
    let isUsual = name == "rdf:RDF"
    let declarations = used.filter { $0 != .rdf || !isUsual } + (isUsual || used.contains(.rdf) ? [] : [.rdf])
    let namespaces = declarations.map { "\n    xmlns:\($0.rawValue)=\"\($0.uri)\"" }.joined()
    let content = elements.map { "\n   " + $0 }.joined()
    let description =
      "<rdf:Description rdf:about=\"\(string(rdf.about))\"\(namespaces)>\(content)\n  </rdf:Description>\n "
    let end = rdf.end.upperBound
    // A file with Windows line ends must not get others.
    func lines(_ text: String) -> [UInt8] {
      text.utf8.flatMap { endsLinesWithReturns && $0 == UInt8(ascii: "\n") ? Array("\r\n".utf8) : [$0] }
    }
    guard rdf.isEmpty else {
      return Splice(rdf.end.lowerBound..<rdf.end.lowerBound, lines(" \(description)"))
    }
    return Splice(end - 2..<end, lines(">\n  \(description)</\(name)>"))
  }

  private var endsLinesWithReturns: Bool {
    bytes.firstIndex(of: UInt8(ascii: "\n")).map { $0 > 0 && bytes[$0 - 1] == UInt8(ascii: "\r") } ?? false
  }
}
