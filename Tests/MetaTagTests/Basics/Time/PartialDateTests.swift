import Testing

@testable import MetaTag

@Suite("Partial dates")
struct PartialDateTests {
  @Test("A text is parsed as a year, a month or a day, or refused.")
  func texts() throws {
    for (text, description) in [
      ("1975", "1975"), (" 1975-06 ", "1975-06"), ("1975:12", "1975-12"), ("0001", "0001"),
      ("1975-06-12", "1975-06-12"), ("1976:02:29", "1976-02-29"),
    ] {
      #expect("\(try PartialDate(parsing: text))" == description)
    }
    for text in [
      "", "75", "0000", "1975-00", "1975-13", "1975-6", "1975-02-29", "1975-06-00", "1975-06-1", "1975-06-12-", "1975-",
      "-1975", "१९७५", "1975?",
    ] {
      #expect(throws: ParseError.self, "\(text)") { try PartialDate(parsing: text) }
    }
  }

  @Test("EXIF and IPTC forms leave out the parts that aren't known.")
  func forms() throws {
    let (year, month) = (try PartialDate(parsing: "1975"), try PartialDate(parsing: "1975-06"))
    #expect(year.exifText == "1975:  :     :  :  " && month.exifText == "1975:06:     :  :  ")
    #expect(year.iptcText == "19750000" && month.iptcText == "19750600")
    #expect(PartialDate(exif: year.exifText) == year && PartialDate(exif: month.exifText) == month)
    let day = try PartialDate(parsing: "1975-06-12")
    #expect(day.exifText == "1975:06:12   :  :  " && day.iptcText == "19750612")
    #expect(PartialDate(exif: day.exifText) == day && PartialDate(exif: "1975:06:12") == day)
    #expect(PartialDate(exif: "1975:06:12 00:00:00") == nil && PartialDate(exif: "1975:06:12 00:  :  ") == nil)
  }

  @Test(
    "A year, month or day moves only by whole years, months or days.",
    arguments: [
      ("1975", "+1y", "1976"), ("1975", "+12mo", "1976"), ("1975", "+1mo", "1975"), ("1975", "+400d", "1975"),
      ("1975-06", "+1mo", "1975-07"), ("1975-12", "+1mo", "1976-01"), ("1975-01", "-1y1mo", "1973-12"),
      ("1975-06", "+31d", "1975-06"), ("1975-06", "+1mo1h", "1975-06"), ("9999", "+1y", nil), ("0001", "-1y", nil),
      ("1975-06-12", "+1y", "1976-06-12"), ("1975-01-31", "+1mo", "1975-02-28"), ("1975-12-31", "+1d", "1976-01-01"),
      ("1975-06-12", "+1mo24h", "1975-07-13"), ("1975-06-12", "+23h", "1975-06-12"), ("9999-12-31", "+1d", nil),
    ] as [(String, String, String?)])
  func shifts(date: String, shift: String, moved: String?) throws {
    let new = try CalendarShift(parsing: shift).moving(try PartialDate(parsing: date))
    #expect(new?.description == moved)
  }

  @Test("A partial date moves with a capture time that lies within it.")
  func anchored() throws {
    let anchor = try CaptureTime(parsing: "1975-12-31T23:30:00")
    let shift = try CalendarShift(parsing: "+1h").anchored(at: anchor)
    #expect(shift.moving(try PartialDate(parsing: "1975"))?.description == "1976")
    #expect(shift.moving(try PartialDate(parsing: "1975-12"))?.description == "1976-01")
    #expect(shift.moving(try PartialDate(parsing: "1974"))?.description == "1974")
    #expect(shift.moving(try PartialDate(parsing: "1975-12-31"))?.description == "1976-01-01")
    #expect(shift.moving(try PartialDate(parsing: "1975-12-30"))?.description == "1975-12-30")
  }
}
