@testable import Basics
import TestSupport
import Testing

@testable import MetaTag

@Suite("Shifting by months and years")
struct CalendarShiftTests {
  @Test(
    "A calendar shift is parsed with its units: m is a minute, mo a month.",
    arguments: [
      ("+1mo", 1, "0s", "+1mo"), ("-1y", -12, "0s", "-1y"), ("+1y2mo", 14, "0s", "+1y2mo"),
      ("1 month", 1, "0s", "+1mo"), ("-2 years", -24, "0s", "-2y"), ("1 year 2 months 3 days", 14, "+3d", "+1y2mo3d"),
      ("+1y2mo3d4h5m6.5s", 14, "+3d4h5m6.5s", "+1y2mo3d4h5m6.5s"), ("-1mo2h", -1, "-2h", "-1mo2h"),
      ("+1mo 1:30:00", 1, "+1h30m", "+1mo1h30m"), ("+1m", 0, "+1m", "+1m"), ("+1h30m", 0, "+1h30m", "+1h30m"),
      ("−1MO", -1, "0s", "-1mo"), ("12mo", 12, "0s", "+1y"), ("+0mo", 0, "0s", "0s"), ("+ 1 yr", 12, "0s", "+1y"),
    ] as [(String, Int, String, String)])
  func reads(text: String, months: Int, span: String, written: String) throws {
    let shift = try CalendarShift(parsing: text)
    #expect(shift == CalendarShift(months: months, try TimeShift(parsing: span)))
    #expect(shift.description == written)
    #expect(try CalendarShift(parsing: written) == shift)
  }

  @Test(
    "An ambiguous calendar shift is refused.",
    arguments: [
      ("1.5mo", "whole numbers"), ("1mo1y", "long to short"), ("1mo1mo", "long to short"), ("1mo-2h", "sign"),
      ("1mo+2h", "sign"), ("mo", "whole numbers"),
      ("+1M", "M may be minutes (m) or months (mo)"), ("1mo 1:30", "may be hours or minutes"),
      ("999999y", "whole numbers"), ("1mo5", "without a unit"),
      ("90", "without a unit"), ("", "missing"), ("1d1mo", "long to short"), ("1w", "'w' is not a unit"),
      ("1q", "'q' is not a unit"), ("next year", "not a time span"),
    ])
  func refuses(text: String, sentence: String) {
    let error = #expect(throws: ParseError.self) { try CalendarShift(parsing: text) }
    #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
  }

  @Test(
    "A refused calendar shift gets an example, or the units to use.",
    arguments: [
      ("1w", .writeLike("7d")), ("1q", .useOneOf(["y", "mo", "d", "h", "m", "s"])), ("1mo1y", .writeLike("+1y2mo3d")),
      ("1d1mo", .writeLike("+1y2mo3d")), ("90", .writeLike("90s", or: ["+1h30m"])), ("1mo-2h", nil),
    ] as [(String, Remedy?)])
  func advises(text: String, remedy: Remedy?) {
    let error = #expect(throws: ParseError.self) { try CalendarShift(parsing: text) }
    #expect(error?.remedy == remedy)
  }

  @Test(
    "A shift by months ends on the month's last day if the day doesn't exist there.",
    arguments: [
      ("2024-01-31T10:00:00", "+1mo", "2024-02-29T10:00:00"), ("2023-01-31T10:00:00", "+1mo", "2023-02-28T10:00:00"),
      ("2024-02-29T10:00:00", "+1y", "2025-02-28T10:00:00"), ("2024-02-29T10:00:00", "+4y", "2028-02-29T10:00:00"),
      ("2024-03-31T10:00:00", "-1mo", "2024-02-29T10:00:00"), ("2024-12-15T10:00:00", "+1mo", "2025-01-15T10:00:00"),
      ("2024-01-15T10:00:00", "-1mo", "2023-12-15T10:00:00"), ("2024-01-31T23:00:00", "+1mo2h", "2024-03-01T01:00:00"),
      ("2024-01-31T10:00:00.75+09:00", "+1mo0.5s", "2024-02-29T10:00:01.25+09:00"),
      ("2024-05-31T10:00:00", "-1y3mo", "2023-02-28T10:00:00"), ("0000-01-31T00:00:00", "-1mo", nil),
      ("9999-12-01T00:00:00", "+1mo", nil), ("0001-01-31T00:00:00", "-12mo", "0000-01-31T00:00:00"),
      ("2024-01-31T10:00:00", "+9000y", nil),
    ] as [(String, String, String?)])
  func moves(from: String, by: String, to: String?) throws {
    let time = try CaptureTime(parsing: from)
    #expect(time.adding(try CalendarShift(parsing: by)).map { "\($0)" } == to)
  }

  @Test(
    "A shift that is cut to the month's last day gives a warning.",
    arguments: [("2024-01-31", true), ("2024-01-29", false)])
  func clamping(day: String, isClamped: Bool) throws {
    let time = try CaptureTime(parsing: day + "T10:00:00")
    #expect((CalendarShift(months: 1).clamping(time.civil) != nil) == isClamped)
    #expect(CalendarShift(TimeShift(seconds: 86_400)).clamping(time.civil) == nil)
    var photo = Metadata()
    photo.captureTimes = [Sourced(time, .exif, tag: "DateTimeOriginal")]
    var edit = MetadataEdit()
    edit.dates = .adjust(CalendarShift(months: 1), offset: .keep)
    let warnings = isClamped ? ["2024-01-31 plus +1mo is 2024-02-29, the last day of its month"] : []
    #expect(edit.warnings(before: photo, after: nil, now: nil).map(\.description) == warnings)
  }

  @Test(
    "A date without a time of day moves by whole days and months, or with the photo's time on that day.",
    arguments: [
      ("2024-01-31", "+1h30m", nil, "2024-01-31"), ("2024-01-31", "+1d", nil, "2024-02-01"),
      ("2024-01-31", "+1mo", nil, "2024-02-29"), ("2024-01-31", "+1mo1d", nil, "2024-03-01"),
      ("2024-01-31", "+1mo1h", nil, "2024-01-31"), ("2024-01-31", "+24h", nil, "2024-02-01"),
      ("2024-01-31", "+1h30m", "2024-01-31T23:00:00", "2024-02-01"),
      ("2024-01-31", "+1h30m", "2024-01-31T10:00:00", "2024-01-31"),
      ("2024-01-31", "+1h30m", "2024-02-01T23:00:00", "2024-01-31"),
      ("2024-01-31", "+1mo1h", "2024-01-31T10:00:00", "2024-02-29"), ("9999-12-31", "+1d", nil, nil),
    ] as [(String, String, String?, String?)])
  func days(day: String, by: String, time: String?, to: String?) throws {
    let anchor = try time.map { try CaptureTime(parsing: $0) }
    let shift = try CalendarShift(parsing: by).anchored(at: anchor)
    #expect(shift.moving(try PartialDate(parsing: day)).map { "\($0)" } == to)
  }

  @Test("A copy without a fraction moves with the second of the time that has one.")
  func coarseCopies() throws {
    let anchor = try CaptureTime(parsing: "2024-05-01T10:00:00.75")
    let shift = try CalendarShift(parsing: "+0.5s").anchored(at: anchor)
    #expect(CaptureTime(anchor.civil).adding(shift) == (try CaptureTime(parsing: "2024-05-01T10:00:01")))
    let other = try CaptureTime(parsing: "2024-05-01T11:00:00")
    #expect(other.adding(shift) == (try CaptureTime(parsing: "2024-05-01T11:00:00.5")))
  }

  @Test("A copy without seconds moves with the minute of the time that has them, if it shows the same minute.")
  func withoutSeconds() throws {
    let anchor = try CaptureTime(parsing: "2005-05-23T00:30:07")
    for (span, moved) in [("+1h23m40s", "01:53:00"), ("+55s", "00:31:00"), ("-10s", "00:29:00"), ("+1h", "01:30:00")] {
      let shift = try CalendarShift(parsing: span).anchored(at: anchor)
      let copy = try CaptureTime(parsing: "2005-05-23T00:30:00")
      #expect(copy.adding(shift).map { "\($0)" } == "2005-05-23T" + moved)
      let back = try CalendarShift(TimeShift(parsing: span).negated).anchored(at: anchor.adding(shift))
      #expect(copy.adding(shift)?.adding(back) == copy)
    }
    let shift = try CalendarShift(parsing: "+40s").anchored(at: anchor)
    #expect(try CaptureTime(parsing: "2005-05-23T00:31:00").adding(shift)?.civil.second == 40)
  }

  @Test("Shifting forth and back restores every time, unless the day was cut to the month's last.")
  func inverse() throws {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<5_000 {
      let civil = try #require(CivilTime(secondsSince1970: .random(in: 0...4_000_000_000, using: &generator)))
      let fraction = SecondFraction(
        nanoseconds: .random(in: 0..<1_000, using: &generator) * 1_000_000, minimumDigits: 3)
      let time = CaptureTime(civil, fraction: fraction)
      let months = Int.random(in: -600...600, using: &generator)
      let span = TimeShift(
        seconds: .random(in: -10_000_000...10_000_000, using: &generator),
        nanoseconds: .random(in: 0..<1_000, using: &generator) * 1_000_000)
      #expect(time.adding(span)?.adding(span.negated) == time)
      let shift = CalendarShift(months: months)
      if shift.clamping(civil) == nil { #expect(time.adding(shift)?.adding(CalendarShift(months: -months)) == time) }
    }
  }
}
