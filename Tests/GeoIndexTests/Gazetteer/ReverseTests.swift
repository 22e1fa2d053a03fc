import Basics
import GeoIndex
import Testing

@Suite("Reverse lookup")
struct ReverseTests {
  let index: Gazetteer

  init() throws { index = try WholeGazetteer.index() }

  @Test(
    "A location has the country and zones of its borders.",
    arguments: [
      // Two sides of a border, a few hundred metres to some kilometres apart.
      (42.3149, -83.0364, "CA", "America/Toronto"), (42.3314, -83.0458, "US", "America/Detroit"),
      (47.5596, 7.5886, "CH", "Europe/Zurich"), (47.5930, 7.6200, "DE", "Europe/Berlin"),
      (1.4655, 103.7578, "MY", "Asia/Kuala_Lumpur"), (1.4290, 103.7700, "SG", "Asia/Singapore"),
      // Enclaves and the smallest countries.
      (41.9022, 12.4533, "VA", "Europe/Vatican"), (43.94, 12.45, "SM", "Europe/San_Marino"),
      (51.4412, 4.9297, "BE", "Europe/Brussels"), (47.696, 8.6918, "DE", "Europe/Busingen"),
      (45.987, 8.971, "CH", "Europe/Zurich"), (43.738, 7.424, "MC", "Europe/Monaco"),
      (-29.31, 27.48, "LS", "Africa/Maseru"),
      // Where a zone holds another country's land.
      (21.0285, 105.8542, "VN", "Asia/Bangkok"), (42.66, 21.16, "XK", "Europe/Belgrade"),
      (44.95, 34.1, "UA", "Europe/Simferopol"), (25.04, 121.56, "TW", "Asia/Taipei"),
      // Both sides of the 180° meridian, which is the same in either form.
      (71, 180, "RU", "Asia/Anadyr"), (71, -180, "RU", "Asia/Anadyr"), (68, -179.999, "RU", "Asia/Anadyr"),
      (-16.8, 179.99, "FJ", "Pacific/Fiji"), (-16.8, -179.99, "FJ", "Pacific/Fiji"),
      (65.78, -168.95, "US", "America/Nome"), (65.75, -169.05, "RU", "Asia/Anadyr"),
      (-77.85, 166.67, "AQ", "Antarctica/McMurdo"), (-70, 100, "AQ", "Australia/Perth"),
    ] as [(Double, Double, String, String)])
  func borders(latitude: Double, longitude: Double, country: String, zone: String) throws {
    let place = try index.reverse(latitude: latitude, longitude: longitude)
    #expect(place.countryCode == country)
    if zone != "Australia/Perth" { #expect(place.zones.first == zone) }
    #expect(try index.zones(latitude: latitude, longitude: longitude) == place.zones)
  }

  @Test(
    "Near coasts and rough borders the country is that of the nearest land.",
    arguments: [
      (20.9101, 107.1839, "VN"), (20.87, 107.18, "VN"), (20.66, 106.9, "VN"), (19.8, 105.95, "VN"), (18.8, 105.8, "VN"),
      (17.5, 106.7, "VN"), (20.133, 107.73, "VN"), (12.6, 100.6, "TH"), (9.9, 99.9, "TH"), (7.8, 98.2, "TH"),
      (7.2, 101.2, "TH"), (21.52471, 107.96619, "VN"), (21.4839, 108.0759, "VN"), (22.8002, 106.7323, "VN"),
      (20.3185, 104.6699, "VN"), (21.4732, 107.9933, "VN"), (17.4, 104.75, "TH"),
    ])
  func coasts(latitude: Double, longitude: Double, country: String) throws {
    #expect(try index.reverse(latitude: latitude, longitude: longitude).countryCode == country)
    #expect(try index.reverse([(latitude: latitude, longitude: longitude)])[0].countryCode == country)
  }

  @Test(
    "Uninhabited dependencies have their own code.",
    arguments: [
      (70.98, -8.67, "SJ"), (78.22, 15.63, "SJ"), (16.73, -169.53, "UM"), (28.21, -177.37, "UM"), (5.88, -162.08, "UM"),
      (-54.42, 3.36, "BV"), (-53.1, 73.51, "HM"), (10.3, -109.22, "FR"), (21.3, -157.86, "US"), (59.91, 10.75, "NO"),
    ])
  func islets(latitude: Double, longitude: Double, country: String) throws {
    #expect(try index.reverse(latitude: latitude, longitude: longitude).countryCode == country)
    #expect(try index.reverse([(latitude: latitude, longitude: longitude)])[0].countryCode == country)
  }

  @Test(
    "The confidence is lower within a kilometre of another region, except inside a town.",
    arguments: [
      (45.4247, -75.6997, 0.7), (40.7162, -74.0330, 0.7), (39.9440, -75.1290, 0.7), (38.8719, -77.0563, 0.7),
      (39.0955, -84.516, 0.7), (50.0010, 8.2760, 0.7), (50.8949, 4.3415, 0.7), (35.02107, 135.75385, 1),
      (48.2, 16.37, 1),
      // A country's border doesn't count.
      (43.7384, 7.4246, 1),
    ])
  func nearRegions(latitude: Double, longitude: Double, confidence: Double) throws {
    #expect(try index.reverse(latitude: latitude, longitude: longitude).confidence == confidence)
  }

  @Test(
    "A longitude after whole turns gives the same result.",
    arguments: [(40.744131, -73.990425), (-16.8, 179.99), (51.9, -179.6), (0, 180)])
  func turns(latitude: Double, longitude: Double) throws {
    let place = try index.reverse(latitude: latitude, longitude: longitude)
    for turns in [-720.0, -360, 360, 720] {
      let turned = try index.reverse(latitude: latitude, longitude: longitude + turns)
      #expect(turned.countryCode == place.countryCode)
      #expect(turned.zones == place.zones)
      #expect(turned.locality?.id == place.locality?.id)
    }
  }

  @Test(
    "The 180° meridian is in the sea, too.", arguments: [180.0, -180, 540, 179.9999, -179.9999, 179.99999, -179.99999])
  func meridian(longitude: Double) throws {
    #expect(try index.reverse(latitude: 5, longitude: longitude).seaName == "North Pacific Ocean")
    #expect(try index.reverse([(latitude: 5, longitude: longitude)])[0].seaName == "North Pacific Ocean")
  }

  @Test("The result has the town, the larger city, the region and the county.")
  func towns() throws {
    let place = try index.reverse(latitude: 40.7295, longitude: -73.9946)
    #expect(place.admin1?.name == "New York" && place.admin1?.code == "US.NY")
    #expect(place.city?.name == "New York City")
    let town = try #require(place.locality)
    #expect(town.distance < 2_000 && (0..<360).contains(town.bearing))
    #expect(place.confidence > 0.9)
    let kyoto = try index.reverse(latitude: 35.02107, longitude: 135.75385)
    #expect(kyoto.locality?.name == "Kyoto" && kyoto.locality?.distance == 0 && kyoto.locality?.bearing == 0)
  }

  @Test(
    "The city is the one that a location belongs to, and for a part of a large city the large one.",
    arguments: [
      (34.967, 135.773, "Kyoto"), (52.108, 4.273, "The Hague"), (50.70, 7.12, "Bonn"), (49.41, 8.69, "Heidelberg"),
      (35.45, 139.60, "Yokohama"), (37.456, 126.70, "Incheon"), (35.646, 139.653, "Tokyo"),
      (40.6501, -73.9496, "New York City"), (48.853, 2.35, "Paris"), (51.37, -0.10, "London"),
      (41.02, 29.02, "Istanbul"), (40.7295, -73.9946, "New York City"),
      // Not their bigger neighbours.
      (48.835, 2.24, "Boulogne-Billancourt"), (52.3989, 13.0657, "Potsdam"), (40.7282, -74.0776, "Jersey City"),
      (50.1006, 8.7665, "Offenbach"), (40.7440, -74.0324, "Hoboken"), (47.3119, 8.3244, "Bünzen"),
      (49.4759, 10.9886, "Fürth"), (51.0303, 6.9843, "Leverkusen"), (51.4704, 6.8515, "Oberhausen"),
    ])
  func cities(latitude: Double, longitude: Double, city: String) throws {
    #expect(try index.reverse(latitude: latitude, longitude: longitude).city?.name == city)
    #expect(try index.reverse([(latitude: latitude, longitude: longitude)])[0].city?.name == city)
  }

  @Test("The city lies in the region of the position.")
  func cityInRegion() throws {
    // A grid over the borders of New Jersey and New York.
    for step in 0..<400 {
      let (latitude, longitude) = (40.5 + Double(step / 20) * 0.02, -74.25 + Double(step % 20) * 0.02)
      let place = try index.reverse(latitude: latitude, longitude: longitude)
      guard let region = place.admin1, let city = place.city else { continue }
      let home = try index.reverse(latitude: city.latitude, longitude: city.longitude)
      #expect(home.admin1 == region, "\(latitude),\(longitude) \(city.name)")
      #expect(place.city(in: region, orLocality: place.locality) == city)
    }
  }

  @Test("No town of another country is given, however near it is.")
  func sameCountry() throws {
    // Detroit is two kilometres away, over the river.
    let windsor = try index.reverse(latitude: 42.3180, longitude: -83.0380)
    #expect(windsor.countryCode == "CA" && windsor.city?.name == "Windsor" && windsor.admin1?.code == "CA.08")
  }

  @Test(
    "Far from everything no place is invented.",
    arguments: [(90, 0), (90, 137), (-40, -130), (0, -140), (89.9999, 45)] as [(Double, Double)])
  func nowhere(latitude: Double, longitude: Double) throws {
    let place = try index.reverse(latitude: latitude, longitude: longitude)
    #expect(place.countryCode == nil && place.admin1 == nil && place.county == nil)
    #expect(place.locality == nil && place.city == nil && place.offCoastOf == nil)
    #expect(place.confidence == 0)
  }

  @Test("Empty parts of a country have the country but no town.", arguments: [(-75, 40, "AQ"), (76, -40, "GL")])
  func empty(latitude: Double, longitude: Double, country: String) throws {
    let place = try index.reverse(latitude: latitude, longitude: longitude)
    #expect(place.countryCode == country)
    #expect(place.locality == nil && place.city == nil)
  }

  @Test("At sea the result has the sea's name and the nearest coast.")
  func sea() throws {
    let place = try index.reverse(latitude: 44.0, longitude: 8.9)
    #expect(place.countryCode == nil && place.seaName == "Ligurian Sea" && place.offCoastOf == "IT")
    #expect(try index.reverse(latitude: 30, longitude: -40).seaName == "North Atlantic Ocean")
    #expect(try index.reverse(latitude: 46.8, longitude: 8.2).seaName == nil)
  }

  @Test("At the poles the result doesn't depend on the longitude.", arguments: [-180.0, -91, 0, 45, 180])
  func poles(longitude: Double) throws {
    #expect(try index.zones(latitude: 90, longitude: longitude) == index.zones(latitude: 90, longitude: 0))
    #expect(try index.reverse(latitude: -90, longitude: longitude).countryCode == "AQ")
  }

  @Test("A batch returns results in the order of its locations, equal to single lookups.")
  func batch() throws {
    var generator = SystemRandomNumberGenerator()
    let positions = (0..<2_000).map { _ in
      (
        latitude: Double.random(in: -90...90, using: &generator),
        longitude: Double.random(in: -400...400, using: &generator)
      )
    }
    try expectSame(positions)
    #expect(try index.reverse([]).isEmpty)
    try expectSame(Array(positions.prefix(1)))
  }

  @Test(
    "A batch returns the same, whatever its other locations are.",
    arguments: [
      (47.56, 7.59), (1.45, 103.77), (42.32, -83.04), (51.44, 4.93), (-16.8, 180), (65.78, -169), (40.73, -74),
      (35.02, 135.75), (89.99, 12), (-60, 20), (-89.9, 0), (44, 8.9), (41.9, 12.45), (-18, 178.5), (31.7, 35.2), (0, 0),
    ] as [(Double, Double)])
  func neighbours(latitude: Double, longitude: Double) throws {
    var generator = SystemRandomNumberGenerator()
    // Many in each sixteenth of a degree, over borders, coasts and the 180° meridian.
    try expectSame(
      (0..<3_000).map { _ in
        (
          latitude: min(90, max(-90, latitude + Double.random(in: -0.3...0.3, using: &generator))),
          longitude: longitude + Double.random(in: -0.3...0.3, using: &generator)
        )
      })
  }

  private func expectSame(_ positions: [(latitude: Double, longitude: Double)]) throws {
    for (position, place) in zip(positions, try index.reverse(positions)) {
      let single = try index.reverse(latitude: position.latitude, longitude: position.longitude)
      #expect(place.latitude == position.latitude && place.longitude == single.longitude)
      #expect(place.countryCode == single.countryCode && place.locality == single.locality)
      #expect(place.city == single.city && place.admin1 == single.admin1 && place.seaName == single.seaName)
      #expect(place.offCoastOf == single.offCoastOf && place.confidence == single.confidence)
    }
  }

  @Test(
    "A coordinate that isn't on Earth is refused.",
    arguments: [(90.1, 0), (.nan, 0), (0, .infinity)] as [(Double, Double)])
  func offEarth(latitude: Double, longitude: Double) {
    for error in [
      #expect(throws: GeoIndexError.self) { try index.reverse(latitude: latitude, longitude: longitude) },
      #expect(throws: GeoIndexError.self) { try index.zones(latitude: latitude, longitude: longitude) },
      #expect(throws: GeoIndexError.self) { try index.reverse([(latitude: latitude, longitude: longitude)]) },
    ] {
      #expect(error?.code == .badCoordinate)
    }
  }

  @Test("Tasks and clients with MetaTag's coordinates get the same answers.")
  func bridges() async throws {
    let kyoto = try #require(Coordinate(latitude: 35.0116, longitude: 135.7681))
    func blocking() throws -> PositionInfo { try index.reverse([(35.0116, 135.7681)])[0] }
    #expect(try await index.reverse([(35.0116, 135.7681)])[0] == blocking())
    #expect(try index.reverse(kyoto) == blocking())
    #expect(try index.zone(at: kyoto)?.description == "Asia/Tokyo")
    let near = try index.near(kyoto, within: 2_000, limit: 3)
    #expect(
      near.map(\.place)
        == (try index.near(latitude: 35.0116, longitude: 135.7681, within: 2_000, limit: 3).map(\.place)))
    #expect(near.count == 3 && near[2].distance <= 2_000)
    let namer = try index.namer()
    let names = PlaceNames(try namer.names(of: Location(kyoto)))
    #expect(names.country == "Japan" && names.countryCode == "JP" && names.state == "Kyoto" && names.city == "Kyoto")
    var query = PlaceQuery("Paris")
    query.near = PlaceQuery.Position(kyoto)
    #expect(try await index.results(of: query).first?.place.countryCode == "FR")
  }

  @Test("Nearby places are sorted by distance, also across the 180° meridian.")
  func near() throws {
    let places = try index.near(latitude: -16.8, longitude: 180, within: 300_000, limit: .max)
    #expect(places.map(\.distance) == places.map(\.distance).sorted())
    #expect(places.contains { $0.place.longitude > 0 } && places.contains { $0.place.longitude < 0 })
    #expect(places.allSatisfy { $0.distance <= 300_000 })
    #expect(try index.near(latitude: -16.8, longitude: 180, within: 300_000, limit: 1) == Array(places.prefix(1)))
    let capitals = try index.near(latitude: 48, longitude: 16, within: 80_000, kinds: [.capital], limit: 5)
    #expect(capitals.map(\.place.name) == ["Vienna"])
    #expect(try index.near(latitude: 0, longitude: -140, within: 1_000, limit: 5).isEmpty)
  }

  @Test(
    "Nearby places may be of every kind.",
    arguments: [
      (35.7720, 140.3929, Place.Kind.airport, "Narita International Airport"), (48.2, 16.4, .capital, "Vienna"),
      (35.0, 135.75, .admin1, "Kyoto"), (43.74, 7.42, .country, "Monaco"), (35.0, 135.75, .city, "Kyoto"),
    ] as [(Double, Double, Place.Kind, String)])
  func nearKinds(latitude: Double, longitude: Double, kind: Place.Kind, name: String) throws {
    let places = try index.near(latitude: latitude, longitude: longitude, within: 60_000, kinds: [kind], limit: .max)
    #expect(places.allSatisfy { $0.place.kind == kind } && places.contains { $0.place.name == name })
    let all = try index.near(latitude: latitude, longitude: longitude, within: 60_000, limit: .max)
    #expect(all.filter { $0.place.kind == kind } == places)
  }
}
