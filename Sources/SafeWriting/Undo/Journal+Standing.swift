import Foundation
import Glibc
public import SystemPackage

/// Files that still have the changes of a run.
extension Journal {
  /// Returns the files among `paths` that `run` changed and that still have the change, as far as can be determined,
  /// including files that were moved within their volume since. Excludes files that have their old bytes again, and
  /// files at a changed path that show another picture.
  ///
  /// - Parameters:
  ///   - paths: Absolute, symbolic links resolved.
  ///   - pictures: Returns the ranges of a file's image data, or nil if they can't be determined.
  /// - Throws: `FileError`: `.refused` when there is no such run, `.io` when the journal can't be read.
  package func files(
    among paths: Set<FilePath>, changedBy run: RunID, pictures: (FileSource, FilePath) -> [Range<Int>]?
  ) throws(FileError) -> Set<FilePath> {
    try require(run)
    var moved: [FileNumber: FilePath] = [:]
    for path in paths {
      if let number = FileNumber(path) { moved[number] = path }
    }
    var found: Set<FilePath> = []
    try undoable(in: run) { entry throws(FileError) in
      guard entry.method != .times, entry.method != .renaming else { return }
      let isThere = paths.contains(entry.path)
      guard let path = isThere ? entry.path : moved[FileNumber(entry.new)], !found.contains(path) else { return }
      let content = try? JournaledChange(entry, in: self).content(of: entry.opened(at: path))
      // A file that can't be read at its own path may well have the change. Elsewhere it doesn't count, because inode
      // numbers are reused.
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

  /// Whether the file at the path of a change may have been made from the one that the change left: later runs changed
  /// it, or it may show the same picture.
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
  /// Returns the files among `paths` that are still as `run` left them.
  ///
  /// - Throws: `FileError`: `.refused` when there is no such run, `.io` when the journal can't be read.
  public func files(among paths: Set<FilePath>, leftBy run: RunID) throws(FileError) -> Set<FilePath> {
    try require(run)
    var left: Set<FilePath> = []
    try undoable(in: run) { entry in
      guard entry.method != .times, paths.contains(entry.path) else { return }
      let isAsLeft = try? JournaledChange(entry, in: self).isAsLeft(entry.opened(at: entry.path))
      if isAsLeft == true { left.insert(entry.path) }
    }
    return left
  }

  /// Returns the run of the newest change that left the file at `path` in its present state, wherever the file was
  /// then, and the path it had. Among several candidates, those with the file's name are preferred, and of them the one
  /// with its inode number. Returns nil if no change matches, or if the file is only a copy of one that is still there.
  /// Undos are ignored.
  ///
  /// - Parameters:
  ///   - run: Only changes of this run.
  ///   - others: Known other files, by the paths at which they were left.
  /// - Throws: `FileError`: `.conflict` if it can't be determined which of several files it is, `.io` if the file or
  ///   the
  ///   journal can't be read.
  public func newestChange(
    leaving path: FilePath, in run: RunID? = nil, besides others: Set<FilePath> = []
  ) throws(FileError) -> (run: RunID, path: FilePath)? {
    let file = try FileSource(path)
    var found: [JournaledChange] = []
    for entry in try undoable(leaving: file.count, in: run) where !others.contains(entry.path) {
      // A row that can't be read is treated as being about another file.
      guard let change = try? JournaledChange(entry, in: self), (try? change.isAsLeft(file)) == true else { continue }
      if let own = try? entry.opened(at: entry.path), (try? change.isAsLeft(own)) == true { continue }
      found.append(change)
    }
    let number = FileNumber(FileIdentity(file.status))
    func isNumbered(_ change: JournaledChange) -> Bool { FileNumber(change.entry.new) == number }
    let namesakes = found.filter { $0.entry.path.lastComponent == path.lastComponent }
    let likely = namesakes.isEmpty ? found : namesakes
    guard let change = likely.first(where: isNumbered) ?? likely.first else { return nil }
    // If the candidates' inverse patches are equal, any of them takes the change back.
    guard isNumbered(change) || likely.allSatisfy({ $0.inverse == change.inverse }) else {
      let paths = Set(likely.map(\.entry.path.description)).sorted()
      throw FileError(
        .ambiguousPath,
        "was moved, and its original path is ambiguous: \(paths.prefix(3).joined(separator: ", "))")
    }
    return (RunID(change.entry.run), change.entry.path)
  }

  /// Returns the newest run (or `run`) that left files in the state they now have in `folder` or below it, and that
  /// were not there at the time, with the selection of these files.
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
      try undoable(in: candidate) { entry in
        guard entry.target == nil, entry.method != .copy, sizes.contains(entry.new.size) else { return }
        do throws(FileError) {
          guard try !entry.isSomethingThere else { return }
          _ = try files.place(of: entry, in: self)
        } catch {
          // If several files match, the undo reports it later.
          guard error != .isGone else { return }
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

/// The number of a file on its volume: device and inode.
private struct FileNumber: Hashable {
  let device: UInt64
  let inode: UInt64

  init(_ identity: FileIdentity) { (device, inode) = (identity.device, identity.inode) }

  init?(_ path: FilePath) {
    guard let status = path.status(followingLinks: true) else { return nil }
    self.init(FileIdentity(status))
  }
}
