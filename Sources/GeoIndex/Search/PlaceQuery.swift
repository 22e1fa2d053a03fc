import GRDB

/// A country, or a first-level region of it.
struct Area: Hashable {
  let country: String
  /// Empty: the whole country.
  let region: String
}

/// The places that fit one reading.
struct PlaceQuery {
  /// A place and what speaks for it.
  struct Match {
    let rank: Int64
    /// Nil: the place's own name.
    let name: String?
    /// Population; a capital counts double, a place's own name eight times an alternate one: Philadelphia was once the
    /// name of Amman, but who says it today means Pennsylvania's.
    let weight: Int
  }

  private let db: Database
  private let name: String
  /// SQL conditions on `country` and `code`, and their arguments.
  private var filter = ""
  private var filterArguments: StatementArguments = []

  /// - Parameter country: only places there (two capital letters).
  init(_ db: Database, _ reading: Reading, country: String?) throws {
    self.db = db
    name = reading.name
    if let country { restrict(to: [Area(country: country, region: "")]) }
    let statement = try db.cachedStatement(sql: "SELECT country, region FROM area WHERE key = ?")
    for key in reading.within {
      restrict(to: try Row.fetchAll(statement, arguments: [key]).map { Area(country: $0[0], region: $0[1]) })
    }
  }

  private mutating func restrict(to areas: [Area]) {
    let alternatives = areas.map { $0.region.isEmpty ? "country = ?" : "country = ? AND code = ?" }
    filter += " AND (\(areas.isEmpty ? "FALSE" : alternatives.joined(separator: " OR ")))"
    for area in areas { filterArguments += area.region.isEmpty ? [area.country] : [area.country, area.region] }
  }

  /// All places that bear the name, the weightiest first.
  func exactMatches() throws -> [Match] {
    let statement = try db.cachedStatement(
      sql: """
        SELECT alias.place, alias.name, population * (1 + capital) * iif(alias.name IS NULL, 8, 1) AS weight
        FROM alias JOIN place ON place.rank = alias.place JOIN region ON region.number = place.region
        WHERE key = ?\(filter) ORDER BY weight DESC, alias.place
        """)
    return try Row.fetchAll(statement, arguments: [name] + filterArguments).map {
      Match(rank: $0[0], name: $0[1], weight: $0[2])
    }
  }

  /// The places that have a longer name that begins with the name, but don't bear the name itself: by rank.
  func prefixMatches(limit: Int, offset: Int) throws -> [Match] {
    guard limit > 0 else { return [] }
    let statement = try db.cachedStatement(
      sql: """
        SELECT alias.place, alias.name, min(key) FROM alias
        \(filter.isEmpty ? "" : "JOIN place ON place.rank = alias.place JOIN region ON region.number = place.region")
        WHERE key > ? AND key < ? AND alias.place NOT IN (SELECT place FROM alias WHERE key = ?)\(filter)
        GROUP BY alias.place ORDER BY alias.place LIMIT ? OFFSET ?
        """)
    // No name has a scalar beyond the last one: this is the end of all names that begin so.
    let range: StatementArguments = [name, name + "\u{10FFFF}", name]
    return try Row.fetchAll(statement, arguments: range + filterArguments + [limit, offset]).map {
      Match(rank: $0[0], name: $0[1], weight: 0)
    }
  }
}
