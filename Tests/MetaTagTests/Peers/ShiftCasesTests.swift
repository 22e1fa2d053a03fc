@testable import ImageFormats
import Testing

@testable import MetaTag

/// Worked cases of dates in other programs, each with metatag's result. Deliberate differences are marked.
@Suite("Worked cases of dates")
struct ShiftCasesTests {
  private func shifted(_ dates: [String], by shift: String) throws -> [String] {
    try dates.map { date in
      let photo = Sample.jpeg(Sample.exif(Sample.tiff(exif: [0x9003: .ascii(date)])))
      let before = try Editing.metadata(of: photo)
      guard case .change(let edit, _) = DatePlanner(.shift(try CalendarShift(parsing: shift))).propose(for: before)
      else {
        return "unchanged"
      }
      return try Editing.metadata(of: try Editing.edited(photo, edit)).captureTime.map { "\($0)" } ?? "none"
    }
  }

  @Test(
    "A month or a year later is the same day, or the month's last.",
    arguments: [
      // ExifTool and exiv2 write 2 March: they count the month before as days.
      (["2024:01:31 10:00:00"], "+1mo", ["2024-02-29T10:00:00"]),
      // ExifTool and exiv2 write 1 March.
      (["2024:02:29 10:00:00"], "+1y", ["2025-02-28T10:00:00"]),
      // ExifTool uses the first file's number of days for all: 2 and 17 March, or 29 February and 15 March.
      (["2024:01:31 10:00:00", "2024:02:15 10:00:00"], "+1mo", ["2024-02-29T10:00:00", "2024-03-15T10:00:00"]),
      (["2024:02:15 10:00:00", "2024:01:31 10:00:00"], "+1mo", ["2024-03-15T10:00:00", "2024-02-29T10:00:00"]),
    ])
  func months(dates: [String], shift: String, expected: [String]) throws {
    #expect(try shifted(dates, by: shift) == expected)
  }

  @Test(
    "Hours and minutes move the local time.",
    arguments: [
      ("2024:05:01 10:00:00", "+1.5h", "2024-05-01T11:30:00"), ("2024:05:01 10:00:00", "+1h30m", "2024-05-01T11:30:00"),
      // A night on which clocks were set from 2 to 3, which makes no difference here.
      ("2024:03:10 01:30:00", "+1h", "2024-03-10T02:30:00"), ("2023:12:31 23:00:00", "+1h30m", "2024-01-01T00:30:00"),
      ("2024:02:28 23:30:00", "+1h", "2024-02-29T00:30:00"), ("2023:02:28 23:30:00", "+1h", "2023-03-01T00:30:00"),
      // Zeros are not a date, so metatag doesn't move them either.
      ("0000:00:00 00:00:00", "+1h", "unchanged"),
    ])
  func clock(date: String, shift: String, expected: String) throws {
    #expect(try shifted([date], by: shift) == [expected])
  }

  @Test("A bare number is refused, because ExifTool's options read it as hours or as seconds.")
  func bare() {
    for text in ["1.5", "+1", "-90"] { #expect(throws: ParseError.self) { try CalendarShift(parsing: text) } }
  }

  @Test("A fraction is carried, unlike in ExifTool.")
  func fraction() throws {
    let half = try CalendarShift(parsing: "+0.5s")
    #expect(try CaptureTime(parsing: "2024-05-01T10:00:00.75").adding(half)?.description == "2024-05-01T10:00:01.25")
  }

  @Test(
    "Dates without a time move by exactly 1 h 30 min, unlike in ExifTool.",
    arguments: [("20240131", nil, "20240131", nil), ("20240131", "233000", "20240201", "010000")]
      as [(String, String?, String, String?)])
  func split(date: String, time: String?, newDate: String, newTime: String?) throws {
    // A separate date and time carry over midnight together; in ExifTool each moves alone.
    let block = { (date: String, time: String?) in
      IPTCSample.block([(UInt8(55), date)] + (time.map { [(UInt8(60), $0)] } ?? []))
    }
    var edit = MetadataEdit()
    edit.dates = .adjust(try CalendarShift(parsing: "+1h30m"), offset: .keep)
    let old = block(date, time)
    #expect(try IPTCSample.edited(old, edit) ?? old == block(newDate, newTime))
    let packet = XMPSample.packet("photoshop:DateCreated=\"2024-01-31\"")
    #expect(try XMPSample.edited(packet, edit) == nil)
  }

  @Test("A date without a time keeps to the day of the photo's time, in XMP and in IPTC.")
  func days() throws {
    var edit = MetadataEdit()
    let anchor = try CaptureTime(parsing: "2024-01-31T23:30:00")
    edit.dates = .adjust(try CalendarShift(parsing: "+1h30m").anchored(at: anchor), offset: .keep)
    let packet = try XMPSample.edited(XMPSample.packet("photoshop:DateCreated=\"2024-01-31\""), edit)
    #expect(XMPSample.text(packet).contains("photoshop:DateCreated=\"2024-02-01\""))
    let old = IPTCSample.block([(55, "20240131")])
    #expect(try IPTCSample.edited(old, edit) == IPTCSample.block([(55, "20240201")]))
    edit.dates = .adjust(CalendarShift(months: 1), offset: .keep)
    #expect(try IPTCSample.edited(old, edit) == IPTCSample.block([(55, "20240229")]))
    let month = try XMPSample.edited(XMPSample.packet("photoshop:DateCreated=\"2024-01-31\""), edit)
    #expect(XMPSample.text(month).contains("photoshop:DateCreated=\"2024-02-29\""))
  }

  @Test("The GPS time stays when the clock is corrected, unlike in ExifTool with -time:all.")
  func satellites() throws {
    let degrees = [47, 0, 0].map { Rational($0, 1) }
    var gps = Sample.place(degrees, "N", degrees, "E")
    gps[0x1D] = .ascii("2024:01:31")
    gps[7] = .rational([10, 0, 0].map { Rational($0, 1) })
    let tiff = Sample.tiff(exif: [0x9003: .ascii("2024:01:31 10:00:00")], gps: gps)
    let photo = Sample.jpeg(Sample.exif(tiff))
    var edit = MetadataEdit()
    edit.dates = .adjust(try CalendarShift(parsing: "+1mo1h"), offset: .keep)
    let before = try Editing.metadata(of: photo)
    let after = try Editing.metadata(of: try Editing.edited(photo, edit))
    #expect(before.location?.timestamp != nil && after.location == before.location)
    #expect(after.captureTime?.description == "2024-02-29T11:00:00")
  }

  @Test(
    "A date is accepted in these forms.",
    arguments: [
      ("2024-05-01T12:34:56.5+02:00", "2024-05-01T12:34:56.5+02:00"), ("2024:05:01 12:34", "2024-05-01T12:34:00"),
      // ExifTool accepts all of these in some form: 14 digits, the hour 24, a leap second (as :00).
      ("20240501123456", nil), ("2024:05:01 24:00:00", nil), ("2024:05:01 23:59:60", nil), ("2024:05:01", nil),
    ] as [(String, String?)])
  func set(text: String, time: String?) {
    #expect((try? CaptureTime(parsing: text))?.description == time)
  }

  @Test(
    "File names keep milliseconds, UTC and message numbers, unlike in ExifTool.",
    arguments: [
      ("IMG_20230704_153012123.jpg", "2023-07-04T15:30:12.123"),
      ("PXL_20230704_133012987.jpg", "2023-07-04T13:30:12.987+00:00"),
      ("IMG-20230704-WA0007.jpg", "day"), ("DSC01234.jpg", "none"),
    ])
  func names(name: String, expected: String) {
    let recorded =
      switch NameDate(fileName: name) {
      case .time(let time): "\(time)"
      case .day: "day"
      case nil: "none"
      }
    #expect(recorded == expected)
  }
}
