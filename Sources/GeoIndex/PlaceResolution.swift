/// What a name typed for one place comes to.
public enum PlaceResolution: Sendable, Hashable {
  /// One place is meant.
  case one(Place)
  /// Several places bear the name and none outshines the others: the most important first, at most 20.
  case ambiguous([Place])
  /// No place bears the name. `suggestions`: places whose names begin so, the most important first, at most 5.
  case none(suggestions: [Place])
}
