import Testing

@testable import MetaTag

@Suite("Options that would place a photo")
struct MatchRemedyTests {
  /// A walk of two hours with a pause of 47 minutes, a break of five hours, and the evening.
  static func track() throws -> Track {
    let fixes = { (times: [String]) in
      times.enumerated().map { GPXText.point("47.\($0.offset),8 2024-05-01T\($0.element)Z") }
    }
    return try GPXText.track(
      fixes(["10:00:00", "10:10:00", "10:56:30", "11:00:00"]), fixes(["16:00:00", "16:10:00"]))
  }

  @Test(
    "The remedy is an option that places the photo, in pauses and near the ends of a track.",
    arguments: [
      ("10:15:00", "--nearest-within 5m"), ("09:30:00", "--nearest-within 30m"), ("11:03:00", "--nearest-within 3m"),
      ("15:45:00", "--nearest-within 15m"), ("16:39:30", "--nearest-within 30m"),
    ])
  func placing(time: String, option: String) throws {
    let track = try MatchRemedyTests.track()
    let instant = try TrackMatchTests.instant(time)
    #expect(throws: MatchFailure.self) { try track.match(instant) }
    #expect(track.remedy(for: instant, MatchRules()) == option)
  }

  @Test("The remedy has every option that is needed.")
  func several() throws {
    var rules = MatchRules()
    (rules.maxGap, rules.maxDistance) = (300, 2_000)
    let remedy = try MatchRemedyTests.track().remedy(for: TrackMatchTests.instant("10:05:00"), rules)
    #expect(remedy == "--max-gap 10m --max-distance 11200m")
  }

  @Test(
    "The remedy is never a point more than half an hour away.",
    arguments: ["09:29:00", "15:00:00", "16:41:00", "18:15:00"])
  func far(time: String) throws {
    #expect(try MatchRemedyTests.track().remedy(for: TrackMatchTests.instant(time), MatchRules()) == nil)
  }

  @Test("A photo hours away has no remedy, and the reason is the distance in time.")
  func nothing() throws {
    let track = try MatchRemedyTests.track()
    let instant = try TrackMatchTests.instant("22:30:00")
    #expect(track.remedy(for: instant, MatchRules()) == nil)
    for (reference, words) in [
      (ReferenceKind.track, "taken 6 h 20 min after the track ends"),
      (.photos, "taken 6 h 20 min after the last photo that knows its place"),
    ] {
      var planner = GeotagPlanner(track: track)
      planner.reference = reference
      let proposal = planner.propose(for: try GeotagPlannerTests.photo("2024-05-01T22:30:00Z"))
      guard case .skip(let reason) = proposal else { throw Unexpected() }
      #expect(reason.sentence == words, "\(reason.sentence)")
    }
  }

  @Test("With --from-photos the explanation names photos.")
  func photos() throws {
    var planner = GeotagPlanner(track: try MatchRemedyTests.track())
    planner.reference = .photos
    let words = [("10:05:00", "between photos 5 min before"), ("10:00:00", "a photo at this instant")]
    for (time, words) in words {
      let proposal = planner.propose(for: try GeotagPlannerTests.photo("2024-05-01T\(time)Z"))
      guard case .change(_, let explanation) = proposal else { throw Unexpected() }
      #expect(explanation.description.hasPrefix(words), "\(explanation)")
    }
  }
}
