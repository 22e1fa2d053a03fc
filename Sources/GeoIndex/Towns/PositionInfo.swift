import Basics

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
    geography.atlas.zoneNames(geography.atlas.zone(Lattice(point)))
  }

  /// The town that people would name: it is near, although a larger one may be farther away, in the same country, and
  /// at most 50 km away.
  public var locality: Town? { town(answer.found.locality) }

  /// The city of the country that contains the position: the position is within its reach, which is 2 km from the
  /// center of a village and 40 km for a metropolis. If there are several, the larger one, unless another is closer by
  /// a greater factor.
  public var city: Town? { town(answer.found.city) }

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
  public var county: String? {
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
  public var confidence: Double {
    let nearness = nearness
    return nearness > 0.7 && isNearOtherRegion ? 0.7 : nearness
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
    let vector = point.unitVector
    let (x, y, z) = (site.x - vector.x, site.y - vector.y, site.z - vector.z)
    return Double((x * x + y * y + z * z).squareRoot()) * Coordinate.meanRadius
  }

  private func town(_ number: UInt32) -> Town? {
    guard number != Towns.Found.none else { return nil }
    let number = Int(number)
    let record = geography.towns.records[number]
    let centre = record.centre
    let distance = centre.haversineDistance(to: point)
    return Town(
      id: Int64(record.id), name: geography.towns.name(of: number), latitude: centre.latitude,
      longitude: centre.longitude, population: Int(record.population), distance: distance,
      bearing: centre.initialBearing(to: point)?.degrees ?? 0)
  }

  var point: Coordinate { Coordinate(clampingLatitude: latitude, longitude: longitude) }
}
