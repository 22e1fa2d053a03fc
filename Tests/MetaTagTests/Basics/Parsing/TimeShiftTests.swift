import TestSupport
import Testing

@testable import MetaTag

@Suite("Text of a time span")
struct TimeShiftTests {
  @Test(
    "A time span is parsed with its units.",
    arguments: [
      ("+1h23m", 4_980, 0), ("1h23m", 4_980, 0), ("-90s", -90, 0), ("+1d2h", 93_600, 0), ("90s", 90, 0),
      ("-1h23m10.5s", -4_991, 500_000_000), ("+0.25s", 0, 250_000_000), ("1.5h", 5_400, 0), ("0.1h", 360, 0),
      ("-0.000000001s", -1, 999_999_999), ("1d 2h 3m 4s", 93_784, 0), ("+1 day", 86_400, 0), ("-1 hour", -3_600, 0),
      ("30 minutes", 1_800, 0), ("+ 5 min", 300, 0), ("−5m", -300, 0), ("90m", 5_400, 0), ("+1H", 3_600, 0),
      ("+00:01:00", 60, 0), ("-0:30:00", -1_800, 0), ("1:23:00", 4_980, 0), ("100:00:00", 360_000, 0),
      ("+0:00:01.5", 1, 500_000_000), ("0s", 0, 0),
    ] as [(String, Int64, Int32)])
  func reads(text: String, seconds: Int64, nanoseconds: Int32) throws {
    #expect(try TimeShift(parsing: text) == TimeShift(seconds: seconds, nanoseconds: nanoseconds))
  }

  @Test("Whole seconds are exact, however many there are.")
  func wholeSeconds() {
    #expect(TimeShift(seconds: 9_007_199_254_740_993).seconds == 9_007_199_254_740_993)
  }

  @Test(
    "An ambiguous time span is refused.",
    arguments: [
      ("90", "'90' has a number without a unit"), ("+1", "without a unit"), ("1h30", "without a unit"),
      ("", "missing"), ("+", "missing"), ("h", "is not a time span"), ("1 month", "'month' is not a unit"),
      ("1y", "'y' is not a unit"), ("1m2h", "from long to short"), ("1h1h", "each once"), ("1.5h30m", "only the last"),
      ("1h-30m", "is not a time span"), ("1.2.3s", "is not a valid number"), (".5s", "is not a valid number"),
      ("1.s", "is not a valid number"),
      ("0.1234567890s", "is not a valid number"), ("99999999999999999999s", "exceeds the years"),
      ("9999999d", "exceeds the years"),
      ("1:60:00", "H:MM:SS"), ("1:2:00", "H:MM:SS"), ("1:00:00:00", "H:MM:SS"), ("1.5:00:00", "H:MM:SS"),
      (":30:00", "is not a valid number"), ("1:30", "may be hours or minutes"), ("-0:30", "may be hours or minutes"),
      ("1:30:00m", "H:MM:SS"),
      ("30M", "M may be minutes (m) or months"), ("１h", "is not a time span"), ("1e3s", "'e' is not a unit"),
      ("tomorrow", "is not a time span"), ("1,5h", "has a number with a comma"), ("1w", "'w' is not a unit"),
    ])
  func refuses(text: String, sentence: String) {
    let error = #expect(throws: ParseError.self) { try TimeShift(parsing: text) }
    #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
  }

  @Test(
    "A refused time span gets examples, or the units to use.",
    arguments: [
      ("90", .writeLike("90s", or: ["+1h30m"])), ("+1", .writeLike("90s", or: ["+1h30m"])),
      ("", .writeLike("+1h23m")), ("tomorrow", .writeLike("+1h23m", or: ["-90s"])),
      ("-0:30", .writeLike("1h20m", or: ["1m20s"])), ("1,5h", .writeLike("1.5h")), ("1w", .writeLike("7d")),
      ("1y", .useOneOf(["d", "h", "m", "s"])), ("1e3s", .useOneOf(["d", "h", "m", "s"])), ("1:60:00", nil),
      ("30M", nil), ("1m2h", nil),
    ] as [(String, Remedy?)])
  func advises(text: String, remedy: Remedy?) {
    let error = #expect(throws: ParseError.self) { try TimeShift(parsing: text) }
    #expect(error?.remedy == remedy)
  }

  @Test(
    "A time span is written in a form that can be parsed again.",
    arguments: [
      ("+1h23m", "+1h23m"), ("-90s", "-1m30s"), ("93600s", "+1d2h"), ("-0.5s", "-0.5s"), ("10.25s", "+10.25s"),
      ("0s", "0s"), ("-1h23m10.5s", "-1h23m10.5s"), ("400d", "+400d"), ("60m0.5s", "+1h0.5s"),
    ])
  func writes(given: String, written: String) throws {
    let shift = try TimeShift(parsing: given)
    #expect(shift.description == written)
    #expect(try TimeShift(parsing: written) == shift)
  }

  @Test("Every time span comes back from its text.")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<2_000 {
      let shift = TimeShift(
        seconds: .random(in: -10_000_000...10_000_000, using: &generator),
        nanoseconds: .random(in: 0...999_999_999, using: &generator))
      #expect(try TimeShift(parsing: shift.description) == shift)
    }
  }
}
