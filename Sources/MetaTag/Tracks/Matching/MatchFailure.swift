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
  /// Returns the reason in a sentence, with a suggested remedy.
  ///
  /// - Parameter remedy: The options with which the photo would get a place, if there are any.
  func sentence(by reference: ReferenceKind, remedy: String?) -> String {
    let facts = facts(by: reference)
    if let remedy { return "\(facts): \(remedy) would place it" }
    switch self {
    case .emptyTrack, .beforeTrack, .afterTrack, .inGap, .betweenSegments: return facts
    case .rolledOver(let weeks): return "\(facts): --add-weeks \(weeks) puts the track's dates right"
    case .tooFarApart: return "\(facts): \(reference.others) may place it, or --offset if its camera's clock was wrong"
    }
  }

  private func facts(by reference: ReferenceKind) -> String {
    let heading = heading(by: reference)
    return switch self {
    case .emptyTrack, .rolledOver: heading
    case .tooFarApart(let metres, let seconds): "\(heading) (\(Length(metres)) in \(Span(seconds)))"
    case .beforeTrack(let seconds), .afterTrack(let seconds):
      "taken \(Span(seconds))\(heading.dropFirst("taken".count))"
    case .inGap(let seconds): "\(heading) (\(Span(seconds)) without a \(reference.point))"
    case .betweenSegments(let seconds): "\(heading) (\(Span(seconds)) apart)"
    }
  }

  /// Returns the reason without numbers.
  func heading(by reference: ReferenceKind) -> String {
    switch (self, reference) {
    case (.emptyTrack, .track): "the track has no fixes"
    case (.emptyTrack, .photos): "no photo knows its place"
    case (.tooFarApart, .track): "taken between two points too far apart to tell"
    case (.tooFarApart, .photos): "taken between two photos too far apart to tell"
    case (.beforeTrack, .track): "taken before the track begins"
    case (.beforeTrack, .photos): "taken before the first photo that knows its place"
    case (.afterTrack, .track): "taken after the track ends"
    case (.afterTrack, .photos): "taken after the last photo that knows its place"
    case (.rolledOver(let weeks), _):
      "taken \(weeks) weeks after the track, as if the receiver's week counter had begun anew"
    case (.inGap, .track): "taken in a gap of the track"
    case (.inGap, .photos): "taken in a gap between photos that know their place"
    case (.betweenSegments, .track): "taken between two segments of the track"
    case (.betweenSegments, .photos): "taken between the photos of two cameras that know their place"
    }
  }
}
