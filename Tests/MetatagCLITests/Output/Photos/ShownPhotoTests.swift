import Foundation
import MetaTag
import SystemPackage
import Testing

@testable import metatag_cli

struct ShownPhotoTests {
  /// EXIF and IPTC agree, XMP has another time, and one date is malformed.
  func photo() throws -> ShownPhoto {
    var metadata = Metadata()
    let civil = try #require(CivilTime(year: 2024, month: 5, day: 18, hour: 12, minute: 44, second: 30))
    let other = try #require(civil.adding(seconds: 3_600))
    let coordinate = try #require(Coordinate(latitude: 46.395511, longitude: 14.0816425))
    metadata.captureTimes = [
      Sourced(CaptureTime(civil, offset: UTCOffset(seconds: 7_200)), .exif, tag: "DateTimeOriginal"),
      Sourced(CaptureTime(other), .xmp, tag: "photoshop:DateCreated"),
      Sourced(CaptureTime(civil), .iptc, tag: "2:55"),
    ]
    metadata.malformedDates = [Sourced("2024:02:30 10:00:00", .exif, tag: "DateTimeDigitized")]
    var location = Location(coordinate, altitude: 597.5)
    location.timestamp = Instant(seconds: 1_716_036_270, nanoseconds: 500_000_000)
    metadata.locations = [Sourced(location, .exif, tag: "GPSLatitude")]
    (metadata.make, metadata.model) = ("Aurora", "A1")
    return ShownPhoto(path: "bridge, wooden.jpg", properties: ImageProperties(.jpeg), metadata: metadata)
  }

  let notes = [
    "DateTimeDigitized is not a date: 2024:02:30 10:00:00",
    "photoshop:DateCreated (xmp) has another time: 2024-05-18T13:44:30",
  ]

  @Test("A row of the table has the main values.")
  func cells() throws {
    #expect(
      try photo().cells == [
        "bridge, wooden.jpg", "2024-05-18 12:44:30+02:00", "46.39551", "14.08164", "", "Aurora A1",
        notes.joined(separator: "; "),
      ])
  }

  @Test("CSV has a field for every title.")
  func csv() throws {
    var writer = CSVWriter()
    try photo().write(to: &writer)
    #expect(
      String(decoding: writer.take(), as: UTF8.self)
        == "\"bridge, wooden.jpg\",jpeg,2024-05-18T12:44:30+02:00,46.395511,14.0816425,597.5,,,,,,Aurora,A1,,"
        + notes.joined(separator: "; ") + ",image,,,\r\n")
    #expect(ShownPhoto.csvTitles.count == 19)
  }

  @Test("JSON has the trusted values and every copy with its namespace.")
  func json() throws {
    var writer = JSONWriter()
    try photo().write(to: &writer) { $0.member("more", 1) }
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(writer.take())) as? [String: Any])
    #expect(document["taken"] as? String == "2024-05-18T12:44:30+02:00")
    #expect(document["notes"] as? [String] == notes)
    #expect(document["more"] as? Int == 1)
    let location = try #require(document["location"] as? [String: Any])
    #expect(location["latitude"] as? Double == 46.395511)
    #expect(location["timestamp"] as? String == "2024-05-18T12:44:30.5+00:00")
    let sources = try #require(document["sources"] as? [String: [[String: Any]]])
    #expect(sources["taken"]?.map { $0["namespace"] as? String } == ["exif", "xmp", "iptc"])
    #expect(sources["locations"]?.first?["altitude"] as? Double == 597.5)
  }

  /// The photo again, with names from a gazetteer.
  private func named(holding own: String? = nil) throws -> ShownPhoto {
    var photo = try photo()
    var (names, held) = (PlaceNames(), PlaceNames())
    (names.city, names.country, names.countryCode) = ("Bled", "Slovenia", "SI")
    photo.derivedNames = names
    held.city = own
    guard own != nil else { return photo }
    var metadata = photo.metadata
    metadata.placeNames = [Sourced(held, .xmp, tag: "photoshop:City")]
    var holding = ShownPhoto(path: photo.path, properties: photo.properties, metadata: metadata)
    holding.derivedNames = names
    return holding
  }

  @Test(
    "Derived names are in parentheses, and never replace recorded ones.",
    arguments: [(nil, "(Bled, Slovenia)"), ("Veldes", "Veldes")] as [(String?, String)])
  func derived(_ held: String?, _ cell: String) throws {
    let photo = try named(holding: held)
    #expect(photo.cells[4] == cell)
    var writer = JSONWriter()
    photo.write(to: &writer)
    let document = try #require(try JSONSerialization.jsonObject(with: Data(writer.take())) as? [String: Any])
    #expect((document["place"] as? [String: String])?["city"] == held)
    #expect(
      document["derivedPlace"] as? [String: String] == ["city": "Bled", "country": "Slovenia", "countryCode": "SI"])
    var csv = CSVWriter()
    photo.write(to: &csv, derives: true)
    #expect(String(decoding: csv.take(), as: UTF8.self).hasSuffix(",,Bled,,Slovenia,SI\r\n"))
    #expect(ShownPhoto.derivedTitles.count == 5)
  }

  @Test("Unknown values are blank, absent or empty.")
  func nothing() {
    let photo = ShownPhoto(path: "a.tif", properties: ImageProperties(.tiff), metadata: Metadata())
    #expect(photo.cells == ["a.tif", "", "", "", "", "", ""])
    var writer = JSONWriter()
    photo.write(to: &writer)
    #expect(
      String(decoding: writer.take(), as: UTF8.self) == #"{"path":"a.tif","type":"tiff","kind":"image","sources":{}}"#)
  }
}
