/// The reason why a track doesn't place an instant.
public enum MatchFailure: Error, Hashable, Sendable {
  /// The track has no fix.
  case emptyTrack
  /// The instant lies between two fixes too far apart in space: metres and seconds between them.
  case tooFarApart(Double, seconds: Double)
  /// The instant lies so many seconds before the first fix.
  case beforeTrack(Double)
  /// The instant lies so many seconds after the last fix.
  case afterTrack(Double)
  /// The instant lies after the last fix, but inside the track if its dates were so many weeks later. GPS counts 1,024
  /// weeks and starts again at zero; receivers that ignore this are wrong by as much.
  case rolledOver(weeks: Int)
  /// The instant lies between two fixes too far apart in time: the gap's length in seconds.
  case inGap(Double)
  /// The instant lies between segments of the track: the break's length in seconds.
  case betweenSegments(Double)
}

extension MatchFailure {
  /// Returns what helps: to relax `limits`, if there are any.
  func remedy(by reference: ReferenceKind, relaxing limits: [Remedy.Limit]) -> Remedy? {
    guard limits.isEmpty else { return .relax(limits) }
    switch self {
    case .emptyTrack, .beforeTrack, .afterTrack, .inGap, .betweenSegments: return nil
    case .rolledOver(let weeks): return .addWeeks(weeks)
    case .tooFarApart: return reference == .track ? .otherTrack : .otherPhotos
    }
  }

  /// Returns the reason in a sentence.
  func description(by reference: ReferenceKind) -> String {
    let summary = summary(by: reference)
    return switch self {
    case .emptyTrack, .rolledOver: summary
    case .tooFarApart(let metres, let seconds): "\(summary) (\(Length(metres)) in \(Span(seconds)))"
    case .beforeTrack(let seconds), .afterTrack(let seconds):
      "taken \(Span(seconds))\(summary.dropFirst("taken".count))"
    case .inGap(let seconds): "\(summary) (\(Span(seconds)) without a \(reference.point))"
    case .betweenSegments(let seconds): "\(summary) (\(Span(seconds)) apart)"
    }
  }

  /// Returns the reason without numbers.
  func summary(by reference: ReferenceKind) -> String {
    switch (self, reference) {
    case (.emptyTrack, .track): "the track has no fixes"
    case (.emptyTrack, .photos): "no photo has a location"
    case (.tooFarApart, .track): "taken between two points that are too far apart"
    case (.tooFarApart, .photos): "taken between two photos that are too far apart"
    case (.beforeTrack, .track): "taken before the track begins"
    case (.beforeTrack, .photos): "taken before the first photo with a location"
    case (.afterTrack, .track): "taken after the track ends"
    case (.afterTrack, .photos): "taken after the last photo with a location"
    case (.rolledOver(let weeks), _):
      "taken \(weeks) weeks after the track, as if the receiver's week counter had started again"
    case (.inGap, .track): "taken in a gap of the track"
    case (.inGap, .photos): "taken in a gap between photos with a location"
    case (.betweenSegments, .track): "taken between two segments of the track"
    case (.betweenSegments, .photos): "taken between the photos with a location of two cameras"
    }
  }
}

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
