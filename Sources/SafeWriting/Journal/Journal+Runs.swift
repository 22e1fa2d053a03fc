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
  /// - Throws: `FileError.Kind.io` when the journal can't be written.
  public func beginRun(
    arguments: [String], at start: Instant, version: String, undoing undone: RunID? = nil,
    retrying retried: RunID? = nil
  ) throws(FileError) -> RunID {
    try translating("write the journal") {
      let line = String(decoding: try JSONEncoder().encode(arguments), as: UTF8.self)
      return try database.write { db in
        try db.execute(
          sql: """
            INSERT INTO run (seconds, nanoseconds, arguments, version, state, undoes, retries)
            VALUES (?, ?, ?, ?, 'running', ?, ?)
            """,
          arguments: [start.seconds, start.nanoseconds, line, version, undone?.rawValue, retried?.rawValue])
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

  /// Returns the newest `limit` runs, newest first.
  ///
  /// - Throws: `FileError.Kind.io` when the journal can't be read.
  public func runs(limit: Int) throws(FileError) -> [RunSummary] {
    let isAtWork = isWritten
    return try translating("read the journal") {
      try database.read { db in
        try Row.fetchAll(
          db,
          sql: """
            SELECT run.*,
              count(*) FILTER (WHERE o.state IN ('committed', 'cleaned') AND o.method NOT IN ('creation', 'copy')) AS changed,
              count(*) FILTER (WHERE o.state IN ('committed', 'cleaned') AND o.method IN ('creation', 'copy')) AS created,
              count(*) FILTER (WHERE o.state = 'undone') AS undone,
              count(*) FILTER (WHERE o.state IN ('failed', 'conflict') AND o.reason IS NOT ?) AS failed
            FROM run LEFT JOIN operation o ON o.run = run.id GROUP BY run.id ORDER BY run.id DESC LIMIT ?
            """,
          arguments: [Journal.cutOff, limit]
        ).map { try RunSummary($0, isAtWork: isAtWork) }
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
            SELECT folder, name, max(run) AS run FROM operation
            WHERE run > ? AND undoesRun IS NULL AND state IN ('committed', 'cleaned') GROUP BY folder, name
            """, arguments: [run.rawValue])
        let runs = rows.map { row in
          (FilePath(bytes: Array(row["folder"] as Data) + [0x2F] + Array(row["name"] as Data)), RunID(row["run"]))
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
          undone[row["id"]] = row["undoes"]
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
            SELECT max(run.id) FROM run JOIN operation o ON o.run = run.id
            WHERE o.state IN ('committed', 'cleaned') AND \(condition)
            """, arguments: arguments)
      }.map(RunID.init)
    }
  }

  /// Returns the runs that began and did not end.
  func runningRuns() throws(FileError) -> [RunID] {
    try translating("read the journal") {
      try database.read { try Int64.fetchAll($0, sql: "SELECT id FROM run WHERE state = 'running' ORDER BY id") }
        .map(RunID.init)
    }
  }

  /// Records that `folder` may contain scratch files of `run`. Call it before the first one is created.
  package func note(_ folder: FilePath, of run: RunID) throws(FileError) {
    try translating("write the journal") {
      try database.write { db in
        try db.execute(
          sql: "INSERT OR IGNORE INTO folder VALUES (?, ?)", arguments: [run.rawValue, Data(folder.bytes)])
      }
    }
  }

  /// Returns the folders that may contain scratch files of runs that were interrupted or had failures.
  package func folders() throws(FileError) -> [(RunID, FilePath)] {
    try translating("read the journal") {
      try database.read { try Row.fetchAll($0, sql: "SELECT run, path FROM folder ORDER BY run, path") }
        .map { (RunID($0["run"]), FilePath(bytes: Array($0["path"] as Data))) }
    }
  }

  /// Records that `folder` contains no scratch files of `run` any more.
  package func forget(_ folder: FilePath, of run: RunID) throws(FileError) {
    try translating("write the journal") {
      try database.write { db in
        try db.execute(
          sql: "DELETE FROM folder WHERE run = ? AND path = ?", arguments: [run.rawValue, Data(folder.bytes)])
      }
    }
  }

  /// Returns the names of the scratch files of `run` that the journal's rows mention, each with its photo if the change
  /// failed.
  func scratchNames(of run: RunID) throws(FileError) -> [[UInt8]: FilePath.Component?] {
    try translating("read the journal") {
      let rows = try database.read {
        try Row.fetchAll(
          $0, sql: "SELECT scratch, name, state FROM operation WHERE run = ? AND scratch IS NOT NULL",
          arguments: [run.rawValue])
      }
      return Dictionary(
        rows.map { row in
          let photo = row["state"] as String == "failed" ? FilePath(bytes: Array(row["name"] as Data)) : nil
          return (Array(row["scratch"] as Data), photo?.lastComponent)
        }
      ) { first, _ in first }
    }
  }
}

extension RunSummary {
  /// Reads a run from its row.
  /// - Parameter isAtWork: Whether a process is writing. If not, a run that is still marked as running was interrupted.
  fileprivate init(_ row: Row, isAtWork: Bool) throws {
    id = RunID(row["id"])
    started = Instant(seconds: row["seconds"], nanoseconds: row["nanoseconds"])
    arguments = try JSONDecoder().decode([String].self, from: Data((row["arguments"] as String).utf8))
    version = row["version"]
    let state = State(rawValue: row["state"]) ?? .running
    self.state = state == .running && !isAtWork ? .interrupted : state
    undoes = (row["undoes"] as Int64?).map(RunID.init)
    // A journal written only by older versions has no such column.
    retries = row.hasColumn("retries") ? (row["retries"] as Int64?).map(RunID.init) : nil
    changed = row["changed"]
    created = row["created"]
    undone = row["undone"]
    // Inputs that failed before planning ended have no row of their own.
    failed = max(row["failed"], row.hasColumn("failures") ? row["failures"] ?? 0 : 0)
  }
}
