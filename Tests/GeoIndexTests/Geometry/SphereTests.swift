import Basics
import TestSupport
import Testing

@testable import GeoIndex

@Suite("Sphere")
struct SphereTests {
  @Test(
    "A great circle has a length and a bearing.",
    arguments: [
      (0, 0, 0, 1, 111_195.08, 90), (0, 0, 1, 0, 111_195.08, 0), (0, 0, -1, 0, 111_195.08, 180),
      (0, 0, 0, -1, 111_195.08, 270), (0, 179.5, 0, -179.5, 111_195.08, 90), (90, 0, -90, 0, 20_015_114.44, 180),
      (0, 0, 0, 180, 20_015_114.44, 90), (50.06632, -5.71475, 58.64389, -3.07, 968_850, 9.12),
    ] as [(Double, Double, Double, Double, Double, Double)])
  func circle(
    fromLatitude: Double, fromLongitude: Double, toLatitude: Double, toLongitude: Double, metres: Double,
    degrees: Double
  ) {
    let from = Coordinate(clampingLatitude: fromLatitude, longitude: fromLongitude)
    let to = Coordinate(clampingLatitude: toLatitude, longitude: toLongitude)
    #expect(abs(from.haversineDistance(to: to) - metres) <= max(0.01, metres * 0.0001))
    #expect(abs((from.initialBearing(to: to)?.degrees ?? 0) - degrees) < 0.01)
  }

  @Test("Both ways to compute a point's vector agree to two metres.")
  func vectors() {
    var generator = SeededGenerator(seed: 20_261_122)
    let sphere = Sphere()
    for _ in 0..<10_000 {
      let point = Coordinate(
        clampingLatitude: .random(in: -90...90, using: &generator),
        longitude: .random(in: -180...180, using: &generator))
      let (a, place) = (point.singlePrecisionUnitVector, Lattice(point))
      let b = Sphere.vector(place, in: sphere.part(around: place))
      let square = (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z)
      // Half a step in each direction, and the rounding of a Float.
      #expect(Double(square.squareRoot()) * Coordinate.meanRadius < 2)
    }
  }

  @Test(
    "Every point within the radius lies in the boxes.",
    arguments: [(0, 0), (60, 10), (-16.8, 179.9), (52, -179.99), (89.5, 10), (-89.9, 0), (89.99, 180)]
      as [(Double, Double)])
  func boxes(latitude: Double, longitude: Double) {
    let (center, radius) = (Coordinate(clampingLatitude: latitude, longitude: longitude), 100_000.0)
    let boxes = Box.around(center, radius: radius)
    for latitude in stride(from: -90.0, through: 90, by: 0.5) {
      for longitude in stride(from: -180.0, through: 180, by: 0.5) {
        let point = Coordinate(clampingLatitude: latitude, longitude: longitude)
        guard center.haversineDistance(to: point) <= radius else { continue }
        let (y, x) = (Int(latitude * 1e5), Int(longitude * 1e5))
        #expect(boxes.contains { ($0.south...$0.north).contains(y) && ($0.west...$0.east).contains(x) })
      }
    }
  }
}
