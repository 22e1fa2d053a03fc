import Glibc
public import SystemPackage

/// Takes back what a run did: every file gets its old bytes, and its old time of last change. What the run changed
/// together goes back together or not at all.
///
/// It is a run of its own, so that it can be undone too.
public struct Undo: Sendable {
  /// What became of one file.
  public enum Outcome: Hashable, Sendable {
    /// It is, byte for byte, what it was.
    case restored
    /// It has the old bytes wherever the run had others; it has another time than the run left, and whether the rest of
    /// it is as the run left it isn't known to the last byte.
    case restoredMetadata
    /// It has its old name again.
    case renamed
    /// It has its old time of last change again.
    case retimed
    /// It was not there before, and is gone again.
    case removed
    /// It was left as it is.
    case leftAlone(FileError)
    /// It was left as it is, and the file without the run's change written beside it.
    case writtenBeside(FilePath, FileError)
    /// The undo was cancelled before its turn.
    case notRun
  }

  /// Whether a file was left alone because it is gone from where the run left it.
  public static func isMissing(_ outcome: Outcome) -> Bool { outcome == .leftAlone(.isGone) }

  /// What is appended to a photo's name for the file written beside it.
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
  ///   - selection: Which files, and where they are.
  ///   - writesBeside: When a photo was changed since, but what the run wrote still stands in it, writes the photo
  ///     without it beside it.
  ///   - verifiesWholeFile: Every byte is read back from the disk.
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

  /// Does it and tells what became of each file, in the order of their paths. When the task is cancelled or `stop` says
  /// so, it ends after the group that was begun; the rest is told as not run. `stop` is asked before each file, and a
  /// file that must be left alone is mostly told by then.
  ///
  /// - Throws: `FileError`: `.refused` when there is no such run, or it is to undo itself, `.io` when the journal
  ///   can't be read; trouble with a photo is told of that photo.
  public func callAsFunction(
    until stop: () -> Bool = { false }, _ announce: (JournalOperation, Outcome) -> Void
  ) throws(FileError) {
    guard run != rewriter.run else {
      throw FileError(.refused, "run \(run) can't undo itself: begin another for that")
    }
    try journal.require(run)
    var restored: Set<FilePath> = []
    // Changes of files that were perhaps written to since.
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
      // A photo changed twice is first brought back to what it was in between.
      if group.holds(entry.path) { group.finish(recorded) }
      guard !Task.isCancelled, !stop() else {
        announce(entry.operation, .notRun)
        continue
      }
      if let target = entry.target {
        group.finish(recorded)
        // A time that it got under its new name is found under that.
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

  /// Gives files that were renamed together their old names.
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

  /// Writes what can be had of the original beside a photo that was changed since.
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
