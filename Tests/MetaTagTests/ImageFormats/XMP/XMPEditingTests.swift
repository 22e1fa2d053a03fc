import Testing

@testable import MetaTag

struct XMPEditingTests {
  private static func kyoto(altitude: Double? = nil) throws -> Location {
    Location(try #require(Coordinate(latitude: 35.0116, longitude: 135.768)), altitude: altitude)
  }

  @Test("Shifting moves all capture dates, keeps other dates, and changes no other byte.")
  func dates() throws {
    let old = XMPSample.packet(
      """
      exif:DateTimeOriginal="2024-05-23T23:38:41.5+09:00" xmp:ModifyDate="2024-05-23T23:38:41"
      xmp:CreateDate='2024-05-23T23:38:41' xmp:MetadataDate="2024-05-23T23:38:41"
      """,
      """
      <photoshop:DateCreated>2024-05-23T23:38:41Z</photoshop:DateCreated><!-- 2024-05-23T23:38:41 -->
      <exif:DateTimeDigitized> 2024-05-23T23:38:41 </exif:DateTimeDigitized>
      <aux:Lens rdf:parseType="Resource"><xmp:CreateDate>2024-05-23T23:38:41</xmp:CreateDate></aux:Lens>
      """)
    let new = try #require(try XMPSample.edited(old, .shift(3_600)))
    let wanted = XMPSample.packet(
      """
      exif:DateTimeOriginal="2024-05-24T00:38:41.5+09:00" xmp:ModifyDate="2024-05-23T23:38:41"
      xmp:CreateDate='2024-05-24T00:38:41' xmp:MetadataDate="2024-05-23T23:38:41"
      """,
      """
      <photoshop:DateCreated>2024-05-24T00:38:41Z</photoshop:DateCreated><!-- 2024-05-23T23:38:41 -->
      <exif:DateTimeDigitized>2024-05-24T00:38:41</exif:DateTimeDigitized>
      <aux:Lens rdf:parseType="Resource"><xmp:CreateDate>2024-05-23T23:38:41</xmp:CreateDate></aux:Lens>
      """, padding: 502)
    #expect(XMPSample.text(new) == XMPSample.text(wanted))
  }

  @Test("An edit that changes nothing returns nothing.")
  func nothing() throws {
    let packet = XMPSample.packet("exif:GPSLatitude='35,0.696N' exif:GPSLongitude='135,46.08E' xmp:CreateDate='2024'")
    var same = MetadataEdit()
    same.location = .set(try XMPEditingTests.kyoto())
    for edit in [MetadataEdit(), .shift(0), .shift(3_600), same] {
      #expect(try XMPSample.edited(packet, edit) == nil)
    }
    #expect(try XMPSample.edited(XMPSample.packet(), .removingPlace) == nil)
    #expect(try XMPSample.edited(XMPSample.packet("xmp:Label='x'"), same) == nil)
  }

  @Test(
    "Setting a date fills an empty one.",
    arguments: ["<xmp:CreateDate/>", "<xmp:CreateDate rdf:about='' />", "<xmp:CreateDate></xmp:CreateDate>"])
  func emptyDates(element: String) throws {
    var edit = MetadataEdit()
    edit.dates = .set(CaptureTime(try #require(CivilTime(year: 2023, month: 1, day: 2))))
    let new = try #require(try XMPSample.edited(XMPSample.packet("", element), edit))
    #expect(try XMPSample.metadata(new).digitizedTimes.map { "\($0.value)" } == ["2023-01-02T00:00:00"])
  }

  @Test("A date that is a structure is refused if it must change.")
  func structure() throws {
    let packet = XMPSample.packet("", "<xmp:CreateDate><rdf:Seq><rdf:li>2024</rdf:li></rdf:Seq></xmp:CreateDate>")
    var edit = MetadataEdit()
    edit.dates = .set(CaptureTime(try #require(CivilTime(year: 2023, month: 1, day: 2))))
    let error = #expect(throws: FileError.self) { try XMPSample.edited(packet, edit) }
    #expect(error?.kind == .unsupported)
  }

  @Test("A new location removes GPS values of the old one, even if the packet has no coordinate.")
  func companions() throws {
    let old = XMPSample.packet(
      """
      exif:GPSAltitude="300/1" exif:GPSAltitudeRef="0" exif:GPSTimeStamp="2020-01-02T12:00:00Z" \
      exif:GPSAreaInformation="Paris" exif:GPSImgDirection="45/1" photoshop:Credit="Ada"
      """)
    let location = try XMPEditingTests.kyoto()
    let new = XMPSample.text(try XMPSample.edited(old, .place(location)))
    #expect(new.contains(#"rdf:about="" exif:GPSImgDirection="45/1" photoshop:Credit="Ada">"#), "\(new)")
    #expect(try XMPSample.edited(old, .place(location, keepsCompanions: true)) == nil)
    let high = XMPSample.text(try XMPSample.edited(old, .place(try XMPEditingTests.kyoto(altitude: 50))))
    #expect(high.contains("exif:GPSAltitude=\"50/1\"") && !high.contains("GPSLatitude"))
  }

  @Test("A location is replaced, and values that belong to the old one are removed.")
  func position() throws {
    let old = XMPSample.packet(
      """
      exif:GPSLatitude="33,27.4S" exif:GPSLongitude="151,12.0E" exif:GPSSpeed="36/1" exif:GPSSpeedRef="K" \
      exif:GPSImgDirection="45/1" exif:GPSTrack="90/1" exif:GPSTrackRef="T" exif:GPSMapDatum="TOKYO" exif:GPSDOP="2/1" \
      exif:GPSAltitude="10/1" exif:GPSAltitudeRef="0" exif:GPSVersionID="2.2.0.0" exif:GPSTimeStamp="2024-05-23T09:38:41Z" \
      exif:GPSSatellites="4" photoshop:City="Sydney"
      """)
    var location = try XMPEditingTests.kyoto()
    let new = try #require(try XMPSample.edited(old, .place(location)))
    let wanted = """
      exif:GPSLatitude="35,0.696N" exif:GPSLongitude="135,46.08E" exif:GPSImgDirection="45/1" exif:GPSMapDatum="WGS-84" \
      exif:GPSVersionID="2.2.0.0" photoshop:City="Sydney">
      """
    #expect(XMPSample.text(new).contains(" " + wanted))
    #expect(new.count == old.count)
    #expect(try XMPSample.edited(new, .place(location)) == nil)

    location.altitude = -2.5
    location.speed = 10
    location.timestamp = Instant(seconds: 0)
    location.imageDirection = Direction(degrees: 10, reference: .magneticNorth)
    let full = try #require(try XMPSample.edited(old, .place(location, keepsCompanions: true)))
    let kept = """
      exif:GPSLatitude="35,0.696N" exif:GPSLongitude="135,46.08E" exif:GPSSpeed="36/1" exif:GPSSpeedRef="K" \
      exif:GPSImgDirection="10/1" exif:GPSImgDirectionRef="M" exif:GPSTrack="90/1" exif:GPSTrackRef="T" \
      exif:GPSMapDatum="WGS-84" exif:GPSDOP="2/1" exif:GPSAltitude="5/2" exif:GPSAltitudeRef="1" \
      exif:GPSVersionID="2.2.0.0" exif:GPSTimeStamp="1970-01-01T00:00:00Z" exif:GPSSatellites="4" photoshop:City="Sydney">
      """
    #expect(XMPSample.text(full).contains(" " + kept))
  }

  @Test(
    "A missing part of a location is added in its neighbour's style.",
    arguments: [
      (
        XMPSample.packet("\n   exif:GPSLatitude='1,0N'"),
        #" \#n   exif:GPSLatitude='35,0.696N' \#n   exif:GPSLongitude="135,46.08E" \#n   "#
      ),
      (
        XMPSample.packet("", "\n   <exif:GPSLongitude>1,0E</exif:GPSLongitude>"),
        "\n   <exif:GPSLongitude>135,46.08E</exif:GPSLongitude>\n   <exif:GPSLatitude>35,0.696N</exif:GPSLatitude>"
      ),
      (
        XMPSample.packet("", #"<e:GPSLatitude xmlns:e="http://ns.adobe.com/exif/1.0/"/>"#),
        #"<e:GPSLatitude xmlns:e="http://ns.adobe.com/exif/1.0/">35,0.696N</e:GPSLatitude>"#
          + #"<e:GPSLongitude xmlns:e="http://ns.adobe.com/exif/1.0/">135,46.08E</e:GPSLongitude>"#
      ),
      (
        XMPSample.packet("", #"<GPSLatitude xmlns="http://ns.adobe.com/exif/1.0/">1</GPSLatitude>"#),
        #"<GPSLatitude xmlns="http://ns.adobe.com/exif/1.0/">35,0.696N</GPSLatitude>"#
          + #"<GPSLongitude xmlns="http://ns.adobe.com/exif/1.0/">135,46.08E</GPSLongitude>"#
      ),
    ])
  func additions(packet: [UInt8], wanted: String) throws {
    let location = try XMPEditingTests.kyoto(altitude: 12.5)
    let new = try #require(try XMPSample.edited(packet, .place(location)))
    #expect(XMPSample.text(new).contains(wanted))
    #expect(try XMPSample.metadata(new).location?.altitude == 12.5)
    let found = try #require(try XMPSample.metadata(new).location?.coordinate)
    #expect(abs(found.latitude - 35.0116) < 1e-9 && abs(found.longitude - 135.768) < 1e-9)
    #expect(try XMPSample.edited(new, .place(location)) == nil)
  }

  @Test("Writing the same location keeps it and removes values that the new one lacks.")
  func samePosition() throws {
    let old = XMPSample.packet(
      "exif:GPSLatitude='35,0.6960N' exif:GPSLongitude='135.768' exif:GPSSpeed='1/1' exif:GPSSatellites='4'")
    let new = try #require(try XMPSample.edited(old, .place(XMPEditingTests.kyoto())))
    #expect(
      XMPSample.text(new).contains(
        " exif:GPSLatitude='35,0.6960N' exif:GPSLongitude='135.768' exif:GPSSatellites='4'>"))
  }

  @Test("A separate hemisphere property is removed once the value contains the letter.")
  func references() throws {
    let old = XMPSample.packet(
      "exif:GPSLatitude='33.5' exif:GPSLatitudeRef='S' exif:GPSLongitude='151' exif:GPSLongitudeRef='E'")
    #expect(try XMPSample.metadata(old).location?.coordinate == Coordinate(latitude: -33.5, longitude: 151))
    let new = try #require(try XMPSample.edited(old, .place(XMPEditingTests.kyoto())))
    #expect(XMPSample.text(new).contains(" exif:GPSLatitude='35,0.696N' exif:GPSLongitude='135,46.08E'>"))
  }

  @Test("A removed location leaves no trace, not even in structures.")
  func removal() throws {
    let old = XMPSample.packet(
      """
      exif:GPSLatitude="33,27.4S" exif:GPSLongitude="151,12.0E" exif:GPSImgDirection="45/1" exif:GPSVersionID="2.2.0.0"
      photoshop:City="Sydney" photoshop:State="NSW" photoshop:Country="Australia" photoshop:Headline="Harbour"
      xmlns:drone="http://www.dji.com/drone-dji/1.0/" drone:GpsLatitude="-33.4567" drone:Pitch="1"
      drone:AbsoluteAltitude="+1252.12" drone:RelativeAltitude="+125.30" drone:MAVRelativeAltitude="125.31"
      drone:GPSXYAccuracy="1.17" drone:LRFTargetAbsAlt="901.5"
      """,
      """
      <Iptc4xmpCore:Location>Rocks</Iptc4xmpCore:Location><Iptc4xmpCore:CountryCode>AU</Iptc4xmpCore:CountryCode>
      <Iptc4xmpCore:CountryName/>
      <Iptc4xmpExt:LocationCreated><rdf:Bag><rdf:li rdf:parseType="Resource"><exif:GPSLatitude>33,27.4S</exif:GPSLatitude>
      <Iptc4xmpExt:City>Sydney</Iptc4xmpExt:City></rdf:li></rdf:Bag></Iptc4xmpExt:LocationCreated>
      <Iptc4xmpExt:LocationShown Iptc4xmpExt:City="Sydney" exif:GPSLongitude="151,12.0E"/>
      <aux:Pantry><rdf:Bag><rdf:li><rdf:Description exif:GPSLatitude="33,27.4S" aux:Lens="50 mm"/></rdf:li></rdf:Bag>
      </aux:Pantry>
      """)
    let new = try #require(try XMPSample.edited(old, .removingPlace))
    #expect(new.count == old.count)
    let text = XMPSample.text(new)
    let altitudes = ["1252", "125.3", "1.17", "901.5"]
    for trace in ["33,27", "151,12", "GPS", "Gps", "33.4567", "Sydney", "NSW", "Australia", "Rocks", "AU", "45/1"]
      + altitudes
    {
      #expect(!text.contains(trace), "\(trace) is still there")
    }
    for other in ["photoshop:Headline=\"Harbour\"", "drone:Pitch=\"1\"", "<rdf:Description aux:Lens=\"50 mm\"/>"] {
      #expect(text.contains(other))
    }
    #expect(try XMPSample.metadata(new) == Metadata())
    #expect(try XMPSample.edited(new, .removingPlace) == nil)
  }

  @Test(
    "A drone's copies of another location are removed with a note; copies of the same one stay.",
    arguments: [(47.3541841, false), (47.36, true)])
  func drone(latitude: Double, isGone: Bool) throws {
    let own = """
      xmlns:drone-dji="http://www.dji.com/drone-dji/1.0/" drone-dji:GpsLatitude="+47.3541841"
      drone-dji:GpsLongitude="+10.1913155" drone-dji:AbsoluteAltitude="+1252.12" drone-dji:FlightYawDegree="+3.1"
      """
    let edit = MetadataEdit.place(Location(try .at(latitude, 10.1913155)))
    for position in ["", #" exif:GPSLatitude="47,21.251N" exif:GPSLongitude="10,11.479E""#] {
      let old = XMPSample.packet(own + position)
      let new = try XMPSample.edited(old, edit) ?? old
      let text = XMPSample.text(new)
      #expect(text.contains("GpsLatitude") != isGone && text.contains("GpsLongitude") != isGone, "\(text)")
      #expect(text.contains("AbsoluteAltitude") != isGone && text.contains("FlightYawDegree"), "\(text)")
      let notes = try XMPPacket(Bytes(old)).notes(onPlace: edit)
      let recorded = Note.removed(["GpsLatitude in XMP", "GpsLongitude in XMP", "AbsoluteAltitude in XMP"])
      #expect(notes == (isGone ? [recorded] : []))
      #expect(try XMPSample.edited(new, edit) == nil)
    }
  }

  @Test("Removing the place removes Photo Mechanic's country, and erasing dates GIMP's time stamp.")
  func programs() throws {
    let old = XMPSample.packet(
      """
      xmlns:pm="http://ns.camerabits.com/photomechanic/1.0/" pm:CountryCode="AT" pm:Prefs="0:0:2"
      xmlns:GIMP="http://www.gimp.org/xmp/" GIMP:TimeStamp="1713048032604355" GIMP:Version="2.99"
      """)
    var dates = MetadataEdit()
    dates.erasesDates = true
    for (edit, gone, left) in [
      (MetadataEdit.removingPlace, "AT", "1713048032604355"), (dates, "1713048032604355", "pm:CountryCode=\"AT\""),
    ] {
      let text = XMPSample.text(try XMPSample.edited(old, edit))
      #expect(!text.contains(gone) && text.contains(left), "\(text)")
      #expect(text.contains("pm:Prefs=\"0:0:2\"") && text.contains("GIMP:Version=\"2.99\""))
    }
  }

  @Test("The digest of extended XMP stays.")
  func extended() throws {
    let note = #"xmlns:n="http://ns.adobe.com/xmp/note/" n:HasExtendedXMP="0123456789ABCDEF0123456789ABCDEF""#
    let new = try XMPSample.edited(XMPSample.packet(note + " xmp:CreateDate='2024-05-23T23:38:41'"), .shift(-1))
    #expect(XMPSample.text(new).contains(note))
  }
}
