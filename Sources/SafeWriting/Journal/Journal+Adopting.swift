import Foundation
import GRDB
import Synchronization
import SystemPackage

/// Changes that other journals recorded, as those of workers do.
///
/// The table `adoption` says from which journals changes were taken over, by their tokens, and into which run.
extension Journal {
  /// The changes in a journal that can be taken over.
  package enum Adoptable: Hashable, Sendable {
    /// Those of this run.
    case changes(RunID)
    /// Those of the first run, which takes back changes of the second one in the journal that is to take them over.
    case undo(RunID, of: RunID)
    /// None: no run began.
    case nothing
    /// None: they were taken over before, into this run.
    case adopted(RunID)
  }

  /// Returns the changes of `part` that can be taken over into this journal.
  ///
  /// - Throws: `FileError`: `.refused` if there are several such runs or if they belong to another journal, `.damagedJournal`
  ///   if not every change can be read, and `.journalBusy` if a change isn't settled.
  package func adoptable(in part: Journal) throws(FileError) -> Adoptable {
    guard part.token != token else {
      throw FileError(.refused, "it is the journal that would take over its own changes")
    }
    if let damage = try part.damage() {
      throw FileError(.damagedJournal, "it is damaged, so its changes can't be taken over: \(damage)")
    }
    guard try part.isSettled else {
      throw FileError(.journalBusy, "some of its changes aren't settled, because their photos can't be reached")
    }
    if let run = try adoptions()[part.token] { return .adopted(run) }
    let foreign = try part.adoptions()
    let runs = try part.runs(limit: .max).filter { !foreign.values.contains($0.id) }
    guard let run = runs.first else { return .nothing }
    guard runs.count == 1 else {
      throw FileError(.refused, "it has \(runs.count) runs, so it isn't the journal of a worker")
    }
    guard let undone = run.undoes else { return .changes(run.id) }
    guard foreign[token] == undone else {
      throw FileError(.refused, "its changes take back a run of another journal")
    }
    return .undo(run.id, of: undone)
  }

  /// Returns the runs into which changes of other journals were taken over, by these journals' tokens.
  private func adoptions() throws(FileError) -> [String: RunID] {
    try translating("read the journal") {
      try database.read { db in
        guard try db.tableExists("adoption") else { return [:] }
        let rows = try Row.fetchAll(db, sql: "SELECT token, run FROM adoption")
        return Dictionary(rows.map { ($0["token"] as String, RunID($0["run"])) }) { first, _ in first }
      }
    }
  }

  /// Returns the newest run that took over changes and was interrupted, and these changes, if it was begun with these
  /// arguments: the same command takes over the rest.
  ///
  /// - Throws: `FileError.Kind.io` when the journal can't be read; `.damagedJournal` if a change can't be read.
  package func interruptedAdoption(
    _ arguments: [String], undoing undone: RunID?
  ) throws(FileError) -> (run: RunID, edited: Set<AdoptedEdit>)? {
    let runs = Set(try adoptions().values)
    let newest = try self.runs(limit: .max).first { runs.contains($0.id) && $0.undoes == undone }
    guard let newest, newest.state == .interrupted, newest.arguments == arguments else { return nil }
    let edits = try rows("run = ?", [newest.id.rawValue], order: "sequence", in: newest.id) { AdoptedEdit($0) }
    if let damaged = edits.damaged.first { throw damaged.error }
    return (newest.id, Set(edits.entries))
  }

  /// Takes over the changes of a run of `part` into `run`, all or none. What failed is left out, because another worker may
  /// have got the same row and done it.
  ///
  /// - Parameter edited: The changes that `run` has taken over. After a kill, recovery can't know which of two workers
  ///   made such a change; it is taken over once.
  /// - Throws: `FileError.Kind.io` when a journal can't be read or written; `.damagedJournal` if a change can't be read.
  package func adopt(
    _ source: RunID, of part: Journal, as run: RunID, edited: inout Set<AdoptedEdit>
  ) throws(FileError) {
    var known = edited
    let keys = try part.rows("run = ?", [source.rawValue], order: "sequence", in: source) { entry in
      entry.isUndoable ? entry.key : nil
    }
    if let damaged = keys.damaged.first { throw damaged.error }
    try translating("write the journal") {
      try database.write { db in
        let last = try Int.fetchOne(
          db, sql: "SELECT max(max(sequence), ifnull(max(bond), 0)) FROM operation WHERE run = ?",
          arguments: [run.rawValue])
        var directories: [Data: Int64] = [:]
        for page in Journal.pages(of: keys.entries) {
          let rows = try part.rows(with: page)
          if let damaged = rows.damaged.first { throw damaged.error }
          for entry in rows.entries where known.insert(AdoptedEdit(entry)).inserted {
            let own = try adopted(entry, from: part, as: run, after: last ?? 0)
            try insert(own, into: db, &directories)
            if own.isUndoable { try Journal.passOn(own, in: db) }
          }
        }
        try db.execute(sql: "INSERT INTO adoption VALUES (?, ?)", arguments: [part.token, run.rawValue])
      }
    }
    edited = known
    // The numbers that were given out are taken.
    sequences.withLock { $0[run] = nil }
  }

  private func adopted(
    _ entry: JournalEntry, from part: Journal, as run: RunID, after last: Int
  ) throws(FileError) -> JournalEntry {
    let inverse = try part.inverse(of: entry)
    var own = entry
    own.run = run.rawValue
    own.sequence += last
    own.atomicGroup = entry.atomicGroup.map { $0 + last }
    let scratch = Data(part.scratchName(of: RunID(entry.run), entry.sequence).utf8)
    if entry.scratch == scratch {
      own.scratch = Data(scratchName(of: run, own.sequence).utf8)
    }
    return try own.sealed(over: inverse.splices)
  }
}

/// A change that was taken over: its kind, its file and its new bytes.
package struct AdoptedEdit: Hashable, Sendable {
  private let method: JournalEntry.Method
  private let path: FilePath
  private let digest: Data

  fileprivate init(_ entry: JournalEntry) { (method, path, digest) = (entry.method, entry.path, entry.digest) }
}
