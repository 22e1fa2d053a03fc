import Testing

@testable import MetaTag

@Suite("Capture time")
struct CaptureTimeTests {
  @Test(
    "A capture time is parsed in the forms that people and cameras write.",
    arguments: [
      ("2024-05-23T18:38:41.601+09:00", "2024-05-23T18:38:41.601+09:00"),
      ("2024:05:23 18:38:41", "2024-05-23T18:38:41"), ("2024-05-23 18:38", "2024-05-23T18:38:00"),
      ("2024-05-23T18:38Z", "2024-05-23T18:38:00+00:00"), ("2024-05-23 18:38:41.50", "2024-05-23T18:38:41.50"),
      ("2024-05-23T18:38:41-0330", "2024-05-23T18:38:41-03:30"), (" 2024-05-23T18:38:41 ", "2024-05-23T18:38:41"),
    ])
  func reads(text: String, expected: String) throws {
    #expect(try CaptureTime(parsing: text).description == expected)
  }

  @Test(
    "A capture time that doesn't exist is refused.",
    arguments: [
      "2024:02:30 10:00:00", "0000:00:00 00:00:00", "    :  :     :  :  ", "2024:05:23 24:00:00", "2024-05-23",
      "18:38:41", "", "2024-05-23T18:38:41+25:00", "2024-05-23T18:38:41.", "２０２４-05-23T18:38:41", "now",
      "2024-05-23T18:38:41 Asia/Tokyo", "2024-05-23T18:38:60",
    ])
  func refuses(text: String) {
    #expect(throws: ParseError.self) { try CaptureTime(parsing: text) }
  }

  @Test("A capture time is an instant only if its offset is known.")
  func instant() throws {
    #expect(try CaptureTime(parsing: "2024-05-23T18:38:41").instant == nil)
    let known = try CaptureTime(parsing: "2024-05-23T18:38:41.601+09:00").instant
    #expect(known == Instant(seconds: 1_716_457_121, nanoseconds: 601_000_000))
  }

  @Test(
    "A shift moves a capture time with its fraction.",
    arguments: [
      ("2024-05-01T10:00:00.75", "+0.5s", "2024-05-01T10:00:01.25"),
      ("2024-05-01T10:00:00.25+02:00", "-0.5s", "2024-05-01T09:59:59.75+02:00"),
      ("2024-05-23T18:38:41.601+09:00", "+1h", "2024-05-23T19:38:41.601+09:00"),
      ("2024-05-01T10:00:00.50", "+0.5s", "2024-05-01T10:00:01.00"),
      ("2024-05-01T10:00:00", "1s", "2024-05-01T10:00:01"),
    ])
  func moved(from: String, by: String, to: String) throws {
    #expect(try CaptureTime(parsing: from).adding(TimeShift(parsing: by))?.description == to)
  }
}

@Suite("UTC offset")
struct UTCOffsetTests {
  @Test(
    "An offset is parsed in EXIF's form and in shorter ones.",
    arguments: [
      ("+09:00", 32_400), ("-03", -10_800), ("+0545", 20_700), ("Z", 0), ("-00:30", -1_800), ("+23:59", 86_340),
    ])
  func reads(text: String, seconds: Int) { #expect(UTCOffset(text)?.seconds == seconds) }

  @Test(
    "Any other text is not an offset.",
    arguments: ["", "   :  ", "+24:00", "+09:60", "9", "+9", "+09:0", "09:00", "+09:00:00", "JST"])
  func refuses(text: String) { #expect(UTCOffset(text) == nil) }

  @Test("An offset is a whole number of minutes and less than a day.", arguments: [30, 86_400, -86_400, 1])
  func bounds(seconds: Int) { #expect(UTCOffset(seconds: seconds) == nil) }

  @Test(
    "An offset is written with a sign and a colon.",
    arguments: [(0, "+00:00"), (-12_600, "-03:30"), (20_700, "+05:45")])
  func writes(seconds: Int, text: String) { #expect(UTCOffset(seconds: seconds)?.description == text) }
}

@Suite("Fraction of a second")
struct SecondFractionTests {
  @Test(
    "A fraction is parsed from the digits after the decimal point.",
    arguments: [("5", 500_000_000), ("050", 50_000_000), ("601", 601_000_000), ("000000001", 1)] as [(String, Int32)])
  func reads(digits: String, nanoseconds: Int32) { #expect(SecondFraction(digits: digits)?.nanoseconds == nanoseconds) }

  @Test("A fraction has one to nine ASCII digits.", arguments: ["", "1234567890", "1a", "-1", "５"])
  func refuses(digits: String) { #expect(SecondFraction(digits: digits) == nil) }

  @Test("A fraction is written with as many digits as it needs.")
  func writes() {
    #expect(SecondFraction(nanoseconds: 250_000_000).digits == "25")
    #expect(SecondFraction(nanoseconds: 0).digits == "0")
    #expect(SecondFraction(nanoseconds: 500_000_000, minimumDigits: 3).digits == "500")
    #expect(SecondFraction(nanoseconds: 7).digits == "000000007")
  }
}
