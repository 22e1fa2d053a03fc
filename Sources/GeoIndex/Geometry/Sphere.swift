import Foundation

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

  /// - Parameter point: Any point of the sixteenth.
  func part(around point: Lattice) -> Part {
    let first = point.sixteenth.first
    return Part(
      first: first, north: middles[first.y / Lattice.part + middles.count / 4], east: middles[first.x / Lattice.part])
  }

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
