import Testing

@testable import MetaTag

@Suite("XML in pieces")
struct XMLReaderTests {
  /// Hands out its bytes in pieces of one size, then its ending for ever, if it has one.
  private struct Pieces: ByteStream {
    var rest: ArraySlice<UInt8>
    let size: Int
    var ending: [UInt8]?

    mutating func next() throws(FileError) -> [UInt8]? {
      let piece = rest.prefix(size)
      rest = rest.dropFirst(size)
      return piece.isEmpty ? ending : Array(piece)
    }
  }

  /// The tokens as text; texts that follow each other are joined.
  private static func tokens(_ reader: XMLReader) throws -> [String] {
    var reader = reader
    var tokens: [String] = []
    var text = ""
    while try reader.next() {
      let xml = reader.scanner
      switch xml.kind {
      case .text: text += try xml.unescaped(xml.range)
      case .cdata: text += String(decoding: xml.bytes[xml.range], as: UTF8.self)
      case .start:
        tokens += [text, "<\(xml.text(xml.name)) \(xml.attribute("a") ?? "-") \(xml.depth)"]
        text = ""
      case .end:
        tokens += [text, ">\(xml.text(xml.name))"]
        text = ""
      }
    }
    return tokens
  }

  @Test(
    "The size of the pieces makes no difference, nor whether texts are split.",
    arguments: [1, 5, 1_000, 65_536, 300_000], [true, false])
  func pieces(size: Int, splitsText: Bool) throws {
    let count = size < 100 ? 5 : 3_000
    let long = String(repeating: "é &amp; &#x4EAC; <![CDATA[]] > & <]]>", count: count)
    let references = String(repeating: "&amp;", count: count * 10)
    let text =
      "<?xml version='1.0'?><!-- a > b --><r a='1 &lt; &quot;'><b:c b:a=\"x&y\"/>\(long)<d>\(references)</d></r>"
    let bytes = Array(text.utf8)
    let whole = try XMLReaderTests.tokens(XMLReader(InputWindow(bytes)))
    #expect(whole.prefix(4) == ["", "<r 1 < \" 1", "", "<b:c x&y 2"])
    let window = try InputWindow(Pieces(rest: bytes[...], size: size))
    #expect(try XMLReaderTests.tokens(XMLReader(window, splitsText: splitsText)) == whole)
  }

  @Test(
    "A token without end is refused before it fills the memory.",
    arguments: [("<r a='", "x"), ("<r>", "x"), ("<r><!--", "x"), ("<r><![CDATA[", "x"), ("<", "x")])
  func endless(start: String, filling: String) throws {
    let window = try InputWindow(
      Pieces(
        rest: Array(start.utf8)[...], size: 100,
        ending: Array(String(repeating: filling, count: 1 << 20).utf8)))
    let error = #expect(throws: FileError.self) { try XMLReaderTests.tokens(XMLReader(window, longestToken: 1 << 21)) }
    #expect(error?.kind == .refused)
  }

  @Test(
    "The root element is found in the first bytes of a file.",
    arguments: [
      ("<gpx/>", "gpx"), (" <?xml?>\n<!-- a -->\n<a:kml x='1'>", "kml"),
      ("<!DOCTYPE gpx [<!ENTITY a \"b\">]><gpx>", "gpx"),
      ("<!DOCTYPE kml SYSTEM 'x'><kml>", "kml"), ("a,b<c>", nil), ("", nil), ("<!-- ", nil), ("<", nil),
    ] as [(String, String?)])
  func root(text: String, name: String?) { #expect(XMLScanner.root(of: Array(text.utf8)[...]) == name) }
}
