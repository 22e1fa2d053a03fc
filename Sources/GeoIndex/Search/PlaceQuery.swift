import GRDB

/// A country, or a first-level region of it.
struct Area: Hashable {
  let country: String
  /// Empty: the whole country.
  let region: String
}

/// The places that fit one reading.
struct PlaceQuery {
  private let reading: Reading
  private let area: [Area]?
  private let isExact: Bool

  /// - Parameters:
  ///   - area: only places in one of these; nil: anywhere.
  ///   - isExact: only places that bear the whole name.
  init(_ reading: Reading, in area: [Area]?, isExact: Bool) {
    self.reading = reading
    self.area = area
    self.isExact = isExact
  }

  func places(_ db: Database, limit: Int, offset: Int) throws -> [Place] {
    guard limit > 0, offset >= 0 else { return [] }
    var filters = area.map { [$0] } ?? []
    for key in reading.within { filters.append(try areas(db, key: key)) }
    guard filters.allSatisfy({ !$0.isEmpty }) else { return [] }

    var arguments: StatementArguments = [reading.name, reading.name]
    // No name has a scalar beyond the last: this is the end of all names with the prefix.
    if !isExact { arguments += [reading.name + "\u{10FFFF}"] }
    var sql = "SELECT place, min(alias.key <> ?) AS inexact, alias.name FROM alias"
    if !filters.isEmpty { sql += " JOIN place ON rank = place JOIN region ON region.number = place.region" }
    sql += isExact ? " WHERE key = ?" : " WHERE key >= ? AND key < ?"
    for areas in filters {
      let alternatives = areas.map { $0.region.isEmpty ? "country = ?" : "country = ? AND code = ?" }
      sql += " AND (\(alternatives.joined(separator: " OR ")))"
      for area in areas { arguments += area.region.isEmpty ? [area.country] : [area.country, area.region] }
    }
    sql += " GROUP BY place ORDER BY inexact, place LIMIT ? OFFSET ?"
    arguments += [limit, offset]

    let found = try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
    return try found.compactMap { try Place(db, rank: $0[0], matchedName: $0[2]) }
  }

  private func areas(_ db: Database, key: String) throws -> [Area] {
    let statement = try db.cachedStatement(sql: "SELECT country, region FROM area WHERE key = ?")
    return try Row.fetchAll(statement, arguments: [key]).map { Area(country: $0[0], region: $0[1]) }
  }
}

extension Place {
  /// Reads the place of a rank.
  init?(_ db: Database, rank: Int64, matchedName: String?) throws {
    let statement = try db.cachedStatement(
      sql: """
        SELECT place.id, place.name, capital, region.country, country.name, region.name, latitude, longitude,
          population, zone.name
        FROM place JOIN region ON region.number = place.region JOIN zone ON zone.number = place.zone
        LEFT JOIN country ON country.code = region.country
        WHERE rank = ?
        """)
    guard let row = try Row.fetchOne(statement, arguments: [rank]) else { return nil }
    let name: String = row[1]
    let isCapital: Bool = row[2]
    let code: String = row[3]
    let country: String? = row[4]
    // Hundred-thousandths of a degree are what is stored: dividing gives the nearest double of the decimal.
    self.init(
      id: row[0], name: name, matchedName: matchedName ?? name, kind: isCapital ? .capital : .city, countryCode: code,
      country: country ?? code, admin1: row[5], latitude: row[6] / 1e5, longitude: row[7] / 1e5, population: row[8],
      timeZone: row[9])
  }
}
