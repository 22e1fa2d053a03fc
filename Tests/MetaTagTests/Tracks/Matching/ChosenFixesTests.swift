import Testing

@testable import MetaTag

@Suite("Limits for fixes")
struct ChosenFixesTests {
  static func csv(_ lines: String...) throws -> Track {
    try Track(
      bytes: Array((["time,lat,lon,hdop,accuracy (m)"] + lines + [""]).joined(separator: "\n").utf8), name: "t.csv")
  }

  @Test(
    "A fix less precise than the limit is left out and counted, and one without precision stays.",
    arguments: [
      (nil, nil, 4, [:]), (2.0, nil, 3, [.diluted: 1]), (1.9, nil, 2, [.diluted: 2]), (nil, 50.0, 3, [.inaccurate: 1]),
      (1, 50, 1, [.diluted: 2, .inaccurate: 1]),
    ] as [(Double?, Double?, Int, [TrackSource.Rejection: Int])])
  func limits(dilution: Double?, accuracy: Double?, count: Int, rejected: [TrackSource.Rejection: Int]) throws {
    let track = try ChosenFixesTests.csv(
      "1714557600,1,2,2,", "1714557601,1,2,5,", "1714557602,1,2,,90", "1714557603,1,2,,")
    var limits = FixLimits()
    (limits.dilution, limits.accuracy) = (dilution, accuracy)
    let kept = track.keeping(within: limits)
    #expect(kept.count == count && kept.sources.map(\.count) == [count])
    #expect(kept.sources.map(\.rejected) == [rejected])
  }

  @Test("A fix at 0, 0, as receivers write it without a fix, is left out and counted.")
  func zero() throws {
    let track = try ChosenFixesTests.csv(
      "1714557600,1,2,,", "1714557660,0,0,,", "1714557720,-0.0,0.0,,", "1714557780,0,2,,")
    let kept = track.keeping(within: FixLimits())
    #expect(kept.count == 2 && kept.sources.map(\.count) == [2] && kept.sources.map(\.rejected) == [[.noFix: 2]])
  }

  @Test("Between points that are left out, the rules about gaps apply.")
  func gap() throws {
    let track = try ChosenFixesTests.csv(
      "1714557600,10,20,1,", "1714558500,11,20,9,", "1714559520,12,20,1,", "1714559580,12,20,1,")
    var limits = FixLimits()
    limits.dilution = 6
    let instant = Instant(seconds: 1_714_558_500)
    #expect(try track.match(instant).location.coordinate.latitude == 11)
    #expect(throws: MatchFailure.inGap(1_920)) { try track.keeping(within: limits).match(instant) }
  }

  @Test("The course is used only if the receiver moved, and the nearest fix's only near its time.")
  func course() throws {
    let still = "<speed>0.2</speed><course>77</course>"
    let walking = "<hdop>2</hdop><speed>1.5</speed><course>77</course>"
    let track = try GPXText.track([
      GPXText.point("10,20 2024-05-01T10:00:00Z", still), GPXText.point("10,20 2024-05-01T10:01:00Z", still),
      GPXText.point("10.001,20 2024-05-01T10:02:00Z", walking),
      GPXText.point("10.002,20 2024-05-01T10:03:00Z", walking),
    ])
    let found = { (time: String) in
      try track.match(TrackMatchTests.instant(time), rules: TrackMatchTests.rules(nearest: 60)).location
    }
    for time in ["10:00:00", "10:00:30"] {
      #expect(try found(time).track == nil && found(time).speed.map { ($0 * 10).rounded() } == 2)
    }
    for time in ["10:02:00", "10:02:30"] { #expect(try found(time).track?.degrees == 77) }
    let later = try found("10:03:40")
    #expect(later.track == nil && later.speed == nil && later.dilutionOfPrecision == 2)
  }

  @Test("Without a recorded speed, the distance between fixes decides whether the receiver moved.")
  func courseWithoutSpeed() throws {
    let course = "<course>90</course>"
    let track = try GPXText.track([
      GPXText.point("0,0 2024-05-01T10:00:00Z", course), GPXText.point("0,0.00001 2024-05-01T10:01:00Z", course),
      GPXText.point("0,0.001 2024-05-01T10:02:00Z", course),
    ])
    #expect(try track.match(TrackMatchTests.instant("10:00:30")).location.track == nil)
    #expect(try track.match(TrackMatchTests.instant("10:01:30")).location.track?.degrees == 90)
  }

  @Test("The choice between simultaneous tracks doesn't depend on their order.")
  func order() throws {
    let tracks = try ["10,20", "30,20", "20,20"].map { place in
      try GPXText.track([
        GPXText.point("\(place) 2024-05-01T10:00:00Z"), GPXText.point("\(place) 2024-05-01T10:01:00Z"),
      ])
    }
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [1, 0, 2]] {
      let merged = Track.merged(order.map { tracks[$0] })
      for time in ["10:00:00", "10:00:30"] {
        #expect(try merged.match(TrackMatchTests.instant(time)).location.coordinate.latitude == 10)
      }
    }
  }
}

@Suite("GPS week rollover")
struct WeekRolloverTests {
  /// `GPXText.worked()`, 1,024 weeks early.
  static func early() throws -> Track { try GPXText.worked().adding(weeks: -1_024) }

  @Test(
    "A week rollover is recognised by photos that would be on the track, but not corrected.",
    arguments: [
      ("2024-05-01T10:02:30Z", MatchFailure.rolledOver(weeks: 1_024)),
      ("2043-12-16T10:02:30Z", .rolledOver(weeks: 2_048)),
      ("2024-05-01T12:10:00Z", .afterTrack(619_318_800)),
    ])
  func recognised(time: String, reason: MatchFailure) throws {
    let instant = try #require(try CaptureTime(parsing: time).instant)
    #expect(throws: reason) { try WeekRolloverTests.early().match(instant) }
  }

  @Test("The reason has the remedy, and the remedy works.")
  func corrected() throws {
    #expect(Reason.noMatch(.rolledOver(weeks: 1_024)).remedy == .addWeeks(1_024))
    let instant = try TrackMatchTests.instant("10:02:30")
    let corrected = try WeekRolloverTests.early().adding(weeks: 1_024)
    #expect(try corrected.match(instant) == GPXText.worked().match(instant))
  }
}
