import Testing

@testable import MetaTag

@Suite("Dates from instants")
struct InstantDatePlannerTests {
  private func outcome(
    _ source: InstantDatePlanner.Source, _ metadata: Metadata, zone: String? = nil, overwrite: Overwrite = .keep
  ) throws -> String {
    let newYork = try Zone(parsing: "America/New_York")
    var planner = InstantDatePlanner(source) { $0.latitude > 0 ? newYork : nil }
    planner.zone = try zone.map { try Zone(parsing: $0) }
    planner.overwrite = overwrite
    switch planner.propose(for: metadata) {
    case .change(let edit, _):
      guard case .set(let time, _) = edit.dates else { return "nothing" }
      return "\(time)"
    case .unchanged(let reason), .skip(let reason): return reason.values
    }
  }

  private func located(_ latitude: Double, timestamp: String?) throws -> Metadata {
    var location = Location(try .at(latitude, -74))
    location.timestamp = try timestamp.flatMap { try CaptureTime(parsing: $0).instant }
    var metadata = Metadata()
    metadata.locations = [Sourced(location, .exif, tag: "GPSLatitude")]
    return metadata
  }

  @Test(
    "The GPS time is written as local time at the location, never as UTC.",
    arguments: [
      (40, "2024-07-04T16:00:00Z", nil, "2024-07-04T12:00:00-04:00"),
      (40, "2024-12-04T16:00:00.5Z", nil, "2024-12-04T11:00:00.5-05:00"),
      (40, "2024-07-05T01:00:00Z", "Asia/Tokyo", "2024-07-05T10:00:00+09:00"),
      (40, "2024-07-04T01:00:00Z", nil, "2024-07-03T21:00:00-04:00"),
      (
        -40, "2024-07-04T16:00:00Z", nil,
        "unknownZone"
      ),
      (40, nil, nil, "noSatelliteTime"),
      (40, "1970-01-01T00:00:00Z", nil, "noSatelliteTime"),
      (40, "1980-01-06T00:00:00Z", nil, "noSatelliteTime"),
    ] as [(Double, String?, String?, String)])
  func satellites(latitude: Double, timestamp: String?, zone: String?, expected: String) throws {
    #expect(try outcome(.satellites, try located(latitude, timestamp: timestamp), zone: zone).hasPrefix(expected))
  }

  @Test("The file's time needs a zone or a recorded offset, and its fraction is omitted.")
  func file() throws {
    let instant = try #require(try CaptureTime(parsing: "2024-07-04T16:00:00.987Z").instant)
    #expect(try outcome(.file(instant), Metadata()).contains("unknownZone"))
    #expect(try outcome(.file(instant), Metadata(), zone: "+02:00") == "2024-07-04T18:00:00+02:00")
    #expect(try outcome(.file(instant), try located(40, timestamp: nil)) == "2024-07-04T12:00:00-04:00")
    let dated = try GeotagPlannerTests.photo("2020-01-01T00:00:00+09:00")
    #expect(try outcome(.file(instant), dated) == "hasCaptureTime")
    #expect(try outcome(.file(instant), dated, overwrite: .replace) == "2024-07-05T01:00:00+09:00")
    for unknown in [nil, Instant(seconds: 0)] {
      #expect(try outcome(.file(unknown), Metadata(), zone: "Z") == "noFileTime")
    }
  }
}
