import Foundation

/// A point on Earth, in degrees north (-90...90) and east (-180...180).
struct Point: Hashable {
  let latitude: Double
  let longitude: Double
}

/// Distances and directions on a sphere with the mean radius of the Earth.
enum GreatCircle {
  /// The radius in metres: the mean radius of WGS 84's ellipsoid (IUGG R1).
  static let radius = 6_371_008.8

  /// Returns the distance in metres between two points in degrees (haversine formula: exact for short distances too).
  static func distance(_ a: Point, _ b: Point) -> Double {
    let (φ1, φ2) = (radians(a.latitude), radians(b.latitude))
    let (Δφ, Δλ) = (φ2 - φ1, radians(b.longitude - a.longitude))
    let h = pow(sin(Δφ / 2), 2) + cos(φ1) * cos(φ2) * pow(sin(Δλ / 2), 2)
    return 2 * radius * asin(min(1, h.squareRoot()))
  }

  /// Returns the initial direction from `a` to `b` in degrees clockwise from north, 0..<360.
  static func bearing(from a: Point, to b: Point) -> Double {
    let (φ1, φ2, Δλ) = (radians(a.latitude), radians(b.latitude), radians(b.longitude - a.longitude))
    let angle = atan2(sin(Δλ) * cos(φ2), cos(φ1) * sin(φ2) - sin(φ1) * cos(φ2) * cos(Δλ)) * 180 / .pi
    // Adding 360 to a tiny negative angle rounds to 360 itself.
    let turn = angle < 0 ? angle + 360 : angle
    return turn < 360 ? turn : 0
  }

  /// Returns the position of a point on the unit sphere, exact to a metre: for comparisons, not for reporting
  /// distances.
  static func vector(_ point: Point) -> (x: Float, y: Float, z: Float) {
    let (φ, λ) = (Float(radians(point.latitude)), Float(radians(point.longitude)))
    let ring = cos(φ)
    return (ring * cos(λ), ring * sin(λ), sin(φ))
  }

  private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
}
