extension Track {
  /// The longest pause in seconds to bridge, or distance from the nearest fix, that is suggested. In longer times
  /// people go elsewhere, and a photo hours away has a wrong clock or zone.
  private static let longest = 1_800.0

  /// Returns the command line options with which a photo at `instant`, rejected by `rules`, would be placed; nil when
  /// no fix is near enough. The options are tried, so the suggestion is true.
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

  /// Relaxes `rules` so that they don't fail for `reason`, and returns the option for that; nil if it shouldn't be
  /// suggested.
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
    // A user-set speed limit is deliberate; don't suggest raising it.
    case .tooFarApart, .emptyTrack, .rolledOver: return nil
    }
  }

  private static func minutes(_ seconds: Double) -> String { "\(Int(seconds / 60))m" }
}
