import Testing

@testable import MetaTag

@Suite("Planning of locations")
struct GeotagPlannerTests {
  /// A photo whose EXIF date is `text`.
  static func photo(_ text: String) throws -> Metadata {
    var metadata = Metadata()
    metadata.captureTimes = [Sourced(try CaptureTime(parsing: text), .exif, tag: "DateTimeOriginal")]
    return metadata
  }

  /// The latitude of the proposed location, or the reason for none.
  func outcome(_ planner: some Planner, _ metadata: Metadata) -> String {
    switch planner.propose(for: metadata) {
    case .change(let edit, _):
      guard case .set(let location) = edit.location else { return "no location set" }
      return "\((location.coordinate.latitude * 1e4).rounded() / 1e4)"
    case .unchanged(let reason): return "unchanged: \(reason.values)"
    case .skip(let reason): return "skip: \(reason.values)"
    }
  }

  @Test(
    "The photo's instant is its time minus its offset plus the correction (D7, D19)",
    arguments: [
      ("2024-05-01T10:02:30Z", nil, "0s", "10.2512"), ("2024-05-01T12:02:30+02:00", nil, "0s", "10.2512"),
      ("2024-05-01T12:02:30.50+02:00", nil, "0s", "10.252"), ("2024-05-01T10:02:30", "Z", "+30s", "10.3013"),
      ("2024-05-01T10:02:30", "UTC", "+1m20s", "10.3848"), ("2024-05-01T10:02:30", "Z", "-0:01:00", "10.1508"),
      ("2024-05-01T19:02:30", "Asia/Tokyo", "0s", "10.2512"), ("2024-05-01T15:47:30", "+05:45", "0s", "10.2512"),
      // The photo's own offset comes before the camera's zone.
      ("2024-05-01T10:02:30Z", "Asia/Tokyo", "0s", "10.2512"), ("2024-05-01T08:39:30Z", nil, "+1h23m", "10.2512"),
      (
        "2024-05-01T10:02:30", nil, "0s",
        "skip: noZone(2024-05-01T10:02:30)"
      ),
      (
        "2024-05-01T09:30:00Z", nil, "0s",
        "skip: beforeTrack(1800.0, track, [nearest(minutes: 30)])"
      ),
      ("2024-05-01T13:10:00Z", nil, "0s", "skip: afterTrack(7200.0, track, [])"),
      (
        "2024-05-01T10:20:00Z", nil, "0s",
        "skip: betweenSegments(3000.0, track, [nearest(minutes: 10)])"
      ),
    ] as [(String, String?, String, String)])
  func instants(time: String, zone: String?, correction: String, expected: String) throws {
    var planner = GeotagPlanner(track: try GPXText.worked())
    planner.clock.zone = try zone.map { try Zone(parsing: $0) }
    planner.errors = ClockErrors(try TimeShift(parsing: correction))
    #expect(outcome(planner, try GeotagPlannerTests.photo(time)) == expected)
  }

  @Test("Each photo has the offset of its own date (D24)")
  func seasons() throws {
    var planner = GeotagPlanner(
      track: try GPXText.track(
        [GPXText.point("1,1 2024-07-01T16:00:00Z"), GPXText.point("2,2 2024-07-01T16:10:00Z")],
        [GPXText.point("3,3 2024-12-01T17:00:00Z"), GPXText.point("4,4 2024-12-01T17:10:00Z")]))
    planner.clock.zone = try Zone(parsing: "America/New_York")
    #expect(outcome(planner, try GeotagPlannerTests.photo("2024-07-01T12:05:00")) == "1.5001")
    #expect(outcome(planner, try GeotagPlannerTests.photo("2024-12-01T12:05:00")) == "3.5001")
  }

  @Test(
    "A time that occurred twice or never is skipped, unless a fold is chosen (D22, D23)",
    arguments: [
      (
        "2024-11-03T01:30:00", nil,
        "skip: ambiguousTime(2024-11-03T01:30:00, America/New_York, -04:00, -05:00)"
      ),
      ("2024-11-03T01:30:00", .earlier, "5.5"), ("2024-11-03T01:30:00", .later, "6.5"),
      (
        "2024-03-10T02:30:00", nil,
        "skip: nonexistentTime(2024-03-10T02:30:00, America/New_York, -05:00, -04:00)"
      ),
      ("2024-03-10T02:30:00", .earlier, "6.5"), ("2024-03-10T02:30:00", .later, "7.5"),
    ] as [(String, Zone.Fold?, String)])
  func folds(time: String, fold: Zone.Fold?, expected: String) throws {
    let hours = { (day: String) in (5...8).map { GPXText.point("\($0),0 \(day)T0\($0):00:00Z") } }
    var planner = GeotagPlanner(track: try GPXText.track(hours("2024-03-10"), hours("2024-11-03")))
    planner.match.maxGap = 3_600
    planner.clock = CameraClock(zone: try Zone(parsing: "America/New_York"), fold: fold)
    #expect(outcome(planner, try GeotagPlannerTests.photo(time)) == expected)
  }

  @Test("An offset in XMP with the same time is the photo's; one in IPTC isn't trusted.")
  func borrowedOffset() throws {
    let planner = GeotagPlanner(track: try GPXText.worked())
    var metadata = try GeotagPlannerTests.photo("2024-05-01T12:02:30")
    let copy = try CaptureTime(parsing: "2024-05-01T12:02:30+02:00")
    metadata.captureTimes.append(Sourced(copy, .iptc, tag: "TimeCreated"))
    #expect(outcome(planner, metadata).hasPrefix("skip: noZone"))
    metadata.captureTimes.append(Sourced(copy, .xmp, tag: "photoshop:DateCreated"))
    #expect(outcome(planner, metadata) == "10.2512")
  }

  @Test("A photo without a usable date is skipped with the reason.")
  func noDate() throws {
    let planner = GeotagPlanner(track: try GPXText.worked())
    #expect(outcome(planner, Metadata()) == "skip: noCaptureTime")
    var malformed = Metadata()
    malformed.malformedDates = [Sourced("2024:02:30 10:00:00", .exif, tag: "DateTimeOriginal")]
    #expect(outcome(planner, malformed).hasPrefix("skip: malformedDate(2024:02:30 10:00:00"))
  }

  @Test("An existing location stays, unless it is to be replaced.")
  func overwrite() throws {
    var metadata = try GeotagPlannerTests.photo("2024-05-01T10:02:30Z")
    metadata.locations = [Sourced(Location(try Coordinate(parsing: "1,2")), .xmp, tag: "exif:GPSLatitude")]
    var (track, place) = (GeotagPlanner(track: try GPXText.worked()), PlacePlanner(try Location(parsing: "35,135")))
    #expect(outcome(track, metadata) == "unchanged: hasLocation")
    #expect(outcome(place, metadata) == "unchanged: hasLocation")
    (track.overwrite, place.overwrite, place.keepsCompanions) = (.replace, .replace, true)
    #expect(outcome(track, metadata) == "10.2512")
    #expect(outcome(place, metadata) == "35.0")
    guard case .change(let edit, .placed) = place.propose(for: metadata) else { throw Unexpected() }
    #expect(edit.keepsCompanions && edit.dates == .keep)
  }

  @Test(
    "With if-better, a location is replaced only by one with a smaller known error.",
    arguments: [
      // metres and dilution: recorded, found.
      ((100, nil), (8, nil), true), ((8, nil), (8, nil), false), ((5, nil), (8, nil), false),
      // Dilutions are compared if neither has metres.
      ((nil, 4), (nil, 2), true), ((nil, 2), (nil, 4), false), ((100, 4), (nil, 2), false), ((nil, 4), (8, 2), false),
      // Metres decide if both have them.
      ((100, 1), (8, 9), true), ((5, 9), (8, 1), false),
      // An unknown error is neither worse nor better.
      ((nil, nil), (1, 1), false), ((100, 9), (nil, nil), false), ((nil, nil), (nil, nil), false),
    ] as [((Double?, Double?), (Double?, Double?), Bool)])
  func ifBetter(recorded: (Double?, Double?), found: (Double?, Double?), isBetter: Bool) throws {
    var metadata = try GeotagPlannerTests.photo("2024-05-01T10:00:00Z")
    var location = Location(try Coordinate(parsing: "1,2"))
    (location.horizontalError, location.dilutionOfPrecision) = recorded
    metadata.locations = [Sourced(location, .exif, tag: "GPSLatitude")]
    var builder = TrackBuilder()
    builder.add(
      TrackPoint(
        try TrackMatchTests.instant("10:00:00"), try Coordinate(parsing: "10,20"), dilutionOfPrecision: found.1,
        accuracy: found.0))
    var planner = GeotagPlanner(track: builder.track(name: "t", format: "t"))
    planner.overwrite = .ifBetter
    let said = outcome(planner, metadata)
    #expect(isBetter ? said == "10.0" : said.hasPrefix("unchanged: notBetter"))
    #expect(outcome(planner, try GeotagPlannerTests.photo("2024-05-01T10:00:00Z")) == "10.0")
  }

  @Test("With if-better, the nearest fix and a given place are never better, and the reason has both errors.")
  func notBetter() throws {
    var metadata = try GeotagPlannerTests.photo("2024-05-01T10:00:00Z")
    var location = Location(try Coordinate(parsing: "1,2"))
    location.horizontalError = 5_000
    metadata.locations = [Sourced(location, .exif, tag: "GPSLatitude")]
    var builder = TrackBuilder()
    builder.add(TrackPoint(try TrackMatchTests.instant("10:01:00"), try Coordinate(parsing: "10,20"), accuracy: 3))
    var planner = GeotagPlanner(track: builder.track(name: "t", format: "t"))
    (planner.overwrite, planner.match.nearestWithin) = (.ifBetter, 600)
    #expect(
      outcome(planner, metadata)
        == "unchanged: notBetter(unknown, 5.0 km)")
    var place = PlacePlanner(try Location(parsing: "35,135"))
    place.overwrite = .ifBetter
    #expect(outcome(place, metadata) == "unchanged: hasLocation")
  }

  @Test(
    "The explanation of a change has the clock correction.",
    arguments: [("+40s", "40 s slow"), ("-90m", "90 min fast")])
  func correction(correction: String, expected: String) throws {
    var planner = GeotagPlanner(track: try GPXText.worked())
    planner.errors = ClockErrors(try TimeShift(parsing: correction))
    let photo = try GeotagPlannerTests.photo(correction == "+40s" ? "2024-05-01T10:02:30Z" : "2024-05-01T11:32:30Z")
    guard case .change(_, let because) = planner.propose(for: photo) else { throw Unexpected() }
    #expect(because.description.hasSuffix("by its own offset, \(expected)"))
  }

  @Test("The explanation of a change has the fixes and the camera time.")
  func explanation() throws {
    let planner = GeotagPlanner(track: try GPXText.worked())
    guard case .change(_, let because) = planner.propose(for: try GeotagPlannerTests.photo("2024-05-01T12:02:30+02:00"))
    else { throw Unexpected() }
    #expect(
      because.description
        == "between fixes 2 min before (61.3 km) and 7 min after (184 km); camera time 2024-05-01T12:02:30+02:00 by its own offset"
    )
  }

  @Test("Removal is proposed for every photo.")
  func clear() {
    var edit = MetadataEdit()
    edit.location = .remove
    #expect(ClearPlanner().propose(for: Metadata()) == .change(edit, because: .cleared))
  }
}

struct Unexpected: Error {}
