/// The place nearest to a point.
public struct NearestPlace: Sendable, Hashable {
  /// The place; its `matchedName` is its `name`.
  public let place: Place
  /// Metres between the point and the place, along the great circle.
  public let distance: Double
  /// Direction of the point as seen from the place, in degrees clockwise from true north, 0..<360: 90 says "east of
  /// the place". 0 where the two coincide.
  public let bearing: Double
}
