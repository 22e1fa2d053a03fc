import Foundation
import MetaTag
import SystemPackage
import Testing

/// Conversions to and from Foundation's types, the order of times, and their encodings.
@Suite("Foundation's types")
struct FoundationBridgeTests {
  private static func time(_ text: String) throws -> CaptureTime {
    try JSONDecoder().decode([CaptureTime].self, from: Data("[\"\(text)\"]".utf8))[0]
  }

  @Test(
    "Times are encoded as the text that they print.",
    arguments: [
      "2024-05-23T18:38:41.601+09:00", "2024-05-23T18:38:41", "1969-12-31T23:59:59.50Z", "0000-01-01T00:00:00-11:30",
    ])
  func encoding(text: String) throws {
    let time = try Self.time(text)
    let encoded = String(decoding: try JSONEncoder().encode([time]), as: UTF8.self)
    #expect(encoded == "[\"\(time)\"]" && time.description.hasPrefix(text.prefix(19)))
    #expect(try Self.time("\(time)") == time)
  }

  @Test(
    "Texts that are no times aren't decoded.",
    arguments: ["2024-13-01T00:00:00", "2024-05-23 18:38:41", "2024-05-23T18:38:41.", "2024-05-23T18:38:41+9", ""])
  func invalid(text: String) { #expect(throws: DecodingError.self) { try Self.time(text) } }

  @Test("Readings are ordered by civil time, fraction and offset.")
  func order() throws {
    let sorted = [
      "2024-05-23T18:38:41", "2024-05-23T18:38:41-09:00", "2024-05-23T18:38:41+09:00", "2024-05-23T18:38:41.5Z",
      "2024-05-23T18:38:42-11:00",
    ]
    #expect(try sorted.reversed().map(Self.time).sorted() == sorted.map(Self.time))
  }

  @Test("A reading is a date only if its offset is known, or a zone is given.")
  func dates() throws {
    let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let date = Date(timeIntervalSince1970: 1_716_457_121.5)
    let known = try #require(CaptureTime(date, in: tokyo))
    #expect("\(known)" == "2024-05-23T18:38:41.5+09:00")
    #expect(known.date == date && known.date(in: berlin) == date)
    let unknown = CaptureTime(known.civil, fraction: known.fraction)
    #expect(unknown.date == nil && unknown.date(in: tokyo) == date)
    #expect(unknown.date(in: TimeZone(secondsFromGMT: 9 * 3_600) ?? .gmt) == date)
    // In the gap of spring, and in the hour that autumn repeats.
    #expect(try Self.time("2024-03-31T02:30:00").date(in: berlin) == nil)
    #expect(
      try Self.time("2024-10-27T02:30:00").date(in: berlin) == Self.time("2024-10-27T02:30:00+02:00").date)
    #expect(Instant(Date(timeIntervalSince1970: .infinity)) == nil)
    #expect(Instant(Date(timeIntervalSince1970: -0.25)) == Instant(seconds: -1, nanoseconds: 750_000_000))
  }

  @Test("Durations and spans convert both ways.")
  func durations() {
    for duration in [Duration.seconds(90), .milliseconds(-1_500), .nanoseconds(1)] {
      #expect(Duration(TimeShift(duration)) == duration)
    }
  }

  @Test("Paths and URLs convert both ways, byte for byte.", arguments: ["/a b/é.jpg", "/100%/#1?.jpg"])
  func paths(text: String) throws {
    #expect(FilePath(fileURL: URL(FilePath(text))) == FilePath(text))
    let bytes: [CChar] = [0x2F, -1, 0x61, 0]
    let raw = bytes.withUnsafeBufferPointer { FilePath(platformString: $0.baseAddress!) }
    #expect(FilePath(fileURL: URL(raw)) == raw)
    #expect(FilePath(fileURL: try #require(URL(string: "https://example.org/a"))) == nil)
  }

  @Test("Positions out of range aren't decoded.")
  func positions() throws {
    let location = Location(try #require(Coordinate(latitude: 35, longitude: 135)), altitude: 50)
    #expect(try JSONDecoder().decode(Location.self, from: JSONEncoder().encode(location)) == location)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Coordinate.self, from: Data(#"{"latitude": 91, "longitude": 0}"#.utf8))
    }
  }
}
