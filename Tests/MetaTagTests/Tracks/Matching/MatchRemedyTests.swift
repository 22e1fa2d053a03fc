import Testing

@testable import MetaTag

@Suite("Remedies for photos without a match")
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
      ("10:15:00", 5), ("09:30:00", 30), ("11:03:00", 3), ("15:45:00", 15), ("16:39:30", 30),
    ])
  func placing(time: String, minutes: Int) throws {
    let track = try MatchRemedyTests.track()
    let instant = try TrackMatchTests.instant(time)
    #expect(throws: MatchFailure.self) { try track.match(instant) }
    #expect(track.limits(toPlace: instant, MatchRules()) == [.nearest(minutes: minutes)])
  }

  @Test("The remedy has every option that is needed.")
  func several() throws {
    var rules = MatchRules()
    (rules.maxGap, rules.maxDistance) = (300, 2_000)
    let limits = try MatchRemedyTests.track().limits(toPlace: TrackMatchTests.instant("10:05:00"), rules)
    #expect(limits == [.gap(minutes: 10), .distance(metres: 11_200)])
  }

  @Test(
    "The remedy is never a point more than half an hour away.",
    arguments: ["09:29:00", "15:00:00", "16:41:00", "18:15:00"])
  func far(time: String) throws {
    #expect(try MatchRemedyTests.track().limits(toPlace: TrackMatchTests.instant(time), MatchRules()).isEmpty)
  }

  @Test(
    "A way of more than 20 km is not suggested: the photo could be anywhere.", arguments: [(0.1, true), (0.3, false)])
  func jump(degrees: Double, isSuggested: Bool) throws {
    let fixes = [(47.0, "10:00:00"), (47 + degrees, "10:10:00")].map { GPXText.point("\($0.0),8 2024-05-01T\($0.1)Z") }
    var rules = MatchRules()
    rules.maxDistance = 2_000
    let limits = try GPXText.track(fixes).limits(toPlace: TrackMatchTests.instant("10:05:00"), rules)
    #expect(limits.isEmpty != isSuggested, "\(limits)")
  }

  @Test("A photo hours away has no remedy, and the reason is the distance in time.")
  func nothing() throws {
    let track = try MatchRemedyTests.track()
    let instant = try TrackMatchTests.instant("22:30:00")
    #expect(track.limits(toPlace: instant, MatchRules()).isEmpty)
    for reference in [ReferenceKind.track, .photos] {
      var planner = GeotagPlanner(track: track)
      planner.reference = reference
      let proposal = planner.propose(for: try GeotagPlannerTests.photo("2024-05-01T22:30:00Z"))
      guard case .skip(let reason) = proposal else { throw Unexpected() }
      #expect(reason == .noMatch(.afterTrack(22_800), by: reference) && reason.remedy == nil, "\(reason)")
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
