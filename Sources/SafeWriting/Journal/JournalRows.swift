import Foundation
import GRDB
import SystemPackage

/// Rows of changes, as far as they can be read. A damaged row doesn't prevent that the others are undone or settled.
package struct JournalRows<Value: Sendable>: Sendable {
  /// The rows that can be read, in the order of the query, or what is kept of them.
  var entries: [Value] = []
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
  ///   - keep: Returns what is kept of a change; nil to leave it out.
  func changes<Value>(
    _ condition: String, _ arguments: StatementArguments, order: String, in run: Int64? = nil,
    keeping keep: (JournalEntry) -> Value?
  ) throws -> JournalRows<Value> {
    var rows = JournalRows<Value>()
    do {
      let sql = "SELECT * FROM change WHERE \(condition) ORDER BY \(order)"
      let cursor = try Row.fetchCursor(self, sql: sql, arguments: arguments)
      while let row = try cursor.next() { rows.add(row, keeping: keep) }
      return rows
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      return try changesOneByOne(condition, arguments, order: order, in: run, keeping: keep)
    }
  }

  /// Reads the rows of a database with damaged pages one by one, by the index of their keys.
  private func changesOneByOne<Value>(
    _ condition: String, _ arguments: StatementArguments, order: String, in run: Int64?,
    keeping keep: (JournalEntry) -> Value?
  ) throws -> JournalRows<Value> {
    var keys = Set<JournalEntry.Key>()
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
    let sorted = keys.sorted { ($0.run, $0.sequence) < ($1.run, $1.sequence) }
    var rows = try changes(with: sorted, condition, arguments, keeping: keep)
    if order.hasSuffix("DESC") { rows.entries.reverse() }
    return rows
  }

  /// Returns the changes with these keys that meet a condition, in the order of the keys.
  func changes<Value>(
    with keys: [JournalEntry.Key], _ condition: String = "1", _ arguments: StatementArguments = [],
    keeping keep: (JournalEntry) -> Value?
  ) throws -> JournalRows<Value> {
    var rows = JournalRows<Value>()
    let sql = "SELECT * FROM change WHERE run = ? AND sequence = ? AND (\(condition))"
    for key in keys {
      do {
        let statement = try cachedStatement(sql: sql)
        if let row = try Row.fetchOne(statement, arguments: [key.run, key.sequence] + arguments) {
          rows.add(row, keeping: keep)
        }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
        rows.damaged.append(DamagedRow(key: key, path: nil))
      }
    }
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
  /// Adds a row of the view `change`.
  fileprivate mutating func add(_ row: Row, keeping keep: (JournalEntry) -> Value?) {
    do {
      if let value = keep(try JournalEntry(row: row)) { entries.append(value) }
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
