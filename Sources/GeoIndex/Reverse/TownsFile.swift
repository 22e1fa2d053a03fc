import CSys
import Foundation
import GRDB

/// The towns of a gazetteer in the cache folder, beside its database, from which they are made at the first question about
/// a position.
///
/// After `MTTOWNS1` and a CRC-32, little-endian: how many towns, entries and list words there are, and the
/// bytes of the names, of the regions and of the counties; then the columns.
struct TownsFile {
  /// Everything but the ending is the database's.
  let path: String

  private static let magic = "MTTOWNS1"

  /// Reads them, or makes them first if the file isn't there or isn't whole.
  func open(_ db: Database, counties: () throws(GeoIndexError) -> Counties) throws -> Towns {
    if let bytes = try? BorderReader.bytes(of: URL(filePath: path)), let towns = try? read(bytes) { return towns }
    let towns = try make(db, counties: counties())
    // A cache that can't be written costs time, no answer.
    try? Data(written(towns)).write(to: URL(filePath: path), options: .atomic)
    return towns
  }

  private func make(_ db: Database, counties: Counties) throws -> Towns {
    var (regions, numbers) = ([[String]](), [Int64: UInt16]())
    let areas = try Row.fetchCursor(db, sql: "SELECT number, country, code, name FROM region ORDER BY number")
    while let row = try areas.next() {
      guard regions.count < 0x7FFF else { throw GazetteerFile.damaged }
      numbers[row[0]] = UInt16(regions.count)
      let country: String = row[1]
      let code: String = row[2]
      let name: String? = row[3]
      regions.append([country, "\(country).\(code)"] + (name.map { [$0] } ?? []))
    }
    let codes = regions.map { CountryCode($0[0]) }
    var (towns, records, names, own) = ([TownGridBuilder.Town](), [Towns.Record](), [UInt8](), [UInt16]())
    // Larger ones have lower ranks.
    let rows = try Row.fetchCursor(
      db,
      sql: "SELECT id, latitude, longitude, population, region, name FROM place WHERE band IS NOT NULL ORDER BY rank")
    while let row = try rows.next() {
      let record = Towns.Record(
        id: row[0], latitude: row[1], longitude: row[2], population: row[3], name: UInt32(names.count))
      let (latitude, longitude) = (Double(record.latitude) / 1e5, Double(record.longitude) / 1e5)
      guard let region = numbers[row[4]] else { throw GazetteerFile.damaged }
      let site = Towns.Site(
        latitude: latitude, longitude: longitude, population: Int(record.population), country: codes[Int(region)],
        region: region)
      towns.append(.init(latitude: latitude, longitude: longitude, site: site))
      records.append(record)
      let name: String = row[5]
      names += name.utf8
      own.append(counties.number(of: Int64(record.id)) ?? UInt16.max)
    }
    return Towns(
      sites: towns.map(\.site), records: records, names: names, regions: regions, counties: own,
      countyNames: counties.names, grid: TownGridBuilder.grid(of: towns))
  }

  // MARK: Bytes

  private func read(_ bytes: Data) throws -> Towns {
    var reader = try BorderReader(bytes, magic: Self.magic)
    let (sites, entries, words) = (try reader.nextNumber(), try reader.nextNumber(), try reader.nextNumber())
    let (nameText, regionText, countyText) = (try reader.nextNumber(), try reader.nextNumber(), try reader.nextNumber())
    let numbers: [UInt32] = try reader.next(sites * 10)
    let codes: [UInt16] = try reader.next(sites * 3)
    let grid = TownGrid(directory: try reader.next(entries), lists: try reader.next(words))
    let names: [UInt8] = try reader.next(nameText)
    let regions = try reader.nextText(regionText).map { $0.split(separator: "\t").map(String.init) }
    let counties = try reader.nextText(countyText)
    guard grid.isSound(towns: sites), regions.allSatisfy({ $0.count >= 2 }) else { throw BorderReader.damaged }
    let columns = (0..<sites).map { site in
      let at = site * 10
      return Towns.Site(
        x: Float(bitPattern: numbers[at]), y: Float(bitPattern: numbers[at + 1]), z: Float(bitPattern: numbers[at + 2]),
        quietness: Float(bitPattern: numbers[at + 3]), radius: Float(bitPattern: numbers[at + 4]),
        country: CountryCode(value: codes[site * 3]), region: codes[site * 3 + 1])
    }
    let records = (0..<sites).map { site in
      let at = site * 10 + 5
      return Towns.Record(
        id: numbers[at], latitude: Int32(bitPattern: numbers[at + 1]), longitude: Int32(bitPattern: numbers[at + 2]),
        population: numbers[at + 3], name: numbers[at + 4])
    }
    guard columns.allSatisfy({ $0.region < regions.count }), records.allSatisfy({ $0.name <= names.count }),
      zip(records, records.dropFirst()).allSatisfy({ $0.name <= $1.name })
    else { throw BorderReader.damaged }
    return Towns(
      sites: columns, records: records, names: names, regions: regions, counties: (0..<sites).map { codes[$0 * 3 + 2] },
      countyNames: counties, grid: grid)
  }

  private func written(_ towns: Towns) -> [UInt8] {
    let regions = towns.regions.map { $0.joined(separator: "\t") + "\n" }.joined().utf8
    let counties = towns.countyNames.map { $0 + "\n" }.joined().utf8
    var body: [UInt8] = []
    body.reserveCapacity(towns.sites.count * 60 + (towns.grid.directory.count + towns.grid.lists.count) * 4)
    func append<Number: FixedWidthInteger>(_ numbers: some Sequence<Number>) {
      for number in numbers { withUnsafeBytes(of: number.littleEndian) { body.append(contentsOf: $0) } }
    }
    append(
      [
        towns.sites.count, towns.grid.directory.count, towns.grid.lists.count, towns.names.count, regions.count,
        counties.count,
      ].map { UInt32($0) })
    for (site, record) in zip(towns.sites, towns.records) {
      append([site.x, site.y, site.z, site.quietness, site.radius].map(\.bitPattern))
      append([
        record.id, UInt32(bitPattern: record.latitude), UInt32(bitPattern: record.longitude), record.population,
        record.name,
      ])
    }
    for (site, county) in zip(towns.sites, towns.counties) { append([site.country.value, site.region, county]) }
    append(towns.grid.directory)
    append(towns.grid.lists)
    body += towns.names + Array(regions) + Array(counties)
    let sum = body.withUnsafeBufferPointer { crc32(0, $0.baseAddress, uInt($0.count)) }
    return Array(Self.magic.utf8) + withUnsafeBytes(of: UInt32(sum).littleEndian, Array.init) + body
  }
}
