import GeoIndex
import Testing

@Suite("Locations near a region's border")
struct ContestedRegionTests {
  static let right: [(Double, Double, String)] = [
    (45.4236, -75.7009, "-, Ottawa, Ontario, CA"), (49.999, 8.274, "-, Mainz, Rheinland-Pfalz, DE"),
    (50.0077, 8.2826, "-, Kastel, Hesse, DE"), (39.1031, -84.512, "-, Cincinnati, Ohio, US"),
    (39.0837, -84.5086, "-, Covington, Kentucky, US"), (33.4418, -94.06, "-, Texarkana, Texas, US"),
    (33.43, -94.03, "-, Texarkana, Arkansas, US"), (38.8895, -77.0502, "-, Washington, Washington, D.C., US"),
    (40.7033, -74.017, "-, New York City, New York, US"), (39.9259, -75.1196, "-, Camden, New Jersey, US"),
    (33.9577, 130.9415, "-, Shimonoseki, Yamaguchi, JP"), (33.88, 130.88, "-, Kitakyushu, Fukuoka, JP"),
    (50.8949, 4.3415, "Jette, Brussels, Brussels Capital, BE"),
    // Listed parts.
    (25.185, 55.2697, "Business Bay, Dubai, Dubai, AE"), (45.458, 12.353, "Murano, Venice, Veneto, IT"),
    (45.535, -73.51, "Le Vieux-Longueuil, Longueuil, Quebec, CA"), (45.45, -75.74, "Hull, Gatineau, Quebec, CA"),
    // A part of a city is in the country of the rest; if the border says another region, it isn't used there.
    (22.217, 113.553, "Nossa Senhora de Fátima, Macau, -, MO"), (22.2266, 113.553, "-, -, Guangdong, CN"),
  ]

  private func line(_ names: PlaceNamer.Names) -> String {
    [names.sublocation, names.city, names.state, names.countryCode].map { $0 ?? "-" }.joined(separator: ", ")
  }

  @Test("A location is in the region on which border and towns agree.", arguments: right)
  func agreed(latitude: Double, longitude: Double, wanted: String) throws {
    let names = try WholeGazetteer.index().namer().names(latitude: latitude, longitude: longitude)
    #expect(line(names) == wanted)
  }

  @Test(
    "A location is only in the country if border and towns disagree.",
    arguments: [
      (50.002, 8.279, "DE"), (39.096, -84.510, "US"), (40.7167, -74.033, "US"), (38.8719, -77.0563, "US"),
      (38.8512, -77.0402, "US"), (39.9446, -75.131, "US"), (33.9460, 130.9620, "JP"), (45.4286, -75.7133, "CA"),
    ])
  func contested(latitude: Double, longitude: Double, country: String) throws {
    let names = try WholeGazetteer.index().namer(language: "en").names(latitude: latitude, longitude: longitude)
    #expect(line(names) == "-, -, -, \(country)")
    #expect(names.distance == nil)
  }

  @Test(
    "All of Hong Kong is one city, whatever the district.", arguments: [(22.2855, 114.1577), (22.2953, 114.1722)])
  func wholeCountry(latitude: Double, longitude: Double) throws {
    let names = try WholeGazetteer.index().namer().names(latitude: latitude, longitude: longitude)
    #expect(names.city == "Hong Kong")
  }

  @Test(
    "A location is in the place that it is named after, and in no other.",
    arguments: [
      ("Ottawa", 45.4236, -75.7009, true), ("Ontario, Canada", 45.4236, -75.7009, true),
      ("Quebec, Canada", 45.4236, -75.7009, false), ("Washington, District of Columbia", 38.8719, -77.0563, false),
      ("Kentucky", 39.096, -84.510, false), ("Canada", 45.4286, -75.7133, true),
    ])
  func inside(name: String, latitude: Double, longitude: Double, wanted: Bool) throws {
    let index = try WholeGazetteer.index()
    guard case .one(let place) = try index.resolve(name) else {
      Issue.record("\(name) is not clear")
      return
    }
    #expect(try index.namer().isIn(place, latitude: latitude, longitude: longitude) == wanted)
  }
}
