import Foundation
import GRDB
import Synchronization
import SystemPackage

/// The changes in the journal.
extension Journal {
  /// Returns the changes that `run` made, in the order in which it made them; without those that a damaged journal doesn't
  /// tell any more, see `unreadableChanges(of:)`.
  ///
  /// - Throws: `FileError`: `.refused` when there is no such run, `.io` when the journal can't be read.
  public func operations(of run: RunID) throws(FileError) -> [JournalOperation] {
    try require(run)
    return try rows("run = ?", [run.rawValue], order: "sequence", in: run, keeping: \.operation).entries
  }

  /// Returns the number of changes of `run` that can't be read, because the journal is damaged.
  ///
  /// - Throws: `FileError.Kind.io` when the journal can't be read.
  public func unreadableChanges(of run: RunID) throws(FileError) -> Int {
    try rows("run = ?", [run.rawValue], order: "sequence", in: run) { _ in Int?.none }.damaged.count
  }

  /// Whether the outcome of every change that was begun is known. If not, a process is working on it, or `recover` has
  /// something to do.
  ///
  /// - Throws: `FileError.Kind.io` when the journal can't be read.
  public var isSettled: Bool {
    get throws(FileError) { try unsettledCount == 0 }
  }

  /// The number of changes that were begun and whose outcome isn't known.
  package var unsettledCount: Int {
    get throws(FileError) { try unsettled().entries.count }
  }

  /// The number of changes that are in memory at once.
  private static let pageCount = 512

  /// Calls `body` with the changes of `run` that can be undone, newest first.
  package func undoable(in run: RunID, _ body: (JournalEntry) throws(FileError) -> Void) throws(FileError) {
    let keys = try rows("run = ?", [run.rawValue], order: "sequence DESC", in: run) { $0.isUndoable ? $0.key : nil }
    for page in Journal.pages(of: keys.entries) {
      for entry in try rows(with: page).entries { try body(entry) }
    }
  }

  /// Returns the keys of changes that are in memory at once.
  static func pages(of keys: [JournalEntry.Key]) -> [[JournalEntry.Key]] {
    stride(from: 0, to: keys.count, by: pageCount).map { Array(keys[$0..<min($0 + pageCount, keys.count)]) }
  }

  /// Returns the changes of the same file after `entry`, newest first, including those that were undone.
  package func changes(after entry: JournalEntry) throws(FileError) -> [JournalEntry] {
    try entries(
      """
      folder = ? AND name = ? AND (run > ? OR run = ? AND sequence > ?) AND state IN ('committed', 'cleaned', 'undone')
      AND method IN ('exchange', 'inPlace')
      """, [entry.folder, entry.name, entry.run, entry.run, entry.sequence], order: "run DESC, sequence DESC")
  }

  /// Returns the last change that `run` made to the file at `path`.
  func lastChange(of path: FilePath, in run: RunID) throws(FileError) -> JournalEntry? {
    let (folder, name) = (path.removingLastComponent().bytes, path.lastComponent?.bytes ?? [])
    return try entries(
      "run = ? AND folder = ? AND name = ? AND state IN ('committed', 'cleaned')",
      [run.rawValue, Data(folder), Data(name)], order: "sequence DESC"
    ).first
  }

  /// Returns the changes that left a file of `count` bytes and can be undone, newest first: those of `run`, or those of
  /// all runs that are not undos. A row that can't be read is treated as being about another file.
  package func undoable(leaving count: Int, in run: RunID?) throws(FileError) -> [JournalEntry] {
    let packed = FileIdentity.packed(size: count)
    return try rows(
      """
      state IN ('committed', 'cleaned') AND method IN ('exchange', 'inPlace', 'creation')
      AND (instr(new, ?) > 0 OR substr(new, 1, ?) = ?)
      AND (run = ? OR ? IS NULL AND (SELECT undoes FROM run WHERE id = run) IS NULL)
      """, [#""size":\#(count),"#, packed.count, packed, run?.rawValue, run?.rawValue],
      order: "run DESC, sequence DESC", in: run
    ).entries
  }

  package func unsettled() throws(FileError) -> JournalRows<JournalEntry> {
    try rows("state IN ('staged', 'committed')", [], order: "run, sequence")
  }

  /// The reason recorded for changes that an interrupted run had begun and that were taken back.
  static let cutOff = "the run was cut off before this file's turn"

  /// The ending of the reason of every change that recovery examines again.
  static let mayReturn = "if it comes back there (a card, a folder), metatag settles it"

  package func unfound() throws(FileError) -> [JournalEntry] {
    // A recovery that was itself cut off leaves the run as running.
    let cutOff = "SELECT id FROM run WHERE state <> 'finished'"
    let away = try rows(
      "state = 'conflict' AND substr(reason, -length(?)) = ? AND run IN (\(cutOff))",
      [Journal.mayReturn, Journal.mayReturn], order: "run, sequence"
    ).entries
    guard let first = away.first else { return [] }
    let last = try translating("read the journal") {
      try database.read {
        try Row.fetchAll(
          $0, sql: "SELECT folder, name, max(run) AS run FROM change WHERE run > ? GROUP BY folder, name",
          arguments: [first.run]
        ).map { row in
          (
            [try row.decode(Data.self, forColumn: "folder"), try row.decode(Data.self, forColumn: "name")],
            try row.decode(Int64.self, forColumn: "run")
          )
        }
      }
    }
    let runs = Dictionary(last) { max($0, $1) }
    return away.filter { (runs[[$0.folder, $0.name]] ?? 0) <= $0.run }
  }

  package func entries(inGroupOf entry: JournalEntry) throws(FileError) -> [JournalEntry] {
    guard let atomicGroup = entry.atomicGroup else { return [entry] }
    return try entries("run = ? AND bond = ?", [entry.run, atomicGroup], order: "sequence")
  }

  package func entry(_ key: JournalEntry.Key) throws(FileError) -> JournalEntry? {
    try entries("run = ? AND sequence = ?", [key.run, key.sequence], order: "sequence").first
  }

  /// Returns the changes that meet a condition, as far as they can be read.
  func rows(
    _ condition: String, _ arguments: StatementArguments, order: String, in run: RunID? = nil
  ) throws(FileError) -> JournalRows<JournalEntry> {
    try rows(condition, arguments, order: order, in: run, keeping: \.self)
  }

  /// Returns what `keep` keeps of the changes that meet a condition, as far as they can be read.
  func rows<Value>(
    _ condition: String, _ arguments: StatementArguments, order: String, in run: RunID? = nil,
    keeping keep: (JournalEntry) -> Value?
  ) throws(FileError) -> JournalRows<Value> {
    try translating("read the journal") {
      try database.read { try $0.changes(condition, arguments, order: order, in: run?.rawValue, keeping: keep) }
    }
  }

  /// Returns the changes with these keys, in their order, as far as they can be read.
  func rows(with keys: [JournalEntry.Key]) throws(FileError) -> JournalRows<JournalEntry> {
    try translating("read the journal") { try database.read { try $0.changes(with: keys, keeping: \.self) } }
  }

  /// Returns the changes that meet a condition.
  ///
  /// - Throws: `.damagedJournal` if one of them can't be read.
  private func entries(
    _ condition: String, _ arguments: StatementArguments, order: String
  ) throws(FileError) -> [JournalEntry] {
    let rows = try rows(condition, arguments, order: order)
    if let damaged = rows.damaged.first { throw damaged.error }
    return rows.entries
  }

  /// Several batches may write one run, in turn or at once.
  package func nextSequence(of run: RunID) -> Int {
    sequences.withLock { last in
      // A journal that can't be read can't be written either; the write then reports the error.
      let next = 1 + (last[run] ?? (try? lastSequence(of: run)) ?? 0)
      last[run] = next
      return next
    }
  }

  private func lastSequence(of run: RunID) throws -> Int {
    try database.read { db in
      try Int.fetchOne(
        db, sql: "SELECT max(max(sequence), ifnull(max(bond), 0)) FROM operation WHERE run = ?",
        arguments: [run.rawValue])
    } ?? 0
  }

  package func record(_ changes: [(entry: JournalEntry, undo: Patch, redo: Patch?)]) throws(FileError) {
    let changes = try changes.map { change throws(FileError) in
      (entry: try change.entry.sealed(over: change.undo.splices), redo: change.redo)
    }
    try translating("write the journal") {
      try database.write { db in
        var directories: [Data: Int64] = [:]
        for (entry, redo) in changes {
          try insert(entry, into: db, &directories)
          if let redo { try SpliceRow.insert(redo, of: entry, into: db) }
        }
      }
    }
  }

  /// Inserts a row. `directories` has the numbers of folders that are known.
  func insert(_ entry: JournalEntry, into db: Database, _ directories: inout [Data: Int64]) throws {
    let directory = try directories[entry.folder] ?? Journal.number(of: entry.folder, in: db)
    directories[entry.folder] = directory
    try entry.insert(db, in: directory, usual: Data(scratchName(of: RunID(entry.run), entry.sequence).utf8))
  }

  /// Returns the number of a folder in the table `directory`, where it is added if it is missing.
  static func number(of folder: Data, in db: Database) throws -> Int64 {
    let known = try db.cachedStatement(sql: "SELECT id FROM directory WHERE path = ?")
    if let number = try Int64.fetchOne(known, arguments: [folder]) { return number }
    try db.execute(sql: "INSERT INTO directory (path) VALUES (?)", arguments: [folder])
    return db.lastInsertedRowID
  }

  package func update(_ entries: [JournalEntry]) throws(FileError) {
    guard !entries.isEmpty else { return }
    try translating("write the journal") {
      try database.write { db in
        for entry in entries {
          try entry.noteState(db)
          if entry.state == .committed { try Journal.passOn(entry, in: db) }
        }
      }
    }
  }

  /// Their redo splices are forgotten: they were for recovery.
  package func noteCleaned(_ keys: [JournalEntry.Key]) throws(FileError) {
    guard !keys.isEmpty else { return }
    try translating("write the journal") {
      try database.write { db in
        let statement = try db.cachedStatement(
          sql: "UPDATE operation SET state = ? WHERE run = ? AND sequence = ? AND state = ?")
        let redo = try db.cachedStatement(sql: "DELETE FROM splice WHERE run = ? AND sequence = ? AND direction = ?")
        for key in keys {
          try statement.execute(arguments: [
            JournalOperation.State.cleaned.rawValue, key.run, key.sequence, JournalOperation.State.committed.rawValue,
          ])
          guard db.changesCount == 1 else { continue }
          try redo.execute(arguments: [key.run, key.sequence, PatchDirection.redo.rawValue])
        }
      }
    }
  }

  /// Marks the change that `entry` undoes as undone. If that one was itself an undo, the change it had undone is in
  /// force again, with the file that `entry` wrote; and so on.
  static func passOn(_ entry: JournalEntry, in db: Database) throws {
    var target = entry.undoes
    var isInForce = false
    let statement = try db.cachedStatement(sql: "SELECT * FROM change WHERE run = ? AND sequence = ?")
    while let key = target, key.run < entry.run {
      guard var undone = try JournalEntry.fetchOne(statement, arguments: [key.run, key.sequence]) else { return }
      undone.state = isInForce ? .cleaned : .undone
      if isInForce { undone.new = entry.new }
      try undone.noteState(db)
      target = undone.undoes
      isInForce.toggle()
    }
  }
}

extension JournalEntry {
  /// Returns the row as it is recorded: with its splices, and a checksum of everything that undo needs.
  func sealed(over inverse: [Splice]) throws(FileError) -> JournalEntry {
    var entry = self
    entry.digest = digest.prefix([UInt8].hashCount)
    entry.checksum = try entry.checksum(over: inverse).prefix([UInt8].hashCount)
    entry.undo = try PackedSplices.packed(inverse)
    return entry
  }

  /// Writes the columns that can change after the row was recorded.
  fileprivate func noteState(_ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: "UPDATE operation SET state = ?, reason = ?, new = ? WHERE run = ? AND sequence = ?")
    try statement.execute(arguments: [state.rawValue, reason, new.packed, run, sequence])
    guard db.changesCount == 1 else {
      throw FileError(.journalFailed, "the journal is damaged: the row of a change is missing", remedy: .runAgain)
    }
  }
}

extension SpliceRow {
  /// Inserts the splices of the patch that makes a change.
  fileprivate static func insert(_ patch: Patch, of entry: JournalEntry, into db: Database) throws {
    for (ordinal, splice) in patch.splices.enumerated() {
      try SpliceRow(
        run: entry.run, sequence: entry.sequence, direction: .redo, ordinal: ordinal,
        lower: splice.range.lowerBound, upper: splice.range.upperBound, bytes: Data(splice.bytes), use: splice.use
      ).insert(db)
    }
  }
}
