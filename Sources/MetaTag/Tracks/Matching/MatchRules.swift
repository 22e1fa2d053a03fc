/// The limits for the distance between a photo and the fixes that place it, and between these fixes.
public struct MatchRules: Hashable, Sendable {
  /// The longest gap in seconds between two neighbouring fixes in which a photo is placed on the way from one to the
  /// other; in a longer gap the movement is unknown. At least 0.
  public var maxGap: Double = 1_800
  /// The longest distance in metres between two neighbouring fixes in which a photo is placed; nil, the default, allows
  /// any distance.
  public var maxDistance: Double?
  /// The highest speed in metres per second between two neighbouring fixes that is plausible; nil, the default, allows
  /// any speed.
  public var maxSpeed: Double?
  /// Whether a photo between the end of one segment and the start of another counts as between neighbouring fixes. A
  /// segment ends where the receiver was switched off or lost its signal.
  public var acrossSegments = false
  /// The time in seconds within which a photo that can't be placed between fixes (before the track, after it, in a gap)
  /// takes the position of the nearest fix, unchanged; of two equally near, the later. 0, the default, means never.
  public var nearestWithin: Double = 0

  /// Creates the defaults: 30 minutes, inside segments, nothing extrapolated.
  public init() {}

  /// Throws when the way from `a` to `b` is too long, or too fast, to place a photo on it.
  func requireBelievable(_ a: TrackPoint, _ b: TrackPoint) throws(MatchFailure) {
    guard maxDistance != nil || maxSpeed != nil else { return }
    let metres = a.coordinate.distance(to: b.coordinate)
    let seconds = b.instant.timeInterval(since: a.instant)
    guard metres <= maxDistance ?? .infinity, metres <= (maxSpeed ?? .infinity) * seconds else {
      throw .tooFarApart(metres, seconds: seconds)
    }
  }
}

/// The kind of data that gives the places of photos that don't record theirs.
public enum ReferenceKind: Hashable, Sendable {
  /// Fixes that receivers recorded.
  case track
  /// Reference photos: other photos from about the same time that record their place.
  case photos

  /// The word for one element.
  var point: String { self == .track ? "fix" : "photo" }
  /// The word for several elements.
  var points: String { self == .track ? "fixes" : "photos" }
}
