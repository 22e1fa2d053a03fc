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
