import Foundation

/// Decides in which city a position lies, and in which part of it: what contains it first, the nearest centre last.
///
/// 1. The region or the country, where all of it is one city (Berlin, Singapore), by its border.
/// 2. The county or the municipality of the town one would name, where that is the city's (Greater London), or a part
///    that is listed.
/// 3. The city whose centre is nearest in proportion to its size: cities have about as much room as people.
/// 4. The town one would name.
struct CityRule: Sendable {
  private let geography: Geography
  /// The codes of regions that have a name, by their numbers; of others none.
  private let codes: [String]
  /// Numbers of towns.
  private let cities: [String: Int]
  private let counties: [String: [(ending: String, city: Int)]]
  private let municipalities: [Municipality: Int]
  private let radii: [Int: Double]
  /// The city of each listed part.
  private let cityOfPart: [Int: Int]
  /// The listed parts of each city.
  private let parts: [Int: [(part: Int, point: Point)]]

  private struct Municipality: Hashable {
    let region: UInt16
    let county: UInt16
  }

  /// A town, and the part of it where the position is. Both are numbers of towns.
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
    var parts: [Int: [(part: Int, point: Point)]] = [:]
    for entry in table.parts {
      guard let city = numbers[entry.city], let part = numbers[entry.part] else { continue }
      cityOfPart[part] = city
      parts[city, default: []] += entry.points.map { (part, $0) }
    }
    (self.cityOfPart, self.parts) = (cityOfPart, parts)
  }

  /// The city and its part at a place; nil where no town may be named.
  /// - Parameters:
  ///   - place: with towns of its region only.
  ///   - locality: the town one would name; nil where none is near enough.
  ///   - isQuarter: whether a town is known to be a part of another one.
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
    func least(from point: Point, _ isWanted: (Int) -> Bool = { _ in true }) -> Int? {
      towns.lazy.filter(isWanted).map { (share: share(point, $0), town: $0) }.min { $0.share < $1.share }?.town
    }
    // The city that a town lies in the middle of, or itself. Whether a town of more people is a part of another isn't
    // known otherwise.
    func whole(of town: Int) -> Int {
      let centre = geography.towns.records[town].centre
      let city = least(from: centre) { $0 != town && isMuchSmaller(town, than: $0) }
      guard let city, share(centre, city) <= (people(town) < 15_000 ? 0.75 : 0.35) else { return town }
      return city
    }
    guard let city = least(from: place.point), city != locality else {
      return answer(in: whole(of: locality), place.point, locality)
    }
    let near = share(place.point, city)
    if isQuarter(locality), fits(locality, city), near <= 2 {
      let city = whole(of: city)
      // Of half a city one is sure only round its middle.
      let isSure =
        people(city) >= 5 * people(locality) || distance(place.point, locality) * 2 < distance(place.point, city)
      return answer(in: city, place.point, isSure ? locality : nil)
    }
    guard people(city) >= 5 * people(locality), near <= 1 else { return Answer(city: locality, part: nil) }
    let isPart =
      isMuchSmaller(locality, than: city) && share(geography.towns.records[locality].centre, city) <= 1
    return answer(in: whole(of: city), place.point, isPart ? locality : nil)
  }

  private func isMuchSmaller(_ town: Int, than city: Int) -> Bool {
    people(city) >= 5 * people(town) && fits(town, city)
  }

  /// Metres from a city's centre within which its region is called so.
  private static let farthest = 60_000.0

  private func answer(in city: Int, _ point: Point, _ locality: Int?) -> Answer {
    let listed = parts[city]?.min { GreatCircle.distance($0.point, point) < GreatCircle.distance($1.point, point) }
    let part = listed?.part ?? locality
    return Answer(city: city, part: part == city ? nil : part)
  }

  private func listedCity(of town: Int, in region: String) -> Int? {
    if let city = cityOfPart[town] { return city }
    guard let listed = counties[region], let county = county(of: town) else { return nil }
    return listed.first { county.hasSuffix($0.ending) }?.city
  }

  /// The town that the municipality of another is called after, if that reaches here.
  private func municipality(of town: Int, _ point: Point) -> Int? {
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

  /// How far a place is from the town of each region that fits best, in parts of the way to its edge. Only towns that
  /// reach the place, or nearly so, count.
  func shares(of regions: Set<String>, at place: PositionInfo, isQuarter: (Int) -> Bool) -> [String: Double] {
    let towns = towns(near: place, regions, withParts: true, isQuarter: isQuarter)
    return Dictionary(
      towns.map { (codes[Int(geography.towns.sites[$0].region)], share(place.point, $0)) }, uniquingKeysWith: min)
  }

  /// The towns of regions that reach a point, or nearly so, and are no parts of others as far as that is known.
  /// - Parameter withParts: those that are listed as parts, too.
  private func towns(
    near place: PositionInfo, _ regions: Set<String>, withParts: Bool = false, isQuarter: (Int) -> Bool
  ) -> [Int] {
    let (towns, country) = (geography.towns, place.answer.spot.country)
    let (sites, lists) = (towns.sites.values, towns.grid.lists.values)
    let (cell, here) = (Lattice(place.point), GreatCircle.vector(place.point))
    let width = 1 / max(0.05, cos(place.latitude * .pi / 180))
    let scale = Float(GreatCircle.radius * GreatCircle.radius)
    var (found, seen): ([Int], [Int]) = ([], [])
    // Lists have what may be named in a cell, and a city may be named in its middle only.
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

  /// Square metres for each inhabitant, in the circle that a city may be named in: four times what it takes up.
  private static let reach: Float = 4 * 80

  /// Steps in hundred-thousandths of degrees, each 1.1 m.
  private static let around: [(Int, Int)] =
    [(0, 0)]
    + [2_700, 6_300, 11_000].flatMap { far in
      let near = far * 7 / 10
      return [
        (far, 0), (near, near), (0, far), (-near, near), (-far, 0), (-near, -near), (0, -far), (near, -near),
      ]
    }

  /// The distance of a point from a town's centre, in parts of the way to its edge: 4,000 people live on a square
  /// kilometre of a city.
  private func share(_ point: Point, _ town: Int) -> Double {
    distance(point, town) / (radii[town] ?? 8.92 * max(people(town), 500).squareRoot())
  }

  private func distance(_ point: Point, _ town: Int) -> Double {
    GreatCircle.distance(point, geography.towns.records[town].centre)
  }

  private func people(_ town: Int) -> Double { Double(max(1, geography.towns.records[town].population)) }

  /// Whether one may be in the other as far as counties tell.
  private func fits(_ town: Int, _ city: Int) -> Bool {
    guard let own = county(of: town), let other = county(of: city) else { return true }
    return own == other
  }
}
