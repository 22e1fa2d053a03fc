import Glibc

/// Great-circle calculations on a sphere with the Earth's mean radius (IUGG 1980: 6 371 008.8 m). Distances differ from
/// those on the ellipsoid by at most 0.6 %.
extension Coordinate {
  /// The mean radius of the Earth in metres.
  package static let meanRadius = 6_371_008.8

  /// Returns the distance in metres along the great circle to `other`.
  public func distance(to other: Coordinate) -> Double {
    GreatCircleWay(from: self, to: other).metres
  }

  /// Returns the direction in which the great circle to `other` starts; nil if both are the same place.
  public func initialBearing(to other: Coordinate) -> Direction? {
    let (from, to) = (latitude.radians, other.latitude.radians)
    let delta = (other.longitude - longitude).radians
    let east = sin(delta) * cos(to)
    let north = cos(from) * sin(to) - sin(from) * cos(to) * cos(delta)
    // At latitudes a billionth apart the two can't be the same place, and vectors take as long as all the rest.
    guard east != 0 || north != 0, abs(from - to) > 1e-9 || vector != other.vector else { return nil }
    return Direction(degrees: atan2(east, north).degrees)
  }

  /// Returns the position a `fraction` (0…1) of the way along the great circle to `other`.
  ///
  /// Between antipodes every great circle is shortest; the one over the North Pole is used.
  public func interpolated(to other: Coordinate, fraction: Double) -> Coordinate {
    GreatCircleWay(from: self, to: other).place(at: fraction)
  }

  /// Returns the distance in metres by the haversine formula: for comparing many places, since it takes half the time of
  /// `distance(to:)`. It is exact for short distances too; between antipodes it is up to a metre off.
  package func haversineDistance(to other: Coordinate) -> Double {
    let north = latitude * .pi / 180
    let otherNorth = other.latitude * .pi / 180
    let east = (other.longitude - longitude) * .pi / 180
    let half = pow(sin((otherNorth - north) / 2), 2) + cos(north) * cos(otherNorth) * pow(sin(east / 2), 2)
    return 2 * Coordinate.meanRadius * asin(min(1, half.squareRoot()))
  }

  /// The unit vector from the Earth's center, computed in single precision; exact to a metre. For comparing distances to
  /// many places, not for reporting them.
  package var singlePrecisionUnitVector: (x: Float, y: Float, z: Float) {
    let north = Float(latitude * .pi / 180)
    let east = Float(longitude * .pi / 180)
    let ring = cos(north)
    return (ring * cos(east), ring * sin(east), sin(north))
  }

  /// The unit vector from the Earth's center, computed in double precision and then rounded; exact to about a metre.
  package var roundedUnitVector: SIMD3<Float> {
    let (latitude, longitude) = (latitude * .pi / 180, longitude * .pi / 180)
    return SIMD3(
      Float(cos(latitude) * cos(longitude)), Float(cos(latitude) * sin(longitude)), Float(sin(latitude)))
  }

  /// Creates the position from its `roundedUnitVector`; nil for the zero vector, and if a component is NaN.
  package init?(roundedUnitVector vector: SIMD3<Float>) {
    guard vector != .zero else { return nil }
    let (x, y, z) = (Double(vector.x), Double(vector.y), Double(vector.z))
    self.init(latitude: atan2(z, hypot(x, y)) * 180 / .pi, longitude: atan2(y, x) * 180 / .pi)
  }

  /// Creates the position at which a vector from the Earth's center points. The vector can have any length but zero.
  package init(directionX x: Double, y: Double, z: Double) {
    self.init(
      clampingLatitude: atan2(z, (x * x + y * y).squareRoot()) * 180 / .pi, longitude: atan2(y, x) * 180 / .pi)
  }

  fileprivate var vector: Vector {
    let (latitude, longitude) = (latitude.radians, longitude.radians)
    return Vector(x: cos(latitude) * cos(longitude), y: cos(latitude) * sin(longitude), z: sin(latitude))
  }

  fileprivate init?(_ vector: Vector) {
    self.init(
      latitude: atan2(vector.z, (vector.x * vector.x + vector.y * vector.y).squareRoot()).degrees,
      longitude: atan2(vector.y, vector.x).degrees)
  }
}

/// The shortest path between two places. Its length and the positions on it share their computation.
package struct GreatCircleWay {
  private let from, to: Coordinate
  /// Nil for a short path, which is treated as straight on the map.
  private let ends: (a: Vector, b: Vector)?
  private let angle: Double

  /// The limits in degrees for a short path: its extent north and east, and its distance from the equator. Within them,
  /// the straight line on the map and the great circle are less than half a millimetre apart.
  private static let (short, polar) = (0.001, 80.0)

  package init(from: Coordinate, to: Coordinate) {
    (self.from, self.to) = (from, to)
    let (north, east) = (to.latitude - from.latitude, to.longitude - from.longitude)
    if abs(north) <= Self.short, abs(east) <= Self.short, abs(from.latitude) <= Self.polar {
      let across = east * cos((from.latitude + north / 2).radians)
      ends = nil
      angle = (north * north + across * across).squareRoot().radians
    } else {
      let (a, b) = (from.vector, to.vector)
      ends = (a, b)
      angle = a.angle(to: b)
    }
  }

  package var metres: Double { Coordinate.meanRadius * angle }

  /// Returns the position a `fraction` of the way; see `Coordinate.interpolated`.
  package func place(at fraction: Double) -> Coordinate {
    guard fraction > 0, from != to else { return from }
    guard fraction < 1 else { return to }
    guard let (a, b) = ends else {
      return Coordinate(
        latitude: from.latitude + (to.latitude - from.latitude) * fraction,
        longitude: from.longitude + (to.longitude - from.longitude) * fraction) ?? from
    }
    let sine = sin(angle)
    let point: Vector
    if sine > 1e-12 {
      point = a * (sin((1 - fraction) * angle) / sine) + b * (sin(fraction * angle) / sine)
    } else if angle < 1 {
      point = a * (1 - fraction) + b * fraction
    } else {
      let pole = abs(a.z) < 1 - 1e-12 ? Vector(x: 0, y: 0, z: 1) : Vector(x: 1, y: 0, z: 0)
      let across = pole + a * -pole.dot(a)
      point = a * cos(fraction * angle) + across * (sin(fraction * angle) / across.length)
    }
    return Coordinate(point) ?? from
  }
}

extension Direction {
  /// Returns the direction a `fraction` (0…1) of the way to `other`, over the smaller angle; nil if their references
  /// differ.
  package func interpolated(to other: Direction, fraction: Double) -> Direction? {
    guard reference == other.reference else { return nil }
    var turn = other.degrees - degrees
    if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
    return Direction(degrees: degrees + turn * fraction, reference: reference)
  }
}

private struct Vector: Equatable {
  var x, y, z: Double

  var length: Double { dot(self).squareRoot() }
  func dot(_ other: Vector) -> Double { x * other.x + y * other.y + z * other.z }
  func cross(_ other: Vector) -> Vector {
    Vector(x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
  }
  /// Returns the angle in radians; exact for small angles too, unlike the arc cosine.
  func angle(to other: Vector) -> Double { atan2(cross(other).length, dot(other)) }

  static func + (a: Vector, b: Vector) -> Vector { Vector(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z) }
  static func * (a: Vector, factor: Double) -> Vector { Vector(x: a.x * factor, y: a.y * factor, z: a.z * factor) }
}

extension Double {
  fileprivate var radians: Double { self * (.pi / 180) }
  fileprivate var degrees: Double { self * (180 / .pi) }
}
