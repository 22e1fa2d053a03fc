import Foundation
import Glibc
import GRDB
import SystemPackage

/// The state of a file that a run changed, compared with what the run left.
package enum FileStanding: String, CaseIterable, Sendable {
  /// The file is as the run left it.
  case asLeft
  /// A later run changed the file.
  case changedByLaterRun
  /// Something else changed the file.
  case changedSince
  /// The file is not where the run left it.
  case missing
  /// The file can't be read.
  case unreadable
  /// The change's row in the journal is damaged.
  case damagedRow
  /// The change was undone.
  case undone
  /// The run did not make the change.
  case failed
}

extension Journal {
  /// Compares every file of a run with what the run left.
  ///
  /// Every byte is compared only if the run verified whole files. Otherwise, the bytes that the run wrote, the
  /// bytes outside the image data, and samples of the image data are compared.
  ///
  /// - Throws: `FileError`: `.refused` when there is no such run, `.io` when the journal can't be read.
  package func standings(
    of run: RunID
  ) throws(FileError) -> [(operation: JournalOperation, standing: FileStanding)] {
    try require(run)
    let later = try newestRuns(after: run)
    let rows = try rows("run = ?", [run.rawValue], order: "sequence", in: run)
    return rows.entries.map { ($0.operation, standing(of: $0, later)) }
      + rows.damaged.map { ($0.operation(in: folder), .damagedRow) }
  }

  private func standing(of entry: JournalEntry, _ later: [FilePath: RunID]) -> FileStanding {
    switch entry.state {
    case .undone: return .undone
    case .failed, .conflict: return .failed
    case .staged, .committed, .cleaned: break
    }
    do throws(FileError) {
      if try isAsLeft(entry) { return .asLeft }
      let now = entry.target ?? entry.trashed ?? entry.path
      if later[entry.path] != nil { return .changedByLaterRun }
      return now.status(followingLinks: false) == nil && entry.method != .removal ? .missing : .changedSince
    } catch {
      return error.code == .noSuchFile ? .missing : error.code == .damagedJournal ? .damagedRow : .unreadable
    }
  }

  private func isAsLeft(_ entry: JournalEntry) throws(FileError) -> Bool {
    switch entry.method {
    case .exchange, .inPlace, .creation, .copy:
      return try JournaledChange(entry, in: self).isAsLeft(FileSource(entry.path))
    case .renaming: return try Recovery(journal: self).isRenamed(entry)
    case .times:
      guard let name = entry.path.lastComponent else { return false }
      return try Directory(entry.folderPath).identity(of: name)?.modified == entry.new.modified
    case .removal: return entry.path.status(followingLinks: false) == nil
    case .trashing, .untrashing:
      return try entry.trashed.map { path throws(FileError) in try entry.isMoved(to: path) } ?? false
    }
  }
}
