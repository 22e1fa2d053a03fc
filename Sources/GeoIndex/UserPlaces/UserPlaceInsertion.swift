import Foundation
import GRDB

/// Inserts the places of one source.
struct UserPlaceInsertion {
  private let source: Int64
  private let place: Statement
  private let name: Statement
  private let db: Database
  private var names = UserPlaceName()
  private var reach = 0.0

  /// Recreates the source: the places of an earlier import are removed.
  init(_ db: Database, replacing sourceName: String, file: String, format: String, at date: Date) throws {
    try UserPlaceSource.remove(sourceName, from: db)
    try self.init(db, source: sourceName, file: file, format: format, at: date)
  }

  /// Adds to the source, which is created if it doesn't exist.
  init(_ db: Database, source sourceName: String, file: String, format: String, at date: Date) throws {
    try db.execute(
      sql: "INSERT OR IGNORE INTO source (name, file, format, imported, reach) VALUES (?, ?, ?, ?, 0)",
      arguments: [sourceName, file, format, Int64(date.timeIntervalSince1970.rounded(.down))])
    guard let number = try UserPlaceSource.number(of: sourceName, in: db) else {
      throw DatabaseError(resultCode: .SQLITE_ERROR)
    }
    (self.db, source) = (db, number)
    let marks = repeatElement("?", count: UserPlaceRow.count + 2).joined(separator: ", ")
    place = try db.makeStatement(
      sql: "INSERT OR IGNORE INTO place (\(UserPlaceRow.columns()), source, band) VALUES (\(marks))")
    name = try db.makeStatement(sql: "INSERT OR IGNORE INTO name VALUES (?, ?, ?, ?, ?)")
  }

  /// Inserts a place; returns false if it already exists.
  mutating func insert(_ new: Place, alternateNames: [String] = []) throws -> Bool {
    let band = Box.band(latitude: Int((new.latitude * 1e5).rounded(.down)))
    try place.execute(arguments: StatementArguments(UserPlaceRow.values(of: new) + [source, band]))
    guard db.changesCount > 0 else { return false }
    let (name, source) = (name, source)
    for alias in [nil] + alternateNames.map(Optional.some) {
      try names.forEachKey(alias ?? new.name) { form, key in
        try name.execute(arguments: [source, form.rawValue, Data(key), new.id, alias])
      }
    }
    reach = max(reach, new.own?.radius ?? 0)
    return true
  }

  /// Returns the name of the place that already existed if it is a different one: a file may use one `id` twice.
  func otherPlace(like new: Place) throws -> String? {
    let row = try Row.fetchOne(
      db, sql: "SELECT name, latitude, longitude FROM place WHERE id = ?", arguments: [new.id])
    guard let row, (row[0], row[1], row[2]) != (new.name, new.latitude, new.longitude) else { return nil }
    return row[0]
  }

  /// Stores what concerns all of the places.
  func finish() throws {
    try db.execute(sql: "UPDATE source SET reach = max(reach, ?) WHERE number = ?", arguments: [reach, source])
  }
}
