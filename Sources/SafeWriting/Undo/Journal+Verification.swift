import Foundation
import Glibc
import GRDB
import SystemPackage

/// The state of a file that a run changed, compared with what the run left.
package enum FileStanding: String, CaseIterable, Sendable {
  /// The file is as the run left it.
  case asLeft
  /// The file has another modification time, and what was compared of it is as the run left it: not every byte.
  case otherTime
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
    var renamings: [FilePath: JournalEntry] = [:]
    let keys = try rows("run = ?", [run.rawValue], order: "sequence", in: run) { entry in
      if entry.target != nil, entry.isUndoable { renamings[entry.path] = entry }
      return entry.key
    }
    var found: [(operation: JournalOperation, standing: FileStanding)] = []
    for page in Journal.pages(of: keys.entries) {
      found += try rows(with: page).entries.map { entry in
        (entry.operation, standing(of: entry, at: entry.place(after: renamings[entry.path]), later))
      }
    }
    return found + keys.damaged.map { ($0.operation(in: folder), .damagedRow) }
  }

  /// Compares a file with what its change left.
  /// - Parameter place: The path at which the run left the file.
  private func standing(
    of entry: JournalEntry, at place: FilePath, _ later: [FilePath: RunID]
  ) -> FileStanding {
    switch entry.state {
    case .undone: return .undone
    case .failed, .conflict: return .failed
    case .staged, .committed, .cleaned: break
    }
    do throws(FileError) {
      if let isWhole = try isAsLeft(entry, at: place) { return isWhole ? .asLeft : .otherTime }
      if let standing = try standing(afterLaterChangeOf: entry, at: place, later) { return standing }
      return place.status(followingLinks: false) == nil && entry.method != .removal ? .missing : .changedSince
    } catch {
      if error.code == .noSuchFile {
        return (try? standing(afterLaterChangeOf: entry, at: place, later)) ?? .missing
      }
      return error.code == .damagedJournal ? .damagedRow : .unreadable
    }
  }

  /// Compares a file with what the newest later run left; nil if there is none.
  private func standing(
    afterLaterChangeOf entry: JournalEntry, at place: FilePath, _ later: [FilePath: RunID]
  ) throws(FileError) -> FileStanding? {
    for path in [place, entry.path] {
      guard let run = later[path], run.rawValue > entry.run, let next = try lastChange(of: path, in: run) else {
        continue
      }
      switch standing(of: next, at: next.place(after: nil), later) {
      case .asLeft, .otherTime: return .changedByLaterRun
      case let other: return other
      }
    }
    return nil
  }

  /// Returns whether it is certain that a file is as the run left it, to the last byte; nil if it isn't.
  private func isAsLeft(_ entry: JournalEntry, at place: FilePath) throws(FileError) -> Bool? {
    let isAsLeft: Bool
    switch entry.method {
    case .exchange, .inPlace, .creation, .copy:
      let (change, file) = (try JournaledChange(entry, in: self), try FileSource(place))
      return try change.isAsLeft(file) ? change.isWholeAsLeft(file) : nil
    case .renaming: isAsLeft = try Recovery(journal: self).isRenamed(entry)
    case .times:
      guard let name = place.lastComponent else { return nil }
      isAsLeft = try Directory(entry.folderPath).identity(of: name)?.modified == entry.new.modified
    case .removal: isAsLeft = entry.path.status(followingLinks: false) == nil
    case .trashing, .untrashing:
      isAsLeft = try entry.trashed.map { path throws(FileError) in try entry.isMoved(to: path) } ?? false
    }
    return isAsLeft ? true : nil
  }
}

extension JournalEntry {
  /// Returns the path at which the run left the file.
  /// - Parameter renaming: The run's renaming of a file with the path of this change, which may be another file.
  fileprivate func place(after renaming: JournalEntry?) -> FilePath {
    guard target == nil, let renaming, renaming.old.hasSizeAndTime(of: new) else { return target ?? trashed ?? path }
    return renaming.target ?? path
  }
}
