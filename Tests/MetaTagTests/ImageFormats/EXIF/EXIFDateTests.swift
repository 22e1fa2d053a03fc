@testable import ImageFormats
import Testing

@testable import MetaTag

@Suite("EXIF dates")
struct EXIFDateTests {
  @Test(
    "A date text is a time, a partial date, absent or malformed.",
    arguments: [
      ("2024:05:23 18:38:41", "2024-05-23T18:38:41"), ("2024:5:3 8:3:1", "2024-05-03T08:03:01"),
      ("2024: 5: 3  8: 3: 1", "2024-05-03T08:03:01"), ("2024:05:23 18:38:41\0\0", "2024-05-23T18:38:41"),
      ("2024-05-23 18:38:41", "malformed"), ("2024:05:23 18:38", "malformed"), ("2024:02:30 10:00:00", "malformed"),
      ("2024:05:23 24:00:00", "malformed"), ("2024:05:23T18:38:41", "malformed"), ("yesterday", "malformed"),
      ("20240:5:23 18:38:41", "malformed"), ("24:05:23 10:00:00\0\0", "malformed"),
      ("2024:05:23 18:38:41Z", "malformed"), ("2024:05:2318:38:41", "malformed"),
      ("1975:  :     :  :  ", "1975"), ("1975:06:     :  :  ", "1975-06"), ("1975:00:00 00:00:00", "1975"),
      ("1975:06:00 00:00:00", "1975-06"), ("1975:06:00 10:00:00", "malformed"), ("1975:13:     :  :  ", "malformed"),
      ("1975", "malformed"), ("1975:  :05   :  :  ", "malformed"),
      ("0000:00:00 00:00:00", "absent"), ("    :  :     :  :  ", "absent"), ("", "absent"),
    ])
  func reading(text: String, expected: String) throws {
    let tiff = Sample.tiff(exif: [0x9003: .ascii(text)])
    let block = try TIFFBlock(Bytes(tiff), 0..<tiff.count)
    let reading =
      switch EXIF.date(.original, of: block) {
      case .absent: "absent"
      case .malformed: "malformed"
      case .time(let time): "\(time)"
      case .partial(let date): "\(date)"
      }
    #expect(reading == expected)
    var metadata = Metadata()
    EXIF.read(block, into: &metadata)
    #expect(metadata.malformedDates.isEmpty == (expected != "malformed"))
  }

  @Test(
    "A date without a time of day is read as a day, not as a capture time.",
    arguments: [
      ("2024:05:23", "2024-05-23"), ("2024:05:23   :  :  ", "2024-05-23"), ("2024:05:23 00:00:00", nil),
      ("2024:05:23 18:38", nil), ("2024:02:30", nil), ("2024-05-23", nil), ("2024:05:2", nil),
    ])
  func day(text: String, expected: String?) throws {
    let tiff = Sample.tiff(exif: [0x9003: .ascii(text), 0x9004: .ascii("2023:01:01")])
    var metadata = Metadata()
    EXIF.read(try TIFFBlock(Bytes(tiff), 0..<tiff.count), into: &metadata)
    #expect(metadata.partialDates.map { "\($0.value)" } == [expected].compactMap(\.self))
    #expect(metadata.malformedDates.isEmpty == (expected != nil || text == "2024:05:23 00:00:00"))
    #expect(metadata.digitizedDays.map(\.value.dayText) == ["2023-01-01"])
    #expect(metadata.captureTimes.isEmpty == (text != "2024:05:23 00:00:00"))
  }

  @Test(
    "The capture time has its own offset and fraction, never those of DateTime.",
    arguments: [Bytes.Order.little, .big])
  func ownOffset(order: Bytes.Order) throws {
    let tiff = Sample.tiff(
      order, ifd0: [0x0132: .ascii("2024:06:01 12:00:00")],
      exif: [
        0x9003: .ascii("2024:05:23 18:38:41"), 0x9010: .ascii("+01:00"), 0x9011: .ascii("+02:00"),
        0x9290: .ascii("9"), 0x9291: .ascii("05"), 0x9004: .ascii("2024:05:23 18:38:42"),
      ])
    var metadata = Metadata()
    EXIF.read(try TIFFBlock(Bytes(tiff), 0..<tiff.count), into: &metadata)
    #expect(metadata.captureTimes.map { "\($0.value)" } == ["2024-05-23T18:38:41.05+02:00"])
    #expect(metadata.digitizedTimes.map { "\($0.value)" } == ["2024-05-23T18:38:42"])
    #expect(metadata.modifyTime.map { "\($0)" } == "2024-06-01T12:00:00.9+01:00")
  }

  @Test("An invalid text in an offset tag is reported; blanks and valid offsets are not.")
  func malformedOffset() throws {
    for (text, isReported) in [("+25:00", true), ("+9", true), ("   :  ", false), ("+09:00", false), ("-0330", false)] {
      let tiff = Sample.tiff(exif: [0x9003: .ascii("2024:05:23 18:38:41"), 0x9011: .ascii(text)])
      var metadata = Metadata()
      EXIF.read(try TIFFBlock(Bytes(tiff), 0..<tiff.count), into: &metadata)
      #expect(metadata.malformedOffsets.map(\.tag) == (isReported ? ["OffsetTimeOriginal"] : []), "\(text)")
    }
  }

  @Test(
    "Shifting moves the civil time and carries fractions exactly.",
    arguments: [
      ("2023:12:31 23:00:00", "601", TimeShift(seconds: 5_400), "2024-01-01T00:30:00.601+09:00"),
      ("2024:02:28 23:30:00", "601", TimeShift(seconds: 3_600), "2024-02-29T00:30:00.601+09:00"),
      ("2023:02:28 23:30:00", "601", TimeShift(seconds: 3_600), "2023-03-01T00:30:00.601+09:00"),
      ("2024:05:23 10:00:00", "75", TimeShift(seconds: 0, nanoseconds: 500_000_000), "2024-05-23T10:00:01.25+09:00"),
      ("2024:05:23 10:00:00", "050", TimeShift(seconds: 0, nanoseconds: 50_000_000), "2024-05-23T10:00:00.100+09:00"),
      ("2024:05:23 10:00:00", nil, TimeShift(seconds: -1, nanoseconds: 250_000_000), "2024-05-23T09:59:59.25+09:00"),
      ("2024:05:23 10:00:00", nil, TimeShift(seconds: -1), "2024-05-23T09:59:59+09:00"),
    ] as [(String, String?, TimeShift, String)])
  func shifting(date: String, fraction: String?, shift: TimeShift, expected: String) throws {
    var tags = Sample.cameraDates
    tags[0x9003] = .ascii(date)
    tags[0x9291] = fraction.map { .ascii($0) }
    let photo = Sample.jpeg(Sample.exif(Sample.tiff(exif: tags)))
    var edit = MetadataEdit()
    edit.dates = .adjust(shift, offset: .keep)
    let new = try Editing.metadata(of: try Editing.edited(photo, edit))
    #expect(new.captureTime.map { "\($0)" } == expected)
  }

  @Test(
    "DateTime moves with the capture time if both show the same second in the same recorded zone.",
    arguments: [
      ("2024:05:23 18:38:41", nil, nil, .keep, "2024-05-23T18:38:41"),
      ("2024:05:23 18:38:41", "+09:00", "601", .keep, "2024-05-23T19:38:42.101+09:00"),
      ("2024:05:23 18:38:41", "+09:00", nil, .set(.utc), "2024-05-23T19:38:42+00:00"),
      ("2024:05:23 18:38:41", nil, nil, .set(.utc), "2024-05-23T18:38:41"),
      ("2024:05:23 18:38:41", "+02:00", nil, .keep, "2024-05-23T18:38:41+02:00"),
      ("2024:05:23 18:38:42", "+09:00", nil, .keep, "2024-05-23T18:38:42+09:00"),
    ] as [(String, String?, String?, Change<UTCOffset>, String)])
  func modified(date: String, offset: String?, fraction: String?, change: Change<UTCOffset>, expected: String) throws {
    var exif = Sample.cameraDates
    exif[0x9010] = offset.map { .ascii($0) }
    exif[0x9290] = fraction.map { .ascii($0) }
    let photo = Sample.jpeg(Sample.exif(Sample.tiff(ifd0: [0x0132: .ascii(date)], exif: exif)))
    var edit = MetadataEdit()
    edit.dates = .adjust(TimeShift(seconds: 3_600, nanoseconds: 500_000_000), offset: change)
    let new = try Editing.metadata(of: try Editing.edited(photo, edit))
    #expect(new.modifyTime.map { "\($0)" } == expected)
    edit.dates = .adjust(.zero, offset: change)
    let still = try Editing.metadata(of: try Editing.edited(photo, edit))
    #expect(still.modifyTime == (try Editing.metadata(of: photo)).modifyTime)
  }

  @Test("DateTimeDigitized in IFD0, where scanners write it, is read, moved, set and erased.")
  func scanners() throws {
    let photo = Sample.jpeg(
      Sample.exif(Sample.tiff(ifd0: [0x9004: .ascii("2008:03:06 15:00:01")], exif: Sample.cameraDates)))
    #expect(
      try Editing.metadata(of: photo).digitizedTimes.map(\.tag) == ["DateTimeDigitized", "IFD0:DateTimeDigitized"])
    var edit = MetadataEdit()
    edit.dates = .adjust(TimeShift(seconds: 3_600), offset: .keep)
    #expect(try text(of: photo, after: edit) == "2008:03:06 16:00:01")
    edit.dates = .set(try CaptureTime(parsing: "2007-01-02 03:04:05"))
    #expect(try text(of: photo, after: edit) == "2007:01:02 03:04:05")
    edit.dates = .setPartial(try PartialDate(parsing: "1975"))
    #expect(try text(of: photo, after: edit) == "2008:03:06 15:00:01")
    edit.dates = .keep
    edit.erasesDates = true
    #expect(try text(of: photo, after: edit) == nil)
  }

  private func text(of photo: Bytes, after edit: MetadataEdit) throws -> String? {
    let edited = try Editing.edited(photo, edit)
    return try TIFFBlock(edited, try #require(JPEGContainer().layout(of: edited).exif)).text(of: 0x9004, in: .ifd0)
  }

  @Test("Shifting keeps malformed and absent dates, and refuses to leave the calendar.")
  func shiftingOdd() throws {
    var edit = MetadataEdit()
    edit.dates = .adjust(TimeShift(seconds: 60), offset: .set(.utc))
    let odd = Sample.tiff(exif: [0x9003: .ascii("2024-05-23 18:38"), 0x9004: .ascii("0000:00:00 00:00:00")])
    #expect(try EXIF.changes(for: edit, in: try TIFFBlock(Bytes(odd), 0..<odd.count)).isEmpty)
    #expect(try EXIF.changes(for: edit, in: nil).isEmpty)
    let last = Sample.tiff(exif: [0x9003: .ascii("9999:12:31 23:59:59")])
    let block = try TIFFBlock(Bytes(last), 0..<last.count)
    #expect(throws: FileError.self) { try EXIF.changes(for: edit, in: block) }
  }

  @Test("Setting a date writes one value everywhere, keeps the offset and removes the fraction.")
  func setting() throws {
    let photo = Sample.jpeg(
      Sample.exif(Sample.tiff(.big, ifd0: [0x0132: .ascii("2024:05:24 00:00:00")], exif: Sample.cameraDates)))
    var edit = MetadataEdit()
    edit.dates = .set(CaptureTime(try #require(CivilTime(year: 2023, month: 1, day: 2, hour: 3, minute: 4, second: 5))))
    let edited = try Editing.edited(photo, edit)
    let new = try Editing.metadata(of: edited)
    #expect(edited.count == photo.count)
    #expect(new.captureTimes.map { "\($0.value)" } == ["2023-01-02T03:04:05+09:00"])
    #expect(new.digitizedTimes.map { "\($0.value)" } == ["2023-01-02T03:04:05+09:00"])
    #expect(new.modifyTime.map { "\($0)" } == "2024-05-24T00:00:00")
    #expect(edited.firstIndex(of: Array("601".utf8)) == nil)
  }

  @Test(
    "Writing an offset raises the EXIF version to 2.31; other edits keep the version.",
    arguments: [
      (.set(.utc), "0231", "+00:00"), (.keep, "0230", "+09:00"), (.remove, "0230", nil),
    ] as [(Change<UTCOffset>, String, String?)])
  func zone(change: Change<UTCOffset>, version: String, offset: String?) throws {
    let photo = Sample.jpeg(Sample.exif(Sample.tiff(exif: Sample.cameraDates)))
    var edit = MetadataEdit()
    edit.dates = .adjust(.zero, offset: change)
    let edited = try Editing.edited(photo, edit)
    let block = try TIFFBlock(edited, try #require(JPEGContainer().layout(of: edited).exif))
    #expect(block.text(of: 0x9000, in: .exif) == version)
    #expect(block.text(of: 0x9011, in: .exif) == offset)
    #expect(block.text(of: 0x9012, in: .exif) == offset)
    #expect(block.text(of: 0x9003, in: .exif) == "2024:05:23 18:38:41")
  }
}
