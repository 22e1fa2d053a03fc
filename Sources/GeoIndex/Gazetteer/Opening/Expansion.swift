import Basics
import Foundation
import GRDB
import Synchronization

/// Creates the searchable files from the compact gazetteer: a database of places, the index of their names, and the
/// index of town positions.
///
/// Places are numbered by importance (`rank`, 0 is the highest).
struct Expansion {
  /// A part of the file names, with `Folding.version`. Increase it when the files change.
  static let version = 11
  /// The files that are created, by their extensions.
  static let parts = ["sqlite", "names", "towns"]

  private let gazetteer: GazetteerFile
  private let importances: [Float]
  /// The numbers of places in the file, by rank.
  private let order: [Int]

  /// Writes `gazetteer` to new files, in parallel.
  /// - Parameters:
  ///   - counties: The counties; nil if unknown.
  ///   - cities: The cities whose parts are listed; nil if unknown.
  ///   - path: The common path, without file extensions.
  ///   - progress: Called with the completed share, 0...1; an error it throws cancels the work.
  static func write(
    _ gazetteer: GazetteerFile, counties: Counties?, cities: CityTable?, to path: String,
    progress: (Double) throws -> Void
  ) throws {
    let weights = gazetteer.importances
    let expansion = Expansion(gazetteer, weights)
    let towns = Future(catching: {
      try TownsFile.write(
        gazetteer, order: expansion.order, counties: counties, cities: cities, to: "\(path).towns")
    })
    let end = End()
    let places = Future(catching: { try expansion.writePlaces(to: "\(path).sqlite", until: end) })
    var writer = NameIndexWriter(gazetteer: gazetteer, importances: weights, order: expansion.order, counties: counties)
    let names = Result {
      try progress(0.1)
      try writer.write(to: "\(path).names") { try progress(0.1 + 0.8 * $0) }
    }
    if case .failure = names { end.isNear.store(true, ordering: .relaxed) }
    // Wait for all of it, even if something failed, so that nothing is written after this returns.
    let others = [Result { try towns.get() }, Result { try places.get() }]
    try names.get()
    for other in others { try other.get() }
    try progress(1)
  }

  /// A flag that the results of parallel work are no longer needed.
  private final class End: Sendable {
    let isNear = Atomic(false)
  }

  private init(_ gazetteer: GazetteerFile, _ weights: [Float]) {
    (self.gazetteer, importances) = (gazetteer, weights)
    let places = gazetteer.places
    order = weights.indices.sorted { (weights[$1], places.id[$0]) < (weights[$0], places.id[$1]) }
  }

  private func writePlaces(to path: String, until end: End) throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      // The file is discarded if anything goes wrong.
      try db.execute(
        sql: """
          PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
          PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF
          """)
    }
    let database = try DatabaseQueue(path: path, configuration: configuration)
    try database.inTransaction(.exclusive) { db in
      try db.execute(sql: Self.schema)
      try writeAreas(db)
      try writePlaces(db, until: end)
      try db.execute(
        sql: """
          CREATE INDEX position ON place (band, longitude, latitude);
          CREATE INDEX extent ON place (radius) WHERE radius > 0
          """)
      return .commit
    }
    try database.close()
  }

  /// The database schema. `importance` is in ten-thousandths, `radius` in metres. `band` is the quarter of a degree of
  /// latitude, as in `Box`.
  private static let schema = """
    CREATE TABLE country (code TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE region (number INTEGER PRIMARY KEY, country TEXT NOT NULL, code TEXT NOT NULL, name TEXT);
    CREATE TABLE zone (number INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE place (
      rank INTEGER PRIMARY KEY, id INTEGER NOT NULL, name TEXT NOT NULL, class INTEGER NOT NULL,
      region INTEGER NOT NULL, latitude INTEGER NOT NULL, longitude INTEGER NOT NULL, population INTEGER NOT NULL,
      zone INTEGER NOT NULL, importance INTEGER NOT NULL, radius INTEGER NOT NULL, band INTEGER NOT NULL);
    """

  private func writeAreas(_ db: Database) throws {
    let country = try db.makeStatement(sql: "INSERT INTO country VALUES (?, ?)")
    for names in gazetteer.countries where names.count > 1 { try country.execute(arguments: [names[0], names[1]]) }
    let region = try db.makeStatement(sql: "INSERT INTO region VALUES (?, ?, ?, ?)")
    for (number, names) in gazetteer.regions.enumerated() {
      let codes = names[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard codes.count == 2, codes[0].utf8.count == 2 else { throw GazetteerFile.damaged }
      try region.execute(arguments: [number, codes[0], codes[1], names.dropFirst().first])
    }
    let zone = try db.makeStatement(sql: "INSERT INTO zone VALUES (?, ?)")
    for (number, name) in gazetteer.zones.enumerated() { try zone.execute(arguments: [number, name]) }
  }

  private func writePlaces(_ db: Database, until end: End) throws {
    let (places, lines) = (gazetteer.places, gazetteer.places.names.lineStarts())
    guard lines.count == order.count + 1 else { throw GazetteerFile.damaged }
    let insertion = try PlaceInsertion(db)
    for (rank, index) in order.enumerated() {
      if rank % 4_096 == 0, end.isNear.load(ordering: .relaxed) { throw CancellationError() }
      let latitude = places.latitude[index]
      try insertion.insert(
        name: places.names.bytes[lines[index]..<(lines[index + 1] - 1)],
        numbers: [
          rank, places.id[index], Int(places.classes[index].rawValue), places.region[index], latitude,
          places.longitude[index], places.population[index], places.zone[index],
          Int((importances[index] * 10_000).rounded()), places.radius[index] * 100,
        ],
        band: Box.band(latitude: latitude))
    }
  }
}
