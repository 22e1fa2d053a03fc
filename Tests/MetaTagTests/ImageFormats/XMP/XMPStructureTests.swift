@testable import ImageFormats
import TestSupport
import Testing

@testable import MetaTag

@Suite("Fields of structures in XMP")
struct XMPStructureTests {
  private static func packet(_ content: String) -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
       xmlns:Iptc4xmpCore="http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/" dc:format="image/jpeg">\(content)</rdf:Description>
      </rdf:RDF></x:xmpmeta>
      """.utf8)
  }

  @Test(
    "A field is added to a new structure, or to one in any form; the others stay.",
    arguments: [
      "",
      "<Iptc4xmpCore:CreatorContactInfo rdf:parseType=\"Resource\"><Iptc4xmpCore:CiTelWork>7</Iptc4xmpCore:CiTelWork>"
        + "</Iptc4xmpCore:CreatorContactInfo>",
      "<Iptc4xmpCore:CreatorContactInfo Iptc4xmpCore:CiTelWork=\"7\"/>",
      "<Iptc4xmpCore:CreatorContactInfo><rdf:Description><Iptc4xmpCore:CiTelWork>7</Iptc4xmpCore:CiTelWork>"
        + "</rdf:Description></Iptc4xmpCore:CreatorContactInfo>",
      "<Iptc4xmpCore:CreatorContactInfo><rdf:Description Iptc4xmpCore:CiTelWork=\"7\"/></Iptc4xmpCore:CreatorContactInfo>",
    ])
  func fields(_ content: String) throws {
    let path = try XMPPath(parsing: "Iptc4xmpCore:CreatorContactInfo/Iptc4xmpCore:CiEmailWork")
    let other = try XMPPath(parsing: "Iptc4xmpCore:CreatorContactInfo/Iptc4xmpCore:CiTelWork")
    let old = Self.packet(content)
    let new = try #require(try XMPPacket.bytes(old, changing: [path: .set("a&b@example.org")]))
    let tree = try XMPTree(new)
    #expect(tree.text(at: path) == "a&b@example.org", "\(String(decoding: new, as: UTF8.self))")
    #expect(tree.text(at: other) == (content.isEmpty ? nil : "7"))
    #expect(tree.text(at: try XMPPath(parsing: "dc:format")) == "image/jpeg")
    let back = try #require(try XMPPacket.bytes(new, changing: [path: .remove]))
    #expect(try XMPTree(back).text(at: path) == nil)
  }

  @Test("A structure within one that is missing is an error.")
  func deeper() throws {
    let path = try XMPPath(parsing: "Iptc4xmpExt:LocationCreated/Iptc4xmpExt:Holder/Iptc4xmpExt:Name")
    let error = #expect(throws: FileError.self) { try XMPPacket.bytes(Self.packet(""), changing: [path: .set("x")]) }
    #expect(error?.code == .xmpForm)
  }
}
