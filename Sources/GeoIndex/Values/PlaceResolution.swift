/// The outcome of looking for the one place that a name means.
public enum PlaceResolution: Sendable, Hashable {
  /// One place is meant. Of kind `country` or `admin1` it is an area, and its position is only a point in it.
  case one(Place)
  /// It isn't clear which place is meant. The places that have the name, the most important first, at most
  /// `mostCandidates`; perhaps just one that is too small to be meant by its name alone.
  case ambiguous([Place])
  /// No place has the name. `suggestions`: places whose names begin so, the most important first, at most 5.
  case none(suggestions: [Place])

  /// The greatest number of candidates that `ambiguous` holds.
  public static let mostCandidates = 20
}
