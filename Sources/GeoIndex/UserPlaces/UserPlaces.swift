import Basics
public import Foundation
import GRDB
import Glibc

/// The user's own data: places imported from files, pins, and recently chosen places, in one SQLite file in a folder of
/// its own.
///
/// Several processes can use it at the same time; every change is atomic.
public final class UserPlaces: Sendable {
  private let path: String
  private let database: DatabaseQueue

  /// Opens the file for changes, and creates it if necessary, accessible only to its owner.
  /// - Parameter directory: `$XDG_DATA_HOME/metatag`, or `~/.local/share/metatag` if that variable is not set.
  /// - Throws: `.ownPlaces` if the file can't be created or opened, is damaged, or was created by a newer version.
  public convenience init(directory: URL) throws(GeoIndexError) {
    let path = directory.appending(path: Self.fileName).path(percentEncoded: false)
    do {
      try FileManager.default.createDirectory(
        at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw GeoIndexError(
        .ownPlaces,
        "the folder of your own places, \(directory.path(percentEncoded: false)), can't be created",
        remedy: .otherDataFolder)
    }
    // SQLite gives its own files next to the database the mode of the database.
    close(Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600))
    try self.init(path: path, isWriting: true)
  }

  /// Opens the file for reading, also while another process changes it; nil if nothing was ever saved.
  /// - Throws: `.ownPlaces` if the file can't be opened or its existence can't be determined, or if it is damaged or
  ///   was created by a newer version.
  public static func reading(directory: URL) throws(GeoIndexError) -> UserPlaces? {
    let path = directory.appending(path: fileName).path(percentEncoded: false)
    guard access(path, F_OK) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw isClosed(path)
    }
    let places = try UserPlaces(path: path, isWriting: false)
    // The process that created it may have been interrupted before it was complete.
    return try places.read { try UserPlaceSchema.migrator.hasCompletedMigrations($0) } ? places : nil
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
          .ownPlaces, "the file of your own places, \(path), was created by a newer version",
          remedy: .useNewerVersion)
      }
      if isWriting { try UserPlaceSchema.migrator.migrate(database) }
    } catch { throw Self.error(error, path) }
    self.database = database
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
      GeoIndexError(.ownPlaces, "the file of your own places, \(path), is damaged", remedy: .importPlacesAgain)
    case .SQLITE_BUSY?, .SQLITE_LOCKED?:
      GeoIndexError(.ownPlaces, "another process is changing your own places", remedy: .wait)
    case .SQLITE_FULL?: GeoIndexError(.ownPlaces, "there is no space left for your own places in \(path)")
    default: isClosed(path)
    }
  }

  private static func isClosed(_ path: String) -> GeoIndexError {
    GeoIndexError(
      .ownPlaces, "the file of your own places, \(path), can't be read or written", remedy: .checkPermissions)
  }
}
