import Foundation
import GRDB
import Glibc
package import SystemPackage

/// The result of a repair of the journal.
package struct JournalRepair: Hashable, Sendable {
  /// The damaged file, under its new name.
  package let kept: FilePath
  /// The number of changes in the new journal.
  package let copied: Int
  /// The number of changes that can't be read.
  package let lost: Int
}

/// A new journal is made of the rows that can be read: an index in which one bit is wrong keeps SQLite from finding rows
/// that are sound.
extension Journal {
  /// Makes a new journal of what can be read in a damaged one, which stays next to it under another name.
  ///
  /// - Throws: `FileError`: `.journalBusy` while another process uses it; `.damagedJournal` if nothing can be read;
  ///   `.journalFailed` or `.diskFull` if the new one can't be written. The journal is then as it was.
  package static func repair(in directory: FilePath) throws(FileError) -> JournalRepair {
    try requireOwnFiles(in: directory)
    let lock = try lock(directory)
    defer { unlock(lock) }
    guard let file = directory.appending("journal.db").resolved, let path = String(validating: file) else {
      throw FileError(.noSuchFile, "there is no journal in \(directory)")
    }
    let part = FilePath(path + ".part")
    part.unlink()
    defer { part.unlink() }
    let (copied, lost): (Int, Int)
    do throws(FileError) {
      (copied, lost) = try translating("repair the journal") { try rebuild(path, as: part.string) }
    } catch {
      guard error.remedy == .repairJournal else { throw error }
      // That has just failed.
      throw FileError(error.code, error.description, remedy: .replaceJournal(afterUndo: false))
    }
    for suffix in ["-wal", "-shm"] where FilePath(path + suffix).status(followingLinks: false) != nil {
      throw FileError(.journalBusy, "another process is reading the journal", remedy: .wait)
    }
    let folder = try Directory(file.removingLastComponent())
    try folder.synchronizeVolume()
    let kept = try keep(file)
    guard rename(part.string, path) == 0 else {
      let error = FileError(errno: errno, doing: "replace the journal")
      kept.unlink()
      throw error
    }
    try folder.synchronizeVolume()
    return JournalRepair(kept: kept, copied: copied, lost: lost)
  }

  /// Gives a file a second name, and returns it.
  private static func keep(_ file: FilePath) throws(FileError) -> FilePath {
    for number in 1... {
      let kept = FilePath("\(file.string).damaged-\(number)")
      if link(file.string, kept.string) == 0 { return kept }
      guard errno == EEXIST else { break }
    }
    throw FileError(errno: errno, doing: "keep the damaged journal")
  }

  /// The tables, each after those to which its rows refer.
  private static let tables = [
    "journal", "run", "directory", "operation", "splice", "folder", "unfinished", "adoption",
  ]

  private static let tablesWithoutNumbers: Set = ["splice", "folder", "unfinished", "adoption"]

  private static func rebuild(_ path: String, as part: String) throws -> (copied: Int, lost: Int) {
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    // A missing run is added at the end.
    configuration.foreignKeysEnabled = false
    let new = try emptyDatabase(at: FilePath(part), configuration)
    try schema.migrate(new)
    // The definition of one table may be damaged. Otherwise, SQLite would then read none.
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA writable_schema = ON") }
    let old = try DatabaseQueue(path: path, configuration: configuration)
    let lost = try old.writeWithoutTransaction { old in
      try new.write { new in
        try new.execute(sql: "DELETE FROM journal")
        var changes: Set<Int64> = []
        for table in tables {
          let numbers = try copy(table, from: old, to: new)
          if table == "operation" { changes = numbers }
        }
        guard try String.fetchOne(new, sql: "SELECT token FROM journal") != nil else {
          throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its token can't be read")
        }
        return try addMissing(to: new, from: old, besides: changes)
      }
    }
    let counts = try new.read { new in
      guard try String.fetchOne(new, sql: "PRAGMA integrity_check(1)") == "ok" else {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its rows contradict each other")
      }
      return try Int.fetchOne(new, sql: "SELECT count(*) FROM operation") ?? 0
    }
    try new.close()
    // This empties the write-ahead log.
    try old.close()
    return (counts - lost, lost)
  }

  /// Copies the rows of a table that can be read, and returns the numbers that they had.
  private static func copy(_ table: String, from old: Database, to new: Database) throws -> Set<Int64> {
    // An earlier version had fewer tables and columns.
    let found: [String]
    do { found = try old.makeStatement(sql: "SELECT * FROM \(table)").columnNames } catch {
      guard !["journal", "run", "operation"].contains(table) else {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "its table \(table) can't be found")
      }
      return []
    }
    let columns = try new.columns(in: table).map(\.name).filter(found.contains)
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    let statement = try new.makeStatement(sql: "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(places))")
    func add(_ row: Row) throws {
      let values = columns.map { row[$0] as DatabaseValue? ?? .null }
      // A row that doesn't fit the table is damaged.
      do { try statement.execute(arguments: StatementArguments(values)) } catch is DatabaseError {}
    }
    guard !tablesWithoutNumbers.contains(table) else {
      for direction in ["ASC", "DESC"] {
        let order = try new.primaryKey(table).columns.map { "\"\($0)\" \(direction)" }.joined(separator: ", ")
        guard let rows = try? Row.fetchCursor(old, sql: "SELECT * FROM \(table) ORDER BY \(order)") else { continue }
        while let row = try? rows.next() { try add(row) }
      }
      return []
    }
    var numbers: Set<Int64> = []
    var seen: (lower: Int64, upper: Int64) = (0, .max)
    for direction in ["ASC", "DESC"] {
      let sql = "SELECT rowid AS number, * FROM \(table) NOT INDEXED ORDER BY rowid \(direction)"
      guard let rows = try? Row.fetchCursor(old, sql: sql) else { continue }
      while let row = try? rows.next(), let number = row["number"] as Int64? {
        if direction == "ASC" { seen.lower = number } else { seen.upper = number }
        guard numbers.insert(number).inserted else { break }
        try add(row)
      }
    }
    // Those between two damaged pages. One damaged page has at most some thousand rows below it.
    var (number, misses) = (seen.lower, 0)
    while number < seen.upper - 1, misses < 1 << 14 {
      (number, misses) = (number + 1, misses + 1)
      let find = try old.cachedStatement(sql: "SELECT * FROM \(table) NOT INDEXED WHERE rowid = ?")
      guard let row = try? Row.fetchOne(find, arguments: [number]) else { continue }
      misses = 0
      numbers.insert(number)
      try add(row)
    }
    return numbers
  }

  /// Adds the changes of which only the key can be read, so that an undo names them, and the runs of changes whose run
  /// can't be read. Returns the number of these changes.
  /// - Parameter copied: The numbers of the changes that were copied.
  private static func addMissing(
    to new: Database, from old: Database, besides copied: Set<Int64>
  ) throws -> Int {
    let before = new.totalChangesCount
    for direction in ["ASC", "DESC"] {
      let sql = """
        SELECT rowid AS number, run, sequence FROM operation ORDER BY run \(direction), sequence \(direction)
        """
      guard let keys = try? Row.fetchCursor(old, sql: sql) else { continue }
      while let key = try? keys.next() {
        guard let number = key["number"] as Int64?, !copied.contains(number), let run = key["run"] as Int64?,
          let sequence = key["sequence"] as Int64?, run > 0, sequence > 0
        else { continue }
        try new.execute(
          sql: """
            INSERT OR IGNORE INTO operation (run, sequence, folder, name, method, state, old, new, digest)
            VALUES (?, ?, 0, x'', '', '', '', '', x'')
            """, arguments: [run, sequence])
      }
    }
    let lost = new.totalChangesCount - before
    try new.execute(
      sql: """
        INSERT INTO run (id, seconds, nanoseconds, arguments, version, state)
        SELECT id, 0, 0, '[]', '', 'finished'
        FROM (SELECT DISTINCT run AS id FROM operation UNION SELECT undoes FROM run)
        WHERE id IS NOT NULL AND id NOT IN (SELECT id FROM run)
        """)
    return lost
  }
}
