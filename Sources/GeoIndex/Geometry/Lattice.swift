package import Basics
import Foundation

/// A point of a lattice with steps of a hundred-thousandth of a degree. It is offset by half a step from the lattice of
/// the borders, so no point coincides with a corner of a border.
package struct Lattice: Hashable {
  static let rows = 720
  static let columns = 1440
  /// The number of steps in a cell of a quarter of a degree.
  static let step = 25_000

  /// The steps from 180° west and from the south pole.
  let x: Int
  let y: Int

  init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  /// Returns the lattice point of a coordinate, rounded to the southwest.
  /// - Parameter point: A point with longitude -180...180, which is ignored at the poles.
  package init(_ point: Coordinate) {
    let width = Self.columns * Self.step
    let height = Self.rows * Self.step
    // No value is negative, so truncation rounds down.
    y = min(Int((point.latitude + 90) * 1e5), height - 1)
    let east = Int((point.longitude + 180) * 1e5)
    x = abs(point.latitude) == 90 ? width / 2 : min(east, width - 1)
  }

  /// Returns the point some steps away; wraps around the world, but not over a pole.
  func moved(_ east: Int, _ north: Int) -> Lattice {
    let width = Self.columns * Self.step
    return Lattice(x: (x + east + width) % width, y: min(max(y + north, 0), Self.rows * Self.step - 1))
  }

  /// Half the bits of `curve`: enough for the sixteenths of 360 degrees.
  static let curveBits = 13

  /// The index of its sixteenth of a degree on a curve that keeps neighbours close (Morton order).
  var curve: UInt32 {
    func spread(_ number: Int) -> UInt32 {
      var bits = UInt32(truncatingIfNeeded: number)
      bits = (bits | bits << 8) & 0x00FF_00FF
      bits = (bits | bits << 4) & 0x0F0F_0F0F
      bits = (bits | bits << 2) & 0x3333_3333
      return (bits | bits << 1) & 0x5555_5555
    }
    return spread(x / Self.part) | spread(y / Self.part) << 1
  }

  /// Creates the first point of the sixteenth of a degree at an index of the curve.
  init(curve: UInt32) {
    func gather(_ bits: UInt32) -> Int {
      var bits = bits & 0x5555_5555
      bits = (bits | bits >> 1) & 0x3333_3333
      bits = (bits | bits >> 2) & 0x0F0F_0F0F
      bits = (bits | bits >> 4) & 0x00FF_00FF
      return Int((bits | bits >> 8) & 0xFFFF)
    }
    self.init(x: gather(curve) * Self.part, y: gather(curve >> 1) * Self.part)
  }

  /// The number of steps in a sixteenth of a degree.
  static let part = 6_250

  /// The first and the last point of its sixteenth of a degree.
  var sixteenth: (first: Lattice, last: Lattice) {
    let first = Lattice(x: x / Self.part * Self.part, y: y / Self.part * Self.part)
    return (first, Lattice(x: first.x + Self.part - 1, y: first.y + Self.part - 1))
  }

  var cell: Int { y / Self.step * Self.columns + x / Self.step }

  /// Returns the number of times that the straight path from here to the cell's center crosses a line.
  ///
  /// Computed in half steps, so that all values are integers. A corner of the line that lies on the path counts as
  /// right of it.
  /// - Parameter line: The x and y of each corner from the cell's south-west corner, in 16 bits, so that nothing
  ///   overflows.
  func crossings(_ line: UnsafeBufferPointer<UInt16>) -> Int {
    let (px, py) = (x % Self.step * 2 + 1, y % Self.step * 2 + 1)
    let (cx, cy) = (Self.step + 1, Self.step + 1)
    let (dx, dy) = (cx - px, cy - py)
    // The side of the path on which a corner lies, from the sign of dx * (by - py) - dy * (bx - px).
    let way = dx &* py &- dy &* px
    var (ax, ay, wasLeft, crossings) = (0, 0, false, 0)
    var at = 0
    while at &+ 1 < line.count {
      let (bx, by) = (2 &* Int(line[at]), 2 &* Int(line[at &+ 1]))
      let isLeft = dx &* by &- dy &* bx > way
      if isLeft != wasLeft, at > 0 {
        let (ex, ey) = (bx &- ax, by &- ay)
        let here = ex &* (py &- ay) &- ey &* (px &- ax) > 0
        let there = ex &* (cy &- ay) &- ey &* (cx &- ax) > 0
        if here != there { crossings &+= 1 }
      }
      (ax, ay, wasLeft) = (bx, by, isLeft)
      at &+= 2
    }
    return crossings
  }
}

extension Coordinate {
  /// Creates a coordinate from degrees as a caller gives them. Full turns of the longitude are removed; the 180°
  /// meridian is always 180, not -180.
  ///
  /// - Throws: `.badCoordinate` if the latitude is not on Earth, or a value is not a number.
  init(validating latitude: Double, _ longitude: Double) throws(GeoIndexError) {
    guard latitude.isFinite, longitude.isFinite, abs(latitude) <= 90 else {
      throw GeoIndexError(.badCoordinate, "not a point on Earth: latitudes go from -90 to 90")
    }
    self.init(turning: (latitude, longitude))
  }

  /// Creates a coordinate from a position that is known to be on Earth.
  init(turning position: (latitude: Double, longitude: Double)) {
    let longitude = position.longitude
    // Most longitudes are in range, and the remainder takes as long as the rest of a lookup.
    let turned = abs(longitude) < 180 ? longitude : longitude.remainder(dividingBy: 360)
    self.init(clampingLatitude: position.latitude, longitude: turned == -180 ? 180 : turned)
  }

  /// Creates a coordinate from hundred-thousandths of a degree, as the gazetteer stores them.
  init(latitudeE5: some BinaryInteger, longitudeE5: some BinaryInteger) {
    self.init(clampingLatitude: Double(latitudeE5) / 1e5, longitude: Double(longitudeE5) / 1e5)
  }
}

/// A rectangle in hundred-thousandths of a degree that doesn't cross the 180° meridian.
struct Box: Hashable {
  let south: Int
  let north: Int
  let west: Int
  let east: Int

  /// Returns the band, a quarter of a degree of latitude. The index lists the places of each band by longitude.
  static func band(latitude: Int) -> Int { latitude / 25_000 }

  /// The bands that the box touches.
  var bands: ClosedRange<Int> { Self.band(latitude: south)...Self.band(latitude: north) }

  /// Returns one or two boxes that contain every point within `radius` metres of `point` (longitude -180...180).
  static func around(_ point: Coordinate, radius: Double) -> [Box] {
    // The boxes may be slightly larger than the circle: the distance decides what lies within it.
    let angle = radius / Coordinate.meanRadius + 1e-7
    let height = angle * 180 / .pi
    let (south, north) = (point.latitude - height, point.latitude + height)
    func box(_ west: Double, _ east: Double) -> Box {
      Box(
        south: Int((max(south, -90) * 1e5).rounded(.down)), north: Int((min(north, 90) * 1e5).rounded(.up)),
        west: Int((west * 1e5).rounded(.down)), east: Int((east * 1e5).rounded(.up)))
    }
    // A circle around a pole contains every longitude.
    guard south > -90, north < 90 else { return [box(-180, 180)] }
    // The meridians touch the circle at a point closer to the pole than its center.
    let width = asin(min(1, sin(angle) / cos(point.latitude * .pi / 180))) * 180 / .pi
    let (west, east) = (point.longitude - width, point.longitude + width)
    if west < -180 { return [box(-180, east), box(west + 360, 180)] }
    if east > 180 { return [box(west, 180), box(-180, east - 360)] }
    return [box(west, east)]
  }
}

/// The positions of lattice points on the unit sphere, exact to a metre: for comparisons, not for reporting distances.
struct Sphere: Sendable {
  /// The cosine and sine of the middle of each sixteenth of a degree, from 180° west or south.
  private let middles = (0..<5_760).map { number in
    let angle = ((Double(number) + 0.5) / 16 - 180) * .pi / 180
    return SIMD2(Float(cos(angle)), Float(sin(angle)))
  }

  /// The data that the points of a sixteenth of a degree share: they are a small angle away from its middle.
  struct Part {
    fileprivate var first = Lattice(x: 0, y: 0)
    fileprivate var north = SIMD2<Float>(), east = SIMD2<Float>()
  }

  /// Returns the data that the points around `point` share.
  /// - Parameter point: Any point of the sixteenth.
  func part(around point: Lattice) -> Part {
    let first = point.sixteenth.first
    return Part(
      first: first, north: middles[first.y / Lattice.part + middles.count / 4], east: middles[first.x / Lattice.part])
  }

  /// Returns the unit vector of a point, from the vectors of its part.
  /// - Parameter part: The part that contains the point.
  static func vector(_ point: Lattice, in part: Part) -> (x: Float, y: Float, z: Float) {
    let north = turned(part.north, by: point.y &- part.first.y)
    let east = turned(part.east, by: point.x &- part.first.x)
    return (north.x * east.x, north.x * east.y, north.y)
  }

  /// Returns the cosine and sine of an angle some steps from the beginning of its sixteenth, by the first terms of
  /// their series: for an angle of 0.0006, the other terms are smaller than a Float can hold.
  private static func turned(_ middle: SIMD2<Float>, by steps: Int) -> SIMD2<Float> {
    let angle = (Float(steps) - (Float(Lattice.part) - 1) / 2) * (1e-5 * .pi / 180)
    let shorter = 1 - angle * angle / 2
    return SIMD2(middle.x * shorter - middle.y * angle, middle.y * shorter + middle.x * angle)
  }
}
