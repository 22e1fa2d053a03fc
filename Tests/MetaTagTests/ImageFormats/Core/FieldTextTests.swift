import Testing

@testable import MetaTag

@Suite("Fields as text")
struct FieldTextTests {
  @Test(
    "A value that a camera could have recorded is accepted.",
    arguments: [
      (.iso, "400", .whole([400])), (.iso, "4000", .whole([4000])), (.iso, "４００", .whole([400])),
      (.iso, "65535", .whole([65_535])), (.iso, "102400", .whole([102_400])),
      (.focalLength35mm, "400", .whole([400])), (.aperture, "2.8", .fractions(one(14, 5))),
      (.aperture, ".5", .fractions(one(1, 2))), (.aperture, "2.5", .fractions(one(5, 2))),
      (.focalLength, "4.25", .fractions(one(17, 4))), (.shutter, "1/125", .fractions(one(1, 125))),
      (.shutter, "1/1000", .fractions(one(1, 1_000))), (.shutter, "0.5", .fractions(one(1, 2))),
      (.shutter, "1/0.5", .fractions(one(2, 1))), (.shutter, "30", .fractions(one(30, 1))),
      (.exposureBias, "+1.5", .fractions(one(3, 2))), (.exposureBias, "-0.7", .fractions(one(-7, 10))),
      (.exposureBias, "-1/3", .fractions(one(-1, 3))), (.exposureBias, "+2/6", .fractions(one(1, 3))),
      (.exposureBias, "0", .fractions(one(0, 1))), (.exposureBias, "1.3", .fractions(one(13, 10))),
      (.make, String(repeating: "é", count: 64), .text(String(repeating: "é", count: 64))),
      (.copyright, String(repeating: "x", count: 200), .text(String(repeating: "x", count: 200))),
      (.artist, "Ada Lovelace;Mary Somerville ; ", .text("Ada Lovelace; Mary Somerville")),
      (.program, "aperture-priority", .whole([3])), (.metering, "255", .whole([255])), (.flash, "off", .whole([16])),
    ] as [(PhotoField, String, TagValue)])
  func accepted(field: PhotoField, text: String, value: TagValue) throws {
    #expect(try field.change(parsing: text) == .set(value))
  }

  private static func one(_ numerator: Int64, _ denominator: Int64) -> [Fraction] {
    [Fraction(numerator, denominator)].compactMap(\.self)
  }

  @Test(
    "An exposure correction is displayed in the form in which it is parsed.",
    arguments: [(-1, 3, "-1/3"), (2, 3, "2/3"), (-7, 10, "-0.7"), (1, 1, "1"), (0, 1, "0"), (-333, 1_000, "-0.333")]
      as [(Int64, Int64, String)])
  func corrections(numerator: Int64, denominator: Int64, text: String) throws {
    let value = TagValue.fractions(Self.one(numerator, denominator))
    #expect("\(RecordedField(.exposureBias, value))" == text)
    #expect(try PhotoField.exposureBias.change(parsing: text) == .set(value))
  }

  @Test(
    "A text that isn't a value of the field is refused.",
    arguments: [
      (.iso, "400a"), (.iso, "400."), (.iso, "-100"), (.iso, "10000000000"), (.iso, "0"), (.iso, "9999999999"),
      (.iso, "4e2"), (.iso, "0x190"), (.iso, "+400"), (.focalLength35mm, "400."), (.focalLength35mm, "65536"),
      (.aperture, "2.8."), (.aperture, "2.8f"), (.aperture, "2."), (.aperture, "12345678901"), (.aperture, "0"),
      (.aperture, "nan"), (.aperture, "inf"), (.aperture, "1e5"), (.aperture, "0x1p3"), (.aperture, "-2.8"),
      (.shutter, "1/125/"), (.shutter, "0.5."), (.shutter, "1/"), (.shutter, "1/0"), (.shutter, "/125"),
      (.shutter, "not_a_number"), (.shutter, "1/1234567890123456"), (.shutter, "-1/125"), (.shutter, "inf"),
      (.exposureBias, "+1.5+"), (.exposureBias, "1.5."), (.exposureBias, "1a"), (.exposureBias, "1.5-"),
      (.exposureBias, "1/0"), (.exposureBias, "1/-3"), (.exposureBias, "1/"), (.exposureBias, "/3"),
      (.exposureBias, "1/2/3"),
      (.exposureBias, "+"), (.exposureBias, "-"), (.exposureBias, "."), (.exposureBias, "12345678901"),
      (.make, String(repeating: "x", count: 65)), (.artist, String(repeating: "x", count: 65)),
      (.copyright, String(repeating: "x", count: 201)), (.make, "a\0b"), (.artist, "a\nb"),
      (.program, "best"), (.flash, "256"), (.keywords, ","), (.keywords, " , "),
    ] as [(PhotoField, String)])
  func refused(field: PhotoField, text: String) {
    #expect(throws: ParseError.self) { try field.change(parsing: text) }
  }

  @Test(
    "A text that isn't a number is refused with an example of the field's values.",
    arguments: [
      (.shutter, "nan", .writeLike("1/125", or: ["0.5"])), (.shutter, "0.5.", .writeLike("1/125", or: ["0.5"])),
      (.shutter, "1/125/", .writeLike("1/125", or: ["0.5"])), (.focalLength, "2.8f", .writeLike("23.5")),
      (.aperture, "f/2", .writeLike("2.8")), (.iso, "400a", .writeLike("400")),
      (.exposureBias, "1a", .writeLike("+1.5", or: ["-0.7", "-1/3"])),
    ]
      as [(PhotoField, String, Remedy)])
  func examples(field: PhotoField, text: String, remedy: Remedy) {
    let error = #expect(throws: ParseError.self) { try field.change(parsing: text) }
    #expect(error?.description.contains("'\(text)' is not a") == true && error?.remedy == remedy)
  }

  @Test(
    "A value without content is refused with the way to remove the field.",
    arguments: [(.artist, ";"), (.keywords, " , "), (.aperture, "0")] as [(PhotoField, String)])
  func emptyValue(field: PhotoField, text: String) {
    let error = #expect(throws: ParseError.self) { try field.change(parsing: text) }
    #expect(error?.remedy == .giveEmptyValue)
  }

  @Test("Digits of other scripts are refused with their code points.")
  func otherDigits() throws {
    let error = #expect(throws: ParseError.self) { try PhotoField.iso.change(parsing: "٤٠٠") }
    #expect(error?.description.contains("U+0664") == true)
  }

  @Test("An empty value removes the field.", arguments: PhotoField.allCases)
  func removal(field: PhotoField) throws {
    #expect(try field.change(parsing: " ") == .remove)
  }

  @Test("Tags are accepted by name, and their values are checked by type.")
  func tags() throws {
    let lens = try EXIFTag.named("Exif.Photo.LensSpecification")
    #expect(try lens.change(parsing: "24 70 2.8 28/10").value.map { "\($0)".contains("14/5") } == true)
    for text in ["24 70", "a b c d", "-1 2 3 4"] {
      #expect(throws: ParseError.self) { try lens.change(parsing: text) }
    }
    #expect(try EXIFTag.named("Exif.Photo.LensModel").change(parsing: "x") == .set(.text("x")))
    #expect(throws: ParseError.self) { try EXIFTag.named("Exif.Photo.ISOSpeed").change(parsing: "1.5") }
  }

  @Test(
    "An unknown tag is refused with the nearest name, or with what changes it.",
    arguments: [
      ("Exif.Photo.LensModell", "not an EXIF tag that can be set", .didYouMean(["Exif.Photo.LensModel"])),
      ("Exif.Image.BodySerialNumber", "not an EXIF tag that can be set", .didYouMean(["Exif.Photo.BodySerialNumber"])),
      ("exif.photo.fnumber", "not an EXIF tag that can be set", .didYouMean(["Exif.Photo.FNumber"])),
      ("Exif.GPSInfo.GPSLatitude", "location tag", .giveOrClearLocation),
      ("Exif.Photo.DateTimeOriginal", "date tag", .changeDates),
      ("Exif.Image.XPTitle", "Windows copy", .setFields),
    ] as [(String, String, Remedy)])
  func unknown(key: String, sentence: String, remedy: Remedy) {
    let error = #expect(throws: ParseError.self) { try EXIFTag.named(key) }
    #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
    #expect(error?.remedy == remedy)
  }

  @Test("A tag that isn't set by name is refused with the nearest one that is.")
  func orientation() {
    let error = #expect(throws: ParseError.self) { try EXIFTag.named("Exif.Image.Orientation") }
    #expect(error?.description == "'Exif.Image.Orientation' is not an EXIF tag that can be set by name")
    guard case .didYouMean(let names)? = error?.remedy else {
      Issue.record("no suggestion")
      return
    }
    #expect(names.count == 1 && names.allSatisfy { EXIFTag.all[$0] != nil })
  }
}
