import GRDB

/// Makes the SQLite file that is searched from the compact gazetteer.
///
/// Places are numbered by importance (`rank`, 0 the highest), so every key lists its places in order. Keys are sorted
/// before they go into their b-tree, which fills its pages and is faster than any cache.
struct Expansion {
  /// Part of the index's name, with `Folding.version`: count it up when the tables change.
  static let version = 1

  private let gazetteer: GazetteerFile
  private var folding = Folding()

  /// Writes `gazetteer` to a new file at `path`.
  static func write(_ gazetteer: GazetteerFile, to path: String) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      // The file is thrown away if anything goes wrong.
      try db.execute(
        sql: """
          PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
          PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF
          """)
    }
    let database = try DatabaseQueue(path: path, configuration: configuration)
    var expansion = Expansion(gazetteer: gazetteer)
    try database.inTransaction(.exclusive) { db in
      try db.execute(sql: schema)
      try expansion.writeAreas(db)
      try expansion.writePlaces(db)
      try db.execute(sql: "CREATE INDEX position ON place (band, longitude, latitude)")
      return .commit
    }
    try database.close()
  }

  private init(gazetteer: GazetteerFile) { self.gazetteer = gazetteer }

  private static let schema = """
    CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE region (number INTEGER PRIMARY KEY, country TEXT NOT NULL, code TEXT NOT NULL, name TEXT);
    CREATE TABLE zone (number INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE area (key TEXT, country TEXT, region TEXT, PRIMARY KEY (key, country, region)) WITHOUT ROWID;
    CREATE TABLE place (
      rank INTEGER PRIMARY KEY, id INTEGER NOT NULL, name TEXT NOT NULL, capital INTEGER NOT NULL,
      region INTEGER NOT NULL, latitude INTEGER NOT NULL, longitude INTEGER NOT NULL, population INTEGER NOT NULL,
      zone INTEGER NOT NULL, band INTEGER NOT NULL);
    CREATE TABLE alias (key TEXT, place INTEGER, name TEXT, PRIMARY KEY (key, place)) WITHOUT ROWID;
    """

  private mutating func writeAreas(_ db: Database) throws {
    let area = try db.makeStatement(sql: "INSERT OR IGNORE INTO area VALUES (?, ?, ?)")
    let country = try db.makeStatement(sql: "INSERT INTO country VALUES (?, ?)")
    for names in gazetteer.countries where names.count > 1 {
      try country.execute(arguments: [names[0], names[1]])
      for name in names { try area.execute(arguments: [folding.key(name), names[0], ""]) }
    }
    let region = try db.makeStatement(sql: "INSERT INTO region VALUES (?, ?, ?, ?)")
    for (number, names) in gazetteer.regions.enumerated() {
      let codes = names[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard codes.count == 2 else { throw GazetteerFile.damaged }
      try region.execute(arguments: [number, codes[0], codes[1], names.dropFirst().first])
      for name in names.dropFirst() { try area.execute(arguments: [folding.key(name), codes[0], codes[1]]) }
    }
    let zone = try db.makeStatement(sql: "INSERT INTO zone VALUES (?, ?)")
    for (number, name) in gazetteer.zones.enumerated() { try zone.execute(arguments: [number, name]) }
  }

  private mutating func writePlaces(_ db: Database) throws {
    let places = gazetteer.places
    let ranks = ranks()
    let place = try db.makeStatement(sql: "INSERT INTO place VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    let staged = try StagedNames(db)
    var names = LineReader(column: places.names)
    var aliases = places.aliases.map(LineReader.init)
    for (index, rank) in ranks.enumerated() {
      guard let name = names.next().first else { throw GazetteerFile.damaged }
      let (latitude, longitude) = (places.latitude[index], places.longitude[index])
      try place.execute(arguments: [
        rank, places.id[index], name, places.isCapital[index], places.region[index], latitude, longitude,
        places.population[index], places.zone[index], Box.band(latitude: latitude),
      ])
      try stage(name, own: true, place: rank, in: staged)
      for script in aliases.indices {
        for alias in aliases[script].next() { try stage(alias, own: false, place: rank, in: staged) }
      }
    }
    try staged.finish()
  }

  private mutating func stage(_ name: String, own: Bool, place: Int, in staged: StagedNames) throws {
    let key = folding.key(name)
    guard !key.isEmpty else { return }
    try staged.insert(key: key, place: place, name: own ? nil : name)
    if let key = folding.spelledOutKey(name) { try staged.insert(key: key, place: place, name: own ? nil : name) }
  }

  /// The rank of each place: by population, a capital as if it were twice as large.
  private func ranks() -> [Int] {
    let places = gazetteer.places
    let weights = places.population.indices.map { places.population[$0] * (1 + places.isCapital[$0]) }
    let order = weights.indices.sorted { (weights[$1], places.id[$0]) < (weights[$0], places.id[$1]) }
    var ranks = [Int](repeating: 0, count: order.count)
    for (rank, index) in order.enumerated() { ranks[index] = rank }
    return ranks
  }
}
