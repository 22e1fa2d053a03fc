import Testing

@testable import MetaTag

@Suite("DJI flight logs")
struct FlightLogTests {
  private static let heading = "Id,Time(seconds),Time(text),Latitude,Longitude"
  private static let lines = ["1,0.3,0m 0.3s,0,0", "2,0.5,0m 0.5s,-44.69,170.42", "3,61,1m 1s,-44.68,170.43"]

  private static func track(
    _ name: String, _ heading: String = heading, lines: [String] = lines, zone: String? = "Pacific/Auckland"
  ) throws -> Track {
    let zone = try zone.map { try Zone(parsing: $0) }
    return try Track(bytes: Array(([heading] + lines).joined(separator: "\n").utf8), name: name) { _ in zone }
  }

  @Test(
    "Times count from the start in the file name, in the location's zone.",
    arguments: [
      ("Geotag_DJI_2020-12-02__07-50-31_.csv", "2020-12-01T18:50:31"),
      ("DJI_2020-12-02_[07-50-31].csv", "2020-12-01T18:50:31"),
      ("2019-01-01/DJI_2020-07-02__07-50-31.csv.gz", "2020-07-01T19:50:31"),
      ("flights.zip/2020-12-02 at 07-50-31.csv", "2020-12-01T18:50:31"),
    ])
  func start(name: String, start: String) throws {
    let track = try Self.track(name)
    let points = track.segments.flatMap(\.points)
    let begin = try CaptureTime(parsing: start).civil.secondsSince1970
    #expect(points.map { $0.microseconds - begin * 1_000_000 } == [500_000, 61_000_000])
    #expect(points.first?.coordinate == Coordinate(latitude: -44.69, longitude: 170.42))
    #expect(track.sources.map(\.rejected) == [[.noFix: 1]])
    let clock = name.contains("07-02") ? "2020-07-02T07:50:31" : "2020-12-02T07:50:31"
    #expect(track.sources.map(\.warnings) == [[.startInName(clock, zone: "Pacific/Auckland")]])
  }

  @Test(
    "Without the start or the zone no time is invented.",
    arguments: [
      ("flight.csv", "Pacific/Auckland"), ("DJI_2020-12-02.csv", "Pacific/Auckland"),
      ("2020-12-02__07-50-31/flight.csv", "Pacific/Auckland"), ("DJI_2020-13-02__07-50-31.csv", "Pacific/Auckland"),
      ("DJI_2020-12-02__27-50-31.csv", "Pacific/Auckland"), ("DJI_2020-12-02__07-50-31.csv", nil),
      // A time that occurred twice; never.
      ("DJI_2020-04-05__02-30-00.csv", "Pacific/Auckland"), ("DJI_2020-09-27__02-30-00.csv", "Pacific/Auckland"),
    ] as [(String, String?)])
  func unknown(name: String, zone: String?) throws {
    let error = #expect(throws: FileError.self) { try Self.track(name, zone: zone) }
    #expect(error?.kind == .unsupported)
  }

  @Test("Unix seconds and a time in another column need no file name.")
  func others() throws {
    let epoch = try Self.track("a.csv", "Time (seconds),lat,lon", lines: ["1714557600,1,2"])
    #expect(epoch.segments.flatMap(\.points).map(\.instant.seconds) == [1_714_557_600])
    for heading in ["Time(seconds),UTC time,lat,lon", "UTC time,Time(seconds),lat,lon"] {
      let isFirst = heading.hasPrefix("T")
      let line = isFirst ? "12.5,2024-05-01T10:00:00,1,2" : "2024-05-01T10:00:00,12.5,1,2"
      let track = try Self.track("a.csv", heading, lines: [line])
      #expect(track.segments.flatMap(\.points).map(\.instant.seconds) == [1_714_557_600], "\(heading)")
    }
  }
}
