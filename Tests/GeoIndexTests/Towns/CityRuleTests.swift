import Foundation
import Testing

@testable import GeoIndex

@Suite("City of a location")
struct CityRuleTests {
  /// Well-known locations: the city, and the beginning of the part's name (`-`: none; nil: any).
  static let known: [(String, Double, Double, city: String, part: String?)] = [
    ("Eiffel Tower", 48.8584, 2.2945, "Paris", "Paris 07"),
    ("Heathrow", 51.47, -0.4543, "London", "-"),
    ("Potsdam center", 52.3989, 13.0657, "Potsdam", nil),
    ("LAX", 33.9416, -118.4085, "Los Angeles", nil),
    ("Pyramids", 29.9792, 31.1342, "Giza", nil), ("Haneda", 35.5494, 139.7798, "Tokyo", nil),
    ("Miami Beach", 25.7907, -80.1300, "Miami Beach", nil), ("Oxford", 51.7548, -1.2544, "Oxford", nil),
    ("Sanssouci", 52.4042, 13.0385, "Potsdam", nil),
    ("Babelsberg", 52.3937, 13.0910, "Potsdam", nil),
    ("Senso-ji", 35.7148, 139.7967, "Tokyo", "Asakusa"),
    ("Hasseldieksdamm", 54.31589, 10.06926, "Kiel", nil),
    ("Central Park", 40.7829, -73.9654, "New York City", nil),
    ("Whitechapel", 51.5165, -0.0690, "London", "Whitechapel"),
    ("Sacré-Coeur", 48.8867, 2.3431, "Paris", "Paris 18"),
    ("Louvre", 48.8606, 2.3376, "Paris", "Paris 01"),
    ("Notre-Dame", 48.8530, 2.3499, "Paris", "Paris 04"),
    ("Luxembourg", 48.8462, 2.3371, "Paris", "Paris 06"),
    ("Arc de Triomphe", 48.8738, 2.2950, "Paris", "Paris"),
    ("Versailles palace", 48.8049, 2.1204, "Versailles", "-"),
    ("La Défense", 48.8922, 2.2370, "Puteaux", nil),
    ("Trocadéro", 48.8628, 2.2875, "Paris", "Paris 16"),
    ("Brooklyn Bridge", 40.7061, -73.9969, "New York City", nil),
    ("JFK", 40.6413, -73.7781, "New York City", nil),
    ("Penn Station", 40.7505, -73.9934, "New York City", nil),
    ("Big Ben", 51.5007, -0.1246, "London", nil),
    ("Greenwich", 51.4769, -0.0005, "London", nil),
    ("Wembley stadium", 51.5560, -0.2796, "London", nil),
    ("Windsor castle", 51.4839, -0.6044, "Windsor", "-"),
    ("Offenbach", 50.1055, 8.7622, "Offenbach", nil),
    ("Frankfurt", 50.1109, 8.6821, "Frankfurt am Main", nil),
    ("Fürth", 49.4771, 10.9887, "Fürth", nil),
    ("Nuremberg castle", 49.4577, 11.0760, "Nuremberg", nil),
    ("Leverkusen", 51.0459, 6.9853, "Leverkusen", nil),
    ("Cologne Cathedral", 50.9413, 6.9583, "Köln", nil),
    ("Oberhausen", 51.4696, 6.8517, "Oberhausen", nil),
    ("Brandenburg gate", 52.5163, 13.3777, "Berlin", nil),
    ("Olympiastadion", 52.5050, 13.2390, "Berlin", nil),
    ("Hamburg", 53.5503, 9.9937, "Hamburg", nil),
    ("Altona", 53.5600, 9.9000, "Hamburg", nil),
    ("Marienplatz", 48.1374, 11.5755, "Munich", nil),
    ("Olympiapark", 48.1755, 11.5518, "Munich", nil),
    ("Schönbrunn", 48.1845, 16.3122, "Vienna", nil),
    ("Prater", 48.2166, 16.3958, "Vienna", nil),
    ("Prague Castle", 50.0910, 14.4016, "Prague", nil),
    ("Buda Castle", 47.5030, 19.0340, "Budapest", nil),
    ("Colosseum", 41.8902, 12.4922, "Rome", nil),
    ("Trastevere", 41.8897, 12.4694, "Rome", nil),
    ("Sagrada Família", 41.4036, 2.1744, "Barcelona", nil),
    ("Camp Nou", 41.3809, 2.1228, "Barcelona", nil),
    ("L'Hospitalet", 41.3597, 2.0997, "L'Hospitalet de Llobregat", nil),
    ("Cristo", -22.9519, -43.2105, "Rio de Janeiro", nil),
    ("Copacabana", -22.9711, -43.1823, "Rio de Janeiro", nil),
    ("Gion", 35.0037, 135.7751, "Kyoto", nil),
    ("Fushimi Inari", 34.9671, 135.7727, "Kyoto", nil),
    ("Tokyo Tower", 35.6586, 139.7454, "Tokyo", nil),
    ("Shibuya crossing", 35.6595, 139.7005, "Tokyo", nil),
    ("Yokohama", 35.4437, 139.6380, "Yokohama", nil),
    ("Santa Monica pier", 34.0100, -118.4962, "Santa Monica", "-"),
    ("Hollywood", 34.1015, -118.3265, "Los Angeles", "Hollywood"),
    ("Beverly Hills", 34.0736, -118.4004, "Beverly Hills", nil),
    ("Golden Gate", 37.8199, -122.4783, "San Francisco", nil),
    ("Oakland", 37.8044, -122.2712, "Oakland", "-"),
    ("Harvard", 42.3744, -71.1169, "Cambridge", nil),
    ("Washington monument", 38.8895, -77.0353, "Washington", nil),
    ("Bean", 41.8826, -87.6226, "Chicago", nil),
    ("Opera", -33.8568, 151.2153, "Sydney", nil),
    ("Forbidden City", 39.9163, 116.3972, "Beijing", nil),
    ("Pudong", 31.2397, 121.4998, "Shanghai", nil),
    ("Kremlin", 55.7520, 37.6175, "Moscow", nil),
    ("Hermitage", 59.9398, 30.3146, "Saint Petersburg", nil),
    ("Hagia Sophia", 41.0054, 28.9768, "Istanbul", nil),
    ("Acropolis", 37.9715, 23.7257, "Athens", nil),
    ("Piraeus", 37.9430, 23.6469, "Piraeus", nil),
    ("Rijksmuseum", 52.3600, 4.8852, "Amsterdam", nil),
    ("Florence", 43.7696, 11.2558, "Florence", nil),
    ("San Marco", 45.4343, 12.3388, "Venice", nil),
    ("Belém", 38.6916, -9.2160, "Lisbon", nil),
    ("Pena", 38.7975, -9.3904, "Sintra", nil),
    ("Villeurbanne", 45.7676, 4.8790, "Villeurbanne", nil),
    ("Greenwich O2", 51.4934, 0.0098, "London", nil),
    ("Edinburgh castle", 55.9486, -3.1999, "Edinburgh", nil),
    ("Zócalo", 19.4326, -99.1332, "Mexico City", nil),
    ("Coyoacán", 19.3545, -99.1620, "Mexico City", nil),
    ("La Boca", -34.6345, -58.3631, "Buenos Aires", nil),
    ("Gyeongbokgung", 37.5796, 126.9770, "Seoul", nil),
    ("Grand palace", 13.7500, 100.4913, "Bangkok", nil),
    ("Marina bay", 1.2834, 103.8607, "Singapore", nil),
    ("Central", 22.2855, 114.1577, "Hong Kong", nil),
    ("Tsim Sha Tsui", 22.2953, 114.1722, "Hong Kong", nil),
    ("Opera", 59.9075, 10.7531, "Oslo", nil),
    ("HB", 47.3769, 8.5417, "Zürich", nil),
    ("Geneva", 46.2044, 6.1432, "Geneva", nil),
    ("Hannover", 52.3702, 9.7332, "Hannover", nil),
    ("Düsseldorf", 51.2277, 6.7735, "Düsseldorf", nil),
    ("Neuss", 51.1982, 6.6930, "Neuss", nil),
    ("Grand place", 50.8467, 4.3525, "Brussels", nil),
    ("Dortmund", 51.5136, 7.4653, "Dortmund", nil),
    ("Ulm", 48.4011, 9.9876, "Ulm", nil),
    ("Neu-Ulm", 48.3928, 10.0098, "Neu-Ulm", nil),
  ]

  @Test("The city is the one that contains the location, whatever center is nearest.", arguments: known)
  func cities(name: String, latitude: Double, longitude: Double, city: String, part: String?) throws {
    let names = try WholeGazetteer.index().namer().names(latitude: latitude, longitude: longitude)
    #expect(names.city == city, "\(name)")
    switch part {
    case nil: break
    case "-"?: #expect(names.sublocation == nil, "\(name)")
    case let beginning?: #expect(names.sublocation?.hasPrefix(beginning) == true, "\(name): \(names)")
    }
  }

  @Test(
    "In Paris the arrondissement is the right one, also across the river.",
    arguments: [
      (48.8584, 2.2945, "07"), (48.8625, 2.2875, "16"), (48.8530, 2.3499, "04"), (48.8600, 2.3266, "07"),
      (48.8637, 2.3275, "01"), (48.8660, 2.3125, "08"), (48.8443, 2.3744, "12"), (48.8335, 2.3757, "13"),
      (48.8421, 2.3220, "15"), (48.8338, 2.3325, "14"), (48.8462, 2.3461, "05"), (48.8500, 2.2800, "1"),
      (48.8841, 2.3323, "18"), (48.8720, 2.3316, "09"), (48.8809, 2.3553, "10"), (48.8614, 2.3933, "20"),
      (48.8935, 2.3890, "19"), (48.8610, 2.3185, "07"), (48.8647, 2.3010, "08"),
    ])
  func arrondissements(latitude: Double, longitude: Double, number: String) throws {
    let names = try WholeGazetteer.index().namer().names(latitude: latitude, longitude: longitude)
    #expect(names.city == "Paris")
    #expect(names.sublocation?.hasPrefix("Paris \(number)") == true, "\(names)")
  }

  @Test(
    "English names are the established ones.",
    arguments: [
      (50.9413, 6.9583, "Cologne, North Rhine-Westphalia"), (50.0875, 14.4213, "Prague, Prague"),
      (48.1374, 11.5755, "Munich, Bavaria"), (48.2085, 16.3721, "Vienna, Vienna"),
      (59.9343, 30.3351, "Saint Petersburg, Saint Petersburg"), (43.7696, 11.2558, "Florence, Tuscany"),
      (45.4064, 11.8768, "Padua, Veneto"), (40.7484, -73.9857, "New York, New York"),
      (47.0502, 8.3093, "Lucerne, Canton of Lucerne"), (51.2093, 3.2247, "Bruges, Flemish Region"),
      (49.7477, 13.3776, "Pilsen, Pilsen Region"), (44.4268, 26.1025, "Bucharest, Bucharest"),
    ])
  func english(latitude: Double, longitude: Double, wanted: String) throws {
    for language in ["en", "en-GB"] {
      let names = try WholeGazetteer.index().namer(language: language).names(latitude: latitude, longitude: longitude)
      #expect("\(names.city ?? ""), \(names.state ?? "")" == wanted, "\(language)")
    }
  }

  @Test(
    "A place's names don't include those of places within it.",
    arguments: [
      ("Kyoto", "-, Kyoto, Kyoto, Japan, JP"), ("Japan", "-, -, -, Japan, JP"),
      ("Bavaria", "-, -, Bavaria, Germany, DE"),
      ("Hollywood, California", "Hollywood, Los Angeles, California, United States, US"),
    ])
  func ofPlaces(text: String, wanted: String) throws {
    let index = try WholeGazetteer.index()
    guard case .one(let place) = try index.resolve(text) else { throw CocoaError(.featureUnsupported) }
    let names = try index.namer().names(of: place)
    let fields = [names.sublocation, names.city, names.state, names.country, names.countryCode]
    #expect(fields.map { $0 ?? "-" }.joined(separator: ", ") == wanted)
  }

  @Test(
    "A country's code is found by its name in any language.",
    arguments: [("Germany", "DE"), ("Deutschland", "DE"), ("日本", "JP"), ("Narnia", nil), ("Kyoto", nil)]
      as [(String, String?)])
  func countries(name: String, code: String?) throws {
    #expect(try WholeGazetteer.index().countryCode(named: name) == code)
  }

  @Test("A country's name identifies its language.")
  func languages() throws {
    let index = try WholeGazetteer.index()
    #expect(index.languages(calling: "Frankreich", country: "FR").contains("de"))
    #expect(index.languages(calling: "Frankreich", country: "DE").isEmpty)
  }

  @Test(
    "An invalid table is refused.",
    arguments: [
      "region\tDE.16", "region\tDE.16\tBerlin", "radius\t1\t-5", "part\t1\t2\t48.8", "part\t1\t2\t95,2", "towns\t1",
      "county\tGB.ENG\tGreater London\tx",
    ])
  func badTable(line: String) {
    #expect(throws: GeoIndexError.self) { try CityTable("# a remark\n\nregion\tDE.16\t2950159\n\(line)\n") }
  }

  @Test("Everything that the shipped table names is in the gazetteer.")
  func shippedTable() throws {
    let geography = try WholeGazetteer.index().geography
    let ids = Set(geography.towns.records.map { Int64($0.id) })
    let codes = Set(geography.towns.regions.map { $0[1] } + geography.towns.regions.map { $0[0] })
    let table = try CityTable(String(contentsOf: Self.tableFile, encoding: .utf8))
    #expect(
      table.regions.keys.allSatisfy { codes.contains($0) } && table.regions.values.allSatisfy { ids.contains($0) })
    #expect(table.counties.values.joined().allSatisfy { ids.contains($0.city) })
    #expect(table.radii.keys.allSatisfy { ids.contains($0) })
    #expect(table.parts.allSatisfy { ids.contains($0.city) && ids.contains($0.part) })
  }

  private static let tableFile = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/GeoIndex/Resources/borders/cities.tsv").standardizedFileURL
}
