import Foundation
import Glibc
public import SystemPackage

extension Journal {
  /// The files among `paths` that `run` changed and that still have that change, as far as can be told: also those that
  /// were moved on their volume since. Files that have their old bytes again are not among them, nor those at the path of
  /// one that have another picture.
  ///
  /// - Parameters:
  ///   - paths: Absolute, symbolic links resolved.
  ///   - pictures: Where the picture data of a file lie; nil where that can't be told.
  /// - Throws: `FileError`: `.refused` when there is no such run, `.io` when the journal can't be read.
  package func files(
    among paths: Set<FilePath>, changedBy run: RunID, pictures: (FileSource, FilePath) -> [Range<Int>]?
  ) throws(FileError) -> Set<FilePath> {
    try require(run)
    let entries = try undoable(in: run).filter { $0.method != .times && $0.method != .renaming }
    guard !entries.isEmpty else { return [] }
    var moved: [FileNumber: FilePath] = [:]
    for path in paths {
      if let number = FileNumber(path) { moved[number] = path }
    }
    var found: Set<FilePath> = []
    for entry in entries {
      let isThere = paths.contains(entry.path)
      guard let path = isThere ? entry.path : moved[FileNumber(entry.new)], !found.contains(path) else { continue }
      let content = try? JournaledChange(entry, in: self).content(of: entry.opened(at: path))
      // What can't be read at its own path may well be changed; elsewhere, numbers are given anew to other files.
      let isChanged =
        switch content {
        case .new: true
        case .old: false
        default: isThere ? try mayComeOf(entry, pictures) : false
        }
      if isChanged { found.insert(path) }
    }
    return found
  }

  /// Whether the file at the path of a change may have been made of the one that this left: later runs changed it, or
  /// it has a picture like it.
  private func mayComeOf(
    _ entry: JournalEntry, _ pictures: (FileSource, FilePath) -> [Range<Int>]?
  ) throws(FileError) -> Bool {
    guard let file = try? entry.opened(at: entry.path), let change = try? JournaledChange(entry, in: self) else {
      return true
    }
    var source: any ByteSource = file
    for later in try changes(after: entry) {
      guard let next = try? JournaledChange(later, in: self), (try? next.isNew(source)) == true else { continue }
      source = source.patched(by: next.inverse)
    }
    if (try? change.isNew(source)) == true { return true }
    guard let recorded = entry.fingerprint, let ranges = pictures(file, entry.path),
      let found = try? Fingerprint(of: file, pictures: ranges)
    else { return true }
    return Fingerprint(recorded).mayShowPicture(of: found)
  }
}

extension Journal {
  /// Those of `paths` whose files are still as `run` left them.
  ///
  /// - Throws: `FileError`: `.refused` when there is no such run, `.io` when the journal can't be read.
  public func files(among paths: Set<FilePath>, leftBy run: RunID) throws(FileError) -> Set<FilePath> {
    try require(run)
    let entries = try undoable(in: run).filter { $0.method != .times && paths.contains($0.path) }
    return Set(
      entries.filter { entry in
        (try? JournaledChange(entry, in: self).isAsLeft(entry.opened(at: entry.path))) ?? false
      }.map(\.path))
  }

  /// The newest change that left the file at `path` as it is, wherever that was: its run, and the path at which it did.
  /// Of several such files those with its name count, and of them the one with its number. Nil where there is none, or
  /// the file is only a copy of one that is still there; undos aside.
  ///
  /// - Parameters:
  ///   - run: Only changes of this run.
  ///   - others: Files that are known to be others, by the paths at which they were left.
  /// - Throws: `FileError`: `.conflict` when it can't be told which of several files it is, `.io` when the file or the
  ///   journal can't be read.
  public func newestChange(
    leaving path: FilePath, in run: RunID? = nil, besides others: Set<FilePath> = []
  ) throws(FileError) -> (run: RunID, path: FilePath)? {
    let file = try FileSource(path)
    var found: [JournaledChange] = []
    for entry in try undoable(leaving: file.count, in: run) where !others.contains(entry.path) {
      // A row that can't be read is not about this file, as far as can be told.
      guard let change = try? JournaledChange(entry, in: self), (try? change.isAsLeft(file)) == true else { continue }
      if let own = try? entry.opened(at: entry.path), (try? change.isAsLeft(own)) == true { continue }
      found.append(change)
    }
    let number = FileNumber(FileIdentity(file.status))
    func isNumbered(_ change: JournaledChange) -> Bool { FileNumber(change.entry.new) == number }
    let namesakes = found.filter { $0.entry.path.lastComponent == path.lastComponent }
    let likely = namesakes.isEmpty ? found : namesakes
    guard let change = likely.first(where: isNumbered) ?? likely.first else { return nil }
    // Where the changes are alike, any of them takes it back.
    guard isNumbered(change) || likely.allSatisfy({ $0.inverse == change.inverse }) else {
      let paths = Set(likely.map(\.entry.path.description)).sorted()
      throw FileError(
        .conflict,
        "was moved, and was one of \(paths.prefix(3).joined(separator: ", ")): which of them can't be told")
    }
    return (RunID(change.entry.run), change.entry.path)
  }

  /// The newest run, or this one, that left files as they now are in `folder` or below it, and were not there then; and
  /// the selection of these files.
  ///
  /// - Throws: `FileError.Kind.io` when the journal can't be read.
  public func newestChange(
    leavingFilesIn folder: FilePath, in run: RunID? = nil
  ) throws(FileError) -> (run: RunID, selection: UndoSelection)? {
    let sizes = Set(MovedFiles.files(in: [folder]).keys)
    var selection = UndoSelection()
    selection.movedTo = folder
    var files = MovedFiles(selection)
    let candidates = if let run { [run] } else { try runsToUndo() }
    for candidate in candidates {
      var left: Set<FilePath> = []
      for entry in try undoable(in: candidate) where entry.target == nil && sizes.contains(entry.new.size) {
        do throws(FileError) {
          guard try !entry.isSomethingThere else { continue }
          _ = try files.place(of: entry, in: self)
        } catch {
          // What several files match is told when its turn comes.
          guard error != .isGone else { continue }
        }
        left.insert(entry.path)
      }
      guard left.isEmpty else {
        (selection.files, selection.places) = (left, files.places)
        return (candidate, selection)
      }
    }
    return nil
  }
}

/// The number of a file on its volume.
private struct FileNumber: Hashable {
  let device: UInt64
  let inode: UInt64

  init(_ identity: FileIdentity) { (device, inode) = (identity.device, identity.inode) }

  init?(_ path: FilePath) {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
    self.init(FileIdentity(status))
  }
}
