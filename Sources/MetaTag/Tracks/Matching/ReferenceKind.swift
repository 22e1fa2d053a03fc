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
