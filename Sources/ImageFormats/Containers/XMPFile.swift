/// An XMP packet as a file of its own (XMP part 3, 3): a sidecar, for data that the photo next to it can't or must not
/// hold. The packet is the whole file.
struct XMPFileContainer: Container {
  let types: [ImageType] = [.xmp]
  let addableBlocks: Set<Namespace> = [.xmp]
  /// Those that programs write have some kilobytes.
  static let longest = 16 << 20
  private static let rdf = Array("\(XMPSchema.rdf.uri)".utf8)
  private static let meta = Array("adobe:ns:meta/".utf8)

  /// XML whose beginning names what only XMP and RDF have.
  func type(of head: Bytes) -> ImageType? {
    // UTF-16 and UTF-32 are ASCII between NULs; reading the packet reports what can't be done with them.
    let text = Bytes(
      Array(head.array.drop { $0.isXMLBlank || [0, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF].contains($0) }.filter { $0 != 0 }))
    guard text.has("<".utf8) else { return nil }
    let names = [XMPFileContainer.rdf, XMPFileContainer.meta]
    return text.has("<?xpacket".utf8) || names.contains { text.firstIndex(of: $0) != nil } ? .xmp : nil
  }

  /// Returns the layout of a sidecar: one packet, and no image data.
  /// - Throws: The errors of `XMPPacket`: an unreadable packet is neither shown nor changed.
  func layout(of source: any ByteSource) throws(FileError) -> Layout {
    guard source.count <= XMPFileContainer.longest else {
      throw FileError(.tooLarge, "the XMP file exceeds \(XMPFileContainer.longest >> 20) MB")
    }
    let packet = try XMPPacket(source.bytes(at: 0, count: source.count))
    if let rest = packet.strayText {
      throw FileError(
        .malformed, "the XMP file contains text after the end of the packet", at: rest, remedy: .saveAgain)
    }
    var layout = Layout()
    layout.add(.xmp, at: 0..<source.count)
    return layout
  }

  func removesAll(from layout: Layout) -> Bool { false }

  func patch(_ changes: BlockChanges, layout: Layout, source: any ByteSource) throws(FileError) -> Patch {
    guard var new = changes.xmp else { return try Patch([], to: source.count, imageData: []) }
    let old = try source.bytes(at: 0, count: source.count).array
    // The end of the last line is not padding, and a file may become shorter.
    func blanks(_ bytes: [UInt8]) -> Int { bytes.reversed().prefix { $0.isXMLBlank }.count }
    if blanks(old) <= 2 { new = new.dropLast(blanks(new)) + old.suffix(blanks(old)) }
    // One splice, from where they begin to differ to where they end to.
    let head = zip(old, new).prefix { $0 == $1 }.count
    let tail = zip(old[head...].reversed(), new[head...].reversed()).prefix { $0 == $1 }.count
    let splice = Splice(head..<old.count - tail, Array(new[head..<new.count - tail]))
    return try Patch(splice.range.isEmpty && splice.bytes.isEmpty ? [] : [splice], to: old.count, imageData: [])
  }
}
