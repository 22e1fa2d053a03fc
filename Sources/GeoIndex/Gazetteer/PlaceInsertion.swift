import GRDB
import GRDBSQLite

/// Inserts places, a quarter of a million of them. Values are bound directly to SQLite, because GRDB boxes every value
/// of every row, which takes longer than the insertion.
struct PlaceInsertion {
  private let statement: Statement

  init(_ db: Database) throws {
    statement = try db.makeStatement(
      sql: """
        INSERT INTO place (rank, id, class, region, latitude, longitude, population, zone, name, band)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
  }

  /// - Parameter numbers: The columns before the name.
  func insert(name: ArraySlice<UInt8>, numbers: [Int], band: Int) throws {
    let row = statement.sqliteStatement
    for (column, number) in numbers.enumerated() {
      sqlite3_bind_int64(row, CInt(column + 1), sqlite3_int64(number))
    }
    sqlite3_bind_int64(row, 10, sqlite3_int64(band))
    // The name lives until the row is written, so SQLite needs no copy (indicated by the nil destructor).
    let status = name.withUnsafeBytes { name in
      sqlite3_bind_text(row, 9, name.bindMemory(to: CChar.self).baseAddress, CInt(name.count), nil)
      defer { sqlite3_reset(row) }
      return sqlite3_step(row)
    }
    guard status == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: status)) }
  }
}
