import CSys
import Foundation

/// The towns of the gazetteer where they are, for finding the one that a position is in or near.
///
/// Every cell has the list of those that can be the answer somewhere in it, larger ones first: who asks compares a few.
struct Towns: Sendable {
  /// Metres: farther away, nothing is near a town.
  static let reach = 50_000.0
  /// Metres: so far the middle of a city goes, where no other is nearer.
  static let middle = 5_000.0

  /// What a look-up compares.
  struct Site: Sendable {
    /// On the unit sphere.
    let x, y, z: Float
    /// The larger a place, the farther it is heard: one over the tenth root of its population.
    let quietness: Float
    /// Metres from its centre that are still that town.
    let radius: Float
    /// Of what reaches a point, the city is whose distance, with `middle`, times this is least.
    let obscurity: Float
    let country: CountryCode
    /// Its number in `regions`.
    let region: UInt16
  }

  /// What an answer tells.
  struct Record: Sendable {
    /// GeoNames'.
    let id: UInt32
    /// Hundred-thousandths of degrees.
    let latitude, longitude: Int32
    let population: UInt32
    /// Where its name begins in `names`; it ends where the next one's begins.
    let name: UInt32

    var centre: Point { Point(latitude: Double(latitude) / 1e5, longitude: Double(longitude) / 1e5) }
  }

  /// Neighbours stand near each other.
  let sites: Column<Site>
  let records: Column<Record>
  let grid: TownGrid
  /// Each town's number in `countyNames`, or one beyond.
  let counties: Column<UInt16>
  let names: Column<UInt8>
  /// Country, code and name of regions.
  let regions: [[String]]
  let countyNames: [String]

  func name(of town: Int) -> String {
    let end = town + 1 < records.count ? Int(records[town + 1].name) : names.count
    return String(decoding: names[Int(records[town].name)..<end], as: UTF8.self)
  }

  /// What was found near a point: numbers of towns.
  struct Found: Hashable {
    static let none = UInt32.max
    /// The town one would name.
    var locality = none
    /// The city whose point it is: it reaches it, and none that is larger or nearer has more to say there.
    var city = none
    /// The country of the nearest town, where no country is asked for.
    var coast = CountryCode.none
  }

  /// Where in the grid's lists the towns of one list stand. The processor begins to fetch them.
  func candidates(in list: Int) -> Range<Int> {
    let candidates = grid.towns(in: list)
    let (sites, lists) = (sites.values, grid.lists.values)
    for at in candidates.prefix(8) { csys_prefetch(sites.baseAddress.map { $0 + Int(lists[at]) }) }
    return candidates
  }

  /// The towns of a country near a point.
  /// - Parameters:
  ///   - candidates: those of the point's cell.
  ///   - here: the point, on the unit sphere.
  ///   - country: none asks for the nearest town's only.
  func nearest(
    of candidates: some Sequence<Int>, to here: (x: Float, y: Float, z: Float), country: CountryCode
  ) -> Found {
    var found = Found()
    // Chords in units of the Earth's radius, squared as long as that does.
    let scale = Float(GreatCircle.radius)
    let reach = Float(Self.reach) / scale
    var (best, clearest, closest) = (Float.infinity, Float.infinity, reach * reach)
    let (sites, lists) = (sites.values, grid.lists.values)
    for at in candidates {
      let site = sites[Int(lists[at])]
      let (dx, dy, dz) = (site.x - here.x, site.y - here.y, site.z - here.z)
      let square = dx * dx + dy * dy + dz * dz
      if country == .none {
        if square < closest { (closest, found.coast) = (square, site.country) }
      } else if site.country == country, square <= reach * reach {
        let distance = square.squareRoot() * scale
        // Three hundred metres: a place's centre is no better known.
        let score = (distance + 300) * site.quietness
        if score < best { (best, found.locality) = (score, lists[at]) }
        let doubt = (distance + Float(Self.middle)) * site.obscurity
        if distance <= site.radius, doubt < clearest { (clearest, found.city) = (doubt, lists[at]) }
      }
    }
    return found
  }
}

extension Towns.Site {
  /// - Parameter isPart: of a city.
  init(
    latitude: Double, longitude: Double, population: Int, isPart: Bool, country: CountryCode, region: UInt16
  ) {
    let vector = GreatCircle.vector(Point(latitude: latitude, longitude: longitude))
    // Of whom nothing is known is as small as the gazetteer's smallest.
    let people = Double(max(population, 500))
    (x, y, z) = (vector.x, vector.y, vector.z)
    quietness = Float(1 / pow(people, 0.1))
    radius = Float(min(max(250 * pow(people, 0.35), 2_000), 40_000))
    // Nearly as people are, for Brooklyn is New York City's, but Kyoto not Osaka's. A part is the city only where none
    // is.
    obscurity = Float(pow(people, -0.9) * (isPart ? 1_000 : 1))
    self.country = country
    self.region = region
  }
}
