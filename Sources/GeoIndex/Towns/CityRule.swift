import Basics
import Foundation

/// Decides which city a position lies in, and which part of it. Containment comes first, the nearest center last.
///
/// 1. The region or the country, by its border, if all of it is one city (Berlin, Singapore).
/// 2. The county or municipality of the locality, if that belongs to the city (Greater London), or a listed part.
/// 3. The city whose center is nearest in proportion to its size: the area of cities grows roughly with their
///    population.
/// 4. The locality itself.
struct CityRule: Sendable {
  private let geography: Geography
  /// The codes of regions that have a name, by their numbers; empty for others.
  private let codes: [String]
  /// The cities, as town numbers.
  private let cities: [String: Int]
  private let counties: [String: [(ending: String, city: Int)]]
  private let municipalities: [Municipality: Int]
  private let radii: [Int: Double]
  /// The city of each listed part.
  private let cityOfPart: [Int: Int]
  /// The listed parts of each city.
  private let parts: [Int: [(part: Int, point: Coordinate)]]

  private struct Municipality: Hashable {
    let region: UInt16
    let county: UInt16
  }

  /// A town, and the part of it that contains the position. Both are town numbers.
  struct Answer {
    var city: Int
    var part: Int?
  }

  init(_ geography: Geography, _ table: CityTable) {
    let towns = geography.towns
    let wanted = Set(
      table.regions.values.map(\.self) + table.counties.values.joined().map(\.city) + table.radii.keys
        + table.parts.flatMap { [$0.city, $0.part] })
    var numbers: [Int64: Int] = [:]
    var municipalities: [Municipality: Int] = [:]
    let isMunicipal = towns.regions.map { table.municipalities.contains($0[0]) }
    for (number, record) in towns.records.enumerated() {
      let id = Int64(record.id)
      if wanted.contains(id) { numbers[id] = number }
      let (region, county) = (towns.sites[number].region, towns.counties[number])
      guard isMunicipal[Int(region)], Int(county) < towns.countyNames.count else { continue }
      let key = Municipality(region: region, county: county)
      if municipalities[key].map({ towns.records[$0].population < record.population }) ?? true {
        municipalities[key] = number
      }
    }
    self.geography = geography
    self.municipalities = municipalities
    codes = towns.regions.map { $0.count > 2 ? $0[1] : "" }
    cities = table.regions.compactMapValues { numbers[$0] }
    counties = table.counties.mapValues { list in
      list.compactMap { ending, city in numbers[city].map { (ending, $0) } }
    }
    radii = Dictionary(uniqueKeysWithValues: table.radii.compactMap { id, metres in numbers[id].map { ($0, metres) } })
    var cityOfPart: [Int: Int] = [:]
    var parts: [Int: [(part: Int, point: Coordinate)]] = [:]
    for entry in table.parts {
      guard let city = numbers[entry.city], let part = numbers[entry.part] else { continue }
      cityOfPart[part] = city
      parts[city, default: []] += entry.points.map { (part, $0) }
    }
    (self.cityOfPart, self.parts) = (cityOfPart, parts)
  }

  /// Returns the city and its part at a position; nil if no town should be named.
  /// - Parameters:
  ///   - place: The position, with towns of its region only.
  ///   - locality: The locality; nil if no town is near enough.
  ///   - isQuarter: Whether a town is known to be a part of another one.
  func answer(_ place: PositionInfo, locality: Int?, isQuarter: (Int) -> Bool) -> Answer? {
    let code = place.admin1?.code ?? ""
    if let city = cities[code] ?? cities[place.countryCode ?? ""], distance(place.point, city) <= Self.farthest {
      return answer(in: city, place.point, locality)
    }
    guard let locality else { return nil }
    if let city = listedCity(of: locality, in: code) ?? municipality(of: locality, place.point) {
      return answer(in: city, place.point, locality)
    }
    let towns = towns(near: place, [code], isQuarter: isQuarter)
    func least(from point: Coordinate, _ isWanted: (Int) -> Bool = { _ in true }) -> Int? {
      towns.lazy.filter(isWanted).map { (share: share(point, $0), town: $0) }.min { $0.share < $1.share }?.town
    }
    // Returns the city in whose middle a town lies, or the town itself. It isn't known otherwise whether a town of more
    // people is a part of another.
    func whole(of town: Int) -> Int {
      let center = geography.towns.records[town].center
      let city = least(from: center) { $0 != town && isMuchSmaller(town, than: $0) }
      guard let city, share(center, city) <= (people(town) < 15_000 ? 0.75 : 0.35) else { return town }
      return city
    }
    guard let city = least(from: place.point), city != locality else {
      return answer(in: whole(of: locality), place.point, locality)
    }
    let near = share(place.point, city)
    if isQuarter(locality), fits(locality, city), near <= 2 {
      let city = whole(of: city)
      // A part with more than a fifth of the people of its city is certain only near its own center.
      let isSure =
        people(city) >= 5 * people(locality) || distance(place.point, locality) * 2 < distance(place.point, city)
      return answer(in: city, place.point, isSure ? locality : nil)
    }
    guard people(city) >= 5 * people(locality), near <= 1 else { return Answer(city: locality, part: nil) }
    let isPart =
      isMuchSmaller(locality, than: city) && share(geography.towns.records[locality].center, city) <= 1
    return answer(in: whole(of: city), place.point, isPart ? locality : nil)
  }

  private func isMuchSmaller(_ town: Int, than city: Int) -> Bool {
    people(city) >= 5 * people(town) && fits(town, city)
  }

  /// The distance in metres from a city's center within which its region counts as that city.
  private static let farthest = 60_000.0

  private func answer(in city: Int, _ point: Coordinate, _ locality: Int?) -> Answer {
    let listed = parts[city]?.min { $0.point.haversineDistance(to: point) < $1.point.haversineDistance(to: point) }
    let part = listed?.part ?? locality
    return Answer(city: city, part: part == city ? nil : part)
  }

  private func listedCity(of town: Int, in region: String) -> Int? {
    if let city = cityOfPart[town] { return city }
    guard let listed = counties[region], let county = county(of: town) else { return nil }
    return listed.first { county.hasSuffix($0.ending) }?.city
  }

  /// Returns the town after which the municipality of another town is named, if it reaches the position.
  private func municipality(of town: Int, _ point: Coordinate) -> Int? {
    let towns = geography.towns
    guard let name = county(of: town),
      let city = municipalities[Municipality(region: towns.sites[town].region, county: towns.counties[town])],
      city != town, share(point, city) <= 1.25, people(city) >= 5 * people(town)
    else { return nil }
    func words(_ text: String) -> [String] {
      text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil).split { !$0.isLetter }
        .map(String.init)
    }
    let (own, whole) = (words(towns.name(of: city)), words(name))
    return !own.isEmpty && whole.starts(with: own) || whole.dropFirst().elementsEqual(own) ? city : nil
  }

  private func county(of town: Int) -> String? {
    let number = Int(geography.towns.counties[town])
    return number < geography.towns.countyNames.count ? geography.towns.countyNames[number] : nil
  }

  /// Whether all of a country is one city.
  func isOneCity(_ country: String?) -> Bool { country.map { cities[$0] != nil } ?? false }

  /// Returns, for each region, the relative distance to the best town: the fraction of the way from its center to its
  /// edge. Only towns that reach the position, or nearly so, count.
  func shares(of regions: Set<String>, at place: PositionInfo, isQuarter: (Int) -> Bool) -> [String: Double] {
    let towns = towns(near: place, regions, withParts: true, isQuarter: isQuarter)
    return Dictionary(
      towns.map { (codes[Int(geography.towns.sites[$0].region)], share(place.point, $0)) }, uniquingKeysWith: min)
  }

  /// Returns the towns of given regions that reach a position, or nearly so, and are not known to be parts of others.
  /// - Parameter withParts: Whether listed parts are included.
  private func towns(
    near place: PositionInfo, _ regions: Set<String>, withParts: Bool = false, isQuarter: (Int) -> Bool
  ) -> [Int] {
    let (towns, country) = (geography.towns, place.answer.spot.country)
    let (sites, lists) = (towns.sites.values, towns.grid.lists.values)
    let (cell, here) = (Lattice(place.point), place.point.singlePrecisionUnitVector)
    let width = 1 / max(0.05, cos(place.latitude * .pi / 180))
    let scale = Float(Coordinate.meanRadius * Coordinate.meanRadius)
    var (found, seen): ([Int], [Int]) = ([], [])
    // A list contains what can be named in its cell, but a city may be named in its middle only; so lists around are
    // used too.
    for (east, north) in Self.around {
      let list = towns.grid.list(of: cell.moved(Int(Double(east) * width), north))
      guard !seen.contains(list) else { continue }
      seen.append(list)
      for at in towns.candidates(in: list) {
        let number = Int(lists[at])
        let site = sites[number]
        let (dx, dy, dz) = (site.x - here.x, site.y - here.y, site.z - here.z)
        let square = (dx * dx + dy * dy + dz * dz) * scale
        let people = Float(max(towns.records[number].population, 500))
        guard square <= Self.reach * people, site.country == country, regions.contains(codes[Int(site.region)]),
          withParts || cityOfPart[number] == nil, !isQuarter(number)
        else { continue }
        found.append(number)
      }
    }
    return found
  }

  /// Square metres per inhabitant in the circle in which a city may be named: four times what the city occupies.
  private static let reach: Float = 4 * 80

  /// Offsets in hundred-thousandths of a degree, each 1.1 m.
  private static let around: [(Int, Int)] =
    [(0, 0)]
    + [2_700, 6_300, 11_000].flatMap { far in
      let near = far * 7 / 10
      return [
        (far, 0), (near, near), (0, far), (-near, near), (-far, 0), (-near, -near), (0, -far), (near, -near),
      ]
    }

  /// Returns the distance of a point from a town's center as a fraction of the distance to its edge, which assumes
  /// 4,000 people per square kilometre of a city.
  private func share(_ point: Coordinate, _ town: Int) -> Double {
    distance(point, town) / (radii[town] ?? CityParts.edge(people: Int(people(town))))
  }

  private func distance(_ point: Coordinate, _ town: Int) -> Double {
    point.haversineDistance(to: geography.towns.records[town].center)
  }

  private func people(_ town: Int) -> Double { Double(max(1, geography.towns.records[town].population)) }

  /// Whether one town can be in the other, as far as counties show.
  private func fits(_ town: Int, _ city: Int) -> Bool {
    guard let own = county(of: town), let other = county(of: city) else { return true }
    return own == other
  }
}

/// Facts about cities that the gazetteer lacks: `cities.tsv` next to the borders, a table that users may edit. The file
/// explains its format.
struct CityTable {
  /// The city that comprises a whole first-level region, by the region's code.
  private(set) var regions: [String: Int64] = [:]
  /// Endings of the names of a region's counties, and the city to which these counties belong.
  private(set) var counties: [String: [(ending: String, city: Int64)]] = [:]
  /// The countries whose counties are municipalities.
  private(set) var municipalities: Set<String> = []
  /// The distance in metres from the center to the edge, by GeoNames id.
  private(set) var radii: [Int64: Double] = [:]
  /// Parts of cities, with points spread over them.
  private(set) var parts: [(city: Int64, part: Int64, points: [Coordinate])] = []

  /// Parses the table.
  /// - Parameter text: The lines of the file.
  init(_ text: String) throws(GeoIndexError) {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where !line.isEmpty && line.first != "#" {
      guard take(line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)) else {
        throw GeoIndexError(.damagedGazetteer, "line \(index + 1) of cities.tsv next to the borders is invalid")
      }
    }
  }

  private mutating func take(_ fields: [String]) -> Bool {
    switch (fields[0], fields.count) {
    case ("region", 3):
      regions[fields[1]] = Int64(fields[2])
      return regions[fields[1]] != nil
    case ("county", 4):
      guard let city = Int64(fields[3]) else { return false }
      counties[fields[1], default: []].append((fields[2], city))
    case ("municipalities", 2): municipalities.insert(fields[1])
    case ("radius", 3):
      guard let city = Int64(fields[1]), let metres = Double(fields[2]), metres > 0 else { return false }
      radii[city] = metres
    case ("part", 3...):
      guard let city = Int64(fields[1]), let part = Int64(fields[2]) else { return false }
      let points = fields.dropFirst(3).map(Self.point)
      guard !points.contains(nil) else { return false }
      parts.append((city, part, points.compactMap(\.self)))
    default: return false
    }
    return true
  }

  private static func point(_ text: String) -> Coordinate? {
    let degrees = text.split(separator: ",").map { Double($0) }
    guard degrees.count == 2, let latitude = degrees[0], let longitude = degrees[1] else { return nil }
    return try? Coordinate(validating: latitude, longitude)
  }
}
