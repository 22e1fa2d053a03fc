import Testing

@testable import MetaTag

struct XMPPaddingTests {
  private static let date = "xmp:CreateDate='2024-05-23T23:38'"

  @Test(
    "Padding takes up the difference in length, if there is enough.",
    arguments: [
      (500, "<?xpacket end='w'?>", 0), (3, "<?xpacket end='w'?>", 0), (2, "<?xpacket end='w'?>", 2_049),
      (0, "<?xpacket end=\"w\"?>\n", 2_051), (500, "<?xpacket end='r'?>", 0), (2, "<?xpacket end='r'?>", 1),
      (0, "", 3), (5, "", 0), (0, "\0\0\0\0", 0), (0, "\n", 2), (2, "<?xpacket end=", 1), (2, "<!-- x -->", 1),
    ])
  func growth(padding: Int, end: String, growth: Int) throws {
    let old = XMPSample.packet(XMPPaddingTests.date, padding: padding, end: end)
    let new = try #require(try XMPSample.edited(old, .shift(61)))
    #expect(new.count - old.count == growth)
    let trailer = end.drop { $0 == "\0" || $0 == "\n" }
    #expect(XMPSample.text(new).hasSuffix(trailer))
    #expect(try XMPSample.metadata(new).digitizedTimes.map { "\($0.value)" } == ["2024-05-23T23:39:01"])
  }

  @Test(
    "A shorter packet is filled up with padding.", arguments: ["<?xpacket end='w'?>", "<?xpacket end='r'?>", "", "\0"])
  func shrinking(end: String) throws {
    let old = XMPSample.packet("xmp:CreateDate='2024-05-23T23:38:41.25+01:00'", padding: 0, end: end)
    let new = try #require(try XMPSample.edited(old, .shift(60, offset: .remove)))
    #expect(new.count == old.count)
    #expect(XMPSample.text(new).hasSuffix("</x:xmpmeta>      " + end))
  }

  @Test("New padding keeps a packet within a JPEG segment.")
  func segment() throws {
    let old = XMPSample.packet(
      XMPPaddingTests.date, "<aux:Note>" + String(repeating: "x", count: 63_800) + "</aux:Note>", padding: 0)
    let new = try #require(try XMPSample.edited(old, .shift(61)))
    #expect(old.count < 65_502)
    #expect(new.count == 65_502)
  }
}
