extension Track {
  /// The longest pause in seconds to bridge, or distance from the nearest fix, that is suggested. In longer times
  /// people go elsewhere, and a photo hours away has a wrong clock or zone.
  private static let longest = 1_800.0

  /// Returns the limits in `rules` that must be relaxed so that a photo at `instant` is placed; empty if no fix is near
  /// enough. The relaxed limits are tried, so the suggestion is true.
  func limits(toPlace instant: Instant, _ rules: MatchRules) -> [Remedy.Limit] {
    var rules = rules
    var limits: [Remedy.Limit] = []
    let nearest = fixes(around: instant).map { abs($0.instant.timeInterval(since: instant)) }.min() ?? .infinity
    while limits.count < 4 {
      do throws(MatchFailure) {
        _ = try match(instant, rules: rules)
        return limits
      } catch {
        guard let limit = Track.relax(&rules, for: error, nearest: nearest) else { return [] }
        limits.append(limit)
      }
    }
    return []
  }

  /// Relaxes `rules` so that they don't fail for `reason`, and returns the new limit; nil if it shouldn't be suggested.
  private static func relax(
    _ rules: inout MatchRules, for reason: MatchFailure, nearest: Double
  ) -> Remedy.Limit? {
    switch reason {
    case .betweenSegments(let seconds) where seconds <= longest:
      rules.acrossSegments = true
      return .acrossSegments
    case .inGap(let seconds) where seconds <= longest:
      rules.maxGap = (seconds / 60).rounded(.up) * 60
      return .gap(minutes: Int(rules.maxGap / 60))
    case .betweenSegments, .inGap, .beforeTrack, .afterTrack:
      guard nearest <= longest else { return nil }
      rules.nearestWithin = (nearest / 60).rounded(.up) * 60
      return .nearest(minutes: Int(rules.nearestWithin / 60))
    case .tooFarApart(let metres, _) where metres > rules.maxDistance ?? .infinity:
      let wanted = (metres / 100).rounded(.up) * 100
      rules.maxDistance = wanted
      return .distance(metres: Int(wanted))
    // A user-set speed limit is deliberate; don't suggest raising it.
    case .tooFarApart, .emptyTrack, .rolledOver: return nil
    }
  }
}
