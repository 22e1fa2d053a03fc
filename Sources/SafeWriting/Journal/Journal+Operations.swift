import Foundation
import GRDB
import Synchronization

extension Journal {
  /// What `run` did, in the order it did it.
  ///
  /// - Throws: `FileError`: `.refused` when there is no such run, `.io` when the journal can't be read.
  public func operations(of run: RunID) throws(FileError) -> [JournalOperation] {
    try require(run)
    return try entries("run = ? ORDER BY sequence", [run.rawValue]).map(\.operation)
  }

  /// Whether of every change that was begun it is known how it ended. If not, a process is at it, or `recover` has
  /// something to do.
  ///
  /// - Throws: `FileError.Kind.io` when the journal can't be read.
  public var isSettled: Bool {
    get throws(FileError) { try unsettled().isEmpty }
  }

  /// Changes of `run` that can be undone, newest first.
  package func undoable(in run: RunID) throws(FileError) -> [JournalEntry] {
    try entries("run = ? AND state IN ('committed', 'cleaned') ORDER BY sequence DESC", [run.rawValue])
  }

  /// The changes of the same file after `entry`, the newest first, with those that were undone.
  package func changes(after entry: JournalEntry) throws(FileError) -> [JournalEntry] {
    try entries(
      """
      folder = ? AND name = ? AND (run > ? OR run = ? AND sequence > ?) AND state IN ('committed', 'cleaned', 'undone')
      AND method IN ('exchange', 'inPlace') ORDER BY run DESC, sequence DESC
      """, [entry.folder, entry.name, entry.run, entry.run, entry.sequence])
  }

  /// Changes of files that had so many bytes afterwards, and that can be undone, newest first: of `run`, or of all;
  /// undos aside then.
  package func undoable(leaving count: Int, in run: RunID?) throws(FileError) -> [JournalEntry] {
    try entries(
      """
      state IN ('committed', 'cleaned') AND method IN ('exchange', 'inPlace', 'creation')
      AND instr(new, ?) > 0 AND (run = ? OR ? IS NULL AND (SELECT undoes FROM run WHERE id = run) IS NULL)
      ORDER BY run DESC, sequence DESC
      """, [#""size":\#(count),"#, run?.rawValue, run?.rawValue])
  }

  /// Changes that were begun and of which it isn't known that nothing is left to do, oldest first.
  func unsettled() throws(FileError) -> [JournalEntry] {
    try entries("state IN ('staged', 'committed') ORDER BY run, sequence", [])
  }

  /// The reason of changes that a run had begun when it was cut off, and that were taken back.
  static let cutOff = "the run was cut off before this file's turn"

  /// How the reasons end of all that recovery looks at again.
  static let mayReturn = "if it comes back there (a card, a folder), metatag settles it"

  /// Changes of runs that were cut off whose photo was not there when they were to be settled, and that no later run
  /// changed since: with that, they are history.
  func unfound() throws(FileError) -> [JournalEntry] {
    let cutOff = "SELECT id FROM run WHERE state = 'interrupted'"
    let away = try entries(
      "state = 'conflict' AND substr(reason, -length(?)) = ? AND run IN (\(cutOff)) ORDER BY run, sequence",
      [Journal.mayReturn, Journal.mayReturn])
    guard let first = away.first else { return [] }
    let last = try translating("read the journal") {
      try database.read {
        try Row.fetchAll(
          $0, sql: "SELECT folder, name, max(run) AS run FROM operation WHERE run > ? GROUP BY folder, name",
          arguments: [first.run])
      }
    }
    let runs = Dictionary(last.map { ([$0["folder"] as Data, $0["name"] as Data], $0["run"] as Int64) }) { max($0, $1) }
    return away.filter { (runs[[$0.folder, $0.name]] ?? 0) <= $0.run }
  }

  /// The changes made together with `entry` or not at all, itself among them.
  func bonded(to entry: JournalEntry) throws(FileError) -> [JournalEntry] {
    guard let atomicGroup = entry.atomicGroup else { return [entry] }
    return try entries("run = ? AND bond = ? ORDER BY sequence", [entry.run, atomicGroup])
  }

  /// One change; nil where the journal has none of this key.
  package func entry(_ key: JournalEntry.Key) throws(FileError) -> JournalEntry? {
    try entries("run = ? AND sequence = ?", [key.run, key.sequence]).first
  }

  private func entries(_ condition: String, _ arguments: StatementArguments) throws(FileError) -> [JournalEntry] {
    try translating("read the journal") {
      try database.read {
        try JournalEntry.fetchAll($0, sql: "SELECT * FROM operation WHERE \(condition)", arguments: arguments)
      }
    }
  }

  /// A number that no change of `run` has, and no bond: a run may be written by several batches, one after the other or
  /// at once.
  func nextSequence(of run: RunID) -> Int {
    sequences.withLock { last in
      // A journal that can't be read can't be written either, which is told then.
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

  /// Puts changes into the journal, durable when this returns.
  package func record(_ changes: [(entry: JournalEntry, undo: Patch, redo: Patch?)]) throws(FileError) {
    let changes = try changes.map { change throws(FileError) in
      var checked = change
      checked.entry.checksum = try change.entry.checksum(over: change.undo.splices)
      return checked
    }
    try translating("write the journal") {
      try database.write { db in
        for (entry, undo, redo) in changes {
          try entry.insert(db)
          try SpliceRow.insert(undo, .undo, of: entry, into: db)
          if let redo { try SpliceRow.insert(redo, .redo, of: entry, into: db) }
        }
      }
    }
  }

  /// Notes how changes stand now, durable when this returns. What a committed change undoes is undone by it.
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

  /// Notes that nothing is left to do for changes that were committed.
  func noteCleaned(_ keys: [JournalEntry.Key]) throws(FileError) {
    guard !keys.isEmpty else { return }
    try translating("write the journal") {
      try database.write { db in
        let statement = try db.cachedStatement(
          sql: "UPDATE operation SET state = ? WHERE run = ? AND sequence = ? AND state = ?")
        for key in keys {
          try statement.execute(arguments: [
            JournalOperation.State.cleaned.rawValue, key.run, key.sequence, JournalOperation.State.committed.rawValue,
          ])
        }
      }
    }
  }

  /// A change undone by `entry` is undone; what that one had undone is in force again, in the file `entry` wrote; and
  /// so on.
  private static func passOn(_ entry: JournalEntry, in db: Database) throws {
    var target = entry.undoes
    var isInForce = false
    let statement = try db.cachedStatement(sql: "SELECT * FROM operation WHERE run = ? AND sequence = ?")
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
  /// What can be another than when it was recorded.
  fileprivate func noteState(_ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: "UPDATE operation SET state = ?, reason = ?, new = ? WHERE run = ? AND sequence = ?")
    try statement.execute(arguments: [state.rawValue, reason, new.json, run, sequence])
    guard db.changesCount == 1 else { throw FileError(.io, "the journal has lost the row of a change; run again") }
  }
}

extension SpliceRow {
  fileprivate static func insert(
    _ patch: Patch, _ direction: Direction, of entry: JournalEntry, into db: Database
  ) throws {
    for (ordinal, splice) in patch.splices.enumerated() {
      try SpliceRow(
        run: entry.run, sequence: entry.sequence, direction: direction, ordinal: ordinal,
        lower: splice.range.lowerBound, upper: splice.range.upperBound, bytes: Data(splice.bytes), use: splice.use
      ).insert(db)
    }
  }
}
