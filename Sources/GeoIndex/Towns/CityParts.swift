import Basics

/// The towns of a gazetteer that are parts of larger ones, although it doesn't say so: such as are listed in
/// `cities.tsv`, and such as lie in the middle of a town of five times as many people in their region. Potsdam is not a part
/// of Berlin, and Jersey City not one of New York.
struct CityParts {
  private var parts: Set<Int> = []

  func contains(_ index: Int) -> Bool { parts.contains(index) }

  /// Finds the parts.
  /// - Parameters:
  ///   - counties: The counties; nil if unknown.
  ///   - table: The cities whose parts are listed; nil if unknown.
  init(_ gazetteer: GazetteerFile, counties: Counties?, _ table: CityTable?) {
    let places = gazetteer.places
    let listed = Set(table?.parts.map(\.part) ?? [])
    func point(_ index: Int) -> Coordinate {
      Coordinate(latitudeE5: Int32(places.latitude[index]), longitudeE5: Int32(places.longitude[index]))
    }
    func county(_ index: Int) -> UInt16? { counties?.number(of: Int64(places.id[index])) }
    let isTown = places.classes.map { $0.isTown && $0 != .quarter }
    var cities: [SIMD2<Int>: [Int]] = [:]
    for index in places.classes.indices where isTown[index] && places.population[index] >= Self.leastCity {
      cities[Self.cell(point(index)), default: []].append(index)
    }
    for index in places.classes.indices where isTown[index] {
      let id = Int64(places.id[index])
      if listed.contains(id) || isInListedCounty(index, county(index), gazetteer, counties, table) {
        parts.insert(index)
        continue
      }
      let (people, center) = (max(places.population[index], 500), point(index))
      let most = people < 15_000 ? 0.75 : 0.35
      let (cell, region) = (Self.cell(center), places.region[index])
      let country = String(gazetteer.regions[region][0].prefix(2))
      let isInside = (-1...1).contains { y in
        (-1...1).contains { x in
          cities[cell &+ SIMD2(y, x)]?.contains { city in
            guard city != index, places.population[city] >= 5 * people, places.region[city] == region else {
              return false
            }
            var most = most
            if let own = county(index), let other = county(city) {
              if own != other { return false }
              // In the Netherlands, Scheveningen is in the municipality of The Hague.
              if table?.municipalities.contains(country) == true { most = 1.25 }
            }
            let edge = table?.radii[Int64(places.id[city])] ?? Self.edge(people: places.population[city])
            return point(city).haversineDistance(to: center) <= most * edge
          } ?? false
        }
      }
      if isInside { parts.insert(index) }
    }
  }

  private func isInListedCounty(
    _ index: Int, _ county: UInt16?, _ gazetteer: GazetteerFile, _ counties: Counties?, _ table: CityTable?
  ) -> Bool {
    guard let county, let counties, let table,
      let listed = table.counties[gazetteer.regions[gazetteer.places.region[index]][0]]
    else { return false }
    let name = counties.names[Int(county)]
    return listed.contains { name.hasSuffix($0.ending) && $0.city != Int64(gazetteer.places.id[index]) }
  }

  /// Returns the usual distance in metres from a city's center to its edge: 4,000 people live on a square kilometre.
  static func edge(people: Int) -> Double { 8.92 * Double(max(people, 500)).squareRoot() }

  /// Quarters of a degree.
  private static func cell(_ point: Coordinate) -> SIMD2<Int> {
    SIMD2(Int((point.latitude * 4).rounded(.down)), Int((point.longitude * 4).rounded(.down)))
  }

  /// The population of the smallest city that has parts.
  private static let leastCity = 50_000
}
