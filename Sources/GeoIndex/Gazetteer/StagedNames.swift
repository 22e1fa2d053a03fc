import GRDB
import GRDBSQLite

/// The names of all places on their way into the sorted table, a million of them: bound straight to SQLite, because GRDB
/// boxes every value of every row, which takes longer than the insertion.
struct StagedNames {
  private let database: Database
  private let statement: Statement

  init(_ db: Database) throws {
    try db.execute(sql: "CREATE TEMPORARY TABLE staged (key TEXT, place INTEGER, name TEXT)")
    database = db
    statement = try db.makeStatement(sql: "INSERT INTO staged VALUES (?, ?, ?)")
  }

  /// - Parameter name: nil if it is the place's own.
  func insert(key: String, place: Int, name: String?) throws {
    let row = statement.sqliteStatement
    // The texts live until the row is written: SQLite needs no copy (a nil destructor says so).
    let status = key.withUTF8Bytes { key in
      (name ?? "").withUTF8Bytes { text in
        sqlite3_bind_text(row, 1, key.baseAddress, CInt(key.count), nil)
        sqlite3_bind_int64(row, 2, sqlite3_int64(place))
        if name == nil {
          sqlite3_bind_null(row, 3)
        } else {
          sqlite3_bind_text(row, 3, text.baseAddress, CInt(text.count), nil)
        }
        defer { sqlite3_reset(row) }
        return sqlite3_step(row)
      }
    }
    guard status == SQLITE_DONE else { throw DatabaseError(resultCode: ResultCode(rawValue: status)) }
  }

  /// Moves the names into their table, in its order. Of a place's equal keys the first one counts.
  func finish() throws {
    try database.execute(
      sql: """
        INSERT OR IGNORE INTO alias SELECT key, place, name FROM staged ORDER BY key, place, rowid;
        DROP TABLE staged
        """)
  }
}

extension String {
  fileprivate func withUTF8Bytes<R>(_ body: (UnsafeBufferPointer<CChar>) -> R) -> R {
    var copy = self
    return copy.withUTF8 { $0.withMemoryRebound(to: CChar.self, body) }
  }
}
