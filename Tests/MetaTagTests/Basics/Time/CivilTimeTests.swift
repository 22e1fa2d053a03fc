import TestSupport
import Testing

@testable import MetaTag

@Suite("Civil time")
struct CivilTimeTests {
  @Test(
    "Civil times convert to and from POSIX seconds.",
    arguments: [
      ("1970-01-01T00:00:00", 0), ("2024-05-23T09:38:41", 1_716_457_121), ("2000-02-29T12:00:00", 951_825_600),
      ("1900-03-01T00:00:00", -2_203_891_200), ("0000-01-01T00:00:00", -62_167_219_200),
      ("0000-02-29T00:00:00", -62_162_121_600), ("0001-01-01T00:00:00", -62_135_596_800),
      ("9999-12-31T23:59:59", 253_402_300_799), ("1969-12-31T23:59:59", -1),
    ] as [(String, Int64)])
  func knownValues(text: String, seconds: Int64) throws {
    let civil = try #require(CivilTime(secondsSince1970: seconds))
    #expect(civil.description == text)
    #expect(civil.secondsSince1970 == seconds)
  }

  @Test("Every civil time comes back from its seconds.")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      let seconds = Int64.random(in: -62_167_219_200...253_402_300_799, using: &generator)
      let civil = try #require(CivilTime(secondsSince1970: seconds))
      #expect(civil.secondsSince1970 == seconds)
    }
  }

  @Test(
    "Civil time ends at the years 0 and 9999.", arguments: [-62_167_219_201, 253_402_300_800, .min, .max] as [Int64])
  func ends(seconds: Int64) { #expect(CivilTime(secondsSince1970: seconds) == nil) }

  @Test(
    "Only days of the calendar are accepted.",
    arguments: [
      (2024, 2, 29, true), (2023, 2, 29, false), (1900, 2, 29, false), (2000, 2, 29, true), (2024, 4, 31, false),
      (2024, 13, 1, false), (2024, 0, 1, false), (2024, 5, 0, false), (-1, 1, 1, false), (10_000, 1, 1, false),
    ])
  func days(year: Int, month: Int, day: Int, exists: Bool) {
    #expect((CivilTime(year: year, month: month, day: day) != nil) == exists)
  }

  @Test("The hour 24, the minute 60 and the second 60 are refused.")
  func clock() {
    #expect(CivilTime(year: 2024, month: 5, day: 23, hour: 24) == nil)
    #expect(CivilTime(year: 2024, month: 5, day: 23, minute: 60) == nil)
    #expect(CivilTime(year: 2024, month: 5, day: 23, second: 60) == nil)
  }

  @Test(
    "Civil time moves across midnight, leap days and New Year.",
    arguments: [
      ("2023-12-31T23:00:00", 5_400, "2024-01-01T00:30:00"), ("2024-02-28T23:30:00", 3_600, "2024-02-29T00:30:00"),
      ("2023-02-28T23:30:00", 3_600, "2023-03-01T00:30:00"), ("2024-03-01T00:00:00", -1, "2024-02-29T23:59:59"),
    ] as [(String, Int64, String)])
  func moves(from: String, by seconds: Int64, to: String) throws {
    #expect(try CaptureTime(parsing: from).civil.adding(seconds: seconds)?.description == to)
  }

  @Test("Civil time doesn't move out of the calendar.")
  func leavesNot() throws {
    let last = try #require(CivilTime(year: 9999, month: 12, day: 31))
    #expect(last.adding(seconds: 86_400) == nil)
    #expect(last.adding(seconds: .max) == nil)
  }
}
