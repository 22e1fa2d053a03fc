import Basics
import Foundation

/// The places at a position: its country and time zone, and the town it is in or near.
///
/// It contains only what the gazetteer's borders and towns show; the rest is nil. Countries follow the time zones of
/// timezone-boundary-builder (OpenStreetMap) and tzdata's `zone.tab`, with three general rules: land of another country
/// within a zone belongs to that country; south of 60° S everything is `AQ`; and where zones overlap, the one that
/// `zone.tab` lists for the land's administration comes first. Zones that other maps may draw differently are listed in
/// `worldview.tsv` next to the borders, and can be changed there.
public struct PositionInfo: Sendable {
  /// Degrees north, -90...90, as passed to the query.
  public let latitude: Double
  /// Degrees east, greater than -180 and at most 180: full turns are removed.
  public let longitude: Double

  let geography: Geography
  let answer: Answer
  /// The time zones, if they were looked up with the rest.
  var zone: AreaSet?

  /// The result of a lookup: numbers only, so that millions of them need little memory and no reference counting.
  struct Answer {
    var found: Towns.Found
    var spot: Atlas.AreaInfo
  }

  /// A first-level region (state, province, prefecture).
  public struct Admin1: Sendable, Hashable {
    /// The name, mostly the English one.
    public let name: String
    /// The GeoNames code: `US.NY`, `JP.22`.
    public let code: String
  }

  /// A town, with its distance from the position.
  public struct Town: Sendable, Hashable, Identifiable {
    /// The GeoNames id.
    public let id: Int64
    /// The usual name, as GeoNames writes it: mostly the English one.
    public let name: String
    /// Degrees north, to five decimals.
    public let latitude: Double
    /// Degrees east, to five decimals.
    public let longitude: Double
    /// The number of inhabitants; 0 if unknown.
    public let population: Int
    /// The distance in metres between the position and the town's center.
    public let distance: Double
    /// The direction from the town to the position, in degrees clockwise from true north, 0..<360.
    public let bearing: Double
  }

  /// The two ISO 3166-1 letters of the country (also `XK`); nil on the high seas.
  public var countryCode: String? { answer.spot.country.letters }

  /// The IANA names of the time zones. If there are several (two administrations that keep different times), the
  /// official one comes first. On the high seas, the nautical zone (`Etc/GMT-9` is nine hours ahead).
  public var zones: [String] {
    geography.atlas.zoneNames(zone ?? geography.atlas.zone(Lattice(point)))
  }

  /// The town that people would name: it is near, although a larger one may be farther away, in the same country, and
  /// at most 50 km away.
  public var locality: Town? { town(answer.found.locality) }

  /// The city that contains the position, in the same country and region: the position is within its reach, which is
  /// 2 km from the center of a village and 40 km for a metropolis. If there are several, the larger one, unless another
  /// is closer by a greater factor.
  public var city: Town? { town(cityNumber(in: admin1)) }

  /// Returns `city`.
  /// - Parameters:
  ///   - admin1: The region, if the caller has it already.
  ///   - locality: The locality, which is often the city.
  package func city(in admin1: Admin1?, orLocality locality: Town?) -> Town? {
    let number = cityNumber(in: admin1)
    return number == answer.found.locality ? locality : town(number)
  }

  private func cityNumber(in admin1: Admin1?) -> UInt32 {
    let towns = geography.towns
    guard let admin1, let region = towns.admin1(of: answer.found.city), region.code != admin1.code else {
      return answer.found.city
    }
    return geography.towns(near: point, of: answer.spot.country) { towns.admin1(of: $0)?.code == admin1.code }.city
  }

  /// The first-level region: by its border if that is known, but within a town the region of that town, because borders
  /// are some hundred metres off. Otherwise the region of the nearest town.
  public var admin1: Admin1? {
    let near = regionOfLocality
    guard answer.spot.region != AreaSet.none else { return near }
    let fields = geography.atlas.regions.areas[Int(answer.spot.region)]
    guard fields.count > 2 else { return near }
    if let near, near.code != fields[1], isInsideLocality { return near }
    return Admin1(name: fields[2], code: fields[1])
  }

  /// Whether the position is so far inside the locality that the town's region is more reliable than the border: of
  /// airfields with a known region for which the two disagree, two thirds are then in the town's region; farther out
  /// the border is correct more often.
  private var isInsideLocality: Bool {
    metresToLocality <= Double(geography.towns.sites[Int(answer.found.locality)].radius) * 0.3
  }

  /// The second-level region (county, district, département) of the nearest town, if it is known and in the same
  /// region.
  public var county: String? { county(in: admin1) }

  /// Returns `county`.
  /// - Parameter admin1: The region, if the caller has it already.
  package func county(in admin1: Admin1?) -> String? {
    guard answer.found.locality != Towns.Found.none, let admin1 else { return nil }
    let (towns, town) = (geography.towns, Int(answer.found.locality))
    let region = towns.regions[Int(towns.sites[town].region)]
    guard region[1] == admin1.code, Int(towns.counties[town]) < towns.countyNames.count else { return nil }
    return towns.countyNames[Int(towns.counties[town])]
  }

  /// The marine area (an ocean, a sea, a bay), if there is no land.
  public var seaName: String? {
    answer.spot.sea == AreaSet.none ? nil : geography.atlas.seas.areas[Int(answer.spot.sea)][0]
  }

  /// The two letters of the country whose coast is less than 50 km away, if the position itself is in no country.
  public var offCoastOf: String? { answer.found.coast.letters }

  /// The confidence that the named town is the one meant, 0...1: 1 inside it, less with distance; at most 0.7 within a
  /// kilometre of another region, because borders are no more exact; 0.5 with a country but no town, 0 with neither.
  public var confidence: Double { confidence(in: admin1) }

  /// Returns `confidence`.
  /// - Parameter admin1: The region, if the caller has it already.
  package func confidence(in admin1: Admin1?) -> Double {
    let nearness = nearness
    return nearness > 0.7 && isNearOtherRegion(than: admin1) ? 0.7 : nearness
  }

  /// The confidence, assuming that the borders of regions were exact.
  var nearness: Double {
    guard answer.found.locality != Towns.Found.none else { return answer.spot.country == .none ? 0 : 0.5 }
    let site = geography.towns.sites[Int(answer.found.locality)]
    let sure = min(1, Double(site.radius) / max(metresToLocality, 1))
    return ((0.5 + sure / 2) * 100).rounded() / 100
  }

  /// The straight distance to the locality, which must exist.
  private var metresToLocality: Double {
    let site = geography.towns.sites[Int(answer.found.locality)]
    let vector = point.singlePrecisionUnitVector
    let (x, y, z) = (site.x - vector.x, site.y - vector.y, site.z - vector.z)
    return Double((x * x + y * y + z * z).squareRoot()) * Coordinate.meanRadius
  }

  private func town(_ number: UInt32) -> Town? {
    guard number != Towns.Found.none else { return nil }
    let number = Int(number)
    let record = geography.towns.records[number]
    geography.towns.fetchName(of: number)
    let center = record.center
    let distance = center.haversineDistance(to: point)
    let bearing = center.initialBearing(to: point)?.degrees ?? 0
    return Town(
      id: Int64(record.id), name: geography.towns.name(of: number), latitude: center.latitude,
      longitude: center.longitude, population: Int(record.population), distance: distance, bearing: bearing)
  }

  var point: Coordinate { Coordinate(clampingLatitude: latitude, longitude: longitude) }
}

extension PositionInfo: Hashable {
  /// Whether the positions and everything known about them are equal, by whichever gazetteer.
  public static func == (a: PositionInfo, b: PositionInfo) -> Bool {
    guard a.latitude == b.latitude, a.longitude == b.longitude else { return false }
    return a.geography === b.geography
      || (a.countryCode, a.county, a.seaName, a.offCoastOf, a.confidence)
        == (b.countryCode, b.county, b.seaName, b.offCoastOf, b.confidence)
        && (a.zones, a.locality, a.city, a.admin1) == (b.zones, b.locality, b.city, b.admin1)
  }

  /// Hashes the position.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(latitude)
    hasher.combine(longitude)
  }
}

/// The places at many positions, in the order of the query.
public struct PositionInfoList: RandomAccessCollection, Sendable {
  private let geography: Geography
  private let positions: [(latitude: Double, longitude: Double)]
  private let answers: [PositionInfo.Answer]

  /// Looks up all positions.
  /// - Throws: `.badCoordinate` if one of the positions is not on Earth.
  init(_ positions: [(latitude: Double, longitude: Double)], in geography: Geography) throws(GeoIndexError) {
    self.geography = geography
    self.positions = positions
    answers = try geography.answers(positions)
  }

  /// The first index, 0.
  public var startIndex: Int { 0 }
  /// The number of positions.
  public var endIndex: Int { positions.count }

  /// The places at one position.
  public subscript(position: Int) -> PositionInfo {
    let (point, answer) = (Coordinate(turning: positions[position]), answers[position])
    return PositionInfo(latitude: point.latitude, longitude: point.longitude, geography: geography, answer: answer)
  }

  /// Returns an iterator over the positions.
  public func makeIterator() -> Iterator { Iterator(list: self) }

  /// An iterator over the places at each position.
  public struct Iterator: IteratorProtocol {
    private let list: PositionInfoList
    private var position = 0

    fileprivate init(list: PositionInfoList) { self.list = list }

    /// Returns the next element; nil after the last one.
    public mutating func next() -> PositionInfo? {
      guard position < list.endIndex else { return nil }
      defer { position += 1 }
      return list[position]
    }
  }
}

extension PositionInfo {
  /// The region of the locality; nil if unknown.
  var regionOfLocality: Admin1? { geography.towns.admin1(of: answer.found.locality) }

  /// The position with towns of the region `admin1` only: an address with city and state must not place New York City
  /// in New Jersey.
  var inOneRegion: PositionInfo { admin1.map { inRegion($0.code) } ?? self }

  /// Returns the position with towns of one region only.
  func inRegion(_ code: String) -> PositionInfo {
    let (towns, found) = (geography.towns, answer.found)
    func isElsewhere(_ town: UInt32) -> Bool { towns.admin1(of: town).map { $0.code != code } ?? false }
    guard isElsewhere(found.locality) || isElsewhere(found.city) else { return self }
    var answer = answer
    answer.found = geography.towns(near: point, of: answer.spot.country) { !isElsewhere($0) }
    return PositionInfo(latitude: latitude, longitude: longitude, geography: geography, answer: answer)
  }
}

extension PositionInfo {
  /// Whether another region of the country is within a kilometre, or the locality's region differs from what the
  /// borders show.
  /// - Parameter admin1: The region.
  private func isNearOtherRegion(than admin1: Admin1?) -> Bool {
    guard let code = admin1?.code else { return false }
    if let near = regionOfLocality, near.code != code { return true }
    let here = Lattice(point)
    let (north, east) = (900, 900 / max(0.01, cos(latitude * .pi / 180)))
    let layer = geography.atlas.regions
    // Most positions are far from borders.
    if layer.isWhole(around: here, east: Int(east), north: north),
      let isOther = isOtherRegion(in: layer.areas(at: here), than: code)
    {
      return isOther
    }
    return [(1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7), (0, -1), (0.7, -0.7)].contains { x, y in
      let point = here.moved(Int(x * east), Int(y * Double(north)))
      if let isOther = isOtherRegion(in: layer.areas(at: point), than: code) { return isOther }
      // On water and without borders, the region is that of the nearest town.
      let towns = geography.towns
      let found = towns.nearest(
        of: towns.candidates(in: towns.grid.list(of: point)),
        to: Sphere.vector(point, in: geography.sphere.part(around: point)), country: answer.spot.country)
      return towns.admin1(of: found.locality).map { $0.code != code } ?? false
    }
  }

  /// Whether the country's regions in a set of areas are all others than one; nil if there are none.
  private func isOtherRegion(in drawn: AreaSet, than code: String) -> Bool? {
    let atlas = geography.atlas
    var isOther: Bool?
    for number in 0..<4 where drawn.numbers[number] != AreaSet.none {
      let region = Int(drawn.numbers[number])
      guard atlas.isRegion[region], atlas.regionCountries[region] == answer.spot.country else { continue }
      if atlas.regions.areas[region][1] == code { return false }
      isOther = true
    }
    return isOther
  }
}

extension Towns {
  /// Returns the region of a town, if that has a name.
  func admin1(of town: UInt32) -> PositionInfo.Admin1? {
    guard town != Found.none else { return nil }
    let fields = regions[Int(sites[Int(town)].region)]
    return fields.count > 2 ? PositionInfo.Admin1(name: fields[2], code: fields[1]) : nil
  }
}

extension Geography {
  /// Returns the result of `Towns.nearest` for a subset of the towns that can be named here.
  fileprivate func towns(near point: Coordinate, of country: CountryCode, where isWanted: (UInt32) -> Bool)
    -> Towns.Found
  {
    let cell = Lattice(point)
    let candidates = towns.candidates(in: towns.grid.list(of: cell)).filter { isWanted(towns.grid.lists[$0]) }
    return towns.nearest(of: candidates, to: Sphere.vector(cell, in: sphere.part(around: cell)), country: country)
  }
}

/// Decides which region a position near a border belongs to: the borders are up to 2 km off, and are not drawn on
/// water.
///
/// 1. If no other region is drawn within 2 km, and the locality is in no other: `PositionInfo.admin1`.
/// 2. If a region is drawn, and the town that fits best in proportion to its size (`CityRule`) lies in it and has the
///    position within its edge: that region. Otherwise, if towns of several regions reach the position (up to one and a
///    half times the distance to their edges): the drawn region if the best town is in it, else none. If towns of one
///    region do: `PositionInfo.admin1`.
/// 3. If no region is drawn: `PositionInfo.admin1`, if a town of it fits five times as well as those of others; else
///    none.
extension PositionInfo {
  /// Returns the position with towns of its region only; nil if it can't be decided which of several regions it is in.
  func inOneSureRegion(_ rule: CityRule, isQuarter: (Int) -> Bool) -> PositionInfo? {
    var regions = drawnRegionsAround
    if let drawnRegion { regions.insert(drawnRegion) }
    if let near = regionOfLocality { regions.insert(near.code) }
    guard regions.count > 1 else { return inOneRegion }
    let shares = rule.shares(of: regions, at: self, isQuarter: isQuarter)
    let best = shares.min { $0.value < $1.value }
    guard let drawnRegion else {
      guard let best, best.key == admin1?.code, shares.values.count(where: { $0 < best.value * 5 }) == 1 else {
        return nil
      }
      return inOneRegion
    }
    let areSeveral = shares.values.count { $0 <= 1.5 } > 1
    if let best, best.key == drawnRegion, best.value <= 1 || areSeveral { return inRegion(drawnRegion) }
    return areSeveral ? nil : inOneRegion
  }

  private var drawnRegion: String? {
    guard answer.spot.region != AreaSet.none else { return nil }
    let fields = geography.atlas.regions.areas[Int(answer.spot.region)]
    return fields.count > 2 ? fields[1] : nil
  }

  /// The codes of the country's regions that are drawn within 2 km.
  private var drawnRegionsAround: Set<String> {
    let (here, layer) = (Lattice(point), geography.atlas.regions)
    let width = 1 / max(0.01, cos(latitude * .pi / 180))
    var codes: Set<String> = []
    // Steps of 1.1 m.
    for far in [600.0, 1_200, 1_800] {
      for (x, y) in [(1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7), (0, -1), (0.7, -0.7)] {
        for number in layer.areas(at: here.moved(Int(x * far * width), Int(y * far))).all {
          let area = layer.areas[number]
          if area.count > 2, CountryCode(area[0]) == answer.spot.country { codes.insert(area[1]) }
        }
      }
    }
    return codes
  }
}
