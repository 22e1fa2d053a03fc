/// Why a track does not place an instant.
public enum NoMatch: Error, Hashable, Sendable {
  /// The track has no fix.
  case emptyTrack
  /// Between two fixes that stand too far apart in space: so many metres in so many seconds.
  case tooFarApart(Double, seconds: Double)
  /// So many seconds before the first fix.
  case beforeTrack(Double)
  /// So many seconds after the last fix.
  case afterTrack(Double)
  /// After the last fix, but inside the track if its dates were so many weeks later: GPS counts 1,024 weeks and begins anew,
  /// and receivers that don't know of it are wrong by as much.
  case rolledOver(weeks: Int)
  /// Between two fixes that stand too far apart: the gap's length in seconds.
  case inGap(Double)
  /// Between the segments of the track: the break's length in seconds.
  case betweenSegments(Double)
}
