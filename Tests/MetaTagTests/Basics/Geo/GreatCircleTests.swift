import Foundation
import TestSupport
import Testing

@testable import MetaTag

@Suite("Great circle")
struct GreatCircleTests {
  @Test(
    "Interpolation follows the great circle between two places.",
    arguments: [
      // D25 of the worked cases; the parallel would be 866 km away.
      ("60,0", "60,90", 0.5, 67.79234570, 45.0), ("10,20", "11,22", 0.25, 10.25116275, 20.49879606),
      ("0,0", "0,90", 1.0 / 3, 0, 30), ("0,10", "80,10", 0.25, 20, 10), ("0,0", "-1,-1", 0.5, -0.50001904, -0.49996192),
      ("10,179.5", "10,-179.5", 0.25, 10.00027982, 179.74999986),
      ("10,179.5", "10,-179.5", 0.75, 10.00027982, -179.74999986),
      ("89,0", "89,180", 0.5, 90, 0), ("90,0", "0,25", 0.5, 45, 25), ("-90,0", "90,0", 0.5, 0, 0),
      ("30,40", "-30,-140", 0.5, 60, -140), ("0,0", "0,180", 0.5, 90, 0), ("5,6", "5,6", 0.5, 5, 6),
    ] as [(String, String, Double, Double, Double)])
  func interpolates(from: String, to: String, fraction: Double, latitude: Double, longitude: Double) throws {
    let middle = try Coordinate(parsing: from).interpolated(to: Coordinate(parsing: to), fraction: fraction)
    #expect(abs(middle.latitude - latitude) < 1e-7, "\(middle)")
    #expect(abs(middle.longitude - longitude) < 1e-7 || abs(middle.latitude) == 90, "\(middle)")
  }

  @Test("A short track leg lies within half a millimetre of the great circle.")
  func short() throws {
    var random = SeededGenerator(seed: 11)
    func step() -> Double { Double.random(in: -0.001...0.001, using: &random) }
    for _ in 0..<10_000 {
      let start = (Double.random(in: -79...79, using: &random), Double.random(in: -179...179, using: &random))
      let from = try #require(Coordinate(latitude: start.0, longitude: start.1))
      let to = try #require(Coordinate(latitude: start.0 + step(), longitude: start.1 + step()))
      let way = GreatCircleWay(from: from, to: to)
      let fraction = Double.random(in: 0...1, using: &random)
      // Over such a short distance, the straight line through the Earth divides as the great circle above it does.
      let (a, b) = (Self.vector(from), Self.vector(to))
      #expect(abs(way.metres - Self.length(b - a)) < 1e-6)
      let onCircle = a + (b - a) * fraction
      let place = Self.vector(way.place(at: fraction))
      #expect(Self.length(place - onCircle / Self.length(onCircle) * 6_371_008.8) < 5e-4)
    }
  }

  private static func vector(_ place: Coordinate) -> SIMD3<Double> {
    let (north, east) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
    return SIMD3(cos(north) * cos(east), cos(north) * sin(east), sin(north)) * 6_371_008.8
  }

  private static func length(_ way: SIMD3<Double>) -> Double { (way * way).sum().squareRoot() }

  @Test("Interpolation crosses the 180th meridian.")
  func antimeridian() throws {
    let middle = try Coordinate(parsing: "10,179.5").interpolated(to: Coordinate(parsing: "10,-179.5"), fraction: 0.5)
    #expect(abs(abs(middle.longitude) - 180) < 1e-9)
  }

  @Test("Interpolation starts and ends exactly at its ends.")
  func ends() throws {
    let (a, b) = (try Coordinate(parsing: "10.1,20.2"), try Coordinate(parsing: "-33.3,151.7"))
    #expect(a.interpolated(to: b, fraction: 0) == a && a.interpolated(to: b, fraction: 1) == b)
    #expect(a.interpolated(to: b, fraction: -1) == a && a.interpolated(to: b, fraction: 2) == b)
  }

  @Test(
    "Distances are those on the sphere.",
    arguments: [
      ("0,0", "0,1", 111_195.08), ("0,0", "1,0", 111_195.08), ("0,179.5", "0,-179.5", 111_195.08),
      ("90,0", "-90,0", 20_015_114.4), ("35.6895,139.6917", "35.6895,139.6917", 0), ("0,0", "0,0.000001", 0.1112),
      ("51.5,-0.12", "40.71,-74", 5_570_802),
    ] as [(String, String, Double)])
  func distances(from: String, to: String, metres: Double) throws {
    let (from, to) = (try Coordinate(parsing: from), try Coordinate(parsing: to))
    for distance in [from.distance(to: to), from.haversineDistance(to: to)] {
      #expect(abs(distance - metres) <= max(metres * 1e-4, 1e-3), "\(distance)")
    }
  }

  @Test(
    "The initial bearing is that of the great circle.",
    arguments: [
      ("0,0", "1,0", 0.0), ("0,0", "0,1", 90), ("0,0", "-1,0", 180), ("0,0", "0,-1", 270), ("0,179", "0,-179", 90),
    ] as [(String, String, Double)])
  func bearings(from: String, to: String, degrees: Double) throws {
    let bearing = try Coordinate(parsing: from).initialBearing(to: Coordinate(parsing: to))
    #expect(abs((bearing?.degrees ?? -1) - degrees) < 1e-9)
  }

  @Test(
    "A unit vector is that of its position to two metres, in each precision.",
    arguments: ["48.1,11.5", "-33,-180", "90,0"])
  func unitVectors(text: String) throws {
    let place = try Coordinate(parsing: text)
    let (single, rounded) = (place.singlePrecisionUnitVector, place.roundedUnitVector)
    let way = SIMD3(single.x, single.y, single.z) - rounded
    #expect(Double((way * way).sum().squareRoot()) * Coordinate.meanRadius < 2)
    let found = try #require(Coordinate(roundedUnitVector: rounded))
    #expect(found.distance(to: place) < 2)
    let doubled = Coordinate(directionX: Double(rounded.x) * 2, y: Double(rounded.y) * 2, z: Double(rounded.z) * 2)
    #expect(doubled.distance(to: found) < 0.01)
  }

  @Test("Two equal places have no bearing.")
  func noBearing() throws {
    let place = try Coordinate(parsing: "48.1,11.5")
    #expect(place.initialBearing(to: place) == nil)
  }

  @Test(
    "Interpolated directions turn through the smaller angle.",
    arguments: [(350.0, 10.0, 0.5, 0.0), (10, 350, 0.25, 5), (90, 180, 0.5, 135), (0, 0, 0.5, 0)]
      as [(Double, Double, Double, Double)])
  func turns(from: Double, to: Double, fraction: Double, expected: Double) throws {
    let (a, b) = (try #require(Direction(degrees: from)), try #require(Direction(degrees: to)))
    #expect(a.interpolated(to: b, fraction: fraction)?.degrees == expected)
  }

  @Test("Directions with different references to north can't be interpolated.")
  func norths() throws {
    let magnetic = try #require(Direction(degrees: 10, reference: .magneticNorth))
    #expect(Direction(degrees: 0)?.interpolated(to: magnetic, fraction: 0.5) == nil)
  }
}
