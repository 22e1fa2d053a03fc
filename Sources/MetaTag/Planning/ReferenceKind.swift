/// What tells where photos were taken that don't record it.
public enum ReferenceKind: Hashable, Sendable {
  /// Fixes that receivers recorded.
  case track
  /// Other photos of those minutes, which know their place.
  case photos

  /// One of what it is made of.
  var point: String { self == .track ? "fix" : "photo" }
  /// Several of these.
  var points: String { self == .track ? "fixes" : "photos" }
  /// Further ones.
  var others: String { self == .track ? "another track" : "other photos" }
}
