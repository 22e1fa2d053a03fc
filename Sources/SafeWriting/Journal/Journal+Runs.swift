import Foundation
import GRDB
public import SystemPackage

extension Journal {
  /// Notes that a run begins.
  ///
  /// - Parameters:
  ///   - arguments: The command line, program name included.
  ///   - start: When, by the caller's clock.
  ///   - version: The tool's version.
  ///   - undone: The run it undoes.
  ///   - retried: The run that it retries by a plan, where its command line doesn't tell.
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

  /// Notes that a run ended. Told once more of the same run, it is what was told last that counts.
  ///
  /// - Parameters:
  ///   - unfinished: Its inputs that failed or were not begun, absolute paths in its order; nil where they aren't
  ///     known.
  ///   - failed: How many of its inputs failed.
  ///   - isInterrupted: Whether its user ended it before its time.
  /// - Throws: `FileError`: `.refused` when there is no such run, `.io` when the journal can't be written.
  public func finishRun(
    _ run: RunID, leaving unfinished: [FilePath]? = nil, failed: Int = 0, isInterrupted: Bool = false
  ) throws(FileError) {
    try translating("write the journal") {
      try database.write { db in
        guard try Journal.has(run, in: db) else { throw FileError(.refused, "there is no run \(run)") }
        try db.execute(sql: "DELETE FROM unfinished WHERE run = ?", arguments: [run.rawValue])
        for (ordinal, path) in (unfinished ?? []).enumerated() {
          try db.execute(
            sql: "INSERT INTO unfinished VALUES (?, ?, ?)", arguments: [run.rawValue, ordinal, Data(path.bytes)])
        }
        try db.execute(
          sql: "UPDATE run SET unfinished = ?, failures = ? WHERE id = ?",
          arguments: [unfinished?.count, failed, run.rawValue])
        try Journal.end(run, as: isInterrupted ? .interrupted : .finished, in: db)
        // What could not be done has perhaps left something: the next recovery looks.
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

  /// The inputs of `run` that failed or were not begun; nil where that isn't known: the run was cut off, or an older
  /// version's.
  ///
  /// - Throws: `FileError`: `.refused` when there is no such run, `.io` when the journal can't be read.
  public func unfinished(of run: RunID) throws(FileError) -> [FilePath]? {
    let paths = try translating("read the journal") {
      try database.read { db -> [FilePath]? in
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM run WHERE id = ?", arguments: [run.rawValue]) else {
          throw FileError(.refused, "there is no run \(run)")
        }
        // A journal that only older versions wrote to has no such column.
        guard row.hasColumn("unfinished"), (row["unfinished"] as Int?) != nil else { return nil }
        let sql = "SELECT path FROM unfinished WHERE run = ? ORDER BY ordinal"
        return try Data.fetchAll(db, sql: sql, arguments: [run.rawValue]).map { FilePath(bytes: Array($0)) }
      }
    }
    return paths
  }

  /// The runs that were ended before they had come to all of their inputs; undos are not among them.
  ///
  /// - Throws: `FileError.Kind.io` when the journal can't be read.
  public func unfinishedRuns() throws(FileError) -> Set<RunID> {
    try translating("read the journal") {
      try database.read { db in
        // A journal that only older versions wrote to has no such columns. What failed is no longer to be done.
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

  /// - Throws: `FileError`: `.refused` when there is no such run, `.io` when the journal can't be read.
  package func require(_ run: RunID) throws(FileError) {
    let isThere = try translating("read the journal") { try database.read { try Journal.has(run, in: $0) } }
    guard isThere else { throw FileError(.refused, "there is no run \(run)") }
  }

  package func end(_ run: RunID, as state: RunSummary.State) throws(FileError) {
    try translating("write the journal") { try database.write { try Journal.end(run, as: state, in: $0) } }
  }

  private static func end(_ run: RunID, as state: RunSummary.State, in db: Database) throws {
    try db.execute(sql: "UPDATE run SET state = ? WHERE id = ?", arguments: [state.rawValue, run.rawValue])
  }

  /// The newest `limit` runs, newest first.
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
              count(*) FILTER (WHERE o.state IN ('committed', 'cleaned') AND o.method <> 'creation') AS changed,
              count(*) FILTER (WHERE o.state IN ('committed', 'cleaned') AND o.method = 'creation') AS created,
              count(*) FILTER (WHERE o.state = 'undone') AS undone,
              count(*) FILTER (WHERE o.state IN ('failed', 'conflict') AND o.reason IS NOT ?) AS failed
            FROM run LEFT JOIN operation o ON o.run = run.id GROUP BY run.id ORDER BY run.id DESC LIMIT ?
            """,
          arguments: [Journal.cutOff, limit]
        ).map { try RunSummary($0, isAtWork: isAtWork) }
      }
    }
  }

  /// The newest run with changes that are not undone, and that is not itself an undo; nil when there is none.
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

  /// The newest run that changed the file at `path`, absolute, links resolved, and is not undone there; undos aside.
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

  /// The runs with changes that can be undone, newest first; undos aside.
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

  /// Of each file that runs after `run` changed, the newest of them; undos aside, and what they took back.
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

  /// The newest undo with changes that stand: what can be done again.
  ///
  /// - Throws: `FileError.Kind.io` when the journal can't be read.
  public func newestRunToRedo() throws(FileError) -> RunID? {
    try translating("read the journal") {
      try database.read { db in
        var undone: [Int64: Int64] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT id, undoes FROM run WHERE undoes IS NOT NULL") {
          undone[row["id"]] = row["undoes"]
        }
        // What undoes an undo is none.
        var undos: Set<Int64> = []
        for (run, target) in undone.sorted(by: { $0.key < $1.key }) where !undos.contains(target) { undos.insert(run) }
        // Files that an undo removed can't come again.
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

  /// The runs that began and did not end.
  func runningRuns() throws(FileError) -> [RunID] {
    try translating("read the journal") {
      try database.read { try Int64.fetchAll($0, sql: "SELECT id FROM run WHERE state = 'running' ORDER BY id") }
        .map(RunID.init)
    }
  }

  /// Notes that scratch files of `run` may lie in `folder`: before the first one does.
  package func note(_ folder: FilePath, of run: RunID) throws(FileError) {
    try translating("write the journal") {
      try database.write { db in
        try db.execute(
          sql: "INSERT OR IGNORE INTO folder VALUES (?, ?)", arguments: [run.rawValue, Data(folder.bytes)])
      }
    }
  }

  /// Where scratch files of runs that were cut off, or that failed somewhere, may lie.
  package func folders() throws(FileError) -> [(RunID, FilePath)] {
    try translating("read the journal") {
      try database.read { try Row.fetchAll($0, sql: "SELECT run, path FROM folder ORDER BY run, path") }
        .map { (RunID($0["run"]), FilePath(bytes: Array($0["path"] as Data))) }
    }
  }

  /// Notes that no scratch files of `run` lie in `folder` any more.
  package func forget(_ folder: FilePath, of run: RunID) throws(FileError) {
    try translating("write the journal") {
      try database.write { db in
        try db.execute(
          sql: "DELETE FROM folder WHERE run = ? AND path = ?", arguments: [run.rawValue, Data(folder.bytes)])
      }
    }
  }

  /// The scratch files of `run` that the journal's rows speak of, and the photo of each whose change failed.
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
  /// - Parameter isAtWork: Whether a process writes: if not, what had begun was cut off.
  fileprivate init(_ row: Row, isAtWork: Bool) throws {
    id = RunID(row["id"])
    started = Instant(seconds: row["seconds"], nanoseconds: row["nanoseconds"])
    arguments = try JSONDecoder().decode([String].self, from: Data((row["arguments"] as String).utf8))
    version = row["version"]
    let state = State(rawValue: row["state"]) ?? .running
    self.state = state == .running && !isAtWork ? .interrupted : state
    undoes = (row["undoes"] as Int64?).map(RunID.init)
    // A journal that only older versions wrote to has no such column.
    retries = row.hasColumn("retries") ? (row["retries"] as Int64?).map(RunID.init) : nil
    changed = row["changed"]
    created = row["created"]
    undone = row["undone"]
    // What could not even be planned has no row of its own.
    failed = max(row["failed"], row.hasColumn("failures") ? row["failures"] ?? 0 : 0)
  }
}
