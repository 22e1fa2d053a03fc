import Glibc
import TestSupport
import Testing

@testable import MetaTag

@Suite("Clocks estimated from photos and a track")
struct ClockEstimateTests {
  /// A walk of some hours in Berlin, with one camera.
  static func day(_ camera: TripCamera, hours: Double = 9, seed: UInt64 = 1) throws -> Trip {
    let stay = try Trip.Stay(52.5, 13.4, "Europe/Berlin", from: "2024-06-25T07:30:00Z", hours: hours)
    return Trip(seed: seed, stays: [stay], cameras: [camera])
  }

  static func verdict(_ photos: [Metadata], _ track: Track, in zone: String = "Europe/Berlin") throws
    -> Result<ClockEstimate, ClockAmbiguity>
  {
    let zone = try Zone(parsing: zone)
    let estimates = ClockEstimates(of: photos, on: track, zone: { _ in zone })
    return try #require(estimates[CameraBody(of: photos[0])])
  }

  /// Rounds of an hour on a circle in Berlin, ten metres a fix, with a halt of this many seconds at each of six
  /// stations.
  static func rounds(_ hours: Int, halt: Int) throws -> Track {
    let start = try #require(try CaptureTime(parsing: "2024-06-25T06:00:00Z").instant)
    let moving = 600 - halt
    var builder = TrackBuilder()
    for second in stride(from: 0, to: hours * 3_600, by: 10) {
      let (station, passed) = ((second / 600) % 6, second % 600)
      let way = (Double(station) + Double(max(0, passed - halt)) / Double(moving)) / 6 * 2 * .pi
      let place = try #require(Coordinate(latitude: 52.5 + 0.009 * cos(way), longitude: 13.4 + 0.015 * sin(way)))
      builder.add(TrackPoint(start.adding(TimeShift(seconds: Int64(second))), place))
    }
    return builder.track(name: "rounds", format: "GPX")
  }

  /// Photos at these seconds after 08:00 in Berlin.
  static func photos(_ seconds: [Int]) throws -> [Metadata] {
    let start = try #require(CivilTime(year: 2024, month: 6, day: 25, hour: 8))
    return try seconds.map { try GeotagPlannerTests.photo("\(try #require(start.adding(seconds: Int64($0))))") }
  }

  @Test("A walk without halts is ambiguous, because every hour fits.")
  func evenWalk() throws {
    var random = SeededGenerator(seed: 1)
    let seconds = (0..<120).map { _ in Int.random(in: 4 * 3_600..<6 * 3_600, using: &random) }
    let verdict = try Self.verdict(try Self.photos(seconds), try Self.rounds(10, halt: 0))
    guard case .failure(.ambiguous) = verdict else { throw Unexpected() }
  }

  @Test("Halts every ten minutes fit several corrections, which are listed.")
  func timetable() throws {
    var random = SeededGenerator(seed: 2)
    let seconds = (0..<120).map { _ in
      Int.random(in: 20..<44, using: &random) * 600 + Int.random(in: 30..<210, using: &random)
    }
    let verdict = try Self.verdict(try Self.photos(seconds), try Self.rounds(10, halt: 240))
    guard case .failure(.ambiguous(let corrections)) = verdict else { throw Unexpected() }
    #expect(corrections.count > 1)
    #expect(corrections.map(\.likelihood).reduce(0, +) <= 1)
    #expect(verdict == (try Self.verdict(try Self.photos(seconds.reversed()), try Self.rounds(10, halt: 240))))
  }

  @Test("Likelihoods add up to at most 100 %.", arguments: [[0.495, 0.505], [0.335, 0.335, 0.33], [0.995, 0.005]])
  func likelihoods(_ likelihoods: [Double]) {
    let doubt = ClockAmbiguity.ambiguous(likelihoods.map { .init(correction: 3_600, likelihood: $0) })
    let percents = "\(doubt)".matches(of: /(\d+) %/).compactMap { Int($0.1) }
    #expect(percents.count == likelihoods.count && percents.reduce(0, +) <= 100, "\(doubt)")
  }

  @Test("Photos of another trip, and too few photos, are ambiguous.", arguments: [200, 6])
  func orphans(count: Int) throws {
    let trip = try Self.day(TripCamera("X"))
    var random = SeededGenerator(seed: 3)
    let seconds = (0..<count).map { _ in Int.random(in: 0..<12 * 3_600, using: &random) }
    guard case .failure(.ambiguous) = try Self.verdict(try Self.photos(seconds), trip.track) else {
      throw Unexpected()
    }
  }

  @Test(
    "A day's halts define the error in hours and seconds.",
    arguments: [(3_600.0, 1), (-1_234, 2), (0, 3)] as [(Double, UInt64)])
  func day(error: Double, seed: UInt64) throws {
    var camera = TripCamera("X")
    camera.error = error
    let trip = try Self.day(camera, seed: seed)
    let estimate = try Self.verdict(trip.photos.map(\.metadata), trip.track).get()
    let shown = try #require(trip.photos[0].metadata.captureTime)
    #expect(abs(estimate.correction + error) <= estimate.uncertainty(at: shown), "\(estimate)")
    #expect(estimate.uncertainty(at: shown) < 15 && estimate.offset == nil && estimate.locatedCount == 0)
  }

  @Test("A clock that was set during the trip is refused, not averaged.")
  func setAnew() throws {
    var camera = TripCamera("X")
    camera.clock = .reset(7_200, days: 1.5, 3_600)
    let stays = try (25...28).map { day in
      try Trip.Stay(52.5, 13.4, "Europe/Berlin", from: "2024-06-\(day)T08:00:00Z", hours: 8)
    }
    let trip = Trip(seed: 4, stays: stays, cameras: [camera])
    #expect(try Self.verdict(trip.photos.map(\.metadata), trip.track) == .failure(.reset))
  }

  /// Straight walks of six hours at 1.4 m/s, one a day, and twelve photos of each, every third without a location.
  static func walks(_ days: Int, error: (_ days: Double) -> Double) throws -> (photos: [Metadata], track: Track) {
    let start = try #require(try CaptureTime(parsing: "2024-06-01T06:00:00Z").instant)
    var builder = TrackBuilder()
    var photos: [Metadata] = []
    for day in 0..<days {
      for step in 0..<2_160 {
        let instant = start.adding(TimeShift(seconds: Int64(day * 86_400 + step * 10)))
        let (north, east) = (Double(step) * 1.26e-4, 0.05 * Double(day))
        let place = try #require(Coordinate(latitude: 52 + north, longitude: 13.4 + east))
        builder.add(TrackPoint(instant, place))
        guard step % 180 == 90 else { continue }
        let passed = instant.timeInterval(since: start) / 86_400
        let shown = instant.adding(TimeShift(seconds: 7_200 + Int64(error(passed).rounded())))
        var photo = try GeotagPlannerTests.photo("\(try #require(CivilTime(secondsSince1970: shown.seconds)))+02:00")
        if photos.count % 3 > 0 { photo.locations = [Sourced(Location(place), .exif, tag: "GPSLatitude")] }
        photos.append(photo)
      }
    }
    return (photos, builder.track(name: "walks", format: "GPX"))
  }

  @Test(
    "Photos with locations define any drift within the stated uncertainty.",
    arguments: [(10, 5), (10, 12), (10, -20), (3, 5), (3, -40)] as [(Int, Double)])
  func drift(days: Int, gain: Double) throws {
    let (photos, track) = try Self.walks(days) { -300 + gain * $0 }
    let estimate = try Self.verdict(photos, track).get()
    #expect(abs(estimate.drift + gain) < 3, "\(estimate)")
    for (index, photo) in [(0, photos[0]), (photos.count - 1, photos[photos.count - 1])] {
      let time = try #require(photo.captureTime)
      let passed = Double(index / 12) + Double(90 + 180 * (index % 12)) / 8_640
      let fromMiddle = time.instant(at: .utc).timeInterval(since: estimate.middle) / 86_400
      let found = estimate.correction + estimate.drift * fromMiddle
      #expect(abs(found - (300 - gain * passed)) <= max(1, estimate.uncertainty(at: time)), "\(estimate)")
      #expect(estimate.uncertainty(at: time) < 6)
    }
  }

  @Test("A clock that runs unevenly has an uncertainty as large as its deviation.")
  func uneven() throws {
    // Set forward by a minute and a half in the fifth night, and back in the eighth: too little to be recognised.
    let (photos, track) = try Self.walks(10) { 5..<8 ~= $0 ? 90 : 0 }
    let estimate = try Self.verdict(photos, track).get()
    let time = try #require(photos[0].captureTime)
    #expect(estimate.uncertainty(at: time) >= 45, "\(estimate)")
  }

  @Test("Fix times define a clock error of years, if there is more than one.")
  func fixes() throws {
    let trip = try Self.day(TripCamera("X"), hours: 3)
    var photos = try Self.photos([0, 600, 1_200, 1_800])
    for index in photos.indices {
      let time = try #require(photos[index].captureTime)
      let place = try #require(trip.photos.first).coordinate
      var location = Location(place)
      // Two hours of zone, and 400 days and 7 s slow.
      location.timestamp = time.instant(at: .utc).adding(TimeShift(seconds: 400 * 86_400 + 7 - 7_200))
      photos[index].locations = [Sourced(location, .exif, tag: "GPSLatitude")]
    }
    // The track must be of that time.
    var builder = TrackBuilder()
    for point in trip.segments[0] {
      builder.add(TrackPoint(point.instant.adding(TimeShift(seconds: 400 * 86_400)), point.coordinate))
    }
    let track = builder.track(name: "t", format: "GPX")
    let estimate = try Self.verdict(photos, track, in: "+02:00").get()
    #expect(abs(estimate.correction - (400 * 86_400 + 7)) < 2, "\(estimate)")
    #expect(estimate.description.hasPrefix("the clock was 400d"))
    guard case .failure = try Self.verdict([photos[0]], track, in: "+02:00") else { throw Unexpected() }
  }

  @Test("Photos with an estimated clock are placed by it, and others as if without the estimate.")
  func planner() throws {
    let trip = try Self.day(TripCamera("X"))
    let zone = try Zone(parsing: "Europe/Berlin")
    var planner = GeotagPlanner(track: trip.track, zone: { _ in zone })
    var orphan = try Self.photos([3 * 3_600])[0]
    orphan.model = "Y"
    planner.estimates = ClockEstimates(
      of: trip.photos.map(\.metadata) + [orphan], on: trip.track, zone: { _ in zone })
    // Without an estimate, its clock is read as it would be without the option.
    let plain = GeotagPlanner(track: trip.track, zone: { _ in zone })
    guard case .failure = try #require(planner.estimates[CameraBody(of: orphan)]) else { throw Unexpected() }
    guard case .change(let edit, _) = planner.propose(for: orphan),
      case .change(let expected, _) = plain.propose(for: orphan)
    else { throw Unexpected() }
    #expect(edit == expected)
    let outcome = trip.outcome(of: planner)
    #expect(outcome.share >= 0.98 && outcome.wrong.isEmpty, "\(outcome)")
    guard case .change(_, let because) = planner.propose(for: trip.photos[40].metadata) else { throw Unexpected() }
    #expect(because.description.contains("the clock was "))
  }

  @Test("Moments of one day give no evidence about photos of other years.", arguments: [1990, 2017, 2030])
  func farMoments(year: Int) throws {
    let noon = try #require(CivilTime(year: 2024, month: 5, day: 18, hour: 12))
    let place = try #require(Coordinate(latitude: 46.36, longitude: 14.08))
    let track = Track([[TrackPoint(CaptureTime(noon, offset: .utc).instant(at: .utc), place)]], name: "a")
    var photo = Metadata()
    let time = try #require(CivilTime(year: year, month: 5, day: 9, hour: 20))
    photo.captureTimes = [Sourced(CaptureTime(time), .exif, tag: "DateTimeOriginal")]
    let estimates = ClockEstimates(of: [photo], on: track, areMoments: true)
    guard case .failure(.ambiguous)? = estimates[CameraBody(of: photo)] else {
      Issue.record("\(String(describing: estimates[CameraBody(of: photo)]))")
      return
    }
  }
}
