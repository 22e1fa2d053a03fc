/// An XMP packet (ISO 16684-1) in UTF-8: what it says, and how its bytes change when it is to say something else.
///
/// It is never serialised again: values are replaced where they stand, and padding takes up the difference in length.
struct XMPPacket {
  let bytes: [UInt8]
  let properties: [XMPProperty]
  /// Where the root element ends.
  let rootEnd: Int
  /// The element that holds the descriptions.
  let rdf: XMPReader.RDF

  /// Reads a packet; what follows its root element may be anything.
  ///
  /// - Throws: `unsupported` for UTF-16 and UTF-32; `malformed`, `truncated` or `refused` with the offset of what is
  ///   not well-formed.
  init(_ bytes: Bytes) throws(PhotoError) {
    let array = bytes.array
    // Every encoding but UTF-8 has a NUL beside the first '<', or a mark of its own.
    guard !array.starts(with: [0xFE, 0xFF]), !array.starts(with: [0xFF, 0xFE]), !array.prefix(4).contains(0) else {
      throw PhotoError(.unsupported, "the XMP packet is not in UTF-8; convert it to change it", at: bytes.base)
    }
    do throws(PhotoError) {
      let reader = try XMPReader(array)
      guard let rdf = reader.rdf else { throw PhotoError(.malformed, "it has no rdf:RDF element", at: 0) }
      self.rdf = rdf
      self.bytes = array
      properties = reader.properties
      rootEnd = reader.rootEnd
    } catch {
      throw PhotoError(
        error.kind, "the XMP packet can't be read: \(error.sentence)", at: bytes.base + (error.offset ?? 0))
    }
  }

  /// The first property of this name that the picture itself has.
  func own(_ name: String) -> XMPProperty? { properties.first { $0.isOwn && $0.name == name } }

  /// Its value, unless there is none or it isn't simple.
  func value(_ name: String) -> String? { own(name)?.value }
}
