import Basics
import CSys
import Foundation

/// The positions of the gazetteer's towns, for finding the one that a position is in or near.
///
/// Every cell has a list of those that can be the answer somewhere in it, larger ones first, so a query compares only a
/// few.
struct Towns: Sendable {
  /// The distance in metres beyond which nothing is near a town.
  static let reach = 50_000.0
  /// The uncertainty in metres of the position of a city's center.
  static let middle = 300.0

  /// The values that a lookup compares.
  struct Site: Sendable {
    /// The position on the unit sphere.
    let x, y, z: Float
    /// One over the tenth root of the population: larger places are named from farther away.
    let quietness: Float
    /// The distance in metres from its center within which a position is in the town.
    let radius: Float
    /// A factor for choosing the city: among towns that reach a point, the one with the least product of this and the
    /// distance (plus `middle`).
    let obscurity: Float
    let country: CountryCode
    /// The index of its region in `regions`.
    let region: UInt16
  }

  /// The values that an answer contains.
  struct Record: Sendable {
    /// The GeoNames id.
    let id: UInt32
    /// Coordinates in hundred-thousandths of a degree.
    let latitude, longitude: Int32
    let population: UInt32
    /// The start of its name in `names`; the name ends where the next one begins.
    let name: UInt32

    var center: Coordinate { Coordinate(latitudeE5: latitude, longitudeE5: longitude) }
  }

  /// The sites; neighbours are close to each other.
  let sites: Column<Site>
  let records: Column<Record>
  let grid: TownGrid
  /// The index of each town's county in `countyNames`, or an index beyond its end.
  let counties: Column<UInt16>
  let names: Column<UInt8>
  /// The country, code and name of each region.
  let regions: [[String]]
  let countyNames: [String]

  func name(of town: Int) -> String {
    let end = town + 1 < records.count ? Int(records[town + 1].name) : names.count
    return String(decoding: UnsafeBufferPointer(rebasing: names.values[Int(records[town].name)..<end]), as: UTF8.self)
  }

  /// Prefetches what `name(of:)` will read.
  func fetchName(of town: Int) { csys_prefetch(names.values.baseAddress.map { $0 + Int(records[town].name) }) }

  /// The result for a point: town numbers.
  struct Found: Hashable {
    static let none = UInt32.max
    /// The town that people would name.
    var locality = none
    /// The city that contains the point: it reaches the point, and no other that does has a smaller weighted distance.
    var city = none
    /// The country of the nearest town, if no country was given.
    var coast = CountryCode.none
  }

  /// Prefetches what an answer contains.
  func fetchRecord(of found: Found) {
    guard found.locality != Found.none else { return }
    csys_prefetch(records.values.baseAddress.map { $0 + Int(found.locality) })
    csys_prefetch(counties.values.baseAddress.map { $0 + Int(found.locality) })
    if found.city != Found.none { csys_prefetch(records.values.baseAddress.map { $0 + Int(found.city) }) }
  }

  /// Returns the range of a list's towns in the grid's lists, and prefetches them.
  func candidates(in list: Int) -> Range<Int> {
    let candidates = grid.towns(in: list)
    let (sites, lists) = (sites.values, grid.lists.values)
    for at in candidates.prefix(8) { csys_prefetch(sites.baseAddress.map { $0 + Int(lists[at]) }) }
    return candidates
  }

  /// Returns the towns of a country near a point.
  /// - Parameters:
  ///   - candidates: The candidates of the point's cell.
  ///   - here: The point, on the unit sphere.
  ///   - country: The country; `none` to find only the nearest town's country.
  func nearest(
    of candidates: some Sequence<Int>, to here: (x: Float, y: Float, z: Float), country: CountryCode
  ) -> Found {
    var found = Found()
    // Chord lengths in units of the Earth's radius, squared as long as possible.
    let scale = Float(Coordinate.meanRadius)
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
        // Three hundred metres are added, because the center of a place is not known more exactly.
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
  /// Creates a town with its distance rule from the values of the gazetteer.
  /// - Parameters:
  ///   - isPart: Whether it is a part of a city.
  ///   - edge: The distance in metres from its center to its edge, if it is unusual.
  init(
    latitude: Double, longitude: Double, population: Int, isPart: Bool, edge: Double? = nil, country: CountryCode,
    region: UInt16
  ) {
    let vector = Coordinate(clampingLatitude: latitude, longitude: longitude).singlePrecisionUnitVector
    // A place of unknown population counts like the smallest in the gazetteer.
    let people = Double(max(population, 500))
    (x, y, z) = (vector.x, vector.y, vector.z)
    quietness = Float(1 / pow(people, 0.1))
    radius = Float(min(max(250 * pow(people, 0.35), 2_000), 40_000))
    // The area of cities grows roughly with their population, so that Potsdam keeps its own name. A part counts as the
    // city only if there is no other.
    obscurity = Float((isPart ? 1_000 : 1) / (edge ?? CityParts.edge(people: population)))
    self.country = country
    self.region = region
  }
}

/// The file of towns in the cache folder. It is created with the rest of the expansion, and checked and sealed like it.
///
/// Numbers have the machine's own format, because the cache is local. The header has the numbers of towns, entries and
/// list words, and the byte counts of the names, the regions and the counties. The columns follow in the layout of
/// `Towns`.
enum TownsFile {
  // MARK: Writing

  /// Writes the file of towns.
  /// - Parameters:
  ///   - order: The numbers of places in the gazetteer, by rank: larger towns first. The lists keep that order.
  ///   - counties: The counties; nil if unknown.
  ///   - cities: The cities whose parts are listed; nil if unknown.
  static func write(
    _ gazetteer: GazetteerFile, order: [Int], counties: Counties?, cities: CityTable?, to path: String
  ) throws {
    let parts = CityParts(gazetteer, counties: counties, cities)
    let (places, lines) = (gazetteer.places, gazetteer.places.names.lineStarts())
    guard lines.count == order.count + 1, gazetteer.regions.count <= 0x7FFF else { throw GazetteerFile.damaged }
    let codes = gazetteer.regions.map { CountryCode($0[0].prefix(2)) }
    var (towns, indices, curve) = ([TownGridBuilder.Town](), [Int](), [UInt32]())
    for index in order where places.classes[index].isTown {
      let (latitude, longitude) = (Double(places.latitude[index]) / 1e5, Double(places.longitude[index]) / 1e5)
      let region = places.region[index]
      let site = Towns.Site(
        latitude: latitude, longitude: longitude, population: places.population[index],
        isPart: places.classes[index] == .quarter || parts.contains(index),
        edge: cities?.radii[Int64(places.id[index])], country: codes[region], region: UInt16(region))
      towns.append(TownGridBuilder.Town(latitude: latitude, longitude: longitude, site: site))
      indices.append(index)
      curve.append(Lattice(Coordinate(clampingLatitude: latitude, longitude: longitude)).curve)
    }
    let grid = TownGridBuilder.grid(of: towns)
    // Towns of the same list are also close to each other in memory.
    let near = towns.indices.sorted { (curve[$0], $0) < (curve[$1], $1) }
    var numbers = [UInt32](repeating: 0, count: towns.count)
    for (number, town) in near.enumerated() { numbers[town] = UInt32(number) }
    var (records, names, own) = ([Towns.Record](), [UInt8](), [UInt16]())
    for index in near.map({ indices[$0] }) {
      // GeoNames ids are positive, and far below 32 bits.
      guard let id = UInt32(exactly: places.id[index]) else { throw GazetteerFile.damaged }
      records.append(
        Towns.Record(
          id: id, latitude: Int32(places.latitude[index]), longitude: Int32(places.longitude[index]),
          population: UInt32(places.population[index]), name: UInt32(names.count)))
      names += places.names.bytes[lines[index]..<(lines[index + 1] - 1)]
      own.append(counties?.number(of: Int64(id)) ?? .max)
    }
    let regions = Array(gazetteer.regions.map { "\($0[0].prefix(2))\t\($0.joined(separator: "\t"))\n" }.joined().utf8)
    let countyNames = Array((counties?.names ?? []).map { $0 + "\n" }.joined().utf8)
    let file = try ColumnFile(path: path)
    try file.append(
      [
        towns.count, grid.directory.count, grid.lists.count, names.count, regions.count, countyNames.count,
      ].map { UInt32($0) })
    try file.append(near.map { towns[$0].site })
    try file.append(records)
    try file.append(grid.directory)
    try file.append(TownGrid.renumbered(grid.lists) { numbers[$0] })
    try file.append(own)
    try file.append(names)
    try file.append(regions)
    try file.append(countyNames)
  }

  // MARK: Reading

  /// Loads the file of towns.
  /// - Parameter path: A file whose seal was found intact.
  static func read(_ path: String) throws(GeoIndexError) -> Towns {
    do {
      let file = try LoadedFile(path)
      var position = 0
      let numbers: Column<UInt32> = try file.values(6, at: &position)
      let counts = numbers.map(Int.init)
      let towns = Towns(
        sites: try file.values(counts[0], at: &position), records: try file.values(counts[0], at: &position),
        grid: TownGrid(
          directory: try file.values(counts[1], at: &position), lists: try file.values(counts[2], at: &position)),
        counties: try file.values(counts[0], at: &position), names: try file.values(counts[3], at: &position),
        regions: lines(try file.values(counts[4], at: &position)).map { $0.split(separator: "\t").map(String.init) },
        countyNames: lines(try file.values(counts[5], at: &position)))
      guard towns.isSound else { throw GeoIndexError.unreadable }
      return towns
    } catch { throw GeoIndexError.unreadable }
  }

  private static func lines(_ text: Column<UInt8>) -> [String] {
    text.values.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

extension Towns {
  /// Whether all indices are valid.
  fileprivate var isSound: Bool {
    grid.isSound(towns: sites.count) && regions.allSatisfy { $0.count >= 2 }
      && sites.allSatisfy { $0.region < regions.count } && records.allSatisfy { $0.name <= names.count }
      && zip(records, records.dropFirst()).allSatisfy { $0.name <= $1.name }
  }
}
