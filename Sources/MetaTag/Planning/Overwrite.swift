/// What becomes of a location that a photo already has.
public enum Overwrite: String, Sendable, CaseIterable {
  /// It stays.
  case keep
  /// The new one takes its place.
  case replace
}
