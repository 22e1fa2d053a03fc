import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ImageFormats
@testable import MetaTag

/// Values in XMP by their paths.
@Suite("Values in XMP by path")
struct XMPTreeTests {
  private static let packet = """
    <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
     <rdf:Description rdf:about="" xmlns:d="http://purl.org/dc/elements/1.1/" xmlns:my="http://example.org/my/"
       xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/" xmpRights:Marked="True" my:note='a &amp; b'>
      <d:rights><rdf:Alt><rdf:li xml:lang="x-default">Alle</rdf:li><rdf:li xml:lang="en">All</rdf:li></rdf:Alt></d:rights>
      <d:subject><rdf:Bag><rdf:li>sea</rdf:li><rdf:li>boat</rdf:li></rdf:Bag></d:subject>
      <my:empty/>
      <my:info rdf:parseType="Resource"><my:city>Bled</my:city><my:zip>4260</my:zip></my:info>
      <my:who><rdf:Seq><rdf:li><rdf:Description my:name="Ada"/></rdf:li></rdf:Seq></my:who>
      <my:size rdf:parseType="Resource"><rdf:value>7</rdf:value><my:unit>cm</my:unit></my:size>
      <my:link rdf:resource="http://example.org/"/>
     </rdf:Description></rdf:RDF></x:xmpmeta>
    <?xpacket end="w"?>
    """

  private static func path(_ text: String) throws -> XMPPath { try XMPPath(parsing: text) }

  @Test(
    "Every form of a value in RDF is read.",
    arguments: [
      ("xmpRights:Marked", "True"), ("my:note", "a & b"), ("dc:rights", "Alle"), ("dc:rights[en]", "All"),
      ("dc:rights[EN]", "All"), ("dc:subject[2]", "boat"), ("my:empty", ""), ("my:info/my:city", "Bled"),
      ("my:who[1]/my:name", "Ada"), ("my:size", "7"), ("my:link", "http://example.org/"), ("dc:subject", nil),
      ("dc:subject[3]", nil), ("my:info", nil), ("dc:title", nil),
    ] as [(String, String?)])
  func read(path: String, text: String?) throws {
    #expect(try XMPTree(Array(Self.packet.utf8)).text(at: Self.path(path)) == text)
  }

  @Test("All values are listed with the paths by which they are read.")
  func values() throws {
    let tree = try XMPTree(Array(Self.packet.utf8))
    #expect(tree.values.count == 12)
    for (path, text) in tree.values { #expect(tree.text(at: path) == text, "\(path)") }
    for (path, _) in tree.values { #expect(try Self.path("\(path)") == path) }
  }

  @Test(
    "A value is set, and nothing else changes.",
    arguments: [
      "xmpRights:Marked", "my:note", "dc:rights", "dc:rights[en]", "dc:rights[fr]", "dc:subject[1]", "dc:subject[3]",
      "my:empty", "my:info/my:zip", "my:who[1]/my:name", "my:size", "dc:title", "dc:title[de]", "dc:creator[1]",
      "dc:publisher[1]", "Iptc4xmpExt:Event[en]", "my:new", "plus:ImageSupplierImageID",
    ])
  func set(path: String) throws {
    let old = try XMPTree(Array(Self.packet.utf8))
    let text = "ä < \"b\" & c"
    let wanted = try Self.path(path)
    let bytes = try #require(try XMPPacket.bytes(Array(Self.packet.utf8), changing: [wanted: .set(text)]))
    let new = try XMPTree(bytes)
    #expect(new.text(at: wanted) == text)
    // Its own path may be new: `dc:title` is listed as `dc:title[x-default]`.
    let before = old.values.filter { old.text(at: wanted) == nil || new.text(at: $0.path) != text }
    for (other, value) in before { #expect(new.text(at: other) == value, "\(other)") }
    #expect(new.values.count == old.values.count + (old.text(at: wanted) == nil ? 1 : 0))
    #expect(try XMPPacket.bytes(bytes, changing: [wanted: .set(text)]) == nil)
    let removed = try #require(try XMPPacket.bytes(bytes, changing: [wanted: .remove]))
    #expect(try XMPTree(removed).text(at: wanted) != text)
  }

  @Test("A property is removed with all its items and languages, and a line break in an attribute stays one.")
  func whole() throws {
    let bytes = try #require(
      try XMPPacket.bytes(
        Array(Self.packet.utf8),
        changing: [
          Self.path("dc:rights"): .remove, Self.path("dc:subject"): .remove,
          Self.path("xmpRights:Marked"): .set("a\nb"),
        ]))
    let tree = try XMPTree(bytes)
    #expect(!tree.values.contains { ["dc:rights", "dc:subject"].contains("\($0.path)".prefix { $0 != "[" }) })
    #expect(tree.text(at: try Self.path("xmpRights:Marked")) == "a\nb")
    #expect(String(decoding: bytes, as: UTF8.self).contains("Marked=\"a&#xA;b\""))
  }

  @Test("One item of an array is removed, but not together with a change of another.")
  func items() async throws {
    let scratch = try Scratch()
    let file = try scratch.copy(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let editor = PhotoEditor(journal: scratch.url.filePath.appending("state"))
    func apply(_ properties: [String: Change<String>]) async throws -> Bool {
      var edit = MetadataEdit()
      for (path, change) in properties { edit.properties[try Self.path(path)] = change }
      return try await editor.apply(edit, to: [file.filePath]).isComplete
    }
    #expect(try await apply(["xmpRights:Owner[1]": .set("a")]))
    #expect(try await apply(["xmpRights:Owner[2]": .set("b"), "xmpRights:Owner[3]": .set("c")]))
    #expect(try await !apply(["xmpRights:Owner[1]": .remove, "xmpRights:Owner[2]": .set("d")]))
    #expect(try await apply(["xmpRights:Owner[1]": .remove]))
    #expect(try ImageSource(file.filePath).xmpValues().map(\.text) == ["b", "c"])
  }

  @Test(
    "Paths to structures, gaps and unknown namespaces are refused.",
    arguments: ["my:info", "dc:subject", "dc:subject[4]", "unknown:name", "my:none/my:inner/my:city"])
  func refused(path: String) throws {
    let error = #expect(throws: FileError.self) {
      try XMPPacket.bytes(Array(Self.packet.utf8), changing: [Self.path(path): .set("x")])
    }
    #expect(error?.code == .xmpForm)
  }

  @Test(
    "Texts that are no paths are refused.",
    arguments: [
      "", "rights", "dc:", ":rights", "dc:rights[", "dc:rights[]", "dc:rights[0]", "dc:rights[a b]", "dc:a/", "d c:a",
    ])
  func malformed(text: String) { #expect(throws: ParseError.self) { try XMPPath(parsing: text) } }

  @Test(
    "Places, dates and the packet's structure can't be set by path.",
    arguments: [
      "exif:GPSLatitude", "photoshop:City", "Iptc4xmpExt:LocationShown[1]/Iptc4xmpExt:City", "xmp:CreateDate",
      "exif:DateTimeOriginal", "photoshop:DateCreated", "rdf:about", "drone-dji:GpsLatitude", "dc:subject[1]",
      "dc:title", "dc:rights[x-default]", "exif:FNumber", "xmp:Rating",
    ])
  func protected(path: String) throws {
    let path = try Self.path(path)
    #expect(throws: ParseError.self) { try path.requireEditable() }
  }

  @Test("A value is written into photos of every kind, and removed again.", arguments: ["jpg", "heic", "png", "tif"])
  func photos(ending: String) async throws {
    let scratch = try Scratch()
    let names = [
      "jpg": "aurora-01-jetty.jpg", "heic": "cirrus-02-meadow.heic", "png": "cirrus-04-signpost.png",
      "tif": "borealis-06-ferns.tif",
    ]
    let file = try scratch.copy(Corpus.project.appending(path: "SampleImages/" + (names[ending] ?? "")))
    let before = try Data(contentsOf: file)
    let editor = PhotoEditor(journal: scratch.url.filePath.appending("state"))
    var edit = MetadataEdit()
    edit.properties = [
      try Self.path("dc:rights[en]"): .set("All rights"), try Self.path("xmpRights:Marked"): .set("True"),
    ]
    let result = try await editor.apply(edit, to: [file.filePath])
    #expect(result.isComplete, "\(result.outcomes)")
    let image = try ImageSource(file.filePath)
    #expect(try image.xmpValue(at: Self.path("dc:rights[en]")) == "All rights")
    #expect(try image.xmpValue(at: Self.path("xmpRights:Marked")) == "True")
    #expect(try image.xmpValues().contains { "\($0.path)" == "dc:rights[en]" })
    try await editor.undo(result.run)
    #expect(try Data(contentsOf: file) == before)
  }

  @Test("Regions of the Working Group and of Microsoft are read once.")
  func regions() throws {
    let xmp = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
       xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#" xmlns:MP="http://ns.microsoft.com/photo/1.2/"
       xmlns:MPRI="http://ns.microsoft.com/photo/1.2/t/RegionInfo#" xmlns:MPReg="http://ns.microsoft.com/photo/1.2/t/Region#">
      <mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:RegionList><rdf:Bag>
      <rdf:li rdf:parseType="Resource"><mwg-rs:Area stArea:x="0.5" stArea:y="0.4" stArea:w="0.2" stArea:h="0.3"
       stArea:unit="normalized"/><mwg-rs:Name>Ada</mwg-rs:Name><mwg-rs:Type>Face</mwg-rs:Type></rdf:li>
      <rdf:li rdf:parseType="Resource"><mwg-rs:Area stArea:x="5000" stArea:y="0.4" stArea:w="0.2" stArea:h="0.3"/></rdf:li>
      </rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions>
      <MP:RegionInfo rdf:parseType="Resource"><MPRI:Regions><rdf:Bag>
      <rdf:li MPReg:Rectangle="0.4, 0.25, 0.2, 0.3" MPReg:PersonDisplayName="Ada"/>
      <rdf:li MPReg:Rectangle="0.1, 0.1, 0.1, 0.1" MPReg:PersonDisplayName="Grace"/>
      </rdf:Bag></MPRI:Regions></MP:RegionInfo></rdf:Description></rdf:RDF></x:xmpmeta>
      """
    let regions = try ImageSource(bytes: Array(xmp.utf8)).properties.regions
    #expect(regions.map(\.name) == ["Ada", "Grace"] && regions.map(\.kind) == [.face, .face])
    #expect(regions.first.map { abs($0.x - 0.4) < 1e-9 && abs($0.y - 0.25) < 1e-9 && $0.width == 0.2 } == true)
  }

  @Test(
    "Values of real packets are found by the paths that list them.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func corpus() throws {
    var count = 0
    for url in ["jpeg-makernote", "jpeg-special", "heic", "png", "tiff", "webp", "sidecar"].flatMap({
      Corpus.files("corpus/" + $0)
    }) {
      guard let image = try? ImageSource(url.filePath), let values = try? image.xmpValues() else { continue }
      count += values.count
      // A few packets repeat a property; the first counts.
      let counts = Dictionary(values.map { ($0.path, 1) }, uniquingKeysWith: +)
      for (path, text) in values.prefix(300) where counts[path] == 1 {
        #expect(try image.xmpValue(at: path) == text, "\(url.path) \(path)")
      }
    }
    #expect(count > 1_000)
  }
}
