import Basics
import TestSupport
import Testing

@testable import GeoIndex

@Suite("Town lists")
struct TownGridTests {
  @Test("Renumbering towns keeps the lengths and order of their lists.")
  func renumbered() {
    let lists: [UInt32] = [0, 2, 1, 0, 3, 2, 1, 0]
    #expect(TownGrid.renumbered(lists) { 10 + UInt32($0) } == [0, 2, 11, 10, 3, 12, 11, 10])
  }
}

@Suite("Curve through the cells")
struct CurveTests {
  @Test("The curve visits every sixteenth of a degree once.")
  func curve() {
    var places: Set<UInt32> = []
    for row in 0..<16 {
      for column in 0..<16 {
        places.insert(Lattice(x: column * 6_250, y: row * 6_250).curve)
      }
    }
    #expect(places == Set(0..<256))
    #expect(Lattice(x: 35_999_999, y: 17_999_999).curve < 1 << UInt32(2 * Lattice.curveBits))
  }

  @Test("A curve index leads back to the first point of its sixteenth.")
  func back() {
    for point in [Lattice(x: 0, y: 0), Lattice(x: 35_999_999, y: 17_999_999), Lattice(x: 18_012_345, y: 9_006_789)] {
      #expect(Lattice(curve: point.curve) == point.sixteenth.first)
    }
  }

  @Test("A batch is sorted along the curve, each location once.")
  func order() throws {
    var generator = SeededGenerator(seed: 20_261_122)
    let positions = (0..<20_000).map { _ in
      (latitude: Double.random(in: 40...41, using: &generator), longitude: Double.random(in: -1...1, using: &generator))
    }
    let order = try CurveOrder(positions)
    #expect(Set(order.entries.map(\.index)) == Set(0..<20_000))
    let keys = order.entries.map { UInt64($0.curve) << 32 | UInt64($0.index) }
    #expect(keys == keys.sorted())
    for entry in order.entries {
      let corner = Lattice(curve: entry.curve)
      let (latitude, longitude) = positions[Int(entry.index)]
      let point = Lattice(x: corner.x + Int(entry.x), y: corner.y + Int(entry.y))
      #expect(point == Lattice(Coordinate(clampingLatitude: latitude, longitude: longitude)))
    }
    let starts = order.entries.indices.filter { $0 == 0 || order.entries[$0 - 1].curve != order.entries[$0].curve }
    #expect(order.starts.map(Int.init) == starts + [20_000])
    #expect(try CurveOrder([]).starts == [0])
  }
}
