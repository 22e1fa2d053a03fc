import Testing

@testable import MetaTag

struct XMPDateTests {
  @Test(
    "Every ISO 8601 form that XMP allows is read.",
    arguments: [
      ("2024-05-23T18:38:41", "2024-05-23T18:38:41"), ("2024-05-23T18:38", "2024-05-23T18:38:00"),
      ("2024-05-23T18:38+09:00", "2024-05-23T18:38:00+09:00"), ("2024-05-23T18:38:41Z", "2024-05-23T18:38:41+00:00"),
      ("2024-05-23T18:38:41.601+09:00", "2024-05-23T18:38:41.601+09:00"),
      (" 2024-05-23 18:38:41\n", "2024-05-23T18:38:41"),
      ("2024-05-23T18:38:41.1234567891234-05:30", "2024-05-23T18:38:41.123456789-05:30"),
      ("2014-09-21T16:00:56.000000+02:00", "2014-09-21T16:00:56.000000+02:00"),
      ("2021:09:05 12:00:00", "2021-09-05T12:00:00"), ("2021:09:05 12:00:00.123", "2021-09-05T12:00:00.123"),
      ("2021:09:05T12:00:00+02:00", "2021-09-05T12:00:00+02:00"),
    ])
  func times(text: String, value: String) {
    guard case .time(let time, _) = XMPDate(text) else {
      Issue.record("\(text) is not a time")
      return
    }
    #expect("\(time)" == value)
  }

  @Test("A date may end after the year, month or day.", arguments: ["2024", "2024-05"])
  func partial(text: String) throws {
    #expect(XMPDate(text) == .partial(try PartialDate(parsing: text)))
    for text in ["1975-00", "1975:00:00 00:00:00", "1975:  :     :  :  "] {
      #expect(XMPDate(text) == .partial(try PartialDate(parsing: "1975")))
    }
    #expect(XMPDate("1975:06:00 00:00:00") == .partial(try PartialDate(parsing: "1975-06")))
  }

  @Test("A date without a time is a day.")
  func day() throws {
    let day = try PartialDate(parsing: "2024-05-23")
    #expect(XMPDate("2024-05-23") == .partial(day) && XMPDate("2024:05:23") == .partial(day))
  }

  @Test("Blanks and zeros are neither a date nor malformed.", arguments: ["", "  ", "0000-00-00T00:00:00", "0000"])
  func blanks(text: String) {
    #expect(XMPDate(text) == .blank)
  }

  @Test(
    "A text that isn't a date is malformed.",
    arguments: [
      "2024:05-23 18:38:41", "2024-05:23T18:38:41", "2024:02:30 18:38:41", "2024:5:23 18:38:41", "2024-5-3", "2024-13",
      "2024-02-30", "2024-05-23T24:00:00", "2024-05-23T18",
      "2024-05-23T18:38:41.", "2024-05-23T18:38:41.+02:00", "2024-05-23T18:38:41+25:00", "yesterday", "2147483650",
      "-9223372036854775807-3", "2012-02-2147483647", "2005-09-07415:07:40-07:00",
      "2024-04-22T14:38:09.526GMT+02:00", "2024-05-23T18:38:41Zulu", "٢٠٢٤-05-23",
    ])
  func malformed(text: String) {
    #expect(XMPDate(text) == .malformed)
  }

  private static func shift(_ nanoseconds: Int64) -> TimeShift {
    TimeShift(seconds: nanoseconds / 1_000_000_000, nanoseconds: Int32(nanoseconds % 1_000_000_000))
  }

  @Test(
    "A shifted date is exact and keeps its form.",
    arguments: [
      ("2024-05-23T10:00:00.75", 500_000_000, "2024-05-23T10:00:01.25"),
      ("2024-05-23T10:00:00.50", 500_000_000, "2024-05-23T10:00:01.00"),
      ("2024-05-23T10:00:00", 250_000_000, "2024-05-23T10:00:00.25"),
      ("2024-05-23T10:00:00", -250_000_000, "2024-05-23T09:59:59.75"),
      ("2024-05-23T10:00:00.7Z", 3_600_000_000_000, "2024-05-23T11:00:00.7Z"),
      ("2023-12-31T23:00+09:00", 5_400_000_000_000, "2024-01-01T00:30:00+09:00"),
      ("2024-02-28T23:30:00-0330", 3_600_000_000_000, "2024-02-29T00:30:00-0330"),
      ("2024-02-28", 172_800_000_000_000, "2024-03-01"), ("2024-02-28", 3_600_000_000_000, nil), ("2024-02", 1, nil),
      ("2024-02-28", 0, nil), ("2024-02-28T10:00", 0, nil), ("nonsense", 3_600_000_000_000, nil), ("", 86_400, nil),
    ] as [(String, Int64, String?)])
  func moved(text: String, nanoseconds: Int64, moved: String?) throws {
    #expect(try XMPDate(text).text(after: .adjust(XMPDateTests.shift(nanoseconds), offset: .keep)) == moved)
  }

  @Test(
    "A zone is kept, set or removed.",
    arguments: [
      ("2024-05-23T10:00:00.5", "2024-05-23T10:00:00.5+05:45", nil),
      ("2024-05-23T10:00:00Z", "2024-05-23T10:00:00+05:45", "2024-05-23T10:00:00"),
      ("2024-05-23T10:00:00+0545", nil, "2024-05-23T10:00:00"), ("2024-05-23", nil, nil),
    ] as [(String, String?, String?)])
  func zones(text: String, set: String?, removed: String?) throws {
    let offset = try #require(UTCOffset("+05:45"))
    #expect(try XMPDate(text).text(after: .adjust(.zero, offset: .set(offset))) == set)
    #expect(try XMPDate(text).text(after: .adjust(.zero, offset: .remove)) == removed)
    #expect(try XMPDate(text).text(after: .adjust(.zero, offset: .keep)) == nil)
  }

  @Test(
    "A date that is set keeps its zone unless another is given.",
    arguments: [
      ("2024-05-23T18:38:41.601+09:00", "2023-01-02T03:04:05+09:00", "2023-01-02T03:04:05-01:00"),
      ("2024-05-23T18:38Z", "2023-01-02T03:04:05Z", "2023-01-02T03:04:05-01:00"),
      ("2024-05-23T18:38:41", "2023-01-02T03:04:05", "2023-01-02T03:04:05-01:00"),
      ("2023-01-02T03:04:05", nil, "2023-01-02T03:04:05-01:00"), ("2023-01-02T03:04:05-0100", nil, nil),
      ("2024-05-23", "2023-01-02T03:04:05", "2023-01-02T03:04:05-01:00"),
      ("2024", "2023-01-02T03:04:05", "2023-01-02T03:04:05-01:00"),
      ("2024:05:23 1:2:3", "2023-01-02T03:04:05", "2023-01-02T03:04:05-01:00"),
      ("", "2023-01-02T03:04:05", "2023-01-02T03:04:05-01:00"),
    ] as [(String, String?, String?)])
  func set(text: String, plain: String?, zoned: String?) throws {
    var time = CaptureTime(
      try #require(CivilTime(year: 2023, month: 1, day: 2, hour: 3, minute: 4, second: 5)))
    #expect(try XMPDate(text).text(after: .set(time)) == plain)
    time.offset = UTCOffset("-01:00")
    #expect(try XMPDate(text).text(after: .set(time)) == zoned)
  }

  @Test("A date in EXIF's form is read and reported, and rewriting it uses XMP's form.")
  func exifText() throws {
    let old = "2021:09:05 12:00:00"
    let same = try CaptureTime(parsing: "2021-09-05T12:00:00")
    #expect(try XMPDate.text(instead: old, after: .keep) == nil)
    #expect(try XMPDate.text(instead: old, after: .adjust(.zero, offset: .keep)) == nil)
    #expect(
      try XMPDate.text(instead: old, after: .adjust(TimeShift(seconds: 60), offset: .keep)) == "2021-09-05T12:01:00")
    #expect(try XMPDate.text(instead: old, after: .set(same)) == "2021-09-05T12:00:00")
    let half = DateChange.adjust(TimeShift(seconds: 0, nanoseconds: 500_000_000), offset: .keep)
    #expect(try XMPDate.text(instead: "2021-09-05T12:00Z", after: half) == "2021-09-05T12:00:00.5Z")
    #expect(try XMPDate.text(instead: "2021-09-05T12:00:00", after: .set(same)) == nil)
    let year = try PartialDate(parsing: "1975-06")
    #expect(try XMPDate.text(instead: "1975:06", after: .setPartial(year)) == "1975-06")
    let packet = XMPSample.packet("exif:DateTimeOriginal='\(old)' xmp:CreateDate='2021-09-05T12:00:00'")
    let metadata = try XMPSample.metadata(packet)
    #expect(metadata.captureTimes.map(\.value) == [same] && metadata.malformedDates.isEmpty)
    #expect(metadata.irregularDates == [Sourced(old, .xmp, tag: "exif:DateTimeOriginal")])
    let repair = DateRepairPlanner(DateFacts(), zone: { _ in nil }).propose(for: metadata)
    guard case .change(let edit, _) = repair else {
      Issue.record("\(repair)")
      return
    }
    let mended = try #require(try XMPSample.edited(packet, edit))
    #expect(try XMPSample.metadata(mended).irregularDates == [])
    #expect(XMPSample.text(mended) == XMPSample.text(packet).replacing(old, with: "2021-09-05T12:00:00"))
  }

  @Test("A date that would leave the calendar is refused.", arguments: ["9999-12-31T23:59:59", "9999-12-31"])
  func outOfRange(text: String) {
    let shift = TimeShift(seconds: 86_400)
    let error = #expect(throws: FileError.self) { try XMPDate(text).text(after: .adjust(shift, offset: .keep)) }
    #expect(error?.kind == .refused)
    #expect(throws: FileError.self) {
      try XMPDate(text).text(after: .adjust(TimeShift(seconds: .max / 86_400 * 86_400), offset: .keep))
    }
  }
}
