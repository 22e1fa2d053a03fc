@testable import ImageFormats
import Foundation
import TestSupport
import Testing

@testable import MetaTag

@Suite("Place names in XMP")
struct XMPNamesTests {
  static let gion = PlaceNames(sublocation: "Gion", city: "Kyoto", state: "Kyoto", country: "Japan", code: "JP")
  static let city = PlaceNames(city: "Köln & Düren", state: nil, country: "Germany", code: "DE")

  static func edited(_ packet: [UInt8], _ names: PlaceNames, shown: Bool = false) throws -> [UInt8]? {
    try XMPSample.edited(packet, .naming(names, shown: shown))
  }

  static func structure(_ fields: String) -> String {
    "<Iptc4xmpExt:LocationCreated><rdf:Bag><rdf:li rdf:parseType=\"Resource\">\(fields)</rdf:li></rdf:Bag>"
      + "</Iptc4xmpExt:LocationCreated>"
  }

  static let packets: [(String, [UInt8])] = [
    ("no XMP", XMPPacket.blank), ("nothing of places", XMPSample.packet("xmp:Rating=\"3\"")),
    ("no padding", XMPSample.packet(padding: 0)), ("read-only", XMPSample.packet(end: "<?xpacket end=\"r\"?>")),
    ("attributes", XMPSample.packet("photoshop:City=\"Oldtown\" photoshop:State=\"Old\" Iptc4xmpCore:Location='x'")),
    ("elements", XMPSample.packet("", "<photoshop:City>Oldtown</photoshop:City><photoshop:Country/>")),
    ("twice", XMPSample.packet("photoshop:City=\"A\"", "<photoshop:City>B</photoshop:City>")),
    (
      "languages",
      XMPSample.packet(
        "",
        "<photoshop:City><rdf:Alt><rdf:li xml:lang=\"x-default\">Old</rdf:li>"
          + "<rdf:li xml:lang=\"de\">Alt</rdf:li></rdf:Alt></photoshop:City>")
    ),
    ("a structure", XMPSample.packet("", structure("<Iptc4xmpExt:City>Oldtown</Iptc4xmpExt:City>"))),
    (
      "a structure in attributes",
      XMPSample.packet(
        "",
        "<Iptc4xmpExt:LocationCreated><rdf:Bag><rdf:li><rdf:Description Iptc4xmpExt:City=\"Oldtown\" "
          + "Iptc4xmpExt:Sublocation=\"x\"/></rdf:li></rdf:Bag></Iptc4xmpExt:LocationCreated>")
    ),
    (
      "an empty structure",
      XMPSample.packet("", "<Iptc4xmpExt:LocationCreated><rdf:Bag/></Iptc4xmpExt:LocationCreated>")
    ),
    (
      "a structure in languages",
      XMPSample.packet(
        "",
        structure(
          "<Iptc4xmpExt:City><rdf:Alt><rdf:li xml:lang=\"x-default\">Old</rdf:li></rdf:Alt></Iptc4xmpExt:City>"))
    ),
    (
      "empty RDF",
      Array(
        "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><r:RDF xmlns:r=\"\(XMPSchema.rdf.uri)\"/></x:xmpmeta>".utf8)
    ),
    (
      "about something",
      Array(
        "<rdf:RDF xmlns:rdf=\"\(XMPSchema.rdf.uri)\"><rdf:Description rdf:about=\"uuid:a&amp;b\"/></rdf:RDF>".utf8)
    ),
  ]

  @Test("A new description has the subject of the others, even if theirs has no prefix.")
  func about() throws {
    let old = Array(
      "<rdf:RDF xmlns:rdf=\"\(XMPSchema.rdf.uri)\"><rdf:Description about=\"uuid:a-b\"/></rdf:RDF>".utf8)
    let new = XMPSample.text(try Self.edited(old, Self.city))
    #expect(new.contains("rdf:about=\"uuid:a-b\"") && !new.contains("about=\"\""), "\(new)")
  }

  @Test("Names are written to every property, and a second edit changes nothing.", arguments: packets)
  func editing(name: String, packet: [UInt8]) throws {
    var last = packet
    for names in [Self.gion, Self.city] {
      let new = try #require(try Self.edited(last, names, shown: true))
      let metadata = try XMPSample.metadata(new)
      #expect(metadata.placeNames.map(\.value) == [names, names], "\(XMPSample.text(new))")
      #expect(metadata.namesShown.map(\.value) == [names])
      #expect(try Self.edited(new, names, shown: true) == nil)
      last = new
    }
    let none = try #require(try Self.edited(last, PlaceNames()))
    #expect(try XMPSample.metadata(none).placeNames.isEmpty)
  }

  @Test(
    "ExifTool reads the same names.", .enabled(if: Oracle.has("exiftool"), "exiftool is missing"),
    // It warns of a duplicate property, before and after.
    arguments: packets.filter { $0.0 != "twice" })
  func oracle(name: String, packet: [UInt8]) throws {
    let new = try #require(try Self.edited(packet, Self.gion, shown: true))
    let scratch = try Scratch()
    let sidecar = try scratch.write(new, as: "a.xmp")
    let tags = ["Location", "City", "State", "Country", "CountryCode"].map { "-" + $0 }
    let nested = ["Created", "Shown"].flatMap { kind in
      ["Sublocation", "City", "ProvinceState", "CountryName", "CountryCode"].map { "-Location\(kind)\($0)" }
    }
    let answer = try Oracle.run("exiftool", ["-s3", "-validate", "-warning"] + tags + nested + [sidecar.path]).text
    let lines = answer.split(separator: "\n").map(String.init).filter { $0 != "OK" }
    let wanted = ["Gion", "Kyoto", "Kyoto", "Japan", "JP"]
    #expect(lines == wanted + wanted + wanted, "\(answer)")
  }

  private static let others = [
    "<exif:GPSLatitude>1,2.0N</exif:GPSLatitude>", "<exif:GPSLongitude>1,2.0E</exif:GPSLongitude>",
    "<Iptc4xmpExt:LocationId><rdf:Bag><rdf:li>wd:Q1</rdf:li></rdf:Bag></Iptc4xmpExt:LocationId>",
    "<mine:x xmlns:mine=\"urn:m\">y</mine:x>",
  ]

  @Test(
    "Other fields of a location structure stay if they are true of the new names.",
    arguments: ["<Iptc4xmpExt:City>Kyoto</Iptc4xmpExt:City>", ""])
  func otherFields(city: String) throws {
    let packet = XMPSample.packet("", Self.structure(city + Self.others.joined()))
    let new = try #require(try Self.edited(packet, Self.gion))
    #expect(Self.others.allSatisfy(XMPSample.text(new).contains))
    #expect(try XMPSample.metadata(new).placeNames.map(\.value) == [Self.gion, Self.gion])
    #expect(try XMPPacket(Bytes(packet)).notes(onNames: .naming(Self.gion)).isEmpty)
  }

  @Test("A location structure of another place is removed whole, and a note lists its fields.")
  func otherPlace() throws {
    let old = "<Iptc4xmpExt:City>Oldtown</Iptc4xmpExt:City>" + Self.others.joined()
    let plain = "photoshop:City=\"Oldtown\""
    let packets = [
      XMPSample.packet("", Self.structure(old)), XMPSample.packet(plain, Self.structure(Self.others.joined())),
      XMPSample.packet(plain, Self.structure(old)),
    ]
    for packet in packets {
      for names in [Self.gion, PlaceNames()] {
        let new = try #require(try Self.edited(packet, names))
        #expect(Self.others.allSatisfy { !XMPSample.text(new).contains($0) })
        #expect(try XMPSample.metadata(new).placeNames.map(\.value) == (names.isEmpty ? [] : [names, names]))
        let notes = try XMPPacket(Bytes(packet)).notes(onNames: .naming(names))
        #expect(notes.count == 1 && notes[0].sentence.contains("LocationCreated LocationId"), "\(notes)")
      }
    }
    // The names agree, but the location doesn't.
    var moved = MetadataEdit.naming(Self.gion)
    moved.location = .set(Location(try #require(Coordinate(latitude: 35, longitude: 135.78))))
    let here = XMPSample.packet("", Self.structure("<Iptc4xmpExt:City>Kyoto</Iptc4xmpExt:City>" + Self.others.joined()))
    let new = try #require(try XMPSample.edited(here, moved))
    #expect(Self.others.allSatisfy { !XMPSample.text(new).contains($0) })
  }

  @Test(
    "Coordinates in a location structure are removed with a note if the photo moves too far.",
    arguments: [(2.25, true), (2.2505, false)])
  func movedPosition(east: Double, goes: Bool) throws {
    var edit = MetadataEdit()
    edit.location = .set(Location(try .at(goes ? -33.8568 : 48.5, east)))
    let city = "<Iptc4xmpExt:City>Paris</Iptc4xmpExt:City>"
    let position =
      "<exif:GPSLatitude>48,30.0N</exif:GPSLatitude><exif:GPSLongitude>2,15.0E</exif:GPSLongitude>"
      + "<exif:GPSAltitude>35/1</exif:GPSAltitude>"
    let own = "exif:GPSLatitude=\"48,30.0N\" exif:GPSLongitude=\"2,15.0E\""
    for (attributes, fields) in [(own, city + position), ("", city + position), (own, position)] {
      let packet = XMPSample.packet(attributes, Self.structure(fields))
      let new = XMPSample.text(try XMPSample.edited(packet, edit) ?? packet)
      #expect(new.contains(position) == !goes && new.contains("35/1") == !goes)
      #expect(new.contains(city) == fields.contains(city))
      #expect(new.contains("LocationCreated") == (!goes || fields.contains(city)))
      #expect(try XMPPacket(Bytes(packet)).notes(onPlace: edit).isEmpty == !goes)
      #expect(try XMPSample.edited(Array(new.utf8), edit) == nil)
    }
  }

  @Test("Names in properties of single programs are removed with the old names and with the location.")
  func programs() throws {
    for (old, code) in [("Oldtown", "AUT"), ("Oldtown", "AT"), ("Gion", "JP")] {
      let packet = XMPSample.packet(
        "photoshop:City='\(old)' photomechanic:CountryCode='\(code)' mediapro:Location='\(old)' "
          + "xmpDM:shotLocation='\(old)'")
      let new = try XMPPacket(Bytes(try #require(try Self.edited(packet, Self.gion))))
      #expect(new.value("photomechanic:CountryCode") == (code.count == 3 ? "JPN" : "JP"))
      let kept = old == "Gion" ? old : nil
      #expect(new.value("mediapro:Location") == kept && new.value("xmpDM:shotLocation") == kept)
      let notes = try XMPPacket(Bytes(packet)).notes(onNames: .naming(Self.gion))
      let recorded = Note.removed(["mediapro:Location", "xmpDM:shotLocation"])
      #expect(notes == (kept == nil ? [recorded] : []))
      let cleared = XMPSample.text(try XMPSample.edited(packet, .removingPlace))
      #expect(!cleared.contains(old) && !cleared.contains("'\(code)'"))
    }
  }

  @Test(
    "A structure that can't be changed without loss is refused.",
    arguments: [
      structure("<mine:x xmlns:mine=\"urn:m\">y</mine:x>"),
      "<Iptc4xmpExt:LocationCreated><rdf:Bag><rdf:li Iptc4xmpExt:City=\"A\" Iptc4xmpExt:CountryCode=\"DE\"/>"
        + "<rdf:li Iptc4xmpExt:City=\"B\"/></rdf:Bag></Iptc4xmpExt:LocationCreated>",
    ])
  func refusal(elements: String) throws {
    let packet = XMPSample.packet("", elements)
    #expect { try Self.edited(packet, Self.gion) } throws: { ($0 as? FileError)?.kind == .unsupported }
  }

  @Test("Several shown places are read separately and removed with the location.")
  func shown() throws {
    let packet = XMPSample.packet(
      "",
      "<Iptc4xmpExt:LocationShown><rdf:Bag><rdf:li Iptc4xmpExt:City=\"A\" Iptc4xmpExt:CountryCode=\"DE\"/>"
        + "<rdf:li><rdf:Description Iptc4xmpExt:City=\"B\"/></rdf:li></rdf:Bag></Iptc4xmpExt:LocationShown>"
        + Self.structure("<Iptc4xmpExt:City>Oldtown</Iptc4xmpExt:City>"))
    let metadata = try XMPSample.metadata(packet)
    #expect(metadata.namesShown.map(\.value.city) == ["A", "B"])
    #expect(metadata.placeNames.map(\.value.city) == ["Oldtown"])
    let cleared = try XMPSample.metadata(try #require(try XMPSample.edited(packet, .removingPlace)))
    #expect(cleared.placeNames.isEmpty && cleared.namesShown.isEmpty)
  }

  @Test(
    "Separate fractions and offsets follow XMP's dates.",
    arguments: [
      (MetadataEdit.shift(0, 500_000_000), "25", "+09:00"), (.shift(60), "75", "+09:00"),
      (.shift(0, offset: .set(.utc)), "75", "+00:00"), (.shift(0, offset: .remove), "75", nil),
    ] as [(MetadataEdit, String, String?)])
  func fractions(edit: MetadataEdit, fraction: String, offset: String?) throws {
    let packet = XMPSample.packet(
      "exif:DateTimeOriginal=\"2024-05-23T18:38:41.75+09:00\" exif:SubSecTimeOriginal=\"75\" "
        + "exif:SubSecTime=\"11\" exifEX:OffsetTimeOriginal=\"+09:00\" exifEX:OffsetTime=\"+01:00\"")
    let new = try XMPPacket(Bytes(try #require(try XMPSample.edited(packet, edit))))
    #expect(new.value("exif:SubSecTimeOriginal") == fraction)
    #expect(new.value("exifEX:OffsetTimeOriginal") == offset)
    #expect(new.value("exif:SubSecTime") == "11" && new.value("exifEX:OffsetTime") == "+01:00")
  }
}

extension PlaceNames {
  init(sublocation: String? = nil, city: String?, state: String?, country: String?, code: String?) {
    self.init()
    (self.sublocation, self.city, self.state) = (sublocation, city, state)
    (self.country, countryCode) = (country, code)
  }
}

extension MetadataEdit {
  static func naming(_ names: PlaceNames, shown: Bool = false, iptc: Bool = false) -> MetadataEdit {
    var edit = MetadataEdit()
    (edit.names, edit.namesPlaceShown, edit.addsIPTC) = (.set(names), shown, iptc)
    return edit
  }
}
