@testable import Basics
import Testing

@testable import MetaTag

struct XMLScannerTests {
  private static let sample = """
    <?xml version="1.0" encoding="UTF-8"?><!-- a > b -->
    <a:one xmlns:a='urn:a' k = "x &amp; &#x20AC;"><b/>t1<![CDATA[<raw>&amp;]]><!--c-->t2<?pi <x>?><b  z="" ></b >é</a:one>
    """

  /// Every token as `kind depth text`.
  private static func tokens(_ text: String) throws -> [String] {
    var scanner = XMLScanner(Array(text.utf8))
    var found: [String] = []
    while try scanner.next() {
      let shown = scanner.kind == .text || scanner.kind == .cdata ? scanner.range : scanner.name
      found.append("\(scanner.kind) \(scanner.depth) \(scanner.text(shown))")
    }
    return found
  }

  @Test("Tokens come in order, with their depth.")
  func order() throws {
    let tokens = try XMLScannerTests.tokens(XMLScannerTests.sample).filter { !$0.hasPrefix("text 0") }
    #expect(
      tokens == [
        "start 1 a:one", "start 2 b", "end 1 b", "text 1 t1", "cdata 1 <raw>&amp;", "text 1 t2", "start 2 b", "end 1 b",
        "text 1 é", "end 0 a:one",
      ])
  }

  @Test("Ranges locate names, values and whole tokens.")
  func ranges() throws {
    var scanner = XMLScanner(Array(#"<p:a  k = "v 1" l='"'><e/></p:a>"#.utf8))
    #expect(try scanner.next())
    #expect((scanner.range, scanner.name) == (0..<22, 1..<4))
    #expect(scanner.text(scanner.name) == "p:a")
    #expect(!scanner.isEmptyElement)
    #expect(
      scanner.attributes == [
        XMLScanner.Attribute(name: 6..<7, value: 11..<14), XMLScanner.Attribute(name: 16..<17, value: 19..<20),
      ])
    #expect(try scanner.next())
    #expect((scanner.range, scanner.isEmptyElement, scanner.depth) == (22..<26, true, 2))
    #expect(try scanner.next())
    #expect((scanner.kind, scanner.range, scanner.depth) == (.end, 22..<26, 1))
    #expect(try scanner.next())
    #expect((scanner.kind, scanner.range, scanner.name) == (.end, 26..<32, 28..<31))
    #expect(try !scanner.next())
  }

  @Test("A byte order mark is skipped.")
  func mark() throws {
    var scanner = XMLScanner([0xEF, 0xBB, 0xBF] + Array("<a/>".utf8))
    #expect(try scanner.next())
    #expect(scanner.range == 3..<7)
  }

  @Test(
    "Entities become characters.",
    arguments: [
      ("plain", "plain"), ("&lt;&gt;&amp;&quot;&apos;", "<>&\"'"), ("&#65;&#x42;&#x1F600;", "AB😀"),
      ("a&amp;amp;b", "a&amp;b"), ("é&#xe9;", "éé"),
    ])
  func entities(escaped: String, text: String) throws {
    let scanner = XMLScanner(Array(escaped.utf8))
    #expect(try scanner.unescaped(0..<scanner.bytes.count) == text)
  }

  @Test(
    "An invalid entity is an error with its offset.",
    arguments: [
      "&nbsp;", "&", "& b;", "&;", "&#;", "&#x;", "&#0;", "&#xD800;", "&#+5;", "&#x+5;", "&#-5;", "&#9999999999;",
    ])
  func unknownEntities(text: String) {
    let scanner = XMLScanner(Array("ab\(text)".utf8))
    let error = #expect(throws: FileError.self) { try scanner.unescaped(0..<scanner.bytes.count) }
    #expect(error?.offset == 2)
  }

  @Test("Escaping and unescaping restore the text.", arguments: ["", "a<b>&\"'", "&amp;", "日本 é"])
  func escaping(text: String) throws {
    let scanner = XMLScanner(XMLScanner.escaped(text))
    #expect(try scanner.unescaped(0..<scanner.bytes.count) == text)
    #expect(!scanner.bytes.contains(UInt8(ascii: "<")))
  }

  @Test(
    "XML that isn't well-formed is an error with its offset.",
    arguments: [
      ("<a></b>", FileError.Kind.malformed, 3), ("</a>", .malformed, 0), ("<a/></a>", .malformed, 4),
      ("<a><b></a></b>", .malformed, 6), ("<a/><b/>", .malformed, 4), ("<a k></a>", .malformed, 4),
      ("<a k=v/>", .malformed, 5), ("<a k='1'l='2'/>", .malformed, 8), ("<a k='<'/>", .malformed, 6),
      ("< a/>", .malformed, 1), ("<a / >", .malformed, 4), ("<a><!x></a>", .malformed, 3),
      ("", .truncated, 0), ("just text", .truncated, 9), ("<a>", .truncated, 3), ("<a k='v", .truncated, 5),
      ("<a><!-- ", .truncated, 7), ("<a><![CDATA[x]]", .truncated, 12),
      ("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", .refused, 0), ("<a><!DOCTYPE a></a>", .refused, 3),
    ])
  func errors(text: String, kind: FileError.Kind, offset: Int) {
    let error = #expect(throws: FileError.self) { try XMLScannerTests.tokens(text) }
    #expect(error?.kind == kind)
    #expect(error?.offset == offset)
  }

  @Test(
    "A document type is skipped if allowed, unless it declares entities or is misplaced.",
    arguments: [
      ("<!DOCTYPE a><a/>", nil), ("<!DOCTYPE a SYSTEM 'x>[y' ><a/>", nil),
      ("<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", .refused),
      ("<a><!DOCTYPE a></a>", .refused), ("<!DOCTYPE a", .truncated), ("<!DOCTYPE a SYSTEM '><a/>", .truncated),
    ] as [(String, FileError.Kind?)])
  func documentType(text: String, kind: FileError.Kind?) {
    var scanner = XMLScanner(Array(text.utf8), passesDoctype: true)
    var failure: FileError?
    do throws(FileError) { while try scanner.next() {} } catch { failure = error }
    #expect(failure?.kind == kind)
  }

  @Test("Elements may be nested 256 deep, not deeper.")
  func depth() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    #expect(try XMLScannerTests.tokens(nested(256)).count == 512)
    let error = #expect(throws: FileError.self) { try XMLScannerTests.tokens(nested(100_000)) }
    #expect(error?.kind == .refused)
    #expect(error?.offset == 256 * 3)
  }

  @Test("A document cut short at any byte is an error, never a trap.")
  func truncation() {
    let bytes = Array(XMLScannerTests.sample.utf8)
    for count in 0..<bytes.count {
      #expect(throws: FileError.self, "cut at \(count)") {
        var scanner = XMLScanner(Array(bytes.prefix(count)))
        while try scanner.next() {}
      }
    }
  }

  @Test("A document with any changed byte is read to an end or an error.")
  func changedBytes() {
    let bytes = Array(XMLScannerTests.sample.utf8)
    for index in bytes.indices {
      for byte: UInt8 in [0, 0x22, 0x26, 0x2F, 0x3C, 0x3E, 0x80, 0xFF] {
        var changed = bytes
        changed[index] = byte
        var scanner = XMLScanner(changed)
        var count = 0
        while (try? scanner.next()) == true { count += 1 }
        #expect(count <= bytes.count)
      }
    }
  }
}
