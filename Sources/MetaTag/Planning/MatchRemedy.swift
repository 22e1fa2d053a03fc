extension Track {
  /// Seconds up to which bridging a pause, or taking the place of the nearest fix, is proposed: in longer times people
  /// go elsewhere, and a photo hours away has a wrong clock or zone.
  private static let longest = 1_800.0

  /// The options, as one gives them, with which a photo of `instant` would be placed that `rules` leave; nil when
  /// nothing is near enough for that to be worth trying. Each is tried, so that what is said is true.
  func remedy(for instant: Instant, _ rules: MatchRules) -> String? {
    var rules = rules
    var options: [String] = []
    let nearest = fixes(around: instant).map { abs($0.instant.timeInterval(since: instant)) }.min() ?? .infinity
    while options.count < 4 {
      do throws(MatchFailure) {
        _ = try match(instant, rules: rules)
        return options.joined(separator: " ")
      } catch {
        guard let option = Track.loosen(&rules, for: error, nearest: nearest) else { return nil }
        options.append(option)
      }
    }
    return nil
  }

  /// Lets `rules` no longer fail for `reason`, and says by which option; nil when that is not to be proposed.
  private static func loosen(_ rules: inout MatchRules, for reason: MatchFailure, nearest: Double) -> String? {
    switch reason {
    case .betweenSegments(let seconds) where seconds <= longest:
      rules.acrossSegments = true
      return "--across-segments"
    case .inGap(let seconds) where seconds <= longest:
      rules.maxGap = (seconds / 60).rounded(.up) * 60
      return "--max-gap \(minutes(rules.maxGap))"
    case .betweenSegments, .inGap, .beforeTrack, .afterTrack:
      guard nearest <= longest else { return nil }
      rules.nearestWithin = (nearest / 60).rounded(.up) * 60
      return "--nearest-within \(minutes(rules.nearestWithin))"
    case .tooFarApart(let metres, _) where metres > rules.maxDistance ?? .infinity:
      let wanted = (metres / 100).rounded(.up) * 100
      rules.maxDistance = wanted
      return "--max-distance \(Int(wanted))m"
    // Who limits the speed knows why.
    case .tooFarApart, .emptyTrack, .rolledOver: return nil
    }
  }

  private static func minutes(_ seconds: Double) -> String { "\(Int(seconds / 60))m" }
}
