import TestSupport
import Testing

@testable import MetaTag

@Suite("XMP dates of single programs")
struct XMPFurtherDatesTests {
  /// The packet's text after its dates are moved, in a photo of 2024-05-23 at ten. Nil if it doesn't change.
  private static func moved(_ elements: String, by seconds: Int64 = 3_600) throws -> String? {
    let captured = try CaptureTime(parsing: "2024-05-23T10:00:00")
    return try XMPPacket(Bytes(XMPSample.packet("", elements))).edited(by: .shift(seconds)) { captured }
      .map(XMPSample.text)
  }

  @Test("Items of an array move in place, however they are escaped.")
  func spelled() throws {
    let (day, hour) = ("2024-05-23T10:00:00", "2024-05-23T11:00:00")
    func array(_ items: [String]) -> String {
      "<dc:date><rdf:Seq>" + items.map { "<rdf:li>\($0)</rdf:li>" }.joined() + "<rdf:li/></rdf:Seq></dc:date>"
    }
    let other = "2020-01-01T00:00:00"
    let old = ["&#x32;024-05-23T10:00:00", day, other, " \(day)\n", "<![CDATA[\(day)]]>", "a<x/>\(day)", day]
    let new = [hour, hour, other, " \(hour)\n", hour, "a<x/>\(day)", hour]
    #expect(try Self.moved(array(old))?.contains(array(new)) == true)
    #expect(try Self.moved(array([other, "&#x32;020-01-01T00:00:00"])) == nil)
  }

  @Test("Shifting an array of thousands of items takes linear time.")
  func many() throws {
    let items = String(repeating: "<rdf:li>&#x32;024-05-23T10:00:00</rdf:li>", count: 5_000)
    let packet = try XMPPacket(
      Bytes(XMPSample.packet("", "<dc:date><rdf:Seq>\(items)</rdf:Seq></dc:date>", padding: 0)))
    let captured = try CaptureTime(parsing: "2024-05-23T10:00:00")
    var new: [UInt8]?
    let cost = try processorTime { new = try packet.edited(by: .shift(3_600)) { captured } }
    #expect(XMPSample.text(new).split(separator: "2024-05-23T11:00:00").count == 5_001)
    #expect(cost < .seconds(2))
  }

  @Test("In an unknown namespace a time is a copy of the photo's date, and a day is not.")
  func days() throws {
    let plus = "xmlns:plus='http://ns.useplus.org/ldf/xmp/1.0/'"
    func license(_ date: String) -> String { "<plus:LicenseStartDate \(plus)>\(date)</plus:LicenseStartDate>" }
    #expect(try Self.moved(license("2024-05-23"), by: 86_400) == nil)
    #expect(
      try Self.moved(license("2024-05-23T10:00:00"), by: 86_400)?.contains(license("2024-05-24T10:00:00")) == true)
    #expect(try Self.moved("<dc:date>2024-05-23</dc:date>", by: 86_400)?.contains(">2024-05-24<") == true)
    #expect(try Self.moved("<acdsee:datetime>2024-05-23</acdsee:datetime>", by: 86_400)?.contains("2024-05-24") == true)
  }

  private static func array(_ name: String, _ namespace: String, _ items: [String], of kind: String = "Bag") -> String {
    "<\(name) xmlns:\(name.prefix { $0 != ":" })='\(namespace)'><rdf:\(kind)>"
      + items.map { "<rdf:li>\($0)</rdf:li>" }.joined() + "</rdf:\(kind)></\(name)>"
  }

  private static func erased(_ elements: String) throws -> [UInt8]? {
    var edit = MetadataEdit()
    edit.erasesDates = true
    return try XMPSample.edited(XMPSample.packet("", elements), edit)
  }

  private static let words = [
    array("k:Tags", "urn:k", ["2024-05-23", "Wedding"]), array("k:Tags", "urn:k", ["2024-05-23"], of: "Seq"),
    array("digiKam:TagsList", "http://www.digikam.org/ns/1.0/", ["2024-05-23", "2024/Wedding"], of: "Seq"),
    array("MicrosoftPhoto:LastKeywordXMP", "http://ns.microsoft.com/photo/1.0/", ["2024-05-23"]),
    array("mediapro:CatalogSets", "http://ns.iview-multimedia.com/mediapro/1.0/", ["2024-05-23"]),
    "<mediapro:Event>2024-05-23</mediapro:Event>", "<expressionmedia:Event>2024-05-23</expressionmedia:Event>",
    "<acdsee:keywords><rdf:Bag><rdf:li>2024-05-23</rdf:li></rdf:Bag></acdsee:keywords>",
    "<acdsee:caption>2024-05-23</acdsee:caption>", "<lr:hierarchicalSubject>2024-05-23</lr:hierarchicalSubject>",
    "<mwg-kw:Keywords rdf:parseType='Resource'><mwg-kw:Hierarchy><rdf:Bag><rdf:li rdf:parseType='Resource'>"
      + "<mwg-kw:Keyword>2024-05-23</mwg-kw:Keyword></rdf:li></rdf:Bag></mwg-kw:Hierarchy></mwg-kw:Keywords>",
    "<dc:subject><rdf:Bag><rdf:li rdf:parseType='Resource'><rdf:value>2024-05-23</rdf:value></rdf:li></rdf:Bag>"
      + "</dc:subject>",
    "<k:Title xmlns:k='urn:k'><rdf:Alt><rdf:li xml:lang='x-default'>2024-05-23</rdf:li></rdf:Alt></k:Title>",
  ]

  @Test("Erasing dates keeps keywords and titles that are days.", arguments: words)
  func keywords(elements: String) throws { #expect(try Self.erased(elements) == nil) }

  private static let dates = [
    array("prism:publicationDate", "http://prismstandard.org/namespaces/basic/2.1/", ["2024-05-23"]),
    array("digiKam:CaptionsDateTimeStamps", "http://www.digikam.org/ns/1.0/", ["2024-05-23T10:00:00"], of: "Alt"),
    array("k:Seen", "urn:k", ["2024-05-23T10:00:00", "2024-05-23T11:00:00"]),
    "<k:Taken xmlns:k='urn:k'>2024-05-23</k:Taken>",
    "<k:Log xmlns:k='urn:k'><rdf:Seq><rdf:li rdf:parseType='Resource'><k:when>2024-05-23</k:when></rdf:li></rdf:Seq>"
      + "</k:Log>",
    "<acdsee:datetime>2024-05-23</acdsee:datetime>",
  ]

  @Test("Erasing dates removes dates in unknown namespaces.", arguments: dates)
  func erasedDates(elements: String) throws {
    let text = XMPSample.text(try Self.erased(elements))
    #expect(text.contains("rdf:RDF") && !text.contains("2024-05-23"), "\(text)")
  }
}
