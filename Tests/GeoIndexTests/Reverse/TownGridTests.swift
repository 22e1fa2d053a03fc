import Testing

@testable import GeoIndex

@Suite("Lists of towns")
struct TownGridTests {
  @Test("get other numbers for the towns, and keep their lengths and order")
  func renumbered() {
    let lists: [UInt32] = [0, 2, 1, 0, 3, 2, 1, 0]
    #expect(TownGrid.renumbered(lists) { 10 + UInt32($0) } == [0, 2, 11, 10, 3, 12, 11, 10])
  }
}

@Suite("The curve through the cells")
struct CurveTests {
  @Test("has every sixteenth of a degree once, and neighbours near")
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
}
