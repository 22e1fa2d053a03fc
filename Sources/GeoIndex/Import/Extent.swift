import Basics
import Glibc

/// The centre and size of lines and areas on the map, from their points.
struct Extent {
  /// The point from which the others are measured.
  private var origin: Coordinate?
  private var west = 0.0
  private var east = 0.0
  private var south = 90.0
  private var north = -90.0
  /// The area of the rings, and their centroids weighed with it, in the equal-area projection.
  private var (rings, x, y) = (0.0, 0.0, 0.0)
  /// The longest line, and its middle.
  private var line: (metres: Double, middle: Coordinate)?

  /// Adds the outline of an area. The first point may be repeated at the end.
  mutating func addRing(_ points: some Collection<Coordinate>) {
    guard points.count >= 3 else { return addLine(points) }
    var (twice, momentX, momentY) = (0.0, 0.0, 0.0)
    var last: (x: Double, y: Double)?
    var first: (x: Double, y: Double)?
    for point in points {
      let here = note(point)
      if let last {
        let cross = last.x * here.y - here.x * last.y
        twice += cross
        momentX += (last.x + here.x) * cross
        momentY += (last.y + here.y) * cross
      } else {
        first = here
      }
      last = here
    }
    if let first, let last {
      let cross = last.x * first.y - first.x * last.y
      twice += cross
      momentX += (last.x + first.x) * cross
      momentY += (last.y + first.y) * cross
    }
    // An area of less than a square metre is a line.
    guard twice.magnitude > 2 else { return addLine(points) }
    rings += twice.magnitude / 2
    let sign = twice < 0 ? -1.0 : 1.0
    x += sign * momentX / 6
    y += sign * momentY / 6
  }

  /// Adds a line, or a single point.
  mutating func addLine(_ points: some Collection<Coordinate>) {
    guard let start = points.first else { return }
    var metres = 0.0
    var last = start
    for point in points {
      _ = note(point)
      metres += last.haversineDistance(to: point)
      last = point
    }
    guard metres > line?.metres ?? -1 else { return }
    var (passed, middle) = (0.0, start)
    last = start
    for point in points {
      let step = last.haversineDistance(to: point)
      if passed + step >= metres / 2 {
        middle = step > 0 ? last.interpolated(to: point, fraction: (metres / 2 - passed) / step) : point
        break
      }
      passed += step
      last = point
    }
    line = (metres, middle)
  }

  /// Extends the box; returns the point in an equal-area projection around the origin, in metres.
  private mutating func note(_ point: Coordinate) -> (x: Double, y: Double) {
    let origin = self.origin ?? point
    self.origin = origin
    var longitude = point.longitude - origin.longitude
    if longitude > 180 { longitude -= 360 }
    if longitude < -180 { longitude += 360 }
    (west, east) = (min(west, longitude), max(east, longitude))
    (south, north) = (min(south, point.latitude), max(north, point.latitude))
    return (
      Coordinate.meanRadius * longitude * .pi / 180,
      Coordinate.meanRadius * (sin(point.latitude * .pi / 180) - sin(origin.latitude * .pi / 180))
    )
  }

  /// The area in square metres; 0 for lines.
  var area: Double { min(rings, 4 * .pi * Coordinate.meanRadius * Coordinate.meanRadius) }

  /// The centroid of the areas; without an area, the middle of the longest line. Nil if nothing was added.
  var center: Coordinate? {
    guard let origin, rings > 0 else { return line?.middle }
    let height = sin(origin.latitude * .pi / 180) + y / rings / Coordinate.meanRadius
    let longitude = origin.longitude + x / rings / Coordinate.meanRadius * 180 / .pi
    return Coordinate(
      clampingLatitude: asin(min(1, max(-1, height))) * 180 / .pi,
      longitude: longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude)
  }

  /// The radius in metres of a circle as large as the areas, but at most half the diagonal of their box; nil for lines.
  var radius: Double? {
    guard rings > 0 else { return nil }
    let corner = Coordinate(clampingLatitude: south, longitude: 0)
    let other = Coordinate(clampingLatitude: north, longitude: min(180, east - west))
    return min((area / .pi).squareRoot(), corner.haversineDistance(to: other) / 2)
  }
}
