/// A position on the Earth in WGS 84, in decimal degrees.
///
/// The initializers are the only place in the project where the range of a coordinate is checked.
public struct Coordinate: Hashable, Sendable {
  /// Degrees north of the equator, −90…90. Never −0.
  public let latitude: Double
  /// Degrees east of Greenwich, −180…180. Never −0.
  public let longitude: Double

  /// Returns nil if a value is NaN or out of range.
  public init?(latitude: Double, longitude: Double) {
    guard latitude >= -90, latitude <= 90, longitude >= -180, longitude <= 180 else { return nil }
    self.latitude = latitude + 0.0  // −0 + 0 is +0
    self.longitude = longitude + 0.0
  }

  /// Creates the nearest coordinate: a value out of range becomes the limit that it exceeds. For values that are known to
  /// be in range, such as those of an index.
  @inlinable
  package init(clampingLatitude latitude: Double, longitude: Double) {
    self.latitude = min(90, max(-90, latitude)) + 0.0
    self.longitude = min(180, max(-180, longitude)) + 0.0
  }
}

extension Coordinate {
  /// Whether it is 0, 0, which devices write when they have no fix.
  public var isNoFix: Bool { latitude == 0 && longitude == 0 }

  /// Whether two recorded positions are the same: within 10⁻⁵ degrees (about a metre), also across the antimeridian.
  package func isSame(as other: Coordinate) -> Bool {
    let east = abs(longitude - other.longitude)
    return abs(latitude - other.latitude) <= 1e-5 && min(east, 360 - east) <= 1e-5
  }
}

extension Coordinate: CustomStringConvertible {
  /// The coordinate as text: `31.2304, 121.4737`, with as many decimals as the values need.
  public var description: String { "\(latitude), \(longitude)" }
}
