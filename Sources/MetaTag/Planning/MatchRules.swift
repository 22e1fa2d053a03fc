/// How far a photo may be from the fixes that place it, and they from each other.
public struct MatchRules: Hashable, Sendable {
  /// Seconds between two neighbouring fixes up to which a photo between them is placed on the way from one to the
  /// other; a greater gap tells nothing of what happened in it. At least 0.
  public var maxGap: Double = 1_800
  /// Metres between two neighbouring fixes up to which a photo between them is placed; nil, the default, is any
  /// distance.
  public var maxDistance: Double?
  /// Metres per second up to which the way between two neighbouring fixes is believed; nil, the default, is any speed.
  public var maxSpeed: Double?
  /// Whether a photo between the end of one segment and the start of another counts as between neighbouring fixes.
  /// A segment ends where the receiver was switched off or lost its signal.
  public var acrossSegments = false
  /// Seconds up to which a photo that can't be placed between fixes (before the track, after it, in a gap) takes the
  /// position of the nearest fix, unchanged; of two equally near, the later. 0, the default, is never.
  public var nearestWithin: Double = 0

  /// The defaults: 30 minutes, inside segments, nothing extrapolated.
  public init() {}

  /// Throws when the way from `a` to `b` is too long, or was too fast, for a place on it to be believed.
  func requireBelievable(_ a: TrackPoint, _ b: TrackPoint) throws(MatchFailure) {
    guard maxDistance != nil || maxSpeed != nil else { return }
    let metres = a.coordinate.distance(to: b.coordinate)
    let seconds = b.instant.timeInterval(since: a.instant)
    guard metres <= maxDistance ?? .infinity, metres <= (maxSpeed ?? .infinity) * seconds else {
      throw .tooFarApart(metres, seconds: seconds)
    }
  }
}
