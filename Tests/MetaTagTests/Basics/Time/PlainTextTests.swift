import TestSupport
import Testing

@testable import MetaTag

@Suite("Numbers and times in bytes")
struct PlainTextTests {
  static func number(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    return PlainText.number(bytes, bytes.indices)
  }

  static func time(_ text: String) -> (time: CivilTime, nanoseconds: Int32, offset: Int?)? {
    let bytes = Array(text.utf8)
    return PlainText.dateTime(bytes, bytes.indices)
  }

  @Test(
    "A number is parsed as the nearest double.",
    arguments: [
      "0", "-0", "1", "+1", "-33.8568", "151.2153", "47.423196036368608474731445312500", "0.1", ".5", "5.",
      "139.7221489999",
      "1e-5", "1.5E+3", "0.000000000000000000000001", "123456789012345678", "9007199254740993", "9007199254740992.5",
      "179.99999999999999999", "00000000000000000000012.5", "8.98846567431158e307",
    ])
  func numbers(text: String) { #expect(PlainTextTests.number(text)?.bitPattern == Double(text)?.bitPattern) }

  @Test("White space around a number is ignored.") func blanks() {
    #expect(PlainTextTests.number(" \n-1.5\t") == -1.5)
  }

  @Test(
    "A text that isn't a decimal number is refused.",
    arguments: [
      "", " ", ".", "-", "nan", "inf", "0x10", "1,5", "1.2.3", "1 2", "1e", "e5", "1e999", "--1", "１", "1e5x",
      String(repeating: "1", count: 101),
    ])
  func noNumbers(text: String) { #expect(PlainTextTests.number(text) == nil) }

  @Test("Any number is parsed as the standard library parses it.")
  func anyNumber() {
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<20_000 {
      let whole = String(Int.random(in: -180...180, using: &generator))
      let decimals = (0..<Int.random(in: 1...20, using: &generator)).map { _ in
        String(Int.random(in: 0...9, using: &generator))
      }
      let text = whole + "." + decimals.joined()
      #expect(PlainTextTests.number(text) == Double(text))
    }
  }

  @Test(
    "A time may have a fraction and an offset.",
    arguments: [
      ("2024-05-01T10:02:30Z", "2024-05-01T10:02:30", 0, 0), ("2024-05-01T10:02:30", "2024-05-01T10:02:30", 0, nil),
      (" 2024-05-01T10:02:30.25+02:00\n", "2024-05-01T10:02:30", 250_000_000, 7_200),
      ("2024-05-01 10:02:30,5-0330", "2024-05-01T10:02:30", 500_000_000, -12_600),
      ("2024-05-01t10:02:30.1234567899z", "2024-05-01T10:02:30", 123_456_789, 0),
      ("2024-05-01T10:02:30+05", "2024-05-01T10:02:30", 0, 18_000),
    ] as [(String, String, Int32, Int?)])
  func times(text: String, civil: String, nanoseconds: Int32, offset: Int?) throws {
    let time = try #require(PlainTextTests.time(text))
    #expect(time.time.description == civil)
    #expect(time.nanoseconds == nanoseconds)
    #expect(time.offset == offset)
  }

  @Test(
    "A text that isn't a time is refused.",
    arguments: [
      "", "2024-05-01", "2024-05-01T10:02", "2024-02-30T10:00:00Z", "2024-05-01T24:00:00Z", "2024-05-01T10:02:30.Z",
      "2024-05-01T10:02:30ZZ", "2024-05-01T10:02:30+2", "2024-05-01T10:02:30+24:00", "2024-05-01T10:02:30+02:60",
      "24-05-01T10:02:30Z",
      "2024-05-01T10:02:30 UTC", "-2024-05-01T10:02:30Z", "2024/05/01 10:02:30",
    ])
  func noTimes(text: String) { #expect(PlainTextTests.time(text) == nil) }
}
