import Glibc

/// Shortest paths on the Earth taken as a sphere of the mean radius (IUGG 1980: 6 371 008.8 m). Distances differ from
/// those on the ellipsoid by at most 0.6 %.
extension Coordinate {
  /// Mean radius of the Earth in metres.
  package static let meanRadius = 6_371_008.8

  /// Metres along the great circle to `other`.
  public func distance(to other: Coordinate) -> Double {
    GreatCircleWay(from: self, to: other).metres
  }

  /// The direction in which the great circle to `other` starts; nil when there is none (the same place).
  public func initialBearing(to other: Coordinate) -> Direction? {
    let (from, to) = (latitude.radians, other.latitude.radians)
    let delta = (other.longitude - longitude).radians
    let east = sin(delta) * cos(to)
    let north = cos(from) * sin(to) - sin(from) * cos(to) * cos(delta)
    guard east != 0 || north != 0, vector != other.vector else { return nil }
    return Direction(degrees: atan2(east, north).degrees)
  }

  /// The place a `fraction` (0…1) of the way along the great circle to `other`.
  ///
  /// Between antipodes every great circle is the shortest; the one over the North Pole is taken.
  public func interpolated(to other: Coordinate, fraction: Double) -> Coordinate {
    GreatCircleWay(from: self, to: other).place(at: fraction)
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

/// The shortest way between two places: what it is long, and what lies on it, for the price of both at once.
package struct GreatCircleWay {
  private let from, to: Coordinate
  /// Nil for a short one, which is taken for straight on the map.
  private let ends: (a: Vector, b: Vector)?
  private let angle: Double

  /// Degrees north and east within which a way is short, and how far from the equator: the way on the map and the great
  /// circle are less than half a millimetre apart then.
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

  /// As `Coordinate.interpolated`.
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
  /// The direction a `fraction` (0…1) of the way to `other`, over the smaller angle; nil against different norths.
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
  /// Exact for small angles too, where the arc cosine is not.
  func angle(to other: Vector) -> Double { atan2(cross(other).length, dot(other)) }

  static func + (a: Vector, b: Vector) -> Vector { Vector(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z) }
  static func * (a: Vector, factor: Double) -> Vector { Vector(x: a.x * factor, y: a.y * factor, z: a.z * factor) }
}

extension Double {
  fileprivate var radians: Double { self * (.pi / 180) }
  fileprivate var degrees: Double { self * (180 / .pi) }
}
