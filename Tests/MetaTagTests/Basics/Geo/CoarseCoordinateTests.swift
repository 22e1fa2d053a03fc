import TestSupport
import Testing

@testable import MetaTag

@Suite("Coarse coordinates")
struct CoarseCoordinateTests {
  @Test(
    "A coarse coordinate lies in the same cell as the exact one, and coarsening again doesn't change it.",
    arguments: [100, 1_000, 10_000, 1e6])
  func cells(metres: Double) throws {
    let coarseness = try #require(Coarseness(metres: metres))
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      let exact = try Coordinate.at(.random(in: -90...90, using: &random), .random(in: -180...180, using: &random))
      let coarse = exact.coarsened(to: coarseness)
      #expect(coarse.coarsened(to: coarseness) == coarse, "\(exact)")
      // Cells are widened until they divide their circle evenly. Near the poles they are whole rings.
      if abs(exact.latitude) < 60 { #expect(exact.distance(to: coarse) < metres * 0.8, "\(exact)") }
    }
  }

  @Test("Coordinates in one cell become the same coordinate, also at the poles and the antimeridian.")
  func together() throws {
    let (near, far) = (try #require(Coarseness(metres: 1_000)), try #require(Coarseness(metres: 10_000)))
    let first = try Coordinate.at(48.1234, 16.6543).coarsened(to: far)
    #expect(try Coordinate.at(48.1235, 16.6544).coarsened(to: far) == first)
    for (latitude, longitude) in [(90.0, 180.0), (-90, -180), (0, 180), (0, -180)] {
      let coarse = try Coordinate.at(latitude, longitude).coarsened(to: near)
      #expect(coarse.coarsened(to: near) == coarse)
    }
  }

  @Test(
    "A grid or radius that is too fine, too coarse or not a number is refused.",
    arguments: [.nan, .infinity, -.infinity, 0, -10_000, 0.5, 1e308, 5_000_001])
  func ranges(metres: Double) throws {
    #expect(Coarseness(metres: metres) == nil)
    let place = try Coordinate.at(48, 2)
    #expect(ClearPlanner.Zone(around: place, radius: metres) == nil || metres >= 0 && metres.isFinite)
    #expect(ClearPlanner.Zone(around: place, radius: -1) == nil)
  }
}
