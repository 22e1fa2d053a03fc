import Testing

@testable import MetaTag

@Suite("IGC")
struct IGCTests {
  static func points(_ lines: String...) throws -> [TrackPoint] {
    try Track(bytes: Array((["AXXX"] + lines + [""]).joined(separator: "\r\n").utf8), name: "t.igc")
      .segments.flatMap(\.points)
  }

  @Test(
    "Midnight begins the next day, until a header states the date.", arguments: ["HFDTE010524", "HFDTEDATE:010524,01"])
  func midnight(header: String) throws {
    let points = try IGCTests.points(
      header, "B2359594730000N00815000EA0000000400", "B0000014730000N00815000EA0000000400", "HFDTE030524",
      "B0000014730000N00815000EA0000000400")
    #expect(points.map { $0.instant.seconds - 1_714_608_000 } == [-1, 1, 86_401])
  }

  @Test(
    "Altitudes above the ellipsoid are left out and counted, and those above sea level stay.",
    arguments: [
      ("HFALGALTGPS:ELL", nil, [.aboveEllipsoid(1)]), ("HFALGALTGPS:GEO", 448, []), ("HFALPALTPRESSURE:ISA", 448, []),
    ]
      as [(String, Double?, [TrackSource.Warning])])
  func ellipsoid(header: String, altitude: Double?, warnings: [TrackSource.Warning]) throws {
    let text = "AXXX\r\nHFDTE010524\r\n\(header)\r\nB1000004730000N00815000EA0040000448\r\n"
    let track = try Track(bytes: Array(text.utf8), name: "t.igc")
    #expect(track.segments.flatMap(\.points).map(\.altitude) == [altitude])
    #expect(track.sources.map(\.warnings) == [warnings])
  }

  @Test(
    "The I record adds decimals of seconds, and other characters are ignored.",
    arguments: [
      ("3840", "601", 601_000_000), ("3846", "123456789", 123_456_000), ("3847", "1234567899", 123_456_000),
      ("3838", "5", 500_000_000), ("3840", "1e9", 0), ("3840", "   ", 0), ("3840", "-01", 0), ("3840", "+.5", 0),
    ] as [(String, String, Int32)])
  func decimalsOfSeconds(columns: String, digits: String, nanoseconds: Int32) throws {
    let points = try IGCTests.points(
      "HFDTE010524", "I01\(columns)TDS", "B1000004730000N00815000EA004000041200\(digits)")
    #expect(points.map(\.instant) == [Instant(seconds: 1_714_557_600, nanoseconds: nanoseconds)])
  }

  @Test("The I record adds digits and accuracy, and a missing GPS altitude stays missing.")
  func extensions() throws {
    let points = try IGCTests.points(
      "HFDTE010524", "I033638FXA3939LAD4040LOD", "B1000004730000N00815000WA004000041200755",
      "B1000014730000N00815000WV004000000000755")
    #expect(points.map(\.altitude) == [412, nil] && points.map(\.accuracy) == [7, 7])
    #expect(points.first?.coordinate.latitude == 47.5 + 0.0005 / 60)
    #expect(points.first?.coordinate.longitude == -(8.25 + 0.0005 / 60))
  }
}
