@testable import ImageFormats
import Testing

@testable import MetaTag

@Suite("QuickTime text")
struct QuickTimeTextTests {
  @Test(
    "A location has five decimals, and keeps the old text's length if no precision is lost.",
    arguments: [
      (47.6062, -122.3321, nil, nil, "+47.60620-122.33210/"), (47.6062, -122.3321, nil, 18, "+47.6062-122.3321/"),
      (47.60623, -122.3321, nil, 18, "+47.60623-122.33210/"),
      (35.7143, 139.7963, 7.4, 26, "+35.71430+139.79630+007.4/"),
      (35.71432, 139.79631, 7.4, 26, "+35.71432+139.79631+007.4/"),
      (-33.8568, 151.2153, -12.5, nil, "-33.85680+151.21530-012.500/"),
      (0, 0, 0, nil, "+00.00000+000.00000+000.000/"), (-0.000001, 179.9999999, nil, nil, "+00.00000+180.00000/"),
      (-90, -180, 8_848.86, nil, "-90.00000-180.00000+8848.860/"),
      (47.606, -122.332, 1, 24, "+47.6060-122.3320+001.0/"),
    ] as [(Double, Double, Double?, Int?, String)])
  func position(latitude: Double, longitude: Double, altitude: Double?, count: Int?, expected: String) throws {
    let location = Location(try .at(latitude, longitude), altitude: altitude)
    let text = ISO6709Text.text(location, fitting: count)
    #expect(text == expected)
    let read = try #require(Location(movieText: text))
    #expect(read.coordinate.isSame(as: location.coordinate))
    #expect(ISO6709Text.text(read, fitting: text.utf8.count) == text)
  }

  @Test(
    "A location is read in the forms that phones and cameras write.",
    arguments: [
      ("+35.7143+139.7963+007.400/", 35.7143, 139.7963, 7.4), ("+51.4169-000.0806/", 51.4169, -0.0806, nil),
      ("+27.1281+100.2508+000.000/", 27.1281, 100.2508, 0), ("+4736.372-12219.926/", 47.6062, -122.3321, nil),
      ("+48.8577+002.295+35CRSWGS_84/", 48.8577, 2.295, 35),
    ] as [(String, Double, Double, Double?)])
  func reading(text: String, latitude: Double, longitude: Double, altitude: Double?) throws {
    let location = try #require(Location(movieText: text))
    #expect(location.coordinate.isSame(as: try .at(latitude, longitude)))
    #expect(location.altitude == altitude)
  }

  @Test(
    "A text that isn't a location is not read as one.",
    arguments: ["", "/", "+95.0000+000.0000/", "somewhere", "geo:1,2", "+1"])
  func noPosition(text: String) { #expect(Location(movieText: text) == nil) }

  @Test(
    "A shifted date keeps its length and the form of its zone.",
    arguments: [
      ("2025-01-01T11:06:46+0900", "2025-01-01T12:06:46+0900"),
      ("2019-02-12T15:27:12+08:00", "2019-02-12T16:27:12+08:00"),
      ("2019-02-12T23:27:12Z", "2019-02-13T00:27:12Z"), ("2019-02-12 15:27:12", "2019-02-12T16:27:12"),
      ("2019-02-12T15:27:12.250-0330", "2019-02-12T16:27:12.250-0330"), ("2010", nil), ("2019-02-12", nil),
      ("soon", nil),
    ] as [(String, String?)])
  func shift(text: String, expected: String?) throws {
    let hour = DateChange.adjust(TimeShift(seconds: 3_600), offset: .keep)
    #expect(try QuickTime.text(text, after: hour) == expected)
    #expect(try QuickTime.text(text, after: .adjust(.zero, offset: .keep)) == nil)
  }

  @Test(
    "A date that is set takes the new offset, or keeps its old one.",
    arguments: [
      ("2025-01-01T11:06:46+0900", "+02:00", "2024-05-01T12:05:00+0200"),
      ("2025-01-01T11:06:46+0900", nil, "2024-05-01T12:05:00+0900"),
      ("2025-01-01T11:06:46+09:00", "-03:30", "2024-05-01T12:05:00-03:30"),
      ("2025-01-01", "+02:00", "2024-05-01T12:05:00+0200"),
    ] as [(String, String?, String)])
  func setting(text: String, offset: String?, expected: String) throws {
    let civil = try #require(CivilTime(year: 2024, month: 5, day: 1, hour: 12, minute: 5))
    let time = CaptureTime(civil, offset: offset.flatMap { UTCOffset($0) })
    #expect(try QuickTime.text(text, after: .set(time)) == expected)
  }

  @Test("A 3GPP location has 16-bit fixed-point numbers, with the longitude first.")
  func loci() throws {
    let payload = Bytes(Array(MovieSample.loci(47.6062, -122.3321, 56).dropFirst(8)))
    let location = try #require(Loci(payload)?.location)
    #expect(location.coordinate.isSame(as: try .at(47.6062, -122.3321)))
    #expect(location.altitude == 56)
    let moved = Bytes(try #require(Loci(payload)).bytes(at: Location(try .at(-33.8568, 151.2153))))
    #expect(moved.count == payload.count)
    #expect(try #require(Loci(moved)?.location).coordinate.isSame(as: try .at(-33.8568, 151.2153)))
    #expect(Loci(moved)?.location?.altitude == nil)
    for count in 0..<payload.count - 7 { #expect(Loci(try payload.bytes(0..<count)) == nil) }
  }
}
