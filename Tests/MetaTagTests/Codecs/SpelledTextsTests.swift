import Testing

@testable import MetaTag

@Suite("Coordinates and days in texts")
struct SpelledTextsTests {
  @Test("Any bytes can be looked at, of any length")
  func anyBytes() throws {
    let alphabet = Array("0012 .,'°\"NEdeg20240518May:-\u{0}\u{0}".utf8) + [0xB0, 0xC2, 0xE2, 0x80, 0xB2, 0xFF]
    var state: UInt64 = 7
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let day = try #require(CivilTime(year: 2024, month: 5, day: 18))
    for _ in 0..<20_000 {
      let bytes = Bytes((0..<random(24)).map { _ in alphabet[random(alphabet.count)] })
      for view in [bytes, bytes.wideTexts] {
        var places = CoordinateTexts(old: [20.2], wanted: [], seeksAny: true)
        places.look(in: view)
        var days = DayTexts(of: [day])
        days.look(in: view)
      }
    }
  }

  @Test("Texts of 16-bit characters begin and end anywhere")
  func wide() {
    let text = Array("at 2.5".utf8)
    let little = text.flatMap { [$0, UInt8(0)] }
    let big = text.flatMap { [UInt8(0), $0] }
    for bytes in [little, big, [0xFF, 0xFE] + little, [0, 0] + big + [0, 0, 9]] {
      #expect(Bytes(bytes).wideTexts.firstIndex(of: text) != nil, "\(bytes)")
    }
    #expect(Bytes(text).wideTexts.count == 0)
  }
}
