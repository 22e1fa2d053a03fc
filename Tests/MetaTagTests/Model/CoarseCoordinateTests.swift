import TestSupport
import Testing

@testable import MetaTag

@Suite("Coarse positions")
struct CoarseCoordinateTests {
  @Test("lie in the cell of the exact one, stay what they are, and tell no more", arguments: [100, 1_000, 10_000, 1e6])
  func cells(metres: Double) throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      let exact = try Coordinate.at(.random(in: -90...90, using: &random), .random(in: -180...180, using: &random))
      let coarse = exact.coarsened(to: metres)
      #expect(coarse.coarsened(to: metres) == coarse, "\(exact)")
      // Cells are widened to divide their circle evenly; near the poles they are whole rings.
      if abs(exact.latitude) < 60 { #expect(exact.distance(to: coarse) < metres * 0.8, "\(exact)") }
    }
  }

  @Test("Neighbours in a cell become one place, also at the ends of the Earth")
  func together() throws {
    let first = try Coordinate.at(48.1234, 16.6543).coarsened(to: 10_000)
    #expect(try Coordinate.at(48.1235, 16.6544).coarsened(to: 10_000) == first)
    for (latitude, longitude) in [(90.0, 180.0), (-90, -180), (0, 180), (0, -180)] {
      let coarse = try Coordinate.at(latitude, longitude).coarsened(to: 1_000)
      #expect(coarse.coarsened(to: 1_000) == coarse)
    }
  }
}
