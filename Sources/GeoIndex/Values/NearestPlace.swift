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
