import GRDB

extension Place {
  /// Reads the place with a rank.
  /// - Parameter matchedName: The name by which it was found; nil for its own name.
  init?(_ db: Database, rank: Int64, matchedName: String?) throws {
    let statement = try db.cachedStatement(
      sql: """
        SELECT place.id, place.name, class, region.country, country.name, region.name, latitude, longitude,
          population, zone.name
        FROM place JOIN region ON region.number = place.region JOIN zone ON zone.number = place.zone
        LEFT JOIN country ON country.code = region.country
        WHERE rank = ?
        """)
    guard let row = try Row.fetchOne(statement, arguments: [rank]) else { return nil }
    let name: String = row[1]
    let number: UInt8 = row[2]
    let code: String = row[3]
    let country: String? = row[4]
    // The stored unit is a hundred-thousandth of a degree: dividing gives the double nearest to the decimal.
    self.init(
      id: row[0], name: name, matchedName: matchedName ?? name, kind: PlaceClass(rawValue: number)?.kind ?? .city,
      countryCode: code, country: country ?? code, admin1: row[5], latitude: row[6] / 1e5, longitude: row[7] / 1e5,
      population: row[8],
      timeZone: row[9])
  }
}
