/// The result of looking for the one place that a name means.
public enum PlaceResolution: Sendable, Hashable {
  /// One place is meant. If its kind is `country` or `admin1`, it is an area, and its position is only a point in it.
  case one(Place)
  /// It isn't clear which place is meant. Contains the places with the name, the most important first, at most
  /// `mostCandidates`; perhaps only one, if it is too small to be identified by its name alone.
  case ambiguous([Place])
  /// No place has the name. `suggestions` are places whose names begin with it, the most important first, at most 5.
  case none(suggestions: [Place])

  /// The largest number of candidates in `ambiguous`.
  public static let mostCandidates = 20
}

/// The place nearest to a point.
public struct NearestPlace: Sendable, Hashable {
  /// The place; its `matchedName` is its `name`.
  public let place: Place
  /// The distance between the point and the place in metres, along the great circle.
  public let distance: Double
  /// The direction from the place to the point, in degrees clockwise from true north, 0..<360: 90 means that the point
  /// is east of the place. 0 if the two coincide.
  public let bearing: Double
}
