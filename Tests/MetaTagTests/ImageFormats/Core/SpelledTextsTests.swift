import Testing

@testable import MetaTag

@Suite("Coordinates and dates in text")
struct SpelledTextsTests {
  @Test("Any bytes of any length can be searched.")
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

  @Test(
    "A day is found in the languages that people write it in.",
    arguments: [
      "18 May 2024", "May 18th, 2024", "18. Mai 2024", "18 mai 2024", "18 de mayo de 2024", "18 maggio 2024",
      "18 de maio de 2024", "18 mei 2024", "18\u{A0}Mai\u{A0}2024", "2024年05月18日", "am 18.05.2024.",
    ])
  func day(text: String) throws {
    var days = DayTexts(of: [try #require(CivilTime(year: 2024, month: 5, day: 18))])
    days.look(in: Bytes(Array(text.utf8)))
    #expect(days.found.count == 1)
  }

  @Test(
    "A month's name with an accent is recognised; another month or day is not.",
    arguments: [
      ("3 août 2024", 8, true), ("3. März 2024", 3, true), ("3 févr. 2024", 2, true), ("3 décembre 2024", 12, true),
      ("3. Dezember 2024", 12, true), ("1er août 2024", 8, false), ("3 juin 2024", 7, false),
      ("3 juillet 2024", 7, true),
    ])
  func month(text: String, month: Int, isFound: Bool) throws {
    var days = DayTexts(of: [try #require(CivilTime(year: 2024, month: month, day: 3))])
    days.look(in: Bytes(Array(text.utf8)))
    #expect(days.found.isEmpty != isFound)
  }

  @Test("A known coordinate is found with a decimal comma.", arguments: ["47,5594 N, 7,5886 E", "(47,55941; 7,58862)"])
  func comma(text: String) {
    var places = CoordinateTexts(old: [47.5594], wanted: [], seeksAny: true)
    places.look(in: Bytes(Array(text.utf8)))
    #expect(places.oldText?.hasPrefix("47,5594") == true)
    var others = CoordinateTexts(old: [12.5], wanted: [], seeksAny: true)
    others.look(in: Bytes(Array(text.utf8)))
    #expect(others.oldText == nil)
  }

  @Test("Text of 16-bit characters is found at any byte offset.")
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
