import TestSupport
import Testing

@testable import MetaTag

@Suite("Time from a location on a track")
struct TrackTimePlannerTests {
  /// Along the equator from 10° E to 10.1° E within ten minutes: 18.5 m a second.
  static func there() throws -> Track {
    try GPXText.track([GPXText.point("0,10 2024-05-01T10:00:00Z"), GPXText.point("0,10.1 2024-05-01T10:10:00Z")])
  }

  static func planner(_ track: Track) -> TrackTimePlanner {
    TrackTimePlanner(TrackVisits(of: track)) { _ in try? Zone(parsing: "Europe/Paris") }
  }

  static func photo(_ place: String, day: String? = nil) throws -> Metadata {
    var metadata = Metadata()
    metadata.locations = [Sourced(Location(try Coordinate(parsing: place)), .exif, tag: "GPSLatitude")]
    if let day {
      metadata.partialDates = [Sourced(try PartialDate(parsing: day), .xmp, tag: "photoshop:DateCreated")]
    }
    return metadata
  }

  func outcome(_ planner: TrackTimePlanner, _ metadata: Metadata) -> String {
    switch planner.propose(for: metadata) {
    case .change(let edit, let because):
      guard case .set(let time, _) = edit.dates, edit.location == .keep else { return "no date set" }
      return "\(time); \(because)"
    case .unchanged(let reason): return "unchanged: \(reason.values)"
    case .skip(let reason): return "skip: \(reason.values)"
    }
  }

  @Test(
    "The time is the track's nearest approach, as local time at the location.",
    arguments: [
      (
        "0,10.05",
        "2024-05-01T12:05:00+02:00; the track was 0 m from its location at 2024-05-01T12:05:00+02:00, and near it for 5.4 s"
      ),
      (
        "0.0002,10.025",
        "2024-05-01T12:02:30+02:00; the track was 22 m from its location at 2024-05-01T12:02:30+02:00, and near it for 4.8 s"
      ),
      (
        "0,10",
        "2024-05-01T12:00:00+02:00; the track was 0 m from its location at 2024-05-01T12:00:00+02:00, and near it for 2.7 s, "
          + "where a recording begins or ends"
      ),
      ("0.001,10.05", "skip: neverNear(50.0)"),
      ("0,9.9", "skip: neverNear(50.0)"),
    ])
  func nearest(place: String, expected: String) throws {
    let planner = TrackTimePlannerTests.planner(try TrackTimePlannerTests.there())
    #expect(outcome(planner, try TrackTimePlannerTests.photo(place)) == expected)
  }

  @Test("A photo with a date, without a location or in no known zone is skipped.")
  func left() throws {
    var planner = TrackTimePlannerTests.planner(try TrackTimePlannerTests.there())
    var photo = try TrackTimePlannerTests.photo("0,10.05")
    #expect(outcome(planner, Metadata()).hasPrefix("skip: noLocation"))
    photo.captureTimes = try GeotagPlannerTests.photo("1999-01-01T00:00:00").captureTimes
    #expect(outcome(planner, photo) == "unchanged: hasCaptureTime")
    planner.overwrite = .replace
    #expect(outcome(planner, photo).hasPrefix("2024-05-01T12:05:00+02:00;"))
    photo.captureTimes = try GeotagPlannerTests.photo("2024-05-01T12:05:00+02:00").captureTimes
    #expect(outcome(planner, photo) == "unchanged: asWanted")
    var atSea = TrackTimePlanner(TrackVisits(of: try TrackTimePlannerTests.there())) { _ in nil }
    #expect(
      outcome(atSea, try TrackTimePlannerTests.photo("0,10.05"))
        == "skip: unknownZoneOfVisit")
    atSea.zone = .fixed(.utc)
    #expect(outcome(atSea, try TrackTimePlannerTests.photo("0,10.05")).hasPrefix("2024-05-01T10:05:00+00:00;"))
  }

  /// There and back, and there again on the next day.
  static func twice() throws -> Track {
    try GPXText.track(
      ["0,10 2024-05-01T10:00:00Z", "0,10.1 2024-05-01T10:10:00Z", "0,10 2024-05-01T10:20:00Z"].map {
        GPXText.point($0)
      },
      ["0,10 2024-05-02T10:00:00Z", "0,10.1 2024-05-02T10:10:00Z"].map { GPXText.point($0) })
  }

  @Test("Several passes are skipped and listed, unless a recorded day decides.")
  func several() throws {
    let planner = TrackTimePlannerTests.planner(try TrackTimePlannerTests.twice())
    #expect(
      outcome(planner, try TrackTimePlannerTests.photo("0,10.05"))
        == "skip: severalVisits([2024-05-01T12:05:00+02:00, 2024-05-01T12:15:00+02:00, "
        + "2024-05-02T12:05:00+02:00])")
    #expect(
      outcome(planner, try TrackTimePlannerTests.photo("0,10.05", day: "2024-05-02")).hasPrefix("2024-05-02T12:05:00"))
    #expect(
      outcome(planner, try TrackTimePlannerTests.photo("0,10.05", day: "2024-05-01")).hasPrefix("skip: severalVisits"))
    #expect(
      outcome(planner, try TrackTimePlannerTests.photo("0,10.05", day: "2024-05-03")).hasPrefix(
        "skip: visitOnOtherDay("))
    // The way turns at 10.1, so it passes there once.
    #expect(
      outcome(planner, try TrackTimePlannerTests.photo("0,10.1", day: "2024-05-01")).hasPrefix("2024-05-01T12:10:00"))
  }

  @Test("Neighbouring photos decide between passes if the order is chronological.")
  func order() throws {
    let planner = TrackTimePlannerTests.planner(try TrackTimePlannerTests.twice())
    let unsure = try TrackTimePlannerTests.photo("0,10.05")
    let turn = try TrackTimePlannerTests.photo("0,10.1", day: "2024-05-01")
    var evening = try GeotagPlannerTests.photo("2024-05-01T20:00:00")
    evening.locations = unsure.locations
    let photos = [unsure, turn, unsure, unsure, evening, unsure]
    let outcomes = zip(planner.planners(inOrderOf: photos), photos).map { outcome($0, $1).prefix(19) }
    #expect(
      outcomes == [
        "2024-05-01T12:05:00", "2024-05-01T12:10:00", "2024-05-01T12:15:00", "2024-05-01T12:15:00",
        "unchanged: hasCaptu", "2024-05-02T12:05:00",
      ])
    // An order that contradicts itself decides nothing.
    let wrong = [evening, unsure, turn]
    #expect(
      outcome(planner.planners(inOrderOf: wrong)[1], unsure).hasPrefix("skip: severalVisits")
    )
  }

  @Test("A long stay has no time unless allowed, and a short absence doesn't end it.")
  func stay() throws {
    let track = try GPXText.track(
      [
        "0,10 2024-05-01T10:00:00Z", "0.0001,10 2024-05-01T10:20:00Z", "0,10 2024-05-01T10:40:00Z",
        "0.001,10 2024-05-01T10:40:30Z", "0,10.0001 2024-05-01T10:41:00Z", "0,10 2024-05-01T12:41:00Z",
      ].map { GPXText.point($0) })
    var planner = TrackTimePlannerTests.planner(track)
    #expect(
      outcome(planner, try TrackTimePlannerTests.photo("0,10"))
        == "skip: longStay(2024-05-01T12:00:00+02:00, 2024-05-01T14:41:00+02:00)")
    planner.maxStay = 10_000
    #expect(outcome(planner, try TrackTimePlannerTests.photo("0,10")).hasPrefix("2024-05-01T12:00:00+02:00;"))
  }

  @Test("A long pause is bridged only near its ends, and segments are not joined.")
  func gap() throws {
    let track = try GPXText.track(
      ["0,10 2024-05-01T10:00:00Z", "0,10.1 2024-05-01T10:40:00Z"].map { GPXText.point($0) },
      ["0,10.2 2024-05-01T10:41:00Z"].map { GPXText.point($0) })
    var planner = TrackTimePlannerTests.planner(track)
    for (place, expected) in [("0,10", "12:00"), ("0,10.1", "12:40"), ("0,10.2", "12:41")] {
      #expect(outcome(planner, try TrackTimePlannerTests.photo(place)).hasPrefix("2024-05-01T\(expected)"))
    }
    #expect(outcome(planner, try TrackTimePlannerTests.photo("0,10.05")).hasPrefix("skip: neverNear"))
    planner.maxGap = 3_600
    #expect(outcome(planner, try TrackTimePlannerTests.photo("0,10.05")).hasPrefix("2024-05-01T12:20:00"))
    #expect(outcome(planner, try TrackTimePlannerTests.photo("0,10.15")).hasPrefix("skip: neverNear"))
  }

  @Test("Locations at the antimeridian and the poles are found.")
  func edges() throws {
    let line = try GPXText.track(
      ["0,179.95 2024-05-01T10:00:00Z", "0,-179.95 2024-05-01T10:10:00Z"].map { GPXText.point($0) })
    for place in ["0,180", "0,-180"] {
      #expect(
        outcome(TrackTimePlannerTests.planner(line), try TrackTimePlannerTests.photo(place)).hasPrefix(
          "2024-05-01T12:05:00"))
    }
    let pole = try GPXText.track(["89.9999,0 2024-05-01T10:00:00Z"].map { GPXText.point($0) })
    #expect(
      outcome(TrackTimePlannerTests.planner(pole), try TrackTimePlannerTests.photo("89.9999,180")).hasPrefix(
        "2024-05-01T12:00:00"))
  }

  @Test("The search by boxes finds the same as looking at every fix, and looks at few.")
  func boxes() throws {
    var generator = SeededGenerator(seed: 12)
    var (latitude, longitude) = (45.0, 7.0)
    let points = (0..<50_000).compactMap { index -> TrackPoint? in
      latitude += .random(in: -1e-4...1.2e-4, using: &generator)
      longitude += .random(in: -1e-4...1.2e-4, using: &generator)
      return Coordinate(latitude: latitude, longitude: longitude).map {
        TrackPoint(Instant(seconds: Int64(index) * 5), $0)
      }
    }
    let visits = TrackVisits(of: Track([try #require(Track.Segment(points))], sources: []))
    var looked = 0
    for _ in 0..<100 {
      let place = try #require(points.randomElement(using: &generator)).coordinate
      let found = visits.visits(of: place, within: 40, maxGap: 60)
      let near = points.filter { $0.coordinate.distance(to: place) < 39.9 }
      for point in near { #expect(found.contains { $0.start <= point.instant && point.instant <= $0.end }) }
      for visit in found { #expect(visit.metres <= 40 && visit.start <= visit.nearest && visit.nearest <= visit.end) }
      looked += visits.countLookedAt(near: place, within: 40)
    }
    #expect(looked < 100 * 2_000, "\(looked)")
  }
}
