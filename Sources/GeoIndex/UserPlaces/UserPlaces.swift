import Basics
public import Foundation
import GRDB
import Glibc

/// The user's own data, in a folder of its own: pins and recently chosen places in an SQLite file, and an index for each
/// file of places that was imported.
///
/// Several processes can use it at the same time; every change is atomic.
public final class UserPlaces: Sendable {
  private let path: String
  /// The folder of the indexes.
  var folder: String { (path as NSString).deletingLastPathComponent + "/imports" }
  private let database: DatabaseQueue

  /// Opens the file for changes, and creates it if necessary, accessible only to its owner.
  /// - Parameter directory: `$XDG_DATA_HOME/metatag`, or `~/.local/share/metatag` if that variable is not set.
  /// - Throws: `.userPlaces` if the file can't be created or opened, is damaged, or was created by a newer version.
  public convenience init(directory: URL) throws(GeoIndexError) {
    let path = directory.appending(path: Self.fileName).path(percentEncoded: false)
    do {
      try FileManager.default.createDirectory(
        at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw GeoIndexError(
        .userPlaces,
        "the folder of your own places, \(directory.path(percentEncoded: false)), can't be created",
        remedy: .otherDataFolder)
    }
    // SQLite gives its own files next to the database the mode of the database.
    close(Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600))
    try self.init(path: path, isWriting: true)
  }

  /// Opens the file for reading, also while another process changes it; nil if nothing was ever saved.
  /// - Throws: `.userPlaces` if the file can't be opened or its existence can't be determined, or if it is damaged or
  ///   was created by a newer version.
  public static func reading(directory: URL) throws(GeoIndexError) -> UserPlaces? {
    let path = directory.appending(path: fileName).path(percentEncoded: false)
    guard access(path, F_OK) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw isClosed(path)
    }
    let places = try UserPlaces(path: path, isWriting: false)
    let isCurrent = try places.read { db in
      try UserPlaceSchema.migrator.hasCompletedMigrations(db) && places.hasOnlyPins(db)
    }
    // A file of an earlier version is converted. One without tables is of a process that was interrupted.
    return isCurrent ? places : try UserPlaces(directory: directory)
  }

  private static let fileName = "places.sqlite"

  private init(path: String, isWriting: Bool) throws(GeoIndexError) {
    self.path = path
    var configuration = Configuration()
    configuration.readonly = !isWriting
    configuration.busyMode = .timeout(30)
    if isWriting { configuration.journalMode = .wal }
    configuration.prepareDatabase { db in
      try db.execute(
        sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA foreign_keys = ON")
      if isWriting { try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA cache_size = -32768") }
    }
    let database: DatabaseQueue
    do {
      database = try DatabaseQueue(path: path, configuration: configuration)
      if try database.read(UserPlaceSchema.migrator.hasBeenSuperseded) {
        throw GeoIndexError(
          .userPlaces, "the file of your own places, \(path), was created by a newer version",
          remedy: .useNewerVersion)
      }
      if isWriting { try UserPlaceSchema.migrator.migrate(database) }
    } catch { throw Self.error(error, path) }
    self.database = database
    if isWriting { try convertImports() }
  }

  /// Runs one query.
  func read<Answer>(_ question: (Database) throws -> Answer) throws(GeoIndexError) -> Answer {
    do { return try database.read(question) } catch { throw Self.error(error, path) }
  }

  /// Runs one atomic change.
  func write<Answer>(_ change: (Database) throws -> Answer) throws(GeoIndexError) -> Answer {
    do { return try database.write(change) } catch { throw Self.error(error, path) }
  }

  private static func error(_ error: any Error, _ path: String) -> GeoIndexError {
    if let error = error as? GeoIndexError { return error }
    return switch (error as? DatabaseError)?.resultCode {
    case .SQLITE_CORRUPT?, .SQLITE_NOTADB?:
      GeoIndexError(.userPlaces, "the file of your own places, \(path), is damaged", remedy: .importPlacesAgain)
    case .SQLITE_BUSY?, .SQLITE_LOCKED?:
      GeoIndexError(.userPlaces, "another process is changing your own places", remedy: .wait)
    case .SQLITE_FULL?: GeoIndexError(.userPlaces, "there is no space left for your own places in \(path)")
    default: isClosed(path)
    }
  }

  /// The error for an import whose file is missing or damaged.
  public static func error(ofDamagedImport source: String) -> GeoIndexError {
    GeoIndexError(
      .userPlaces, "the import '\(source)' is missing or damaged", remedy: .updateImport)
  }

  /// The error for a file or index that can't be read or written.
  var isClosed: GeoIndexError { Self.isClosed(path) }

  private static func isClosed(_ path: String) -> GeoIndexError {
    GeoIndexError(
      .userPlaces, "the file of your own places, \(path), can't be read or written", remedy: .checkPermissions)
  }
}

/// An import of places.
public struct UserPlaceSource: Sendable, Hashable {
  /// The name of the import.
  public let name: String
  /// The number of places it contains.
  public let count: Int
  /// The time of the last import, to the second.
  public let imported: Date
  /// The path of the file it came from.
  public let file: String
  /// The format of the file: `CSV`, `GPX`, …
  public let format: String
  /// The kind of places for which the file gives none.
  public let kind: Place.Kind
  /// The terms of the database that the places are from; nil for the user's own data.
  public let terms: PlaceTerms?
}

extension UserPlaces {
  /// Returns the imports, by name.
  /// - Throws: `.userPlaces`.
  public func sources() throws(GeoIndexError) -> [UserPlaceSource] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT name, coalesce(count, 0), imported, file, format, kind, licence, attribution FROM source
          WHERE name != ? ORDER BY name
          """, arguments: [Place.pins]
      ).map { row in
        let (kind, licence) = (row[5] as String?, row[6] as String?)
        return UserPlaceSource(
          name: row[0], count: row[1], imported: Date(timeIntervalSince1970: row[2]), file: row[3], format: row[4],
          kind: kind.flatMap { Place.Kind(rawValue: $0) } ?? .own,
          terms: licence.map { PlaceTerms(licence: $0, attribution: row[7]) })
      }
    }
  }

  /// Returns the names of imports that can't be searched because their files are missing or damaged.
  /// - Throws: `.userPlaces`.
  public func damagedImports() throws(GeoIndexError) -> [String] { try imports(in: nil).damaged }

  /// Removes the places of an import.
  /// - Returns: The number of places that were removed; nil if there is no such import.
  /// - Throws: `.userPlaces`.
  public func remove(source: String) throws(GeoIndexError) -> Int? {
    guard source != Place.pins else { return nil }
    let removed = try write { db -> (count: Int, index: String?)? in
      guard let number = try UserPlaceSource.number(of: source, in: db),
        let row = try Row.fetchOne(db, sql: "SELECT count, \"index\" FROM source WHERE number = ?", arguments: [number])
      else { return nil }
      try db.execute(sql: "DELETE FROM source WHERE number = ?", arguments: [number])
      return (row[0] ?? 0, row[1])
    }
    removed?.index.map(removeIndex)
    return removed?.count
  }
}

extension UserPlaceSource {
  static func number(of name: String, in db: Database) throws -> Int64? {
    try Int64.fetchOne(db, sql: "SELECT number FROM source WHERE name = ?", arguments: [name])
  }
}

extension UserPlaces {
  /// The number of places that are remembered.
  public static let mostRecents = 20

  /// Remembers that a place was chosen, and forgets the oldest if there are too many. No time is stored.
  /// - Throws: `.userPlaces`.
  public func remember(_ place: Place) throws(GeoIndexError) {
    try write { db in
      let marks = repeatElement("?", count: UserPlaceRow.count + 1).joined(separator: ", ")
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO recent (\(UserPlaceRow.columns()), source, turn)
          VALUES (\(marks), (SELECT coalesce(max(turn), 0) + 1 FROM recent))
          """, arguments: StatementArguments(UserPlaceRow.values(of: place) + [place.own?.source]))
      try db.execute(
        sql: "DELETE FROM recent WHERE id NOT IN (SELECT id FROM recent ORDER BY turn DESC LIMIT \(Self.mostRecents))")
    }
  }

  /// Returns the recently chosen places, the latest first.
  /// - Throws: `.userPlaces`.
  public func recents() throws(GeoIndexError) -> [Place] {
    try read { db in
      try Row.fetchAll(db, sql: "SELECT \(UserPlaceRow.columns()), source FROM recent ORDER BY turn DESC").map {
        Place(ownRow: $0)
      }
    }
  }

  /// Forgets all recently chosen places.
  /// - Throws: `.userPlaces`.
  public func forgetRecents() throws(GeoIndexError) { try write { try $0.execute(sql: "DELETE FROM recent") } }
}

extension UserPlaces {
  /// Returns the pins in a circle of `metres`, the nearest first; at equal distance in the order of their numbers.
  func pins(near point: Coordinate, within metres: Double) throws(GeoIndexError) -> [(distance: Double, place: Place)] {
    try pins().map { (distance: $0.coordinate.haversineDistance(to: point), place: $0) }
      .filter { $0.distance <= metres }.sorted { ($0.distance, $0.place.id) < ($1.distance, $1.place.id) }
  }
}
