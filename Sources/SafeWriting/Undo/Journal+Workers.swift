import Foundation
import GRDB
import Glibc
import SystemPackage

/// The undo of another journal's run, row by row, as a worker does it.
extension Journal {
  /// Begins a run that takes back changes of a run of another journal. This journal must be new.
  package func beginRun(
    arguments: [String], at start: Instant, version: String, undoing row: UndoRow
  ) throws(FileError) -> RunID {
    try translating("write the journal") {
      try database.write { db in
        try db.execute(
          sql:
            "INSERT INTO run (id, seconds, nanoseconds, arguments, version, state) VALUES (?, ?, 0, '[]', ?, 'finished')",
          arguments: [row.run, start.seconds, version])
        try db.execute(sql: "INSERT INTO adoption VALUES (?, ?)", arguments: [row.journal, row.run])
      }
    }
    return try beginRun(arguments: arguments, at: start, version: version, undoing: RunID(row.run))
  }

  /// Adds the changes of a row for the time of their undo.
  package func add(_ rows: [UndoRow]) throws(FileError) {
    let entries = try rows.map { row throws(FileError) in try row.entries() }.joined()
    try translating("write the journal") {
      try database.write { db in
        var directories: [Data: Int64] = [:]
        for entry in entries { try insert(entry, into: db, &directories) }
      }
    }
  }

  /// Removes the changes of a row, whose undo stays.
  package func remove(_ rows: [UndoRow]) throws(FileError) {
    try translating("write the journal") {
      try database.write { db in
        for row in rows {
          for change in row.changes {
            try db.execute(
              sql: "DELETE FROM operation WHERE run = ? AND sequence = ?", arguments: [row.run, change.sequence])
          }
        }
      }
    }
  }

  /// Whether every file of a row is as it was before the run, as if the row was undone before.
  package func isTakenBack(_ row: UndoRow) -> Bool {
    guard let entries = try? row.entries() else { return false }
    // An undo removes them, so they needn't have their old names.
    let created = Set(entries.filter(\.makesFile).map(\.path))
    return entries.allSatisfy { (try? isTakenBack($0, isCreated: created.contains($0.path))) ?? false }
  }

  /// Whether a file is as it was before a change.
  /// - Parameter isCreated: Whether the run created the file.
  private func isTakenBack(_ entry: JournalEntry, isCreated: Bool) throws(FileError) -> Bool {
    guard let name = entry.path.lastComponent, let folder = try? Directory(entry.folderPath) else { return false }
    let status = try folder.status(of: name)
    switch entry.method {
    case .exchange, .inPlace: return try JournaledChange(entry, in: self).content(of: name, in: folder) == .old
    case .creation, .copy: return status == nil
    case .renaming:
      guard status != nil || isCreated, let target = entry.target?.lastComponent else { return false }
      return try folder.status(of: target) == nil
    case .times: return status.map { FileTime($0.st_mtim) == entry.old.modified } ?? false
    case .removal, .trashing: return status != nil
    case .untrashing: return status == nil
    }
  }
}
