import GeoIndex
import Testing

@Suite("Center of an area")
struct AreaCenterTests {
  private func area(_ name: String) throws -> Place {
    let index = try WholeGazetteer.index()
    guard case .one(let area) = try index.resolve(name) else {
      Issue.record("\(name) is not clear")
      throw CancellationError()
    }
    return area
  }

  @Test(
    "The center is the middle of the mainland, or of all islands, not the capital.",
    arguments: [
      ("Germany", 51.1, 10.4), ("France", 46.6, 2.5), ("Bavaria", 48.9, 11.4), ("Sicily", 37.6, 14.1),
      ("USA", 39.8, -98.6), ("Norway", 64, 12.3), ("Chile", -36.5, -71.5), ("Russia", 66, 95.5), ("Fiji", -17.8, 178),
      ("Japan", 36.3, 137.5), ("Hawaii", 20.5, -156.2), ("Indonesia", -2, 117), ("New Zealand", -41.5, 172.5),
      ("Monaco (country)", 43.74, 7.42), ("Vatican", 41.903, 12.453),
    ])
  func center(name: String, latitude: Double, longitude: Double) throws {
    let center = try #require(try WholeGazetteer.index().center(of: area(name)))
    let limit = name.hasPrefix("Monaco") || name == "Vatican" ? 0.02 : 1.5
    #expect(
      abs(center.latitude - latitude) < limit && abs(center.longitude - longitude) < limit,
      "\(center.latitude), \(center.longitude)")
  }

  @Test(
    "The center lies within the area.",
    arguments: ["Croatia", "Vietnam", "Japan", "Hawaii", "Malaysia", "Philippines", "Norway", "Fiji"])
  func inside(name: String) throws {
    let (index, area) = (try WholeGazetteer.index(), try area(name))
    let center = try #require(try index.center(of: area))
    let found = try index.reverse(latitude: center.latitude, longitude: center.longitude)
    #expect(found.countryCode == area.countryCode && (area.kind == .country || found.admin1?.name == area.name))
  }

  @Test(
    "The reach is the distance to the farthest point of the border.",
    arguments: [
      ("Sicily", 150...350), ("Japan", 1_500...2_300), ("Bavaria", 180...250), ("Crete", 120...180),
      ("Norway", 1_000...2_100),
      // These have one town or none, which is too little for a center.
      ("Falkland Islands", 130...320), ("Vatican", 1...2), ("French Southern Territories", 1_500...5_000),
      ("Cook Islands", 600...1_600), ("Tokelau", 80...200), ("Antarctica", 2_500...6_000),
    ])
  func reach(name: String, kilometres: ClosedRange<Int>) throws {
    let center = try #require(try WholeGazetteer.index().center(of: area(name)))
    #expect(kilometres.contains(Int(center.reach / 1_000)), "\(center.reach)")
  }

  @Test("A town has no center of its own.")
  func town() throws {
    #expect(try WholeGazetteer.index().center(of: area("Kyoto")) == nil)
  }
}
