import Glibc
public import SystemPackage

/// Takes back what a run did: every file gets back its old bytes and its old modification time. Files that the run
/// changed together are restored together or not at all.
///
/// An undo is a run of its own, so it can be undone too.
public struct Undo: Sendable {
  /// The result for one file.
  public enum Outcome: Hashable, Sendable {
    /// The file is restored byte for byte.
    case restored
    /// The old bytes are restored wherever the run had changed them. The file's modification time differs from the one
    /// that the run left, and it isn't certain that every other byte is as the run left it.
    case restoredMetadata
    /// The file has its old name again.
    case renamed
    /// The file has its old modification time again.
    case retimed
    /// The file, which the run had created, is removed.
    case removed
    /// The file was left unchanged, for this reason.
    case leftAlone(FileError)
    /// The file was left unchanged, for this reason. A version without the run's change was written to this path next
    /// to it.
    case writtenBeside(FilePath, FileError)
    /// The undo was cancelled before it reached this file.
    case notRun
  }

  /// Whether a file was left unchanged because it is gone from where the run left it.
  public static func isMissing(_ outcome: Outcome) -> Bool { outcome == .leftAlone(.isGone) }

  /// The suffix appended to a photo's name for the file written next to it.
  public static let suffix = ".metatag-original"

  private let journal: Journal
  private let run: RunID
  private let rewriter: Rewriter
  private let writesBeside: Bool
  private let selection: UndoSelection

  /// Prepares to undo `run`.
  ///
  /// - Parameters:
  ///   - undo: The run that undoes it, begun with `beginRun(…, undoing: run)`.
  ///   - selection: The files to restore, and where to look for them.
  ///   - writesBeside: If a photo was changed since, but the run's bytes are still in it, writes a version without them
  ///     next to the photo.
  ///   - verifiesWholeFile: Whether every byte is read back from disk.
  public init(
    _ run: RunID, as undo: RunID, in journal: Journal, _ selection: UndoSelection = UndoSelection(),
    writesBeside: Bool = false, verifiesWholeFile: Bool = false
  ) {
    self.journal = journal
    self.run = run
    self.writesBeside = writesBeside
    self.selection = selection
    rewriter = Rewriter(
      journal: journal, run: undo, options: Rewriter.Options(verifiesWholeFile: verifiesWholeFile))
  }

  /// Undoes the run and reports the result for each file, in the order of their paths. If the task is cancelled or
  /// `stop` returns true, the undo ends after the group that was begun; the rest is reported as `.notRun`. `stop` is
  /// called before each file. A file that must be left unchanged is usually reported at once.
  ///
  /// - Throws: `FileError`: `.refused` if there is no such run, or if it is to undo itself; `.io` if the journal can't
  ///   be read. Problems with a single photo are reported through `announce`.
  public func callAsFunction(
    until stop: () -> Bool = { false }, _ announce: (JournalOperation, Outcome) -> Void
  ) throws(FileError) {
    guard run != rewriter.run else {
      throw FileError(.refused, "run \(run) can't undo itself: begin another for that")
    }
    try journal.require(run)
    var restored: Set<FilePath> = []
    // The changes of files that another program may have written to since.
    var vague: Set<Int> = []
    var moved = MovedFiles(selection)
    let later = LaterRuns(than: run, in: journal)
    var group = UndoGroup(rewriter: rewriter)
    func recorded(_ entry: JournalEntry, _ result: Result<Void, FileError>) {
      switch result {
      case .success:
        restored.insert(entry.path)
        announce(
          moved.operation(of: entry),
          entry.method == .creation ? .removed : vague.contains(entry.sequence) ? .restoredMetadata : .restored)
      case .failure(let error): announce(moved.operation(of: entry), .leftAlone(error))
      }
    }
    var times: [(entry: JournalEntry, change: TimeChange)] = []
    func commitTimes() {
      for ((entry, _), result) in zip(times, rewriter.setTimes(times.map(\.change))) {
        switch result {
        case .success: announce(entry.operation, .retimed)
        case .failure(let error): announce(entry.operation, .leftAlone(error))
        }
      }
      times = []
    }
    let entries = try journal.inUndoOrder(run, selection).flatMap(\.self)
    var bonded = GroupedUndo<StagedFile>(entries.filter { $0.target == nil }, isStrict: selection.isStrict)
    var named = GroupedUndo<Rewriter.Renaming>(entries.filter { $0.target != nil }, isStrict: selection.isStrict)
    var atomicGroups: [Int: Int] = [:]
    var kept = KeptNames()
    for entry in entries {
      if group.isFull { group.change(recorded) }
      // A photo that was changed twice is first restored to its state in between.
      if group.holds(entry.path) { group.finish(recorded) }
      guard !Task.isCancelled, !stop() else {
        announce(entry.operation, .notRun)
        continue
      }
      if let target = entry.target {
        group.finish(recorded)
        // A time set under the new name must be committed under that name.
        commitTimes()
        let isOurs = restored.contains(target)
        let back = Result { () throws(FileError) in
          try kept.requireNone(of: target)
          let name = try later.naming(target) { () throws(FileError) in
            try entry.oldName(of: target, isOurs: isOurs, in: journal)
          }
          return Rewriter.Renaming(path: target, name: name, undone: entry.key)
        }
        nameBack(named.add(entry, back), &kept, announce)
        continue
      }
      if entry.method == .times {
        do throws(FileError) {
          let back = try later.naming(entry.path) { () throws(FileError) in try entry.timeBack(in: journal) }
          times.append((entry, back))
        } catch {
          announce(entry.operation, .leftAlone(error))
        }
        if times.count >= Rewriter.groupCount { commitTimes() }
        continue
      }
      commitTimes()
      if let atomicGroup = entry.atomicGroup, atomicGroups[atomicGroup] == nil, bonded.isShared(entry) {
        atomicGroups[atomicGroup] = rewriter.atomicGroup()
      }
      let staged = Result { () throws(FileError) in
        try kept.requireNone(of: entry.path)
        let place = try moved.place(of: entry, in: journal)
        return try stage(entry, at: place, later, atomicGroup: entry.atomicGroup.flatMap { atomicGroups[$0] }, &vague)
      }
      for (mate, result) in bonded.add(entry, staged, withdraw: { rewriter.withdraw([$0]) }) {
        switch result {
        case .success(let file): group.add(mate, file)
        case .failure(let error): announce(moved.operation(of: mate), beside(mate, error))
        }
      }
    }
    for (entry, result) in bonded.left {
      if case .success(let file) = result { rewriter.withdraw([file]) }
      announce(entry.operation, .notRun)
    }
    for (entry, _) in named.left { announce(entry.operation, .notRun) }
    group.finish(recorded)
    commitTimes()
    rewriter.finish()
  }

  private func stage(
    _ entry: JournalEntry, at path: FilePath, _ later: LaterRuns, atomicGroup: Int?, _ vague: inout Set<Int>
  ) throws(FileError) -> StagedFile {
    let (change, source) = try entry.asLeft(in: journal, at: path, later)
    if !change.isWholeAsLeft(source) { vague.insert(entry.sequence) }
    if entry.method == .creation {
      guard let name = path.lastComponent else { throw FileError.isGone }
      return try rewriter.stage(
        removalOf: source, at: DirectoryEntry(try Directory(path.removingLastComponent()), name), undoing: entry.key,
        atomicGroup: atomicGroup)
    }
    return try rewriter.stage(
      source, at: path, patch: change.inverse, modified: entry.old.modified, undoing: entry.key,
      atomicGroup: atomicGroup
    ) { restored throws(FileError) in
      try entry.requireOld(restored)
    }
  }

  /// Renames files that were renamed together back to their old names.
  private func nameBack(
    _ changes: [GroupedUndo<Rewriter.Renaming>.Change], _ kept: inout KeptNames,
    _ announce: (JournalOperation, Outcome) -> Void
  ) {
    var failure: FileError?
    do throws(FileError) {
      try rewriter.rename(changes.compactMap { try? $0.result.get() })
    } catch {
      failure = error
    }
    for (entry, result) in changes {
      let error: FileError? = if case .failure(let error) = result { error } else { failure }
      if let error { kept.add(entry, error) }
      announce(entry.operation, error.map(Outcome.leftAlone) ?? .renamed)
    }
  }

  /// Writes what can be recovered of the original next to a photo that was changed since.
  private func beside(_ entry: JournalEntry, _ error: FileError) -> Outcome {
    guard writesBeside, entry.method != .creation, error.kind == .conflict,
      let change = try? JournaledChange(entry, in: journal),
      let source = try? entry.opened(at: entry.path), (try? change.isNew(source)) == true,
      let path = try? rewriter.write(
        change.inverse, of: source, beside: entry.path, suffix: Undo.suffix, modified: entry.old.modified)
    else { return .leftAlone(error) }
    return .writtenBeside(path, error)
  }
}
