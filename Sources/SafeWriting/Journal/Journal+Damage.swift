import GRDB

/// The check of the journal before a run begins.
extension Journal {
  /// Returns the number of changes of a run that can't be undone, because the journal is damaged.
  package func damagedChanges(of run: RunID) throws(FileError) -> Int {
    var count = try unreadableChanges(of: run)
    try undoable(in: run) { entry in
      if (try? inverse(of: entry)) == nil { count += 1 }
    }
    return count
  }

  /// Returns the reason why no run should begin with this journal: it couldn't be undone for certain. Nil if the journal is
  /// sound. The whole journal is read.
  ///
  /// - Throws: `FileError.Kind.io` when the journal can't be read.
  public func damage() throws(FileError) -> String? {
    if let found = try structuralDamage() { return found }
    let (changes, runCount) = try translating("read the journal") {
      try database.read { db in
        (
          try Int.fetchOne(db, sql: "SELECT count(*) FROM operation WHERE NOT (\(Journal.isKnown))") ?? 0,
          try Int.fetchOne(db, sql: "SELECT count(*) FROM run") ?? 0
        )
      }
    }
    guard changes == 0 else { return "\(changes) change\(changes == 1 ? "" : "s") can't be read" }
    let lost = runCount - (try runs(limit: .max).count { !$0.isDamaged })
    return lost == 0 ? nil : "\(lost) of \(runCount) runs can't be read"
  }

  /// Returns how the database is damaged; nil if it isn't. Single rows may be damaged all the same.
  package func structuralDamage() throws(FileError) -> String? {
    try translating("read the journal") {
      try database.read { db -> String? in
        // A folder is looked up in an index, which the first check doesn't compare with its table.
        for check in try ["quick_check(1)"] + (db.tableExists("directory") ? ["integrity_check(directory)"] : []) {
          let answer = try String.fetchOne(db, sql: "PRAGMA \(check)")
          guard answer == "ok" else {
            return answer?.split(separator: "\n").last.map(String.init) ?? "it can't be checked"
          }
        }
        // A reader doesn't bring the journal of an earlier version up to date.
        let applied = try schema.appliedIdentifiers(db)
        guard let version = schema.migrations.last(where: applied.contains),
          try Journal.tables(in: db) == Journal.tables(of: version)
        else { return "its tables are damaged" }
        let other = "SELECT type || ' ' || name FROM sqlite_schema WHERE type IN ('trigger', 'view')"
        if let other = try String.fetchOne(db, sql: other) { return "another program has added the \(other)" }
        return nil
      }
    }
  }

  /// Whether a row has a state and a method that exist.
  private static let isKnown: String = {
    func list(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }
    return "state IN (\(list(JournalOperation.State.allCases.map(\.rawValue)))) "
      + "AND method IN (\(list(JournalEntry.Method.allCases.map(\.rawValue))))"
  }()

  /// Returns the tables of a sound journal.
  /// - Parameter version: The last of its migrations.
  private static func tables(of version: String) throws -> Set<String> {
    let empty = try DatabaseQueue()
    try schema.migrate(empty, upTo: version)
    return try empty.read(tables)
  }

  /// Returns descriptions of the tables: their columns and the tables to which these refer.
  private static func tables(in db: Database) throws -> Set<String> {
    // Texts of earlier versions may have other spaces, and columns that were added come in the order of the versions.
    let sql = """
      SELECT t.name || '.' || c.name || ' ' || c.type || c."notnull" || c.pk FROM sqlite_schema t, pragma_table_info(t.name) c
      WHERE t.type = 'table'
      UNION SELECT t.name || '.' || f."from" || ' → ' || f."table" || '.' || ifnull(f."to", '')
      FROM sqlite_schema t, pragma_foreign_key_list(t.name) f WHERE t.type = 'table'
      """
    return Set(try String.fetchAll(db, sql: sql))
  }
}
