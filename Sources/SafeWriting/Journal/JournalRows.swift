import Foundation
import GRDB
import SystemPackage

/// Rows of changes, as far as they can be read. A damaged row doesn't prevent that the others are undone or settled.
package struct JournalRows: Sendable {
  /// The rows that can be read, in the order of the query.
  var entries: [JournalEntry] = []
  /// The rows that can't be read.
  var damaged: [DamagedRow] = []
}

/// A row of the journal that can't be read.
package struct DamagedRow: Hashable, Sendable {
  let key: JournalEntry.Key
  /// The file of the change; nil if the row doesn't even tell that.
  let path: FilePath?

  /// The error to report for the file.
  var error: FileError {
    FileError(
      .damagedJournal,
      "the journal is damaged: change \(key.sequence) of run \(key.run) can't be read; nothing was written")
  }

  /// The change, as far as it is known.
  /// - Parameter journal: The path for a file whose own is unknown.
  func operation(in journal: FilePath) -> JournalOperation {
    JournalOperation(
      run: RunID(key.run), sequence: key.sequence, path: path ?? journal, target: nil, origin: nil, state: .cleaned,
      reason: nil, kind: .bytes)
  }
}

extension Database {
  /// Returns the changes that meet a condition, as far as they can be read.
  /// - Parameters:
  ///   - order: The columns to sort by.
  ///   - run: The run to which the condition is limited; nil for all.
  func changes(
    _ condition: String, _ arguments: StatementArguments, order: String, in run: Int64? = nil
  ) throws -> JournalRows {
    var rows = JournalRows()
    do {
      let sql = "SELECT * FROM operation WHERE \(condition) ORDER BY \(order)"
      let cursor = try Row.fetchCursor(self, sql: sql, arguments: arguments)
      while let row = try cursor.next() { rows.add(row) }
      return rows
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return try changesOneByOne(condition, arguments, order: order, in: run)
    }
  }

  /// Reads the rows of a database with damaged pages one by one, by the index of their keys.
  private func changesOneByOne(
    _ condition: String, _ arguments: StatementArguments, order: String, in run: Int64?
  ) throws -> JournalRows {
    var (rows, keys) = (JournalRows(), Set<JournalEntry.Key>())
    // If the index is damaged in its middle, both of its ends can be read.
    for direction in ["ASC", "DESC"] {
      let sql = """
        SELECT run, sequence FROM operation WHERE run = ifnull(?, run)
        ORDER BY run \(direction), sequence \(direction)
        """
      guard let cursor = try? Row.fetchCursor(self, sql: sql, arguments: [run]) else { continue }
      while let row = try? cursor.next() {
        guard let run = row.int("run"), let sequence = row.int("sequence") else { continue }
        keys.insert(JournalEntry.Key(run: Int64(run), sequence: sequence))
      }
    }
    for key in keys.sorted(by: { ($0.run, $0.sequence) < ($1.run, $1.sequence) }) {
      do {
        let sql = "SELECT * FROM operation WHERE run = ? AND sequence = ? AND (\(condition))"
        if let row = try Row.fetchOne(self, sql: sql, arguments: [key.run, key.sequence] + arguments) {
          rows.add(row)
        }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
        rows.damaged.append(DamagedRow(key: key, path: nil))
      }
    }
    if order.hasSuffix("DESC") { rows.entries.reverse() }
    return rows
  }
}

extension Database {
  /// Returns the rows of a table up to the first damaged page.
  func readableRows(of table: String, sortedBy order: String, limit: Int) -> [Row] {
    var rows: [Row] = []
    let sql = "SELECT * FROM \(table) ORDER BY \(order) LIMIT ?"
    guard let cursor = try? Row.fetchCursor(self, sql: sql, arguments: [limit]) else { return [] }
    while let row = try? cursor.next() { rows.append(row.copy()) }
    return rows
  }
}

extension JournalRows {
  /// Adds a row of the table `operation`.
  fileprivate mutating func add(_ row: Row) {
    do {
      entries.append(try JournalEntry(row: row))
    } catch {
      var path: FilePath?
      if let folder = row.data("folder"), let name = row.data("name"), !folder.isEmpty, !name.isEmpty {
        path = FilePath(bytes: Array(folder) + [0x2F] + Array(name))
      }
      let key = JournalEntry.Key(run: Int64(row.int("run") ?? 0), sequence: row.int("sequence") ?? 0)
      damaged.append(DamagedRow(key: key, path: path))
    }
  }
}

extension Row {
  /// Returns a number, or nil if the column holds none.
  fileprivate func int(_ column: String) -> Int? { try? decode(Int.self, forColumn: column) }

  fileprivate func data(_ column: String) -> Data? { try? decode(Data.self, forColumn: column) }
}
