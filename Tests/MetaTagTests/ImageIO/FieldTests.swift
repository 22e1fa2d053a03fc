@testable import ImageFormats
import SystemPackage
import Testing

@testable import MetaTag

/// A photo that records every field in every namespace that has it.
@Suite("Fields")
struct FieldTests {
  private static func fraction(_ n: UInt32, _ d: UInt32) -> TIFFValue { .rational([Rational(n, d)]) }

  private static let ifd0: [UInt16: TIFFValue] = [
    0x010E: .ascii("A pier"), 0x010F: .ascii("Aurora"), 0x0110: .ascii("A1"), 0x0112: .short([1]),
    0x0131: .ascii("Firmware 1.0"), 0x013B: .ascii("Ada Lovelace"), 0x4746: .short([4]),
    0x8298: .ascii("© Ada"),
    0x9C9B: .bytes(Array("P\0i\0e\0r\0\0\0".utf8)), 0x9C9E: .bytes(Array("s\0e\0a\0\0\0".utf8)),
  ]
  private static var exif: [UInt16: TIFFValue] {
    Sample.cameraDates.merging([
      0x829A: fraction(10, 1_250), 0x829D: fraction(28, 10), 0x8822: .short([2]), 0x8827: .short([400]),
      0x8830: .short([2]), 0x8832: .long([400]), 0x9201: .signedRational([SIMD2(6_966, 1_000)]),
      0x9202: fraction(297, 100), 0x9204: .signedRational([SIMD2(-3, 10)]), 0x9207: .short([5]), 0x9209: .short([16]),
      0x920A: fraction(425, 100), 0xA403: .short([0]), 0xA405: .short([28]), 0xA433: .ascii("Aurora"),
      0xA434: .ascii("Fixed 4.25"), 0xA431: .ascii("SN123"),
    ]) { $1 }
  }
  private static let xmp = """
    <dc:creator><rdf:Seq><rdf:li>Ada Lovelace</rdf:li></rdf:Seq></dc:creator>
    <dc:rights><rdf:Alt><rdf:li xml:lang="x-default">© Ada</rdf:li></rdf:Alt></dc:rights>
    <dc:description><rdf:Alt><rdf:li xml:lang="x-default">A pier</rdf:li></rdf:Alt></dc:description>
    <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Pier</rdf:li></rdf:Alt></dc:title>
    <dc:subject><rdf:Bag><rdf:li>sea</rdf:li></rdf:Bag></dc:subject>
    <tiff:Make>Aurora</tiff:Make><tiff:Model>A1</tiff:Model><exifEX:LensMake>Aurora</exifEX:LensMake>
    <exifEX:LensModel>Fixed 4.25</exifEX:LensModel><aux:Lens>Fixed 4.25</aux:Lens><exif:FNumber>28/10</exif:FNumber>
    <exif:ApertureValue>297/100</exif:ApertureValue><exif:ExposureTime>1/125</exif:ExposureTime>
    <exif:ISOSpeedRatings><rdf:Seq><rdf:li>400</rdf:li></rdf:Seq></exif:ISOSpeedRatings>
    <exifEX:RecommendedExposureIndex>400</exifEX:RecommendedExposureIndex>
    <exif:FocalLength>17/4</exif:FocalLength><exif:ExposureBiasValue>-3/10</exif:ExposureBiasValue>
    <exif:FocalLengthIn35mmFilm>28</exif:FocalLengthIn35mmFilm><exif:ExposureProgram>2</exif:ExposureProgram>
    <exif:MeteringMode>5</exif:MeteringMode><exif:WhiteBalance>0</exif:WhiteBalance>
    <exif:Flash rdf:parseType="Resource"><exif:Fired>False</exif:Fired><exif:Return>0</exif:Return>
    <exif:Mode>2</exif:Mode><exif:Function>False</exif:Function><exif:RedEyeMode>False</exif:RedEyeMode></exif:Flash>
    <aux:SerialNumber>SN123</aux:SerialNumber><xmp:Rating>4</xmp:Rating>
    """
  private static let iptc =
    IPTCSample.dataset(1, 90, [0x1B, 0x25, 0x47]) + IPTCSample.dataset(2, 5, Array("Pier".utf8))
    + IPTCSample.dataset(2, 25, Array("sea".utf8)) + IPTCSample.dataset(2, 80, Array("Ada Lovelace".utf8))
    + IPTCSample.dataset(2, 90, Array("Bath".utf8))
    + IPTCSample.dataset(2, 116, Array("© Ada".utf8)) + IPTCSample.dataset(2, 120, Array("A pier".utf8))

  private static func photo() throws -> Bytes {
    Sample.jpeg(
      Sample.exif(Sample.tiff(.big, ifd0: ifd0, exif: exif))
        + Sample.segment(0xE1, JPEGSegment.xmpHeader + XMPSample.packet("", xmp))
        + Sample.segment(
          0xED, JPEGSegment.photoshopHeader + (try PhotoshopResources.resource(holding: iptc))))
  }

  private static func edit(_ fields: [PhotoField: String], tags: [String: String] = [:]) throws -> MetadataEdit {
    var edit = MetadataEdit()
    for (field, text) in fields { edit.fields[field] = try field.change(parsing: text) }
    for (key, text) in tags {
      let tag = try EXIFTag.named(key)
      edit.tags[tag] = try tag.change(parsing: text)
    }
    return edit
  }

  private static func after(_ edit: MetadataEdit, of photo: Bytes) throws -> (bytes: Bytes, image: ImageSource) {
    let image = try ImageSource(photo, path: "a.jpg")
    let new = Bytes(try image.patch(for: edit).applied(to: photo))
    let after = try ImageSource(new, path: "a.jpg")
    try Expectation(edit: edit, before: image.metadata()).check(after.metadata())
    return (new, after)
  }

  static let values: [(PhotoField, String)] = [
    (.title, "Steg"), (.keywords, "See, Holz"), (.description, "Ein Steg"), (.artist, "Grace Hopper; Ada Lovelace"),
    (.copyright, "© Grace"), (.rating, "5"), (.make, "Borealis"),
    (.model, "B2"), (.lensMake, "KMZ"), (.lensModel, "Helios 44-2"), (.aperture, "2"), (.shutter, "1/1000"),
    (.iso, "102400"), (.focalLength, "58"), (.exposureBias, "+1.5"), (.focalLength35mm, "87"), (.program, "manual"),
    (.metering, "spot"), (.whiteBalance, "manual"), (.flash, "on"),
  ]

  @Test(
    "Setting a field changes all its copies and nothing else, and setting it again changes nothing.", arguments: values)
  func set(field: PhotoField, text: String) throws {
    let photo = try Self.photo()
    let before = try ImageSource(photo, path: "a.jpg").metadata()
    let edit = try Self.edit([field: text])
    let (bytes, image) = try Self.after(edit, of: photo)
    let after = image.metadata()
    let copies = after.fields.filter { $0.value.field == field }
    #expect(copies.count == before.fields.count { $0.value.field == field })
    for copy in copies { #expect(copy.value.value == edit.fields[field]?.value, "\(copy)") }
    #expect(after.fields.filter { $0.value.field != field } == before.fields.filter { $0.value.field != field })
    #expect(after.placeNames == before.placeNames && after.captureTimes == before.captureTimes)
    #expect(after.serialNumber == "SN123" && after.notes == before.notes)
    #expect(try image.patch(for: edit).isEmpty)
    let undone = try Self.edit([field: RecordedField(field, try #require(before.value(of: field))).description])
    let (_, back) = try Self.after(undone, of: bytes)
    #expect(back.metadata().fields == before.fields)
  }

  @Test("Removing a field removes all its copies and nothing else.", arguments: PhotoField.allCases)
  func remove(field: PhotoField) throws {
    let photo = try Self.photo()
    let before = try ImageSource(photo, path: "a.jpg").metadata()
    let (_, image) = try Self.after(try Self.edit([field: ""]), of: photo)
    #expect(image.metadata().fields == before.fields.filter { $0.value.field != field })
  }

  @Test("Setting a field to its current value changes no byte.", arguments: PhotoField.allCases)
  func same(field: PhotoField) throws {
    let image = try ImageSource(try Self.photo(), path: "a.jpg")
    let value = try #require(image.metadata().value(of: field))
    let edit = try Self.edit([field: RecordedField(field, value).description])
    #expect(edit.fields[field] == .set(value))
    #expect(try image.patch(for: edit).isEmpty)
  }

  @Test("Every field is read from every namespace.")
  func namespaces() throws {
    let metadata = try ImageSource(try Self.photo(), path: "a.jpg").metadata()
    let copies = Dictionary(grouping: metadata.fields, by: \.value.field)
    for field in PhotoField.allCases {
      #expect(copies[field]?.map(\.namespace).contains(.exif) == true, "\(field.rawValue)")
      #expect(copies[field]?.map(\.namespace).contains(.xmp) == true, "\(field.rawValue)")
      #expect(Set(copies[field]?.map(\.value.value) ?? []).count == 1, "\(field.rawValue)")
    }
    #expect(metadata.fields.count { $0.namespace == .iptc } == 5)
  }

  @Test("Sensitivity tags and APEX copies follow a changed field.")
  func companions() throws {
    let photo = try Self.photo()
    let (_, image) = try Self.after(
      try Self.edit([.iso: "102400", .aperture: "8", .shutter: "30"]), of: photo)
    let block = try #require(try image.layout.exifBlock(of: image.source))
    #expect(block.integer(of: 0x8827, in: .exif) == 65_535)
    #expect(block.integer(of: 0x8830, in: .exif) == 2 && block.integer(of: 0x8832, in: .exif) == 102_400)
    #expect(block.fractions(of: 0x9202, in: .exif) == [6])
    let time = try #require(block.fractions(of: 0x9201, in: .exif).compactMap(\.self).first)
    #expect(abs(time + 4.9069) < 1e-4)
    let xmp = String(decoding: try image.source.bytes(try #require(image.layout.xmp)).array, as: UTF8.self)
    #expect(xmp.contains("<exif:ApertureValue>6/1<") && !xmp.contains("RecommendedExposureIndex"))
    let (_, lower) = try Self.after(try Self.edit([.iso: "200"]), of: photo)
    let plain = try #require(try lower.layout.exifBlock(of: lower.source))
    #expect(plain.integer(of: 0x8827, in: .exif) == 200 && plain.integer(of: 0x8832, in: .exif) == nil)
  }

  @Test("A tag that isn't a field is changed by name, together with its copy in XMP.")
  func tags() throws {
    let edit = try Self.edit(
      [:], tags: ["Exif.Photo.BodySerialNumber": "77", "Exif.Image.Software": "", "Exif.Photo.SubjectDistance": "2.5"])
    let (_, image) = try Self.after(edit, of: try Self.photo())
    let block = try #require(try image.layout.exifBlock(of: image.source))
    #expect(image.metadata().serialNumber == "77" && block.ifd0[0x0131] == nil)
    #expect(block.value(of: 0x9206, in: .exif) == .rational([Rational(5, 2)]))
    let xmp = String(decoding: try image.source.bytes(try #require(image.layout.xmp)).array, as: UTF8.self)
    #expect(xmp.contains("<aux:SerialNumber>77<"))
    #expect(try image.patch(for: edit).isEmpty)
  }

  @Test("Existing XMP and IPTC blocks get the new field, but missing blocks are not created.")
  func namespacesThatLack() throws {
    let edit = try Self.edit([.artist: "Zoë", .make: "Aurora", .copyright: String(repeating: "ü", count: 100)])
    let (_, plain) = try Self.after(edit, of: Sample.jpeg())
    #expect(plain.layout.xmp == nil && plain.layout.iptc == nil)
    #expect(plain.metadata().value(of: .artist) == .text("Zoë"))
    let photo = Sample.jpeg(
      Sample.segment(0xE1, JPEGSegment.xmpHeader + XMPSample.packet())
        + Sample.segment(0xED, JPEGSegment.photoshopHeader + (try PhotoshopResources.resource(holding: Self.iptc))))
    let image = try ImageSource(photo, path: "a.jpg")
    let notes = try image.changes(for: edit).notes
    #expect(notes.map(\.code) == [.textCut])
    let (_, full) = try Self.after(edit, of: photo)
    let tags = full.metadata().fields.map(\.tag)
    #expect(tags.contains("dc:creator") && tags.contains("dc:rights") && !tags.contains("tiff:Make"))
    #expect(full.metadata().fields.contains { $0.tag == "CopyrightNotice" && $0.namespace == .iptc })
    #expect(try full.patch(for: edit).isEmpty)
  }

  @Test("Setting fields of a movie is refused.")
  func movies() throws {
    let movie = try MovieSample.open(MovieSample.streaming())
    #expect(throws: FileError.self) { try movie.patch(for: try Self.edit([.artist: "Ada"])) }
  }
}
