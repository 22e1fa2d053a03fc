public import Foundation
import GRDB

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
}

extension UserPlaces {
  /// Returns the imports, by name.
  /// - Throws: `.ownPlaces`.
  public func sources() throws(GeoIndexError) -> [UserPlaceSource] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT name, (SELECT count(*) FROM place WHERE source = number), imported, file, format FROM source
          WHERE name != ? ORDER BY name
          """, arguments: [UserPlaceSchema.pins]
      ).map { row in
        UserPlaceSource(
          name: row[0], count: row[1], imported: Date(timeIntervalSince1970: row[2]), file: row[3], format: row[4])
      }
    }
  }

  /// Removes the places of an import.
  /// - Returns: The number of places that were removed; nil if there is no such import.
  /// - Throws: `.ownPlaces`.
  public func remove(source: String) throws(GeoIndexError) -> Int? {
    guard source != UserPlaceSchema.pins else { return nil }
    return try write { try UserPlaceSource.remove(source, from: $0) }
  }
}

extension UserPlaceSource {
  static func number(of name: String, in db: Database) throws -> Int64? {
    try Int64.fetchOne(db, sql: "SELECT number FROM source WHERE name = ?", arguments: [name])
  }

  @discardableResult
  static func remove(_ name: String, from db: Database) throws -> Int? {
    guard let number = try number(of: name, in: db) else { return nil }
    try db.execute(sql: "DELETE FROM name WHERE source = ?", arguments: [number])
    try db.execute(sql: "DELETE FROM place WHERE source = ?", arguments: [number])
    let count = db.changesCount
    try db.execute(sql: "DELETE FROM source WHERE number = ?", arguments: [number])
    return count
  }
}
