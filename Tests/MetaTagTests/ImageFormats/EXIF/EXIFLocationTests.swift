@testable import ImageFormats
import SystemPackage
import Testing

@testable import MetaTag

@Suite("EXIF locations")
struct EXIFLocationTests {
  @Test(
    "Degrees are written as whole degrees, whole minutes and 1/10000 seconds.",
    arguments: [
      (31.2, 31, 12, 0), (89.99999999999, 90, 0, 0), (35.6895, 35, 41, 222_000), (139.6917, 139, 41, 301_200),
      (-33.8568, 33, 51, 244_800), (151.2153, 151, 12, 550_800), (31.2304, 31, 13, 494_400),
      (121.4737, 121, 28, 253_200), (48.85837, 48, 51, 301_320), (2.294481, 2, 17, 401_316), (-0.00001, 0, 0, 360),
      (180, 180, 0, 0), (0, 0, 0, 0),
    ] as [(Double, UInt32, UInt32, UInt32)])
  func sexagesimal(degrees: Double, d: UInt32, m: UInt32, s: UInt32) {
    #expect(EXIF.sexagesimal(degrees) == [Rational(d, 1), Rational(m, 1), Rational(s, 10_000)])
  }

  @Test(
    "A decimal becomes the shortest equal fraction.",
    arguments: [
      (12.5, 125, 10), (0, 0, 1), (56, 56, 1), (123.456789, 123_456_789, 1_000_000), (1.0 / 3, 333_333, 1_000_000),
    ] as [(Double, Int, Int)])
  func fractions(value: Double, numerator: Int, denominator: Int) {
    #expect(Rational(value) == Rational(UInt32(numerator), UInt32(denominator)))
    #expect(Rational(-1) == nil && Rational(.nan) == nil && Rational(1e10) == nil)
  }

  @Test(
    "Hemispheres follow the sign; zero and minus zero are north and east.",
    arguments: [
      (-0.0, -0.0, "N", "E"), (0, 0, "N", "E"), (-0.00001, -180, "S", "W"), (90, 180, "N", "E"), (-90, 121.4, "S", "E"),
    ])
  func refs(latitude: Double, longitude: Double, south: String, west: String) throws {
    var edit = MetadataEdit()
    edit.location = .set(Location(try .at(latitude, longitude)))
    let gps = try #require(try EXIF.changes(for: edit, in: nil).tags[.gps])
    #expect(gps[1] == .set(.ascii(south)) && gps[3] == .set(.ascii(west)))
    #expect(gps[0] == .set(.bytes([2, 3, 0, 0])))
  }

  @Test(
    "Every usual form of degrees and hemisphere is read.",
    arguments: [
      ([(31, 1), (13, 1), (4_944, 100)], "N", 31.2304), ([(31, 1), (13_824, 1_000), (0, 1)], "n", 31.2304),
      ([(312_304, 10_000), (0, 1), (0, 1)], " N", 31.2304), ([(31, 1), (13, 1), (4_944, 100)], "South", -31.2304),
      ([(31, 0), (13, 1), (0, 1)], "N", nil), ([(31, 1), (13, 1), (0, 0)], "N", nil),
      ([(91, 1), (0, 1), (0, 1)], "N", nil),
      ([(31, 1), (13, 1), (0, 1)], nil, nil), ([(31, 1), (13, 1), (0, 1)], "X", nil),
    ] as [([(UInt32, UInt32)], String?, Double?)])
  func forms(parts: [(UInt32, UInt32)], ref: String?, expected: Double?) throws {
    let east = [Rational(121, 1), Rational(0, 1), Rational(0, 1)]
    let tiff = Sample.tiff(.big, gps: Sample.place(parts.map { Rational($0.0, $0.1) }, ref, east, "E"))
    var metadata = Metadata()
    EXIF.read(try TIFFBlock(Bytes(tiff), 0..<tiff.count), into: &metadata)
    let found = metadata.location?.coordinate.latitude
    #expect((found == nil) == (expected == nil))
    if let found, let expected { #expect(abs(found - expected) < 1e-9) }
    #expect(metadata.notes.isEmpty == (expected != nil))
  }

  private static let (degrees, none) = (
    TIFFValue.rational([Rational(31, 1), Rational(13, 1), Rational(0, 1)]),
    TIFFValue.rational([Rational](repeating: Rational(0, 0), count: 3))
  )

  @Test(
    "A location that can't be read is reported, and counts as one only if both coordinates are present.",
    arguments: [
      (.ascii("52,00000,50,00000,34,01180"), .ascii("11,0,10,0"), "N", "is written as text", true),
      (degrees, .ascii("11"), "N", "is written as text", true),
      (.ascii("11"), nil, "N", "lacks its latitude or longitude", false),
      (.short([48]), .bytes([16]), "N", "can't be read", true),
      (.rational([Rational(48, 0)]), degrees, "N", "can't be read", true),
      (degrees, none, "N", "lacks its latitude or longitude", false),
      (degrees, nil, "N", "lacks its latitude or longitude", false),
      (none, none, "N", nil, false), (.ascii("   "), .ascii(""), "N", nil, false), (nil, nil, "N", nil, false),
      (degrees, degrees, nil, "hemisphere", true), (degrees, degrees, "?", "hemisphere", true),
      (.rational([Rational(0, 1)]), .rational([Rational(0, 1)]), nil, "hemisphere", false),
      (.rational([Rational(99, 1)]), degrees, "N", "out of range", true),
    ] as [(TIFFValue?, TIFFValue?, String?, String?, Bool)])
  func unread(latitude: TIFFValue?, longitude: TIFFValue?, ref: String?, note: String?, isWhole: Bool) throws {
    var gps: [UInt16: TIFFValue] = [3: .ascii("E")]
    (gps[2], gps[4], gps[1]) = (latitude, longitude, ref.map { .ascii($0) })
    let tiff = Sample.tiff(.big, gps: gps)
    var metadata = Metadata()
    EXIF.read(try TIFFBlock(Bytes(tiff), 0..<tiff.count), into: &metadata)
    #expect(metadata.locations.isEmpty && metadata.notes.count == (note == nil ? 0 : 1))
    #expect(metadata.notes.first?.sentence.contains(note ?? "") ?? true, "\(metadata.notes)")
    #expect(metadata.unreadPlaces.map(\.value) == metadata.notes.map(\.sentence))
    #expect((metadata.malformedPlace != nil) == isWhole)
  }

  @Test("Degrees, minutes and seconds are read as the nearest number.", arguments: [46.02, 0.02, 46.1, 35.0116])
  func nearestNumber(degrees: Double) throws {
    let east = [Rational(7, 1), Rational(45, 1), Rational(0, 1)]
    let tiff = Sample.tiff(.big, gps: Sample.place(EXIF.sexagesimal(degrees), "N", east, "E"))
    var metadata = Metadata()
    EXIF.read(try TIFFBlock(Bytes(tiff), 0..<tiff.count), into: &metadata)
    #expect(metadata.location?.coordinate == Coordinate(latitude: degrees, longitude: 7.75))
  }

  @Test("A receiver without a fix at 0, 0 has no location.")
  func voidFix() throws {
    let zero = [Rational](repeating: Rational(0, 1), count: 3)
    for (status, isThere) in [("V", false), ("A", true)] {
      var gps = Sample.place(zero, "N", zero, "E")
      gps[9] = .ascii(status)
      let tiff = Sample.tiff(gps: gps)
      var metadata = Metadata()
      EXIF.read(try TIFFBlock(Bytes(tiff), 0..<tiff.count), into: &metadata)
      #expect(metadata.locations.isEmpty == !isThere && metadata.location == nil)
    }
  }

  static func full() throws -> Location {
    var location = Location(try .at(-33.8568, 151.2153), altitude: -12.5)
    location.speed = 10
    location.track = Direction(degrees: 271.25)
    location.imageDirection = Direction(degrees: 12, reference: .magneticNorth)
    location.horizontalError = 4.5
    location.dilutionOfPrecision = 1.2
    location.timestamp = Instant(seconds: 1_716_457_121, nanoseconds: 500_000_000)
    location.processingMethod = "GPS"
    return location
  }

  @Test("A location that is written is read back.", arguments: [Bytes.Order.little, .big])
  func roundTrip(order: Bytes.Order) throws {
    let wanted = try Self.full()
    var edit = MetadataEdit()
    edit.location = .set(wanted)
    let photo = Sample.jpeg(Sample.exif(Sample.tiff(order, exif: Sample.cameraDates)))
    let edited = try Editing.edited(photo, edit)
    let found = try #require(try Editing.metadata(of: edited).location)
    #expect(abs(found.coordinate.latitude - wanted.coordinate.latitude) < 2e-8)
    #expect(abs(found.coordinate.longitude - wanted.coordinate.longitude) < 2e-8)
    #expect(found.altitude == -12.5 && abs((found.speed ?? 0) - 10) < 1e-9)
    #expect(found.track == wanted.track && found.imageDirection == wanted.imageDirection)
    #expect(found.horizontalError == 4.5 && found.dilutionOfPrecision == 1.2)
    #expect(found.timestamp == wanted.timestamp && found.processingMethod == "GPS")
    #expect(try Editing.patch(edit, of: edited).isEmpty)
    edit.location = .set(found)
    #expect(try Editing.patch(edit, of: edited).isEmpty)
  }

  @Test("A new location removes stale GPS values but keeps the camera's direction.", arguments: [false, true])
  func companions(keeps: Bool) throws {
    var edit = MetadataEdit()
    edit.location = .set(try Self.full())
    let first = try Editing.edited(Sample.jpeg(), edit)
    edit.location = .set(Location(try .at(35.6895, 139.6917)))
    edit.keepsCompanions = keeps
    let second = try Editing.edited(first, edit)
    let found = try #require(try Editing.metadata(of: second).location)
    #expect(second.count == first.count)
    #expect(found.imageDirection == Direction(degrees: 12, reference: .magneticNorth))
    #expect((found.altitude == nil) == !keeps && (found.speed == nil) == !keeps && (found.timestamp == nil) == !keeps)
    #expect(abs(found.coordinate.latitude - 35.6895) < 2e-8)
  }

  @Test(
    "The destination in GPS tags stays, and descriptions of the old location are removed with a note.",
    arguments: [false, true])
  func descriptions(keeps: Bool) throws {
    var gps = Sample.place([Rational(1, 1), Rational(2, 1), Rational(3, 1)], "N", [Rational(4, 1)], "E")
    gps.merge([
      0x13: .ascii("N"), 0x14: .rational([Rational(48, 1), Rational(0, 1), Rational(0, 1)]), 0x15: .ascii("E"),
      0x16: .rational([Rational(16, 1), Rational(0, 1), Rational(0, 1)]), 0x17: .ascii("T"),
      0x18: .rational([Rational(90, 1)]), 0x1C: .undefined(Array("ASCII\0\0\0Paris".utf8)),
    ]) { $1 }
    let packet = XMPSample.packet(
      "exif:GPSLatitude='1,2.0N' exif:GPSLongitude='4,0.0E' exif:GPSDestLatitude='48,0.0N' "
        + "exif:GPSDestLongitude='16,0.0E' exif:GPSDestDistance='7/1'")
    let photo = Sample.jpeg(
      Sample.exif(Sample.tiff(gps: gps)) + Sample.segment(0xE1, JPEGSegment.xmpHeader + packet))
    var edit = try MetadataEdit.place()
    edit.keepsCompanions = keeps
    let image = try ImageSource(photo, path: "made.jpg")
    let recorded = Note.removed(["GPSDestBearing", "GPSAreaInformation", "GPSDestDistance"])
    #expect(try image.changes(for: edit).notes == (keeps ? [] : [recorded]))
    let new = try ImageSource(Bytes(try image.patch(for: edit).applied(to: photo)), path: "made.jpg")
    let left = try #require(try new.layout.exifBlock(of: new.source)?.gps)
    #expect([0x13, 0x14, 0x15, 0x16].allSatisfy { left[$0] != nil })
    #expect([0x17, 0x18, 0x1C].allSatisfy { (left[$0] != nil) == keeps })
    #expect(new.metadata().additionalPlaces.count == 2)
    #expect(try new.changes(for: edit).notes.isEmpty)
    let cleared = try new.patch(for: .removal).applied(to: new.source)
    #expect(try ImageSource(Bytes(cleared), path: "made.jpg").metadata().additionalPlaces.isEmpty)
    // After coarsening, it isn't reported either.
    edit.erasesOldPlace = true
    let coarse = try ImageSource(photo, path: "made.jpg").patch(for: edit).applied(to: photo)
    #expect(try ImageSource(Bytes(coarse), path: "made.jpg").metadata().additionalPlaces.isEmpty)
  }
}
