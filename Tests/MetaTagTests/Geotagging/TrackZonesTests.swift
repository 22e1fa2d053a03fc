import Testing

@testable import MetaTag

@Suite("Time zones from the track")
struct TrackZonesTests {
  /// A world of three zones: Tokyo's east of 100° E, Berlin's from 0° to 100° E, New York's west of it.
  static func zone(_ place: Coordinate) -> Zone? {
    let name = place.longitude > 100 ? "Asia/Tokyo" : place.longitude > 0 ? "Europe/Berlin" : "America/New_York"
    return try? Zone(parsing: name)
  }

  /// The proposal of a planner with these fixes, one segment a row, for a photo.
  static func proposal(
    _ segments: [[String]], _ photo: Metadata, _ change: (inout GeotagPlanner) -> Void = { _ in }
  ) throws -> Proposal {
    let text = segments.map { points in "<trkseg>" + points.map { GPXText.point($0) }.joined() + "</trkseg>" }
    let track = try Track(bytes: Array("<gpx><trk>\(text.joined())</trk></gpx>".utf8), name: "t.gpx")
    var planner = GeotagPlanner(track: track, zone: TrackZonesTests.zone)
    change(&planner)
    return planner.propose(for: photo)
  }

  /// An hour in Tokyo (09:00 to 10:00 there), then 14 hours later one in Berlin (16:00 to 17:00 there).
  static let trip = [
    ["35,139 2024-07-01T00:00:00Z", "35,139.1 2024-07-01T00:30:00Z", "35,139 2024-07-01T01:00:00Z"],
    ["52,13 2024-07-01T14:00:00Z", "52,13.1 2024-07-01T14:30:00Z", "52,13 2024-07-01T15:00:00Z"],
  ]

  @Test(
    "A zone is used if it leads to a location within that zone.",
    arguments: [
      ("2024-07-01T09:30:00", "+09:00 139.1"), ("2024-07-01T16:30:00", "+02:00 13.1"),
      (
        "2024-07-01T23:30:00",
        "noZone(2024-07-01T23:30:00)"
      ),
    ])
  func found(time: String, expected: String) throws {
    let proposal = try TrackZonesTests.proposal(TrackZonesTests.trip, try GeotagPlannerTests.photo(time))
    switch proposal {
    case .change(let edit, .matched(_, let reading)):
      guard case .set(let location) = edit.location else { throw Unexpected() }
      #expect("\(reading.offset) \((location.coordinate.longitude * 10).rounded() / 10)" == expected)
      let shift = CalendarShift().anchored(at: try CaptureTime(parsing: time))
      #expect(edit.dates == .adjust(shift, offset: .set(reading.offset)))
      #expect(reading.isOfPlace && reading.description.hasSuffix("the zone of the place"))
    case .skip(let reason): #expect(reason.values == expected)
    default: throw Unexpected()
    }
  }

  @Test("A time that fits two locations is skipped with both offsets.")
  func several() throws {
    // 16:30 on a clock in Tokyo, and seven hours later on one in Berlin.
    let trip = [
      ["35,139 2024-07-01T07:00:00Z", "35,139 2024-07-01T08:00:00Z"],
      ["52,13 2024-07-01T14:00:00Z", "52,13 2024-07-01T15:00:00Z"],
    ]
    let photo = try GeotagPlannerTests.photo("2024-07-01T16:30:00")
    let proposal = try TrackZonesTests.proposal(trip, photo) { $0.match.maxGap = 3_600 }
    guard case .skip(let reason) = proposal else { throw Unexpected() }
    #expect(
      reason.values
        == "severalZones(2024-07-01T16:30:00, [+02:00, +09:00])")
  }

  @Test("A photo's offset and the camera's zone take precedence over the track's zones.")
  func precedence() throws {
    let tokyo = [TrackZonesTests.trip[0]]
    let late = try TrackZonesTests.proposal(tokyo, try GeotagPlannerTests.photo("2024-07-01T12:00:00"))
    #expect(late == .skip(.noMatch(.afterTrack(7_200))))
    let own = try TrackZonesTests.proposal(tokyo, try GeotagPlannerTests.photo("2024-07-01T00:30:00Z"))
    guard case .change(let edit, .matched(_, let reading)) = own else { throw Unexpected() }
    #expect(reading.zone == nil && edit.dates == .keep)
    let given = try TrackZonesTests.proposal(tokyo, try GeotagPlannerTests.photo("2024-07-01T02:30:00")) {
      $0.clock.zone = try? Zone(parsing: "Europe/Berlin")
    }
    guard case .change(let edit, .matched(_, let reading)) = given else { throw Unexpected() }
    let offset = try #require(UTCOffset("+02:00"))
    let shift = CalendarShift().anchored(at: try CaptureTime(parsing: "2024-07-01T02:30:00"))
    #expect(!reading.isOfPlace && edit.dates == .adjust(shift, offset: .set(offset)))
  }

  @Test("A time that occurred twice is resolved if the track covers only one of them (D22)")
  func fold() throws {
    let track = [["40,-74 2024-11-03T06:00:00Z", "40,-74 2024-11-03T07:00:00Z"]]
    let photo = try GeotagPlannerTests.photo("2024-11-03T01:30:00")
    guard
      case .change(_, .matched(_, let reading)) = try TrackZonesTests.proposal(
        track, photo, { $0.match.maxGap = 3_600 })
    else { throw Unexpected() }
    #expect("\(reading.offset)" == "-05:00")
  }

  @Test("The clock error is subtracted before the zone is found, and the offset is recorded only on request.")
  func correction() throws {
    let photo = try GeotagPlannerTests.photo("2024-07-01T08:30:00")
    let proposal = try TrackZonesTests.proposal(TrackZonesTests.trip, photo) {
      $0.errors = ClockErrors(TimeShift(seconds: 3_600))
      $0.recordsOffset = false
    }
    guard case .change(let edit, .matched(let match, let reading)) = proposal else { throw Unexpected() }
    let instant = try CaptureTime(parsing: "2024-07-01T00:30:00Z").instant
    #expect("\(reading.offset)" == "+09:00" && match.instant == instant && edit.dates == .keep)
  }
}
