import GeoIndex
import Testing

@Suite("The nearest place")
struct NearestTests {
  let index: GeoIndex

  init() throws { index = try WholeGazetteer.index() }

  @Test(
    "is near and in the right country",
    arguments: [
      (40.7128, -74.006, "US", 1_000), (52.52, 13.405, "DE", 1_000), (-1.286, 36.817, "KE", 1_000),
      (22.28, 114.16, "HK", 1_000), (22.2, 113.545, "MO", 2_000), (25.03, 121.56, "TW", 5_000),
      (27.47, 89.64, "BT", 1_000), (78.22, 15.64, "SJ", 1_000), (-54.8, -68.3, "AR", 2_000),
    ] as [(Double, Double, String, Double)])
  func near(latitude: Double, longitude: Double, country: String, metres: Double) throws {
    let nearest = try #require(try index.nearest(latitude: latitude, longitude: longitude))
    #expect(nearest.place.countryCode == country)
    #expect(nearest.distance <= metres)
  }

  @Test(
    "is none in the middle of nowhere",
    arguments: [(0, -140), (90, 0), (-90, 0), (90, 180), (-90, -180), (-75, 100)] as [(Double, Double)])
  func nowhere(latitude: Double, longitude: Double) throws {
    #expect(try index.nearest(latitude: latitude, longitude: longitude) == nil)
  }

  @Test("is found from the poles if one looks far enough", arguments: [-180.0, -17, 0, 90, 180])
  func poles(longitude: Double) throws {
    let north = try #require(try index.nearest(latitude: 90, longitude: longitude, within: 3_000_000))
    #expect(north.place.latitude > 78 && north.distance < 1_400_000)
    let south = try #require(try index.nearest(latitude: -90, longitude: longitude, within: .infinity))
    #expect(south.place.latitude < -54)
  }

  @Test("is the same on both sides of the 180° meridian and after whole turns")
  func antimeridian() throws {
    // Near Taveuni, which the meridian crosses.
    let west = try #require(try index.nearest(latitude: -16.8, longitude: 179.999))
    let east = try #require(try index.nearest(latitude: -16.8, longitude: -179.999))
    #expect(west.place.id == east.place.id)
    #expect(abs(west.distance - east.distance) < 250)
    #expect(try index.nearest(latitude: -16.8, longitude: 180) == index.nearest(latitude: -16.8, longitude: -180))
    #expect(try index.nearest(latitude: -16.8, longitude: 179.999 - 720)?.place.id == west.place.id)
  }

  @Test("keeps to the limit, exactly")
  func limit() throws {
    let nearest = try #require(try index.nearest(latitude: 35.5, longitude: 135.5))
    let at = { (metres: Double) in try index.nearest(latitude: 35.5, longitude: 135.5, within: metres) }
    #expect(try at(nearest.distance + 0.001)?.place == nearest.place)
    #expect(try at(nearest.distance - 0.001) == nil)
    #expect(try at(-1) == nil)
  }

  @Test("is the nearest of all", arguments: [(35.2, 135.9), (64.1, -21.5), (-33.4, -70.1), (1.2, 103.8), (68.9, 33.1)])
  func exhaustive(latitude: Double, longitude: Double) throws {
    let nearest = try #require(try index.nearest(latitude: latitude, longitude: longitude))
    // Looking from afar must come to the same place as looking closely.
    #expect(try index.nearest(latitude: latitude, longitude: longitude, within: nearest.distance * 1.01) == nearest)
    #expect(try index.nearest(latitude: latitude, longitude: longitude, within: 5_000_000) == nearest)
  }

  @Test("is refused for what is not on Earth", arguments: [(90.1, 0), (.nan, 0), (0, .infinity)] as [(Double, Double)])
  func offEarth(latitude: Double, longitude: Double) {
    let error = #expect(throws: GeoIndexError.self) { try index.nearest(latitude: latitude, longitude: longitude) }
    #expect(error?.kind == .badCoordinate)
  }
}
