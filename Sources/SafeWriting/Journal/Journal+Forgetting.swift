import Foundation
import GRDB
package import SystemPackage

/// Removal of what the journal keeps for undo.
extension Journal {
  /// Removes runs, the runs that undo them, and everything recorded of their changes. Their bytes are gone from the
  /// journal's files afterwards. The photos stay as they are, and these runs can't be undone any more.
  ///
  /// - Throws: `.refused` if a run isn't settled; `FileError.Kind.io` when the journal can't be written.
  package func forget(_ runs: Set<RunID>) throws(FileError) {
    try erase { db in
      for run in runs {
        for table in ["splice", "operation", "unfinished", "folder", "adoption"] {
          try db.execute(sql: "DELETE FROM \(table) WHERE run = ?", arguments: [run.rawValue])
        }
      }
      // A run is referred to by those that undo it, which are newer.
      for run in runs.sorted(by: >) {
        try db.execute(sql: "DELETE FROM run WHERE id = ?", arguments: [run.rawValue])
      }
    }
  }

  /// The condition of the changes of a file, of its copies, and of the files that were changed together with it. Takes its
  /// folder, its name twice, its path, and folder and name again.
  private static let ofFile = """
    folder = ? AND (name = ? OR method = 'renaming' AND scratch = ?) OR origin = ?
    OR (run, bond) IN (SELECT run, bond FROM change WHERE folder = ? AND name = ? AND bond IS NOT NULL)
    """

  /// Returns those of `paths` of which the journal knows no change, in order.
  ///
  /// - Parameter paths: Absolute, symbolic links resolved.
  /// - Throws: `FileError.Kind.io` when the journal can't be read.
  package func unknown(among paths: Set<FilePath>) throws(FileError) -> [FilePath] {
    try translating("read the journal") {
      try database.read { db in
        try paths.filter { path in
          let (folder, file) = (Data(path.removingLastComponent().bytes), Data(path.lastComponent?.bytes ?? []))
          let arguments: StatementArguments = [folder, file, file, Data(path.bytes), folder, file]
          let rows = try db.changes(Journal.ofFile, arguments, order: "run, sequence") { $0.key }
          return rows.entries.isEmpty && rows.damaged.isEmpty
        }
      }
    }.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  /// Removes everything recorded of the changes of files: under the names that they had before runs renamed them, of their
  /// copies, and of the files that were changed together with them, which could only be undone by halves. Their bytes are
  /// gone from the journal's files afterwards, but command lines of runs stay.
  ///
  /// - Parameter paths: Absolute, symbolic links resolved.
  /// - Throws: `.refused` if a change isn't settled; `FileError.Kind.io` when the journal can't be written.
  package func forget(changesOf paths: Set<FilePath>) throws(FileError) {
    try erase { db in
      var keys: Set<JournalEntry.Key> = []
      var (left, seen) = (Array(paths), paths)
      while let path = left.popLast() {
        guard let name = path.lastComponent else { continue }
        let (folder, file) = (Data(path.removingLastComponent().bytes), Data(name.bytes))
        let arguments: StatementArguments = [folder, file, file, Data(path.bytes), folder, file]
        let rows = try db.changes(Journal.ofFile, arguments, order: "run, sequence") { entry in
          (key: entry.key, names: [entry.path, entry.target].compactMap(\.self), isRenaming: entry.target != nil)
        }
        if let damaged = rows.damaged.first { throw damaged.error }
        for row in rows.entries {
          keys.insert(row.key)
          guard row.isRenaming else { continue }
          for name in row.names where seen.insert(name).inserted { left.append(name) }
        }
        try db.execute(sql: "DELETE FROM unfinished WHERE path = ?", arguments: [Data(path.bytes)])
      }
      for key in keys {
        for table in ["splice", "operation"] {
          try db.execute(
            sql: "DELETE FROM \(table) WHERE run = ? AND sequence = ?", arguments: [key.run, key.sequence])
        }
      }
    }
  }

  /// Returns runs with all that undo them, directly or in turn.
  package func withUndos(_ runs: Set<RunID>) throws(FileError) -> Set<RunID> {
    var all = runs
    for run in try self.runs(limit: .max).reversed() {
      if let undone = run.undoes, all.contains(undone) { all.insert(run.id) }
    }
    return all
  }

  /// Deletes rows, and their bytes from the files of the database.
  private func erase(_ body: (Database) throws -> Void) throws(FileError) {
    guard try isSettled else {
      throw FileError(.journalBusy, "an interrupted run isn't settled yet", remedy: .runAgain)
    }
    try translating("write the journal") {
      try database.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA secure_delete = ON")
        try db.inTransaction {
          try body(db)
          try db.execute(
            sql: "DELETE FROM directory WHERE id NOT IN (SELECT folder FROM operation WHERE typeof(folder) = 'integer')"
          )
          try Journal.markForgetting(true, in: db)
          return .commit
        }
        try Journal.compact(db)
      }
    }
  }

  /// Whether `forget` was interrupted, so that bytes of what it removed may still be in the journal's files.
  package var isForgetting: Bool {
    get throws(FileError) {
      try translating("read the journal") {
        try database.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 } > 0
      }
    }
  }

  /// Finishes an interrupted `forget`.
  func finishForgetting() throws(FileError) {
    guard try isForgetting else { return }
    try translating("write the journal") { try database.writeWithoutTransaction(Journal.compact) }
  }

  private static func markForgetting(_ isForgetting: Bool, in db: Database) throws {
    // The journal uses this number for nothing else.
    try db.execute(sql: "PRAGMA user_version = \(isForgetting ? 1 : 0)")
  }

  /// Rewrites the database without the bytes of deleted rows.
  private static func compact(_ db: Database) throws {
    try db.execute(sql: "PRAGMA secure_delete = ON; VACUUM")
    try db.checkpoint(.truncate)
    try markForgetting(false, in: db)
  }
}
