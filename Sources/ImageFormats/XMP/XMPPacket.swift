/// An XMP packet (ISO 16684-1) in UTF-8: its properties, and edits of its bytes.
///
/// The packet is never serialised again: values are replaced in place, and padding absorbs the difference in length.
package struct XMPPacket {
  package let bytes: [UInt8]
  package let properties: [XMPProperty]
  /// The end of the root element.
  let rootEnd: Int
  /// The element that holds the descriptions.
  let rdf: XMPReader.RDF

  /// Reads a packet. Anything may follow its root element.
  ///
  /// - Throws: `unsupported` for UTF-16 and UTF-32; `malformed`, `truncated` or `refused` with the offset of the part
  ///   that is not well-formed.
  package init(_ bytes: Bytes) throws(FileError) {
    let array = bytes.array
    if let encoding = XMPPacket.foreignEncoding(of: array) {
      throw FileError(
        .unsupported, "the XMP packet is in \(encoding), not in UTF-8", at: bytes.base, remedy: .convertToUTF8)
    }
    do throws(FileError) {
      let reader = try XMPReader(array)
      guard let rdf = reader.rdf else { throw FileError(.malformed, "it has no rdf:RDF element", at: 0) }
      self.rdf = rdf
      self.bytes = array
      properties = reader.properties
      rootEnd = reader.rootEnd
    } catch {
      throw FileError(
        error.code, "the XMP packet can't be read: \(error.description)", at: bytes.base + (error.offset ?? 0))
    }
  }

  /// Returns the encoding, unless it is UTF-8 or a subset.
  private static func foreignEncoding(of bytes: [UInt8]) -> String? {
    // Every multi-byte encoding has a NUL next to the first '<', or a mark of its own.
    let marks: [[UInt8]] = [[0xFE, 0xFF], [0xFF, 0xFE], [0, 0, 0xFE, 0xFF]]
    let isMarked = marks.contains { bytes.starts(with: $0) }
    let zeros = bytes.prefix(4).count { $0 == 0 }
    if isMarked || zeros > 0 { return zeros >= (isMarked ? 2 : 3) ? "UTF-32" : "UTF-16" }
    // Few packets have a declaration, and a search in bytes takes a tenth of the time.
    guard let declaration = bytes.prefix(256).indices.first(where: { bytes[$0...].starts(with: "<?xml ".utf8) })
    else { return nil }
    let head = String(decoding: bytes[declaration...].prefix(256), as: UTF8.self)
    guard let start = head.firstRange(of: "<?xml "), let end = head[start.upperBound...].firstRange(of: "?>"),
      let word = head[start.upperBound..<end.lowerBound].firstRange(of: "encoding")
    else { return nil }
    let name = head[word.upperBound..<end.lowerBound].drop { " \t\r\n=\"'".contains($0) }
      .prefix { !" \t\r\n\"'".contains($0) }
    return ["UTF-8", "UTF8", "US-ASCII", "ASCII", ""].contains(name.uppercased()) ? nil : String(name)
  }

  /// Returns the first property of this name that belongs to the picture itself.
  package func own(_ name: String) -> XMPProperty? { properties.first { $0.isOwn && $0.name == name } }

  /// Returns a property's value; nil if it is missing or not simple.
  package func value(_ name: String) -> String? { own(name)?.value }
}
