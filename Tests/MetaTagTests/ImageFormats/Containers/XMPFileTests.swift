@testable import ImageFormats
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MetaTag

@Suite("XMP files")
struct XMPFileTests {
  static let located = XMPSample.packet(
    "exif:GPSLatitude='47,36.372N' exif:GPSLongitude='122,19.926W' exif:DateTimeOriginal='2024-05-23T18:38:41'",
    padding: 4_000)

  /// Padding enough for the edits of the battery.
  static let samples: [(String, Bytes)] = [
    ("empty", Bytes(XMPSample.packet(padding: 4_000))), ("place and date", Bytes(located)),
  ]

  private static func image(_ bytes: [UInt8]) throws -> ImageSource { try ImageSource(Bytes(bytes), path: "a.xmp") }

  @Test("A coarse location replaces the exact one and everything else with it.")
  func coarsened() throws {
    var edit = MetadataEdit()
    edit.location = .set(Location(try .at(47.6, -122.3)))
    edit.erasesOldPlace = true
    for bytes in [
      Self.located,
      XMPSample.packet("exif:GPSLatitude='47,36.372N' exif:GPSLongitude='122,19.926W' photoshop:City='X'"),
    ] {
      let new = Bytes(try Self.image(bytes).patch(for: edit).applied(to: Bytes(bytes)))
      let metadata = try ImageSource(new, path: "a.xmp").metadata()
      #expect(metadata.locations.map(\.value.coordinate) == [try .at(47.6, -122.3)] && metadata.placeNames.isEmpty)
    }
  }

  @Test(
    "XMP is recognised by its beginning, whatever precedes its first element.",
    arguments: ["", "\u{FEFF}", "\n  ", "<?xml version='1.0'?>\n", "<!-- made -->\n<?xml-stylesheet href='a'?>"])
  func recognised(_ head: String) throws {
    #expect(try Self.image(Array(head.utf8) + XMPPacket.sidecar.dropFirst(39)).type == .xmp)
  }

  @Test(
    "The line end at the end stays, and a file without padding gets none.",
    arguments: ["", "\n", "\r\n"])
  func lineEnds(end: String) throws {
    let head = String(
      decoding: XMPSample.packet("xmp:Rating='3' photoshop:Credit='Ada'", padding: 0, end: ""), as: UTF8.self)
    let old = head + end
    var edit = MetadataEdit()
    edit.fields[.artist] = .set(.text("Grace"))
    let longer = try Self.image(Array(old.utf8)).patch(for: edit).applied(to: Bytes(Array(old.utf8)))
    let text = String(decoding: longer, as: UTF8.self)
    #expect(text.contains("Grace") && text.hasSuffix("</x:xmpmeta>" + end))
    edit.fields = [.artist: .remove]
    let shorter = String(
      decoding: try Self.image(longer).patch(for: edit).applied(to: Bytes(longer)), as: UTF8.self)
    #expect(!shorter.contains("Grace") && shorter.hasSuffix("</x:xmpmeta>" + end))
  }

  @Test("Titles in other languages stay if the default changes, and are removed with it, with a note.")
  func languages() throws {
    let (german, english) = ("<rdf:li xml:lang='de'>Titel</rdf:li>", "<rdf:li xml:lang='en'>T</rdf:li>")
    func packet(_ items: String) -> [UInt8] {
      XMPSample.packet("", "<dc:title><rdf:Alt>\(items)</rdf:Alt></dc:title>")
    }
    let bytes = packet(german + "<rdf:li xml:lang='x-default'>T</rdf:li>" + english)
    for (title, wanted) in [
      ("T & 2", ["dc:title in 1 other language stays as it is"]), ("T", []),
      (nil, ["dc:title in 2 other languages is removed with the old text"]),
    ] {
      var edit = MetadataEdit()
      edit.fields[.title] = title.map { .set(.text($0)) } ?? .remove
      #expect(try Self.image(bytes).changes(for: edit).notes.map(\.description) == wanted)
      let new = try Self.image(bytes).patch(for: edit).applied(to: Bytes(bytes))
      #expect(try Self.image(new).metadata().fields.first?.value.value == title.map { .text($0) })
      let text = String(decoding: new, as: UTF8.self)
      #expect(text.contains(german) == (title != nil))
      #expect(text.contains("xml:lang='en'>T &amp; 2<") == (title == "T & 2"))
    }
    // Without a default the meant language is unknown.
    var edit = MetadataEdit()
    edit.fields[.title] = .set(.text("T2"))
    let alone = packet(german + english)
    #expect(try Self.image(alone).changes(for: edit).notes.map(\.code) == [.otherLanguages])
  }

  @Test("Erasing dates keeps the actions of a history, but not their times.")
  func history() throws {
    let bytes = XMPSample.packet(
      "",
      """
      <xmpMM:History><rdf:Seq><rdf:li stEvt:action="saved" stEvt:when="2024-05-23T18:38:41+09:00" stEvt:changed="/"/>
      <rdf:li rdf:parseType="Resource"><stEvt:action>derived</stEvt:action><stEvt:when>2024-05</stEvt:when></rdf:li>
      </rdf:Seq></xmpMM:History>
      """)
    var edit = MetadataEdit()
    edit.erasesDates = true
    let new = String(decoding: try Self.image(bytes).patch(for: edit).applied(to: Bytes(bytes)), as: UTF8.self)
    #expect(new.contains(#"<rdf:li stEvt:action="saved" stEvt:changed="/"/>"#), "\(new)")
    #expect(new.contains("<stEvt:action>derived</stEvt:action></rdf:li>") && !new.contains("2024"), "\(new)")
    let items = "<xmpMM:History><rdf:Seq><rdf:li>saved 2024-05-23T12:00:00</rdf:li></rdf:Seq></xmpMM:History>"
    for text in [XMPSample.packet("xmpMM:History='saved 2024-05-23'"), XMPSample.packet("", items)] {
      let rest = try Self.image(text).patch(for: edit).applied(to: Bytes(text))
      #expect(!String(decoding: rest, as: UTF8.self).contains("2024"))
    }
  }

  @Test("Text added to a file with Windows line ends has them too.")
  func returns() throws {
    let old = Array(
      String(decoding: XMPSample.packet("xmp:Rating='3'", padding: 0), as: UTF8.self)
        .replacing("\n", with: "\r\n").utf8)
    var edit = MetadataEdit.naming(PlaceNames(city: "Kyoto", state: nil, country: "Japan", code: "JP"))
    edit.fields[.title] = .set(.text("Two\nlines"))
    let new = try Self.image(old).patch(for: edit).applied(to: Bytes(old))
    // Padding is blanks and lines of its own.
    let end = try #require(Bytes(new).firstIndex(of: Array("</x:xmpmeta>".utf8)))
    let lines = new[..<end].split(separator: 0x0A).dropLast()
    #expect(lines.count > old.count { $0 == 0x0A })
    #expect(lines.allSatisfy { $0.last == 0x0D })
  }

  @Test("Other XML isn't XMP, and broken XMP is an error.")
  func others() throws {
    for text in ["<gpx></gpx>", "<html/>", "x<?xpacket", ""] {
      #expect(throws: FileError.self) { try Self.image(Array(text.utf8)) }
    }
    let error = #expect(throws: FileError.self) { try Self.image(Array(XMPPacket.sidecar.dropLast(20))) }
    #expect(error?.kind == .truncated || error?.kind == .malformed)
  }

  @Test("A sidecar that isn't UTF-8 is an error that names its encoding.")
  func encodings() throws {
    let text = String(decoding: Self.located, as: UTF8.self)
    let latin = "<?xml version='1.0' encoding='ISO-8859-1'?>\n"
    let units: [UInt16] = Array(text.utf16)
    let little: [UInt8] = units.flatMap { (unit: UInt16) -> [UInt8] in unit.bytes(.little) }
    let big: [UInt8] = [0xFE, 0xFF] + units.flatMap { (unit: UInt16) -> [UInt8] in unit.bytes(.big) }
    let letters: [UInt32] = text.unicodeScalars.map(\.value)
    let wide: [UInt8] = letters.flatMap { (letter: UInt32) -> [UInt8] in letter.bytes(.little) }
    let others: [([UInt8], String)] = [
      (Array((latin + text).utf8), "ISO-8859-1"), (little, "UTF-16"), (big, "UTF-16"), (wide, "UTF-32"),
    ]
    for (bytes, name) in others {
      let error = #expect(throws: FileError.self) { try Self.image(bytes) }
      #expect(error?.kind == .unsupported && error?.description.contains(name) == true, "\(name)")
    }
    for name in ["UTF-8", "utf-8", "US-ASCII"] {
      let bytes = Array("<?xml version=\"1.0\" encoding=\"\(name)\"?>\n\(text)".utf8)
      #expect(try Self.image(bytes).metadata().captureTime != nil)
    }
  }

  @Test("A value with qualifiers is reported, refuses a shift, and is erased.")
  func structures() throws {
    let packet = XMPSample.packet(
      "",
      """
      <photoshop:DateCreated rdf:parseType="Resource"><rdf:value>2024-05-23T18:38:41</rdf:value></photoshop:DateCreated>
      <exif:GPSLatitude rdf:parseType="Resource"><rdf:value>47,36.0N</rdf:value></exif:GPSLatitude>
      """)
    let image = try Self.image(packet)
    let metadata = image.metadata()
    #expect(metadata.captureTime == nil)
    #expect(metadata.malformedDates.map(\.value) == ["photoshop:DateCreated in XMP is a structure"])
    #expect(metadata.notes.contains { $0.sentence.contains("position in XMP is a structure") })
    let error = #expect(throws: FileError.self) {
      try image.patch(for: .dates(.adjust(TimeShift(seconds: 60), offset: .keep)))
    }
    #expect(error?.description.contains("structure") == true)
    var edit = MetadataEdit.removal
    edit.erasesDates = true
    let new = String(decoding: try image.patch(for: edit).applied(to: Bytes(packet)), as: UTF8.self)
    #expect(!new.contains("47,36") && !new.contains("2024-05"))
  }

  /// Every option of `metatag set`.
  private static var fields: MetadataEdit {
    get throws {
      var edit = MetadataEdit()
      for (field, text) in [
        (PhotoField.artist, "Ada; Bob"), (.copyright, "© Ada"), (.description, "A lake"), (.make, "Nikon"),
        (.model, "Z 9"), (.lensModel, "50 mm"), (.iso, "400"), (.aperture, "2.8"), (.shutter, "1/250"),
        (.focalLength, "50"), (.exposureBias, "-0.7"),
      ] {
        edit.fields[field] = try field.change(parsing: text)
      }
      return edit
    }
  }

  @Test("Every field is added to XMP, read back and removed.", arguments: samples.map(\.0))
  func fields(_ name: String) throws {
    let old = try #require(Self.samples.first { $0.0 == name }?.1)
    let edit = try Self.fields
    let image = try ImageSource(old, path: "a.xmp")
    let new = try image.patch(for: edit).applied(to: old)
    let after = try Self.image(new).metadata()
    try Expectation(edit: edit, before: image.metadata(), hasOnlyXMP: true).check(after)
    for (field, change) in edit.fields { #expect(after.value(of: field) == change.value) }
    #expect(after.locations == image.metadata().locations && after.captureTimes == image.metadata().captureTimes)
    #expect(try Self.image(new).patch(for: edit).isEmpty)
    var removal = MetadataEdit()
    for field in edit.fields.keys { removal.fields[field] = .remove }
    let bare = try Self.image(new).patch(for: removal).applied(to: Bytes(new))
    #expect(try Self.image(bare).metadata().fields.isEmpty)
  }

  @Test("GPS values that belong to a location are written too.")
  func companions() throws {
    var location = Location(try .at(-33.8568, 151.2153), altitude: 12.5)
    location.horizontalError = 8
    location.timestamp = Instant(seconds: 1_716_453_521)
    for (_, old) in Self.samples {
      let new = try ImageSource(old, path: "a.xmp").patch(for: .place(location)).applied(to: old)
      #expect(try Self.image(new).metadata().location == location)
    }
  }

  @Test("An EXIF tag without a form in XMP is refused.")
  func tags() throws {
    var edit = MetadataEdit()
    edit.tags[.sensitivityType] = .set(.whole([2]))
    let error = #expect(throws: FileError.self) { try Self.image(Self.located).patch(for: edit) }
    #expect(error?.kind == .refused && error?.description.contains("Exif.Photo.SensitivityType") == true)
  }

  @Test(
    "Real sidecars keep every other property, or are refused with a reason.",
    .enabled(if: Corpus.isThere && Oracle.has("exiftool"), "\(Corpus.absence), or no exiftool"))
  func corpus() throws {
    var edit = MetadataEdit.place(Location(try .at(-33.8568, 151.2153), altitude: 12.5))
    let time = try #require(CivilTime(year: 2023, month: 1, day: 2, hour: 3, minute: 4, second: 5))
    edit.dates = .set(CaptureTime(time, offset: UTCOffset(seconds: 36_000)))
    let (old, new) = (try Scratch(), try Scratch())
    var written = 0
    for file in Corpus.files("corpus/sidecar") {
      let bytes = Bytes([UInt8](try Data(contentsOf: file)))
      do throws(FileError) {
        let image = try ImageSource(bytes, path: "a.xmp")
        #expect(image.type == .xmp)
        let patch = try image.patch(for: edit)
        let edited = try patch.applied(to: bytes)
        try Expectation(edit: edit, before: image.metadata()).check(try Self.known(edited).metadata())
        #expect((try? patch.inverse(of: bytes).applied(to: Bytes(edited))) == bytes.array)
        _ = try? (old.write(bytes.array, as: file.lastPathComponent), new.write(edited, as: file.lastPathComponent))
        written += 1
      } catch {
        #expect(!error.description.isEmpty)
        let isBroken = ["_poc", "xmpsidecar_isXmpType", "exiv2-bug1108", "exiv2-bug1112", "issue_1998"]
          .contains { file.lastPathComponent.contains($0) }
        #expect(isBroken || error.kind == .unsupported, "\(file.lastPathComponent): \(error)")
      }
    }
    #expect(written >= 14)
    let (before, after) = (try ExifToolTags.read(in: [old.url]), try ExifToolTags.read(in: [new.url]))
    for (name, tags) in before {
      let now = try #require(after[name])
      // exiftool takes a sidecar that begins with rdf:RDF for plain text.
      if tags["File:FileType"] == "TXT" { continue }
      for key in Set(tags.keys).union(now.keys).sorted()
      where !ExifToolTags.isEdited(key) && !key.hasPrefix("XMP-exif:GPS") && !key.contains("LocationCreatedGPS") {
        #expect(tags[key] == now[key], "\(name): \(key)")
      }
      #expect(now["XMP-exif:GPSLatitude"]?.contains("33.85") == true, "\(name)")
    }
  }

  private static func known(_ bytes: [UInt8]) throws(FileError) -> ImageSource {
    try ImageSource(Bytes(bytes), path: "a.xmp")
  }
}
