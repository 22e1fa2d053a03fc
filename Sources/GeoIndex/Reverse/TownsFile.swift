import Foundation

/// The towns of a gazetteer in the cache folder, made with the rest of the expansion and checked and sealed like it.
///
/// Numbers as this machine has them, for the cache is its own: how many towns, entries and list words there are, and the bytes of
/// the names, of the regions and of the counties; then the columns as `Towns` keeps them, so that reading is copying.
enum TownsFile {
  // MARK: Writing

  /// - Parameters:
  ///   - order: numbers of places in the gazetteer, by rank: larger towns first.
  ///   - counties: nil if they aren't known.
  static func write(_ gazetteer: GazetteerFile, order: [Int], counties: Counties?, to path: String) throws {
    let (places, lines) = (gazetteer.places, gazetteer.places.names.lineStarts())
    guard lines.count == order.count + 1, gazetteer.regions.count <= 0x7FFF else { throw GazetteerFile.damaged }
    let codes = gazetteer.regions.map { CountryCode($0[0].prefix(2)) }
    var (towns, records, names, own) = ([TownGridBuilder.Town](), [Towns.Record](), [UInt8](), [UInt16]())
    for index in order where places.classes[index].isTown {
      // GeoNames' numbers are positive, and far from 32 bits.
      guard let id = UInt32(exactly: places.id[index]) else { throw GazetteerFile.damaged }
      let (latitude, longitude) = (Double(places.latitude[index]) / 1e5, Double(places.longitude[index]) / 1e5)
      let (region, population) = (places.region[index], places.population[index])
      records.append(
        Towns.Record(
          id: id, latitude: Int32(places.latitude[index]), longitude: Int32(places.longitude[index]),
          population: UInt32(population), name: UInt32(names.count)))
      let site = Towns.Site(
        latitude: latitude, longitude: longitude, population: population, country: codes[region], region: UInt16(region)
      )
      towns.append(TownGridBuilder.Town(latitude: latitude, longitude: longitude, site: site))
      names += places.names.bytes[lines[index]..<(lines[index + 1] - 1)]
      own.append(counties?.number(of: Int64(id)) ?? .max)
    }
    let grid = TownGridBuilder.grid(of: towns)
    let regions = Array(gazetteer.regions.map { "\($0[0].prefix(2))\t\($0.joined(separator: "\t"))\n" }.joined().utf8)
    let countyNames = Array((counties?.names ?? []).map { $0 + "\n" }.joined().utf8)
    var file = Data()
    func append<Number: BitwiseCopyable>(_ column: [Number]) { column.withUnsafeBytes { file.append(contentsOf: $0) } }
    append(
      [
        towns.count, grid.directory.count, grid.lists.count, names.count, regions.count, countyNames.count,
      ].map { UInt32($0) })
    append(towns.map(\.site))
    append(records)
    append(grid.directory)
    append(grid.lists)
    append(own)
    append(names)
    append(regions)
    append(countyNames)
    try file.write(to: URL(filePath: path))
  }

  // MARK: Reading

  /// - Parameter path: of a file whose seal was found whole.
  static func read(_ path: String) throws(GeoIndexError) -> Towns {
    do {
      var reader = BorderReader(try BorderReader.bytes(of: URL(filePath: path)))
      let (count, entries, words) = (try reader.nextNumber(), try reader.nextNumber(), try reader.nextNumber())
      let (names, regions, counties) = (try reader.nextNumber(), try reader.nextNumber(), try reader.nextNumber())
      let sites: [Towns.Site] = try reader.nextValues(count)
      let records: [Towns.Record] = try reader.nextValues(count)
      let grid = TownGrid(directory: try reader.nextValues(entries), lists: try reader.nextValues(words))
      let own: [UInt16] = try reader.nextValues(count)
      let towns = Towns(
        sites: sites, records: records, names: try reader.nextValues(names),
        regions: try reader.nextText(regions).map { $0.split(separator: "\t").map(String.init) }, counties: own,
        countyNames: try reader.nextText(counties), grid: grid)
      guard towns.isSound else { throw GeoIndex.unreadable }
      return towns
    } catch { throw GeoIndex.unreadable }
  }
}

extension Towns {
  /// Whether nothing in it leads out of it.
  fileprivate var isSound: Bool {
    grid.isSound(towns: sites.count) && regions.allSatisfy { $0.count >= 2 }
      && sites.allSatisfy { $0.region < regions.count } && records.allSatisfy { $0.name <= names.count }
      && zip(records, records.dropFirst()).allSatisfy { $0.name <= $1.name }
  }
}
