import Basics
import Foundation

/// The file of towns in the cache folder. It is created with the rest of the expansion, and checked and sealed like it.
///
/// Numbers have the machine's own format, because the cache is local. The header has the numbers of towns, entries and
/// list words, and the byte counts of the names, the regions and the counties. The columns follow in the layout of
/// `Towns`.
enum TownsFile {
  // MARK: Writing

  /// - Parameters:
  ///   - order: The numbers of places in the gazetteer, by rank: larger towns first. The lists keep that order.
  ///   - counties: The counties; nil if unknown.
  static func write(_ gazetteer: GazetteerFile, order: [Int], counties: Counties?, to path: String) throws {
    let (places, lines) = (gazetteer.places, gazetteer.places.names.lineStarts())
    guard lines.count == order.count + 1, gazetteer.regions.count <= 0x7FFF else { throw GazetteerFile.damaged }
    let codes = gazetteer.regions.map { CountryCode($0[0].prefix(2)) }
    var (towns, indices, curve) = ([TownGridBuilder.Town](), [Int](), [UInt32]())
    for index in order where places.classes[index].isTown {
      let (latitude, longitude) = (Double(places.latitude[index]) / 1e5, Double(places.longitude[index]) / 1e5)
      let region = places.region[index]
      let site = Towns.Site(
        latitude: latitude, longitude: longitude, population: places.population[index],
        isPart: places.classes[index] == .quarter, country: codes[region], region: UInt16(region))
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
