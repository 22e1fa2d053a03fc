import Testing

@testable import MetaTag

@Suite("Delimited text")
struct DelimitedTextTests {
  /// Hands out its bytes in pieces of one size.
  private struct Pieces: ByteStream {
    var rest: ArraySlice<UInt8>
    let size: Int

    mutating func next() throws(FileError) -> [UInt8]? {
      let piece = rest.prefix(size)
      rest = rest.dropFirst(size)
      return piece.isEmpty ? nil : Array(piece)
    }
  }

  /// The fields of all records, separated by bars, after their line and row.
  private static func records(_ text: DelimitedText) throws -> [String] {
    var text = text
    var records: [String] = []
    while let record = try text.next() {
      let fields = record.fields.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "|")
      records.append("\(record.line),\(record.row) \(fields)")
    }
    return records
  }

  @Test(
    "Records are split at separators and line ends outside quotation marks.",
    arguments: [
      ("a,b\nc,d\n", ["1,1 a|b", "2,2 c|d"]), ("a;b\r\nc;\r\n", ["1,1 a|b", "2,2 c|"]),
      ("a\tb\rc", ["1,1 a|b", "2,2 c"]),
      ("\n\na,b\n\nc,d", ["3,3 a|b", "5,5 c|d"]), ("\"a,b\",\"c\nd\"\ne", ["1,1 a,b|c\nd", "3,2 e"]),
      ("\"a\"\"b\",c", ["1,1 a\"b|c"]), ("a\"b,c\"d", ["1,1 a\"b|c\"d"]), ("\"a\"b\"c,d", ["1,1 ab\"c|d"]),
      ("a, \"b,c\" ,d", ["1,1 a|b,c |d"]), ("sep=|\na|b\n", ["2,2 a|b"]), ("\r\nsep=;\r\na;b,c\r\n", ["3,3 a|b,c"]),
      ("\u{FEFF}a,b", ["1,1 a|b"]), ("", []), ("\n\r\n", []), ("a", ["1,1 a"]), ("\"\"", []), (",", ["1,1 |"]),
      ("a;\"b,c,d\";e", ["1,1 a|b,c,d|e"]), ("a;b, c", ["1,1 a|b, c"]), ("a,b;c", ["1,1 a|b;c"]),
    ] as [(String, [String])])
  func records(text: String, expected: [String]) throws {
    #expect(try DelimitedTextTests.records(DelimitedText(Array(text.utf8))) == expected)
  }

  @Test("The size of the pieces in which a file arrives makes no difference.", arguments: [1, 2, 3, 7, 4_096, 70_000])
  func pieces(size: Int) throws {
    let lines = (0..<9_000).map { "\($0),\"a\"\"b,\n\($0)\",\(String(repeating: "x", count: $0 % 50))\r\n" }
    let bytes = Array((["n,text,x\n"] + lines).joined().utf8)
    let whole = try DelimitedTextTests.records(DelimitedText(bytes))
    #expect(whole.count == 9_001)
    let window = try InputWindow(Pieces(rest: bytes[...], size: size))
    #expect(try DelimitedTextTests.records(DelimitedText(window)) == whole)
  }

  @Test("A quotation mark that is never closed is an error, but in a track it ends with the line.")
  func unclosed() throws {
    let bytes = Array("a,b\nc,\"d\ne,f\n".utf8)
    let error = #expect(throws: FileError.self) { try DelimitedTextTests.records(DelimitedText(bytes)) }
    #expect(error?.kind == .malformed && error?.offset == 4)
    #expect(
      try DelimitedTextTests.records(DelimitedText(bytes, quotesSpanLines: false)) == ["1,1 a|b", "2,2 c|d", "3,3 e|f"])
  }

  @Test("A record without end is refused before it fills the memory.")
  func endless() throws {
    struct Endless: ByteStream {
      mutating func next() throws(FileError) -> [UInt8]? { [UInt8](repeating: 0x61, count: 1 << 20) }
    }
    let window = try InputWindow(Endless())
    let error = #expect(throws: FileError.self) { try DelimitedTextTests.records(DelimitedText(window)) }
    #expect(error?.kind == .malformed)
  }
}
