/// What is known of a position: which country and time zone it lies in, which town it is in or near.
///
/// It keeps to what the gazetteer's borders and towns say; what they don't say is nil. Countries are drawn as the time
/// zones of timezone-boundary-builder (OpenStreetMap) and tzdata's `zone.tab` draw them, with three general rules on
/// top: a zone that holds land of another country leaves it to that country, south of 60° S everything is `AQ`, and
/// where zones overlap the one that `zone.tab` lists for the land's administration comes first. The zones where others
/// may draw another map stand in `worldview.tsv` beside the borders, and can be changed there.
public struct PositionInfo: Sendable {
  /// Degrees north, -90...90, as asked.
  public let latitude: Double
  /// Degrees east, more than -180, 180 at most: whole turns are taken off.
  public let longitude: Double

  let geography: Geography
  let answer: Answer

  /// What was looked up: numbers only, so that millions of them need little room and no bookkeeping.
  struct Answer {
    var found: Towns.Found
    var spot: Atlas.AreaInfo
  }

  /// A first-level region (state, province, prefecture).
  public struct Admin1: Sendable, Hashable {
    /// Its name, mostly the English one.
    public let name: String
    /// The code GeoNames has for it: `US.NY`, `JP.22`.
    public let code: String
  }

  /// A town, and how far it is.
  public struct Town: Sendable, Hashable, Identifiable {
    /// Its GeoNames id.
    public let id: Int64
    /// Its usual name, as GeoNames writes it: mostly the English one.
    public let name: String
    /// Degrees north, to five decimals.
    public let latitude: Double
    /// Degrees east, to five decimals.
    public let longitude: Double
    /// People living there; 0 if not known.
    public let population: Int
    /// Metres between the position and the town's centre.
    public let distance: Double
    /// Direction of the position as seen from the town, in degrees clockwise from true north, 0..<360.
    public let bearing: Double
  }

  /// Country, as its two ISO 3166-1 letters (and `XK`); nil on the high seas.
  public var countryCode: String? { answer.spot.country.letters }

  /// Time zones, as IANA names; of several (where two administrations keep different times) the official one first. On
  /// the high seas the nautical one (`Etc/GMT-9` is nine hours ahead).
  public var zones: [String] {
    geography.atlas.zoneNames(geography.atlas.zone(Lattice(point)))
  }

  /// The town one would name: near, and the farther it may be the larger it is; of the same country, 50 km away at
  /// most.
  public var locality: Town? { town(answer.found.locality) }

  /// The city of the country that this is or belongs to: it reaches as far as here, which is 2 km from a village's
  /// centre, 40 km from a metropolis's. Of several, the larger, unless the other is as many times nearer.
  public var city: Town? { town(answer.found.city) }

  /// First-level region: by its border where that is known, but a town keeps its own: borders are drawn some hundred
  /// metres from where they are. Else the one of the nearest town.
  public var admin1: Admin1? {
    let near = regionOfLocality
    guard answer.spot.region != AreaSet.none else { return near }
    let fields = geography.atlas.regions.areas[Int(answer.spot.region)]
    guard fields.count > 2 else { return near }
    if let near, near.code != fields[1], isInsideLocality { return near }
    return Admin1(name: fields[2], code: fields[1])
  }

  /// Whether it is so far inside the town one would name that the town knows better: of airfields whose region is
  /// known, two thirds are then in the town's where the two disagree; farther out the border is right more often.
  private var isInsideLocality: Bool {
    metresToLocality <= Double(geography.towns.sites[Int(answer.found.locality)].radius) * 0.3
  }

  /// Second-level region (county, district, département) of the nearest town, if it is known and in the same region.
  public var county: String? {
    guard answer.found.locality != Towns.Found.none, let admin1 else { return nil }
    let (towns, town) = (geography.towns, Int(answer.found.locality))
    let region = towns.regions[Int(towns.sites[town].region)]
    guard region[1] == admin1.code, Int(towns.counties[town]) < towns.countyNames.count else { return nil }
    return towns.countyNames[Int(towns.counties[town])]
  }

  /// Marine area (an ocean, a sea, a bay), where there is no land.
  public var seaName: String? {
    answer.spot.sea == AreaSet.none ? nil : geography.atlas.seas.areas[Int(answer.spot.sea)][0]
  }

  /// The country whose coast is less than 50 km away, as its two letters, where the position itself is in none.
  public var offCoastOf: String? { answer.found.coast.letters }

  /// How sure one can be that a town named is the one meant, 0...1: 1 inside it, less the farther it is, 0.7 at most
  /// within a kilometre of another region, since borders are known no better; 0.5 with a country but no town, 0 with
  /// neither.
  public var confidence: Double {
    let nearness = nearness
    return nearness > 0.7 && isNearOtherRegion ? 0.7 : nearness
  }

  /// As if the borders of regions were exact.
  var nearness: Double {
    guard answer.found.locality != Towns.Found.none else { return answer.spot.country == .none ? 0 : 0.5 }
    let site = geography.towns.sites[Int(answer.found.locality)]
    let sure = min(1, Double(site.radius) / max(metresToLocality, 1))
    return ((0.5 + sure / 2) * 100).rounded() / 100
  }

  /// As the crow flies; there has to be one.
  private var metresToLocality: Double {
    let site = geography.towns.sites[Int(answer.found.locality)]
    let vector = GreatCircle.vector(point)
    let (x, y, z) = (site.x - vector.x, site.y - vector.y, site.z - vector.z)
    return Double((x * x + y * y + z * z).squareRoot()) * GreatCircle.radius
  }

  private func town(_ number: UInt32) -> Town? {
    guard number != Towns.Found.none else { return nil }
    let number = Int(number)
    let record = geography.towns.records[number]
    let centre = record.centre
    let distance = GreatCircle.distance(centre, point)
    return Town(
      id: Int64(record.id), name: geography.towns.name(of: number), latitude: centre.latitude,
      longitude: centre.longitude, population: Int(record.population), distance: distance,
      bearing: distance == 0 ? 0 : GreatCircle.bearing(from: centre, to: point))
  }

  var point: Point { Point(latitude: latitude, longitude: longitude) }
}
