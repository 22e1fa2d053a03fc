import Foundation
import GRDB
public import SystemPackage

/// The runs in the journal: beginning, end and summary.
extension Journal {
  /// Records that a run begins.
  ///
  /// - Parameters:
  ///   - arguments: The command line, program name included.
  ///   - start: The time at which it begins, by the caller's clock.
  ///   - version: The tool's version.
  ///   - undone: The run it undoes.
  ///   - retried: The run that it retries, if it was started from a plan and its command line doesn't say so.
  ///   - last: A run whose files were found, and that the journal may have lost: the new one gets a higher number.
  /// - Throws: `FileError.Kind.io` when the journal can't be written; `.damagedJournal` when a change might not be undoable;
  ///   `.diskFull` when less than 1 MiB is free on its disk. An undo may begin in the last two cases.
  public func beginRun(
    arguments: [String], at start: Instant, version: String, undoing undone: RunID? = nil,
    retrying retried: RunID? = nil, after last: RunID? = nil
  ) throws(FileError) -> RunID {
    if undone == nil { try folder.requireRoom(1 << 20) }
    if undone == nil, let damage = try damage() {
      throw FileError(
        .damagedJournal, "the journal in \(folder) is damaged, so changes might not be undoable: \(damage)",
        remedy: try structuralDamage() == nil ? .replaceJournal(afterUndo: true) : .repairJournal)
    }
    return try translating("write the journal") {
      let line = String(decoding: try JSONEncoder().encode(arguments), as: UTF8.self)
      return try database.write { db in
        let newest = try Int64.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'run'") ?? 0
        guard newest < .max else {
          throw FileError(
            .damagedJournal, "the journal in \(folder) is damaged: no number is left for another run",
            remedy: .replaceJournal(afterUndo: false))
        }
        let number = last.flatMap { $0.rawValue > newest ? $0.rawValue + 1 : nil }
        try db.execute(
          sql: """
            INSERT INTO run (id, seconds, nanoseconds, arguments, version, state, undoes, retries)
            VALUES (?, ?, ?, ?, ?, 'running', ?, ?)
            """,
          arguments: [
            number, start.seconds, start.nanoseconds, line, version, undone?.rawValue, retried?.rawValue,
          ])
        return RunID(db.lastInsertedRowID)
      }
    }
  }

  /// Records that a run ended. If this is called again for the same run, the last call counts.
  ///
  /// - Parameters:
  ///   - unfinished: The inputs that failed or were not begun: absolute paths in the order of the run; nil if they
  ///     aren't known.
  ///   - failed: The number of inputs that failed.
  ///   - isInterrupted: Whether the user stopped the run early.
  /// - Throws: `FileError`: `.refused` when there is no such run, `.io` when the journal can't be written.
  public func finishRun(
    _ run: RunID, leaving unfinished: [FilePath]? = nil, failed: Int = 0, isInterrupted: Bool = false
  ) throws(FileError) {
    try translating("write the journal") {
      try database.write { db in
        guard try Journal.has(run, in: db) else {
          throw FileError(.noSuchRun, "there is no run \(run)", remedy: .listRuns)
        }
        try db.execute(sql: "DELETE FROM unfinished WHERE run = ?", arguments: [run.rawValue])
        for (ordinal, path) in (unfinished ?? []).enumerated() {
          try db.execute(
            sql: "INSERT INTO unfinished VALUES (?, ?, ?)", arguments: [run.rawValue, ordinal, Data(path.bytes)])
        }
        try db.execute(
          sql: "UPDATE run SET unfinished = ?, failures = ? WHERE id = ?",
          arguments: [unfinished?.count, failed, run.rawValue])
        try Journal.end(run, as: isInterrupted ? .interrupted : .finished, in: db)
        // A failed change may have left scratch files: keep the folder, so that the next recovery looks there.
        if failed == 0, unfinished?.isEmpty != false, !isInterrupted {
          try db.execute(
            sql: """
              DELETE FROM folder WHERE run = :run AND NOT EXISTS (
                SELECT 1 FROM operation WHERE run = :run AND state NOT IN ('cleaned', 'undone'))
              """, arguments: ["run": run.rawValue])
        }
      }
    }
  }

  /// Returns the inputs of `run` that failed or were not begun; nil if that isn't known: the run was killed, or an
  /// older version recorded it.
  ///
  /// - Throws: `FileError`: `.refused` when there is no such run, `.io` when the journal can't be read.
  public func unfinished(of run: RunID) throws(FileError) -> [FilePath]? {
    let paths = try translating("read the journal") {
      try database.read { db -> [FilePath]? in
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM run WHERE id = ?", arguments: [run.rawValue]) else {
          throw FileError(.noSuchRun, "there is no run \(run)", remedy: .listRuns)
        }
        // A journal written only by older versions has no such column.
        guard row.hasColumn("unfinished"), (row["unfinished"] as Int?) != nil else { return nil }
        let sql = "SELECT path FROM unfinished WHERE run = ? ORDER BY ordinal"
        return try Data.fetchAll(db, sql: sql, arguments: [run.rawValue]).map { FilePath(bytes: Array($0)) }
      }
    }
    return paths
  }

  /// Returns the runs that ended before they had reached all of their inputs, without undos.
  ///
  /// - Throws: `FileError.Kind.io` when the journal can't be read.
  public func unfinishedRuns() throws(FileError) -> Set<RunID> {
    try translating("read the journal") {
      try database.read { db in
        // A journal written only by older versions has no such columns. Inputs that failed don't count as unreached.
        let columns = Set(try db.columns(in: "run").map(\.name))
        let left =
          columns.isSuperset(of: ["unfinished", "failures"]) ? "ifnull(unfinished, 0) > ifnull(failures, 0)" : "0"
        let sql = "SELECT id FROM run WHERE undoes IS NULL AND (state <> 'finished' OR \(left))"
        return Set(try Int64.fetchAll(db, sql: sql).map(RunID.init))
      }
    }
  }

  private static func has(_ run: RunID, in db: Database) throws -> Bool {
    try Int64.fetchOne(db, sql: "SELECT id FROM run WHERE id = ?", arguments: [run.rawValue]) != nil
  }

  /// Requires that the journal has this run.
  /// - Throws: `FileError`: `.refused` when there is no such run, `.io` when the journal can't be read.
  package func require(_ run: RunID) throws(FileError) {
    let isThere = try translating("read the journal") { try database.read { try Journal.has(run, in: $0) } }
    guard isThere else { throw FileError(.noSuchRun, "there is no run \(run)", remedy: .listRuns) }
  }

  package func end(_ run: RunID, as state: RunSummary.State) throws(FileError) {
    try translating("write the journal") { try database.write { try Journal.end(run, as: state, in: $0) } }
  }

  private static func end(_ run: RunID, as state: RunSummary.State, in db: Database) throws {
    try db.execute(sql: "UPDATE run SET state = ? WHERE id = ?", arguments: [state.rawValue, run.rawValue])
  }

  /// Returns the newest `limit` runs, newest first; those up to the damage of a damaged journal, see `damage()`.
  ///
  /// - Throws: `FileError.Kind.io` when the journal can't be read.
  public func runs(limit: Int) throws(FileError) -> [RunSummary] {
    let isAtWork = isWritten
    return try translating("read the journal") {
      try database.read { db in
        let rows = db.readableRows(of: "run", sortedBy: "id DESC", limit: limit)
        let counts = try db.counts(since: rows.compactMap { try? $0.decode(Int64.self, forColumn: "id") }.min() ?? 0)
        return rows.compactMap { try? RunSummary($0, counts, isAtWork: isAtWork) }
      }
    }
  }

  /// Returns the newest run with changes that are not undone and that is not itself an undo; nil if there is no such
  /// run.
  ///
  /// - Parameters:
  ///   - limit: Only runs before this one.
  ///   - folder: Only runs with such changes in this folder or below it: absolute, symbolic links resolved.
  ///   - run: Only this run, which may be an undo.
  /// - Throws: `FileError.Kind.io` when the journal can't be read.
  public func newestRunToUndo(
    before limit: RunID? = nil, in folder: FilePath? = nil, only run: RunID? = nil
  ) throws(FileError) -> RunID? {
    let own = folder.map { Data($0.bytes) }
    let below = folder.map { Data($0.bytes.last == 0x2F ? $0.bytes : $0.bytes + [0x2F]) }
    return try newestRun(
      """
      (run.undoes IS NULL AND ? IS NULL OR run.id = ?) AND run.id < ?
      AND (? IS NULL OR o.folder = ? OR substr(o.folder, 1, ?) = ?)
      """, [run?.rawValue, run?.rawValue, limit?.rawValue ?? .max, own, own, below?.count, below])
  }

  /// Returns the newest run whose change of the file at `path` (absolute, links resolved) is not undone, without undos.
  ///
  /// - Parameter run: Only this run.
  /// - Throws: `FileError.Kind.io` when the journal can't be read.
  public func newestRunToUndo(of path: FilePath, in run: RunID? = nil) throws(FileError) -> RunID? {
    guard let name = path.lastComponent else { return nil }
    let (folder, file) = (Data(path.removingLastComponent().bytes), Data(name.bytes))
    return try newestRun(
      """
      (run.undoes IS NULL AND ? IS NULL OR run.id = ?)
      AND o.folder = ? AND (o.name = ? OR o.method = 'renaming' AND o.scratch = ?)
      """, [run?.rawValue, run?.rawValue, folder, file, file])
  }

  /// Returns the runs with changes that can be undone, newest first, without undos.
  func runsToUndo() throws(FileError) -> [RunID] {
    try translating("read the journal") {
      try database.read { db in
        try Int64.fetchAll(
          db,
          sql: """
            SELECT DISTINCT o.run FROM operation o JOIN run ON o.run = run.id
            WHERE run.undoes IS NULL AND o.state IN ('committed', 'cleaned') ORDER BY o.run DESC
            """)
      }.map(RunID.init)
    }
  }

  /// Returns the newest run after `run` that changed each file. Undos and changes that were undone don't count.
  func newestRuns(after run: RunID) throws(FileError) -> [FilePath: RunID] {
    try translating("read the journal") {
      try database.read { db in
        let rows = try Row.fetchAll(
          db,
          sql: """
            SELECT folder, name, max(run) AS run FROM change
            WHERE run > ? AND undoesRun IS NULL AND state IN ('committed', 'cleaned') GROUP BY folder, name
            """, arguments: [run.rawValue])
        let runs = try rows.map { row in
          let (folder, name): (Data, Data) = (try row.decode(forColumn: "folder"), try row.decode(forColumn: "name"))
          return (FilePath(bytes: Array(folder) + [0x2F] + Array(name)), RunID(try row.decode(forColumn: "run")))
        }
        return Dictionary(runs) { max($0, $1) }
      }
    }
  }

  /// Returns the newest undo that is still in force: the run that a redo would undo.
  ///
  /// - Throws: `FileError.Kind.io` when the journal can't be read.
  public func newestRunToRedo() throws(FileError) -> RunID? {
    try translating("read the journal") {
      try database.read { db in
        var undone: [Int64: Int64] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT id, undoes FROM run WHERE undoes IS NOT NULL") {
          undone[try row.decode(forColumn: "id")] = try row.decode(Int64.self, forColumn: "undoes")
        }
        // An undo of an undo is a redo, not an undo.
        var undos: Set<Int64> = []
        for (run, target) in undone.sorted(by: { $0.key < $1.key }) where !undos.contains(target) { undos.insert(run) }
        // Files that an undo deleted can't be restored.
        let standing = try Int64.fetchAll(
          db,
          sql: """
            SELECT DISTINCT o.run FROM operation o JOIN run ON o.run = run.id
            WHERE run.undoes IS NOT NULL AND o.state IN ('committed', 'cleaned') AND o.method <> 'removal'
            """)
        return standing.filter(undos.contains).max().map(RunID.init)
      }
    }
  }

  private func newestRun(_ condition: String, _ arguments: StatementArguments) throws(FileError) -> RunID? {
    try translating("read the journal") {
      try database.read { db in
        try Int64.fetchOne(
          db,
          sql: """
            SELECT max(run.id) FROM run JOIN change o ON o.run = run.id
            WHERE o.state IN ('committed', 'cleaned') AND \(condition)
            """, arguments: arguments)
      }.map(RunID.init)
    }
  }

  /// Returns the folders of all files that runs changed.
  package func photoFolders() throws(FileError) -> Set<FilePath> {
    try translating("read the journal") {
      try database.read { try Data.fetchSet($0, sql: "SELECT DISTINCT folder FROM change") }
    }.reduce(into: []) { $0.insert(FilePath(bytes: Array($1))) }
  }

  package func runningRuns() throws(FileError) -> [RunID] {
    try translating("read the journal") {
      try database.read { try Int64.fetchAll($0, sql: "SELECT id FROM run WHERE state = 'running' ORDER BY id") }
        .map(RunID.init)
    }
  }

  package func note(_ folder: FilePath, of run: RunID) throws(FileError) {
    try translating("write the journal") {
      try database.write { db in
        try db.execute(
          sql: "INSERT OR IGNORE INTO folder VALUES (?, ?)", arguments: [run.rawValue, Data(folder.bytes)])
      }
    }
  }

  package func folders() throws(FileError) -> [(RunID, FilePath)] {
    try translating("read the journal") {
      try database.read { try Row.fetchAll($0, sql: "SELECT run, path FROM folder ORDER BY run, path") }
        .map { row in
          (
            RunID(try row.decode(forColumn: "run")),
            FilePath(bytes: Array(try row.decode(Data.self, forColumn: "path")))
          )
        }
    }
  }

  package func forget(_ folder: FilePath, of run: RunID) throws(FileError) {
    try translating("write the journal") {
      try database.write { db in
        try db.execute(
          sql: "DELETE FROM folder WHERE run = ? AND path = ?", arguments: [run.rawValue, Data(folder.bytes)])
      }
    }
  }

  package func scratchFiles<Use: Sendable>(
    of run: RunID, _ use: (JournalEntry) -> Use
  ) throws(FileError) -> [[UInt8]: Use]? {
    let rows = try rows("run = ? AND scratch IS NOT NULL", [run.rawValue], order: "sequence", in: run) { entry in
      entry.scratch.map { (Array($0), use(entry)) }
    }
    guard rows.damaged.isEmpty else { return nil }
    return Dictionary(rows.entries) { first, _ in first }
  }
}

extension RunSummary {
  /// Reads a run from its row.
  /// - Parameters:
  ///   - counts: The numbers of changes of each run.
  ///   - isAtWork: Whether a process is writing. If not, a run that is still marked as running was interrupted.
  fileprivate init(_ row: Row, _ counts: [Int64: ChangeCounts], isAtWork: Bool) throws {
    let number: Int64 = try row.decode(forColumn: "id")
    id = RunID(number)
    let counts = counts[number] ?? ChangeCounts()
    // Only the number is needed for an undo.
    let facts = try? Facts(row)
    isDamaged = facts == nil
    started = facts?.started ?? Instant(seconds: 0)
    arguments = facts?.arguments ?? []
    version = facts?.version ?? ""
    let state = facts?.state ?? .running
    self.state = state == .running && !isAtWork ? .interrupted : state
    undoes = facts?.undoes.map(RunID.init)
    retries = facts?.retries.map(RunID.init)
    (changed, created, undone) = (counts.changed, counts.created, counts.undone)
    // Inputs that failed before planning ended have no row of their own.
    failed = max(counts.failed, facts?.failures ?? 0)
  }
}

extension RunSummary {
  /// The columns of a run's row.
  private struct Facts {
    let started: Instant
    let arguments: [String]
    let version: String
    let state: State
    let undoes: Int64?
    let retries: Int64?
    let failures: Int?

    init(_ row: Row) throws {
      let seconds: Int64 = try row.decode(forColumn: "seconds")
      let line: String = try row.decode(forColumn: "arguments")
      guard CivilTime(secondsSince1970: seconds) != nil, let state = State(rawValue: try row.decode(forColumn: "state"))
      else { throw FileError(.damagedJournal, "the journal is damaged: a run has no valid date or state") }
      started = Instant(seconds: seconds, nanoseconds: try row.decode(forColumn: "nanoseconds"))
      arguments = try JSONDecoder().decode([String].self, from: Data(line.utf8))
      version = try row.decode(forColumn: "version")
      self.state = state
      // A journal written only by older versions lacks the columns `retries` and `failures`.
      undoes = try row.decode(forColumn: "undoes")
      retries = try row.decode(forColumn: "retries")
      failures = try row.decode(forColumn: "failures")
    }
  }
}

/// The numbers of changes of a run, as `RunSummary` explains them.
private struct ChangeCounts {
  var changed = 0
  var created = 0
  var undone = 0
  var failed = 0
}

extension Database {
  /// Returns the numbers of changes of each run since the first.
  fileprivate func counts(since first: Int64) throws -> [Int64: ChangeCounts] {
    do {
      let sql = """
        SELECT run,
          count(*) FILTER (WHERE state IN ('committed', 'cleaned') AND method NOT IN ('creation', 'copy')) AS changed,
          count(*) FILTER (WHERE state IN ('committed', 'cleaned') AND method IN ('creation', 'copy')) AS created,
          count(*) FILTER (WHERE state = 'undone') AS undone,
          count(*) FILTER (WHERE state IN ('failed', 'conflict') AND reason IS NOT ?) AS failed
        FROM operation WHERE run >= ? GROUP BY run
        """
      let rows = try Row.fetchAll(self, sql: sql, arguments: [Journal.cutOff, first])
      let counts = try rows.map { row in
        let counts = ChangeCounts(
          changed: try row.decode(forColumn: "changed"), created: try row.decode(forColumn: "created"),
          undone: try row.decode(forColumn: "undone"), failed: try row.decode(forColumn: "failed"))
        return (try row.decode(Int64.self, forColumn: "run"), counts)
      }
      return Dictionary(counts) { first, _ in first }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      // As far as the rows can be read.
      var counts: [Int64: ChangeCounts] = [:]
      for entry in try changes("run >= ?", [first], order: "run, sequence", keeping: \.self).entries {
        switch entry.state {
        case .committed, .cleaned:
          if entry.makesFile {
            counts[entry.run, default: .init()].created += 1
          } else {
            counts[entry.run, default: .init()].changed += 1
          }
        case .undone: counts[entry.run, default: .init()].undone += 1
        case .failed, .conflict: if entry.reason != Journal.cutOff { counts[entry.run, default: .init()].failed += 1 }
        case .staged: break
        }
      }
      return counts
    }
  }
}
