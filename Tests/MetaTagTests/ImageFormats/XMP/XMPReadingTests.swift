import Testing

@testable import MetaTag

struct XMPReadingTests {
  @Test(
    "A property is read in every form of RDF.",
    arguments: [
      XMPSample.packet(#"xmp:CreateDate="2024-05-23T18:38:41""#),
      XMPSample.packet("", "<xmp:CreateDate>2024-05-23T18:38:41</xmp:CreateDate>"),
      XMPSample.packet("", "<xmp:CreateDate>\n  2024-05-23T18:38:41\n </xmp:CreateDate>"),
      XMPSample.packet("", "<xmp:CreateDate><!-- ? -->2024-<![CDATA[05-23T]]>18&#x3A;38:41</xmp:CreateDate>"),
      XMPSample.packet("", #"<a:CreateDate xmlns:a="http://ns.adobe.com/xap/1.0/">2024-05-23T18:38:41</a:CreateDate>"#),
      XMPSample.packet("", #"<CreateDate xmlns="http://ns.adobe.com/xap/1.0/">2024-05-23T18:38:41</CreateDate>"#),
      XMPSample.packet(#"xmlns:xap="http://ns.adobe.com/xap/1.0/" xap:CreateDate='2024-05-23T18:38:41'"#),
      XMPSample.packet("", "</rdf:Description><rdf:Description xmp:CreateDate='2024-05-23T18:38:41'>"),
      XMPSample.packet("xmp:CreateDate='2024-05-23T18:38:41'", padding: 0, end: ""),
      XMPSample.packet("xmp:CreateDate='2024-05-23T18:38:41'", end: "\0\0\0"),
      XMPSample.packet("xmp:CreateDate='2024-05-23T18:38:41'", end: "<?xpacket end='r'?>\0<junk"),
      Array(
        """
        <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:q="http://ns.adobe.com/xap/1.0/">\
        <r:Description q:CreateDate="2024-05-23T18:38:41"/></r:RDF>
        """.utf8),
    ])
  func forms(packet: [UInt8]) throws {
    let metadata = try XMPSample.metadata(packet)
    let civil = try #require(CivilTime(year: 2024, month: 5, day: 23, hour: 18, minute: 38, second: 41))
    #expect(metadata.digitizedTimes == [Sourced(CaptureTime(civil), .xmp, tag: "xmp:CreateDate")])
    #expect(metadata.captureTimes.isEmpty)
  }

  @Test(
    "A property of another namespace or another subject is not read.",
    arguments: [
      XMPSample.packet(#"xmlns:xmp="urn:other" xmp:CreateDate="2024-05-23T18:38:41""#),
      XMPSample.packet(#"CreateDate="2024-05-23T18:38:41""#),
      XMPSample.packet("", "<aux:Lens><rdf:Description xmp:CreateDate='2024-05-23T18:38:41'/></aux:Lens>"),
      XMPSample.packet(
        "", "<aux:Lens rdf:parseType='Resource'><xmp:CreateDate>2024-05-23T18:38:41</xmp:CreateDate></aux:Lens>"),
      XMPSample.packet("", "<xmp:CreateDate><rdf:Seq><rdf:li>2024-05-23T18:38:41</rdf:li></rdf:Seq></xmp:CreateDate>"),
      XMPSample.packet("xmp:CreateDate='2024-05'"), XMPSample.packet("xmp:CreateDate=''"),
      XMPSample.packet("", "<b xmlns:xmp='urn:b'><xmp:CreateDate>2024-05-23T18:38:41</xmp:CreateDate></b>"),
    ])
  func foreign(packet: [UInt8]) throws {
    #expect(try XMPSample.metadata(packet) == Metadata())
  }

  @Test("A date without a time is read as a day.")
  func day() throws {
    let packet = XMPSample.packet(#"photoshop:DateCreated="2024-05-23" xmp:CreateDate="2024-05-24""#)
    let metadata = try XMPSample.metadata(packet)
    #expect(metadata.partialDates.map { "\($0.value) \($0.tag)" } == ["2024-05-23 photoshop:DateCreated"])
    #expect(metadata.captureTimes.isEmpty && metadata.digitizedTimes.isEmpty)
  }

  @Test("Dates come in order of trust, and malformed ones are reported as text.")
  func dates() throws {
    let metadata = try XMPSample.metadata(
      XMPSample.packet(
        """
        photoshop:DateCreated="2024-05-23T18:38" xmp:CreateDate="23.05.2024 18:38:41" \
        exif:DateTimeOriginal="2024-05-23T18:38:41.5+09:00" exif:DateTimeDigitized="2024-05-23T18:38:42Z"
        """))
    #expect(metadata.captureTimes.map(\.tag) == ["exif:DateTimeOriginal", "photoshop:DateCreated"])
    #expect(metadata.captureTimes.map { "\($0.value)" } == ["2024-05-23T18:38:41.5+09:00", "2024-05-23T18:38:00"])
    #expect(metadata.digitizedTimes.map(\.tag) == ["exif:DateTimeDigitized"])
    #expect(metadata.malformedDates == [Sourced("23.05.2024 18:38:41", .xmp, tag: "xmp:CreateDate")])
  }

  @Test("A location is read with its GPS values.")
  func location() throws {
    let metadata = try XMPSample.metadata(
      XMPSample.packet(
        """
        exif:GPSLatitude="33,27.40734072S" exif:GPSLongitude="151,12.0E" exif:GPSAltitude="25/2"
        exif:GPSAltitudeRef="1" exif:GPSImgDirection="4511/100" exif:GPSImgDirectionRef="M" exif:GPSSpeed="36"
        exif:GPSTrack="90/1" exif:GPSTimeStamp="2024-05-23T09:38:41.5" exif:GPSHPositioningError="4.5" exif:GPSDOP="2/1"
        exif:GPSProcessingMethod="GPS"
        """))
    let coordinate = try #require(Coordinate(latitude: -(33 + 27.40734072 / 60), longitude: 151.2))
    var location = Location(coordinate, altitude: -12.5)
    location.imageDirection = Direction(degrees: 45.11, reference: .magneticNorth)
    location.track = Direction(degrees: 90)
    location.speed = 36 * (1 / 3.6)
    location.horizontalError = 4.5
    location.dilutionOfPrecision = 2
    location.timestamp = Instant(seconds: 1_716_457_121, nanoseconds: 500_000_000)
    location.processingMethod = "GPS"
    #expect(metadata.locations == [Sourced(location, .xmp, tag: "exif:GPSLatitude")])
    #expect(metadata.notes.isEmpty)
  }

  @Test("Speed is read in metres per second.", arguments: [("K", 10), ("M", 16.09344), ("N", 18.52)])
  func speed(unit: String, value: Double) throws {
    let packet = XMPSample.packet(
      "exif:GPSLatitude='1,0N' exif:GPSLongitude='1,0E' exif:GPSSpeed='36' exif:GPSSpeedRef='\(unit)'")
    let speed = try #require(try XMPSample.metadata(packet).location?.speed)
    #expect(abs(speed - value) < 1e-9)
  }

  @Test(
    "Half a location or an unreadable one is reported, and nothing is guessed.",
    arguments: [
      "exif:GPSLatitude='33,27.4S'", "exif:GPSLatitude='33 27 S' exif:GPSLongitude='1,0E'",
      "exif:GPSLatitude='95,0N' exif:GPSLongitude='1,0E'",
    ])
  func unreadablePosition(attributes: String) throws {
    let metadata = try XMPSample.metadata(XMPSample.packet(attributes))
    #expect(metadata.locations.isEmpty)
    #expect(metadata.notes.count == 1)
  }

  @Test("A receiver without a fix has no location.")
  func withoutFix() throws {
    let packet = XMPSample.packet("exif:GPSLatitude='0,0N' exif:GPSLongitude='0,0E' exif:GPSStatus='V'")
    #expect(try XMPSample.metadata(packet) == Metadata())
  }

  @Test("Place names and camera names are read, and EXIF's properties come first.")
  func names() throws {
    let packet = XMPSample.packet(
      "photoshop:City='S&#227;o &amp; Paulo' photoshop:State='SP' tiff:Make='Leica' tiff:Model='M10' aux:Lens='35 mm'",
      "<photoshop:Country>Brasil</photoshop:Country><Iptc4xmpCore:CountryCode>BR</Iptc4xmpCore:CountryCode>"
        + "<Iptc4xmpCore:Location>Sé</Iptc4xmpCore:Location>")
    var metadata = Metadata()
    metadata.make = "LEICA CAMERA AG"
    try XMPPacket(Bytes(packet)).read(into: &metadata)
    var names = PlaceNames()
    (names.sublocation, names.city, names.state) = ("Sé", "São & Paulo", "SP")
    (names.country, names.countryCode) = ("Brasil", "BR")
    #expect(metadata.placeNames == [Sourced(names, .xmp, tag: "photoshop:City")])
    #expect((metadata.make, metadata.model, metadata.lensModel) == ("LEICA CAMERA AG", "M10", "35 mm"))
  }

  @Test(
    "A location that can't be read is reported, and counts as one only if both coordinates are present.",
    arguments: [
      ("exif:GPSLatitude='48;2' exif:GPSLongitude='16;3'", true),
      ("exif:GPSLatitude='north' exif:GPSLongitude='4,0E'", true),
      ("exif:GPSLatitude='99,0N' exif:GPSLongitude='4,0E'", true), ("exif:GPSLatitude='48,0N'", false),
      ("exif:GPSLatitude='48,0N' exif:GPSLongitude=''", false),
    ])
  func unreadPosition(attributes: String, isWhole: Bool) throws {
    let metadata = try XMPSample.metadata(XMPSample.packet(attributes))
    #expect(metadata.notes.map(\.code) == [.unreadablePosition] && metadata.location == nil)
    #expect((metadata.malformedPlace != nil) == isWhole)
  }

  @Test(
    "A packet that can't be read is an error with its offset in the file.",
    arguments: [
      ("<a><b></a>", FileError.Kind.malformed, 106), ("", .malformed, 100), ("<a/>", .malformed, 100),
      ("<\0a\0", .unsupported, 100), ("\0<\0a", .unsupported, 100), ("\0\0\0<", .unsupported, 100),
      ("<!DOCTYPE x><x/>", .refused, 100),
    ])
  func errors(text: String, kind: FileError.Kind, offset: Int) {
    let error = #expect(throws: FileError.self) { try XMPPacket(Bytes(Array(text.utf8), base: 100)) }
    if !text.isEmpty { #expect(error?.kind == kind) }
    #expect(error?.offset == offset)
  }

  @Test("A packet that would take too long to read is refused.")
  func manyNamespaces() {
    let declarations = (0..<50_000).map { " xmlns:n\($0)='u'" }.joined()
    let packet = XMPSample.packet(declarations, String(repeating: "<a:b/>", count: 50_000))
    let error = #expect(throws: FileError.self) { try XMPPacket(Bytes(packet)) }
    #expect(error?.kind == .refused)
  }

  @Test("A packet cut short at any byte is an error or complete, and never traps.")
  func truncation() throws {
    let packet = XMPSample.packet(
      "exif:GPSLatitude='1,0N' xmp:CreateDate='2024-05-23T18:38:41'", "<exif:GPSLongitude>1,0E</exif:GPSLongitude>")
    let whole = try XMPSample.metadata(packet)
    var read = 0
    for count in packet.indices {
      let cut = Array(packet.prefix(count))
      guard let metadata = try? XMPSample.metadata(cut) else { continue }
      read += 1
      #expect(metadata == whole)
      for edit in [MetadataEdit.shift(3_600), .removingPlace] { _ = try XMPSample.edited(cut, edit) }
    }
    #expect(read > 0)
  }
}
