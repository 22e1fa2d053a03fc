import Testing

@testable import MetaTag

@Suite("XMP text values")
struct XMPTextTests {
  private static func edit(_ text: String) -> MetadataEdit {
    var edit = MetadataEdit()
    edit.fields[.description] = .set(.text(text))
    return edit
  }

  @Test("New text keeps its line ends in a packet that has those of Windows.")
  func lines() throws {
    let packet = XMPSample.packet("xmp:Rating='3'").flatMap { $0 == 10 ? [13, 10] : [$0] }
    let new = try #require(try XMPPacket(Bytes(packet)).edited(by: Self.edit("one\ntwo")))
    #expect(try XMPPacket(Bytes(new)).own("dc:description")?.items.map(\.text) == ["one\ntwo"])
    #expect(zip(new, new.dropFirst()).allSatisfy { $1 != 10 || $0 == 13 })
  }

  @Test("Blanks around an old text are replaced with it.")
  func blanks() throws {
    let packet = XMPSample.packet(
      "", "<dc:description><rdf:Alt><rdf:li xml:lang='x-default'>   old   </rdf:li></rdf:Alt></dc:description>")
    let new = try #require(try XMPPacket(Bytes(packet)).edited(by: Self.edit("new")))
    #expect(Bytes(new).firstIndex(of: Array("'x-default'>new</rdf:li>".utf8)) != nil)
  }

  @Test("A sensitivity of 0 is not a value.")
  func noSensitivity() throws {
    for (iso, count) in [(UInt16(0), 0), (100, 1)] {
      let tiff = Bytes(Sample.tiff(exif: [0x8827: .short([iso])]))
      var metadata = Metadata()
      EXIF.read(try TIFFBlock(tiff, 0..<tiff.count), into: &metadata)
      #expect(metadata.fields.count { $0.value.field == .iso } == count)
    }
  }
}
