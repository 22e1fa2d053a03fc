import Foundation
import TestSupport
import Testing

@testable import GeoIndex

@Suite("XML of places")
struct XMLStreamTests {
  @Test(
    "CDATA is read completely and in pieces, whatever it contains.",
    arguments: ["]", "]]", "]x", "x"], [0, 1, (1 << 16) - 1, 1 << 16, (1 << 16) + 1, 200_000])
  func cdata(filling: String, count: Int) throws {
    let content = String(repeating: filling, count: count)
    let scratch = try Scratch()
    let file = try scratch.write(Array("<a><![CDATA[\(content)]]></a>".utf8), as: "a.xml")
    var bytes = try ByteStream(path: file.path)
    var stream = XMLStream()
    var (text, longest) = ([UInt8](), 0)
    while let token = try stream.next(&bytes) {
      guard case .text(let piece) = token else { continue }
      text += piece
      longest = max(longest, piece.count)
    }
    #expect(text == Array(content.utf8) && longest <= 1 << 16)
  }
}
