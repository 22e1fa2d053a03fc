import Testing

@testable import metatag_cli

struct KeyDecoderTests {
  @Test(
    "Keys are decoded from terminal input.",
    arguments: [
      ("kyoto\r", [.text("kyoto"), .enter]), ("京都", [.text("京都")]), ("\u{1B}", [.escape]),
      ("a\u{1B}", [.text("a"), .escape]),
      ("\u{1B}[A\u{1B}[B\u{1B}OA\u{1B}OB", [.up, .down, .up, .down]), ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
      ("\u{1B}[1;5A", [.up]), ("\u{1B}[H\u{1B}[4~", [.first, .last]),
      ("\u{7F}\u{08}", [.eraseCharacter, .eraseCharacter]),
      ("\u{15}\u{17}\u{3}\u{4}", [.eraseAll, .eraseWord, .interrupt, .escape]),
      ("\u{1B}[200~San\nJosé\u{1B}[A\u{1B}[201~\r", [.text("San José[A"), .enter]), ("\u{1B}x", []),
      ("\u{1B}[15~a", [.text("a")]),
      ("\u{1B}\u{1B}", [.escape, .escape]),
    ] as [(String, [Key])])
  func keys(_ sent: String, _ keys: [Key]) {
    var decoder = KeyDecoder()
    #expect(decoder.keys(Array(sent.utf8)) == keys)
  }

  @Test(
    "Characters and sequences cut at any byte are decoded completely.", arguments: ["ü京🗼x", "\u{1B}[200~ü\u{1B}[201~b"])
  func cut(_ sent: String) {
    let bytes = Array(sent.utf8)
    for at in 1..<bytes.count where bytes[at - 1] != 0x1B {
      var decoder = KeyDecoder()
      let keys = decoder.keys(Array(bytes[..<at])) + decoder.keys(Array(bytes[at...]))
      let text = keys.reduce("") { if case .text(let more) = $1 { $0 + more } else { $0 } }
      #expect(text == (sent.hasPrefix("\u{1B}") ? "üb" : sent))
    }
  }

  @Test("Bytes that aren't UTF-8 are dropped.")
  func malformed() {
    var decoder = KeyDecoder()
    #expect(decoder.keys([0xFF, 0xC3, 0x41, 0x80, 0xF5, 0x42]) == [.text("AB")])
  }
}
