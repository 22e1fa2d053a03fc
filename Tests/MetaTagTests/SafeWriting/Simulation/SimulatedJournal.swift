@testable import SafeWriting
import Foundation
import SystemPackage

@testable import MetaTag

/// A journal in memory. Every change of it is one call of the disk, which happens entirely or not at all, as in a database
/// that is flushed after every transaction.
///
/// A test uses it on one thread.
final class SimulatedJournal: ChangeJournal, @unchecked Sendable {
  struct Row {
    var entry: JournalEntry
    let undo: [Splice]
    let redo: [Splice]
  }

  struct Folder: Hashable {
    let run: RunID
    let path: FilePath
  }

  struct State {
    var rows: [Row] = []
    var folders: Set<Folder> = []
    var runs: [RunID: RunSummary.State] = [:]
    var last = 0
  }

  private(set) var state: State
  private let disk: SimulatedDisk

  /// Continues a journal.
  init(_ state: State, on disk: SimulatedDisk) {
    (self.state, self.disk) = (state, disk)
  }

  let folder: FilePath = "/journal"
  let token = "feed"

  private func change(_ body: (inout State) -> Void) throws(FileError) {
    guard disk.permits() else { throw FileError(.journalFailed, "could not write the journal") }
    body(&state)
  }

  func begin(_ run: RunID) { state.runs[run] = .running }

  func nextSequence(of run: RunID) -> Int {
    state.last += 1
    return state.last
  }

  func note(_ folder: FilePath, of run: RunID) throws(FileError) {
    try change { $0.folders.insert(Folder(run: run, path: folder)) }
  }

  func record(_ changes: [(entry: JournalEntry, undo: Patch, redo: Patch?)]) throws(FileError) {
    let rows = try changes.map { change throws(FileError) in
      var entry = change.entry
      entry.checksum = try entry.checksum(over: change.undo.splices)
      return Row(entry: entry, undo: change.undo.splices, redo: change.redo?.splices ?? [])
    }
    try change { $0.rows += rows }
  }

  func update(_ entries: [JournalEntry]) throws(FileError) {
    guard !entries.isEmpty else { return }
    try change { state in
      for entry in entries {
        state.update(entry)
        var (target, isInForce) = (entry.state == .committed ? entry.undoes : nil, false)
        while let key = target, let undone = state.rows.first(where: { $0.entry.key == key }) {
          var row = undone.entry
          row.state = isInForce ? .cleaned : .undone
          if isInForce { row.new = entry.new }
          state.update(row)
          target = row.undoes
          isInForce.toggle()
        }
      }
    }
  }

  func noteCleaned(_ keys: [JournalEntry.Key]) throws(FileError) {
    guard !keys.isEmpty else { return }
    try change { state in
      for index in state.rows.indices
      where keys.contains(state.rows[index].entry.key) && state.rows[index].entry.state == .committed {
        state.rows[index].entry.state = .cleaned
      }
    }
  }

  func forget(_ folder: FilePath, of run: RunID) throws(FileError) {
    try change { $0.folders.remove(Folder(run: run, path: folder)) }
  }

  func end(_ run: RunID, as end: RunSummary.State) throws(FileError) { try change { $0.runs[run] = end } }

  func unsettled() -> JournalRows<JournalEntry> {
    JournalRows(entries: state.rows.map(\.entry).filter { $0.state == .staged || $0.state == .committed })
  }

  func unfound() -> [JournalEntry] {
    state.rows.map(\.entry).filter {
      $0.state == .conflict && $0.reason?.hasSuffix(Journal.mayReturn) == true
        && state.runs[RunID($0.run)] == .interrupted
    }
  }

  func entry(_ key: JournalEntry.Key) -> JournalEntry? { state.rows.first { $0.entry.key == key }?.entry }

  func entries(inGroupOf entry: JournalEntry) -> [JournalEntry] {
    guard let group = entry.atomicGroup else { return [entry] }
    return state.rows.map(\.entry).filter { $0.run == entry.run && $0.atomicGroup == group }
  }

  func splices(_ direction: PatchDirection, of entry: JournalEntry) -> [Splice] {
    let row = state.rows.first { $0.entry.key == entry.key }
    return (direction == .undo ? row?.undo : row?.redo) ?? []
  }

  func damage() -> String? { nil }

  func runningRuns() -> [RunID] { state.runs.filter { $0.value == .running }.keys.sorted() }

  func folders() -> [(RunID, FilePath)] {
    state.folders.sorted { ($0.run, $0.path.string) < ($1.run, $1.path.string) }.map { ($0.run, $0.path) }
  }

  func scratchFiles<Use: Sendable>(of run: RunID, _ use: (JournalEntry) -> Use) -> [[UInt8]: Use]? {
    let rows = state.rows.map(\.entry).filter { $0.run == run.rawValue }
    return Dictionary(rows.compactMap { row in row.scratch.map { (Array($0), use(row)) } }) { first, _ in first }
  }
}

extension SimulatedJournal.State {
  /// Writes the columns that can change after the row was recorded.
  fileprivate mutating func update(_ entry: JournalEntry) {
    guard let index = rows.firstIndex(where: { $0.entry.key == entry.key }) else { return }
    (rows[index].entry.state, rows[index].entry.reason, rows[index].entry.new) = (entry.state, entry.reason, entry.new)
  }
}
