import Testing

@testable import MetaTag

/// The worked cases of other programs (reference/peer-semantics.md C4) that need only GPX. If another program
/// interpolates degrees as on a plane, the great circle's values are stated, with their distance from that program's.
@Suite("Matching photos to a track")
struct TrackMatchTests {
  static func instant(_ text: String) throws -> Instant {
    try #require(CaptureTime(parsing: "2024-05-01T\(text)Z").instant)
  }

  static func rules(gap: Double = 1_800, across: Bool = false, nearest: Double = 0) -> MatchRules {
    var rules = MatchRules()
    rules.maxGap = gap
    rules.acrossSegments = across
    rules.nearestWithin = nearest
    return rules
  }

  /// Latitude, longitude and altitude at a time, and the distance in metres from another program's position.
  struct Place: Sendable {
    var time: String
    var latitude, longitude: Double
    var altitude: Double?
    var peer: (Double, Double)
    var apart: Double
  }

  func expect(_ place: Place, on track: Track, _ rules: MatchRules = MatchRules()) throws {
    let location = try track.match(TrackMatchTests.instant(place.time), rules: rules).location
    #expect(abs(location.coordinate.latitude - place.latitude) < 1e-7, "\(location.coordinate)")
    #expect(abs(location.coordinate.longitude - place.longitude) < 1e-7, "\(location.coordinate)")
    #expect(location.altitude.map { ($0 * 1e6).rounded() } == place.altitude.map { ($0 * 1e6).rounded() })
    #expect(location.timestamp == (try TrackMatchTests.instant(place.time)))
    let peer = try #require(Coordinate(latitude: place.peer.0, longitude: place.peer.1))
    #expect(abs(location.coordinate.distance(to: peer) - place.apart) < 0.1)
  }

  @Test(
    "A photo between two fixes is on the way between them (D1, D7, D8, D19)",
    arguments: [
      // Legs of 246 km: the other programs are up to 250 m, a thousandth of the leg, off the shortest way.
      Place(
        time: "10:02:30", latitude: 10.25116275, longitude: 20.49879606, altitude: 125, peer: (10.25, 20.5),
        apart: 184.6),
      Place(
        time: "10:03:00", latitude: 10.30130455, longitude: 20.59864951, altitude: 130, peer: (10.3, 20.6), apart: 207.1
      ),
      Place(
        time: "10:01:30", latitude: 10.15078792, longitude: 20.29918384, altitude: 115, peer: (10.15, 20.3),
        apart: 125.1),
      Place(
        time: "10:03:50", latitude: 10.38480608, longitude: 20.76514258, altitude: 415.0 / 3,
        peer: (10.38333333, 20.76666667), apart: 233.7),
      Place(
        time: "10:02:30.5", latitude: 10.25199870, longitude: 20.50046002, altitude: 100 + 150.5 / 6,
        peer: (10.25083333, 20.50166667), apart: 185),
      Place(time: "10:00:00", latitude: 10, longitude: 20, altitude: 100, peer: (10, 20), apart: 0),
      Place(time: "10:10:00", latitude: 11, longitude: 22, altitude: 200, peer: (11, 22), apart: 0),
      Place(time: "11:10:00", latitude: 13, longitude: 26, altitude: 400, peer: (13, 26), apart: 0),
    ])
  func between(place: Place) throws { try expect(place, on: GPXText.worked()) }

  @Test("On short legs the location is within a millimetre of the linear one.")
  func everydayLegs() throws {
    let track = try GPXText.track([
      GPXText.point("47.1000,8.1000 2024-05-01T10:00:00Z"), GPXText.point("47.1010,8.1020 2024-05-01T10:10:00Z"),
    ])
    let location = try track.match(TrackMatchTests.instant("10:02:30")).location
    let peer = try #require(Coordinate(latitude: 47.10025, longitude: 8.1005))
    #expect(location.coordinate.distance(to: peer) < 0.001)
  }

  @Test("Between segments there is no location by default (D2, D3, D4, D9)")
  func segments() throws {
    let track = try GPXText.worked()
    let instant = try TrackMatchTests.instant("10:20:00")
    #expect(throws: MatchFailure.betweenSegments(3_000)) { try track.match(instant) }
    #expect(throws: MatchFailure.inGap(3_000)) { try track.match(instant, rules: TrackMatchTests.rules(across: true)) }
    try expect(
      Place(
        time: "10:20:00", latitude: 11.20108074, longitude: 22.39887300, altitude: 220, peer: (11.2, 22.4), apart: 171.9
      ),
      on: track, TrackMatchTests.rules(gap: 3_600, across: true))
    for (time, latitude) in [("10:20:00", 11.0), ("10:34:59", 11), ("10:35:00", 12)] {
      let match = try track.match(TrackMatchTests.instant(time), rules: TrackMatchTests.rules(nearest: 1_800))
      #expect(match.location.coordinate.latitude == latitude)
    }
    let split = try GPXText.track(
      [GPXText.point("10,20 2024-05-01T10:00:00Z")], [GPXText.point("11,22 2024-05-01T10:20:00Z")])
    let middle = try TrackMatchTests.instant("10:10:00")
    #expect(throws: MatchFailure.betweenSegments(1_200)) { try split.match(middle) }
    try expect(
      Place(time: "10:10:00", latitude: 10.50156386, longitude: 20.99838241, peer: (10.5, 21), apart: 248), on: split,
      TrackMatchTests.rules(across: true))
  }

  @Test("Outside the track there is no location by default (D5, D6)")
  func outside() throws {
    let track = try GPXText.worked()
    let (before, after) = (try TrackMatchTests.instant("09:30:00"), try TrackMatchTests.instant("11:40:00"))
    #expect(throws: MatchFailure.beforeTrack(1_800)) { try track.match(before) }
    #expect(throws: MatchFailure.afterTrack(1_800)) { try track.match(after) }
    let rules = TrackMatchTests.rules(nearest: 1_800)
    #expect(try track.match(before, rules: rules).location.altitude == 100)
    #expect(try track.match(after, rules: rules).location.altitude == 400)
    #expect(throws: MatchFailure.beforeTrack(1_801)) {
      try track.match(TrackMatchTests.instant("09:29:59"), rules: rules)
    }
    #expect(throws: MatchFailure.afterTrack(1_801)) {
      try track.match(TrackMatchTests.instant("11:40:01"), rules: rules)
    }
    #expect(throws: MatchFailure.emptyTrack) { try GPXText.track([]).match(before) }
  }

  @Test(
    "A gap within a segment is bridged up to the limit, and not a second more.",
    arguments: [(1_800.0, true), (1_799, false)])
  func gaps(limit: Double, isBridged: Bool) throws {
    let track = try GPXText.track([
      GPXText.point("10,20 2024-05-01T10:00:00Z"), GPXText.point("11,22 2024-05-01T10:30:00Z"),
    ])
    let instant = try TrackMatchTests.instant("10:01:00")
    if isBridged {
      #expect(try track.match(instant, rules: TrackMatchTests.rules(gap: limit)).secondsFromFix == 60)
    } else {
      #expect(throws: MatchFailure.inGap(1_800)) { try track.match(instant, rules: TrackMatchTests.rules(gap: limit)) }
    }
  }

  @Test(
    "The 180th meridian is a line like any other (D10)",
    arguments: [("10:02:30", 179.74999986), ("10:05:00", 180), ("10:07:30", -179.74999986)] as [(String, Double)])
  func antimeridian(time: String, longitude: Double) throws {
    let track = try GPXText.track([
      GPXText.point("10,179.5 2024-05-01T10:00:00Z"), GPXText.point("10,-179.5 2024-05-01T10:10:00Z"),
    ])
    let place = try track.match(TrackMatchTests.instant(time)).location.coordinate
    #expect(abs(place.longitude.magnitude - longitude.magnitude) < 1e-7)
    #expect(longitude == 180 || place.longitude.sign == longitude.sign)
  }

  @Test(
    "Further worked cases have the expected locations (D14, D16, D17, D18, D20, D25)",
    arguments: [
      // D14: north and east of the zero point, not south and west.
      (["0,0 2024-05-01T10:00:00Z"], "10:00:00", 0, 0),
      // D16.
      (["0,0 2024-05-01T10:00:00Z", "-1,-1 2024-05-01T10:10:00Z"], "10:05:00", -0.50001904, -0.49996192),
      // D17: the times' own offsets are honoured.
      (["1,1 2024-05-01T12:00:00+02:00", "2,2 2024-05-01T12:10:00+02:00"], "10:05:00", 1.50005709, 1.49988574),
      // D18: fractions of seconds are honoured.
      (["1,1 2024-05-01T10:00:00.250Z", "2,2 2024-05-01T10:00:01.250Z"], "10:00:01", 1.75004520, 1.74990954),
      // D20: reversed in the file.
      (["12,22 2024-05-01T10:10:00Z", "10,20 2024-05-01T10:00:00Z"], "10:05:00", 11.00163471, 20.99660673),
      // D25.
      (["60,0 2024-05-01T10:00:00Z", "60,90 2024-05-01T10:20:00Z"], "10:10:00", 67.79234570, 45),
    ] as [([String], String, Double, Double)])
  func worked(points: [String], time: String, latitude: Double, longitude: Double) throws {
    let track = try GPXText.track(points.map { GPXText.point($0) })
    let place = try track.match(TrackMatchTests.instant(time)).location.coordinate
    #expect(abs(place.latitude - latitude) < 1e-7 && abs(place.longitude - longitude) < 1e-7, "\(place)")
  }

  @Test(
    "Zero is an altitude, and an altitude on one side only is not used (D15, D16)",
    arguments: [("0", "0", 0), ("0", "-50", -25), ("", "100", nil), ("100", "", nil), ("", "", nil)]
      as [(String, String, Double?)])
  func altitudes(first: String, second: String, altitude: Double?) throws {
    let track = try GPXText.track([
      GPXText.point("0,0 2024-05-01T10:00:00Z", "<ele>\(first)</ele>"),
      GPXText.point("-1,-1 2024-05-01T10:10:00Z", "<ele>\(second)</ele>"),
    ])
    #expect(try track.match(TrackMatchTests.instant("10:05:00")).location.altitude == altitude)
  }

  @Test("Speed, course and precision are known if both fixes know them (D13)")
  func companions() throws {
    let full = "<hdop>2</hdop><speed>10</speed><course>350</course>"
    let other = "<hdop>3</hdop><speed>20</speed><course>10</course>"
    let track = try GPXText.track([
      GPXText.point("0,0 2024-05-01T10:00:00Z", full), GPXText.point("0,1 2024-05-01T10:10:00Z", other),
      GPXText.point("0,2 2024-05-01T10:20:00Z"),
    ])
    let middle = try track.match(TrackMatchTests.instant("10:05:00")).location
    #expect(middle.speed == 15 && middle.track?.degrees == 0 && middle.dilutionOfPrecision == 3)
    let exact = try track.match(TrackMatchTests.instant("10:10:00")).location
    #expect(exact.speed == 20 && exact.track?.degrees == 10 && exact.dilutionOfPrecision == 3)
    let half = try track.match(TrackMatchTests.instant("10:15:00")).location
    #expect(half.speed == nil && half.track == nil && half.dilutionOfPrecision == nil)
  }

  @Test("Between two files the rules are those between segments (D21)")
  func files() throws {
    let track = Track.merged([
      try GPXText.track([GPXText.point("12,22 2024-05-01T10:10:00Z"), GPXText.point("13,23 2024-05-01T10:20:00Z")]),
      try GPXText.track([GPXText.point("10,20 2024-05-01T09:50:00Z"), GPXText.point("11,21 2024-05-01T10:00:00Z")]),
    ])
    let instant = try TrackMatchTests.instant("10:03:00")
    #expect(track.overlapCount == 0 && track.sources.count == 2)
    #expect(throws: MatchFailure.betweenSegments(600)) { try track.match(instant) }
    #expect(try track.match(instant, rules: TrackMatchTests.rules(nearest: 300)).location.coordinate.latitude == 11)
    let bridged = try track.match(instant, rules: TrackMatchTests.rules(across: true)).location.coordinate
    #expect(abs(bridged.latitude - 11.3) < 1e-3 && abs(bridged.longitude - 21.3) < 1e-3)
  }

  @Test("If receivers ran at the same time, the one with the closer fixes is used, else the first.")
  func overlap() throws {
    let coarse = try GPXText.track([
      GPXText.point("10,20 2024-05-01T10:00:00Z"), GPXText.point("10,21 2024-05-01T10:20:00Z"),
    ])
    let fine = try GPXText.track([
      GPXText.point("30,20 2024-05-01T10:05:00Z"), GPXText.point("30,21 2024-05-01T10:06:00Z"),
    ])
    for track in [Track.merged([coarse, fine]), Track.merged([fine, coarse])] {
      #expect(track.overlapCount == 1)
      #expect(try track.match(TrackMatchTests.instant("10:05:30")).location.coordinate.latitude.rounded() == 30)
      #expect(try track.match(TrackMatchTests.instant("10:10:00")).location.coordinate.latitude.rounded() == 10)
      #expect(try track.end == TrackMatchTests.instant("10:20:00"))
    }
    let twice = Track.merged([coarse, coarse])
    #expect(try twice.match(TrackMatchTests.instant("10:10:00")) == coarse.match(TrackMatchTests.instant("10:10:00")))
  }
}
