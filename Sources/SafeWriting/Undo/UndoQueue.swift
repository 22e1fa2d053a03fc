import SystemPackage

/// The changes of a run that are being undone. They are added one by one, the newest first, and restored in groups.
struct UndoQueue {
  typealias Announce = (JournalOperation, Undo.Outcome) -> Void

  private let journal: Journal
  private let rewriter: Rewriter
  private let writesBeside: Bool
  private let later: LaterRuns
  private var moved: MovedFiles
  private let preflight = Preflight()
  private let isStrict: Bool
  /// The changes of photos that were renamed and aren't checked yet, by each of them.
  private var unchecked: [JournalEntry.Key: ArraySlice<UndoStep>] = [:]
  /// The changes that aren't taken back, because a photo that was renamed can't be undone as a whole.
  private var refused: [JournalEntry.Key: FileError] = [:]
  /// The new names of such photos, by their old ones.
  private var newNames: [FilePath: FilePath] = [:]
  /// The files that the run renamed, and those of them that have their old bytes again.
  private let renamed: Set<FilePath>
  private var restored: Set<FilePath> = []
  /// The changes of files that another program may have written to since.
  private var vague: Set<Int> = []
  private var kept = KeptNames()

  private var group: UndoGroup
  /// Raised when a file doesn't fit on its disk.
  private let fullDisk = Signal()
  private var times: [(entry: JournalEntry, change: TimeChange)] = []
  private var edits: GroupedUndo<StagedFile>
  private var names: GroupedUndo<Rewriter.Renaming>
  /// The atomic groups of this undo, by those of the run.
  private var atomicGroups: [Int: Int] = [:]

  /// Creates a queue without changes.
  /// - Parameter photos: All changes that will be added, by photo.
  init(
    _ photos: [ArraySlice<UndoStep>], after later: LaterRuns, in journal: Journal, by rewriter: Rewriter,
    _ selection: UndoSelection, writesBeside: Bool
  ) {
    let steps = photos.lazy.joined()
    self.journal = journal
    self.rewriter = rewriter
    self.writesBeside = writesBeside
    self.later = later
    moved = MovedFiles(selection)
    isStrict = selection.isStrict
    group = UndoGroup(rewriter: rewriter)
    edits = GroupedUndo(
      steps.lazy.filter { ![.renaming, .trashing, .untrashing].contains($0.method) }, isStrict: selection.isStrict)
    names = GroupedUndo(steps.lazy.filter { $0.target != nil }, isStrict: selection.isStrict)
    renamed = Set(steps.lazy.compactMap(\.target))
    for photo in photos where photo.contains(where: { $0.target != nil }) {
      for step in photo { unchecked[step.key] = photo }
    }
  }

  /// Starts to stage the files of a stretch, on several threads; returns nil if it has none.
  mutating func stage(_ stretch: UndoStretch, _ announce: Announce) -> UndoStaging? {
    guard stretch.isOfBytes else { return nil }
    commitTimes(announce)
    // A photo that was changed twice is first restored to its state in between.
    if stretch.paths.contains(where: group.holds) { report(group.finish(), announce) }
    return start(stretch)
  }

  /// Starts to stage the files of a stretch while `other` is not committed yet; returns nil if it must wait for that.
  mutating func stage(_ stretch: UndoStretch, besides other: UndoStretch) -> UndoStaging? {
    guard stretch.isOfBytes, other.isOfBytes, stretch.paths.isDisjoint(with: other.paths),
      !stretch.paths.contains(where: group.holds)
    else { return nil }
    return start(stretch)
  }

  private mutating func start(_ stretch: UndoStretch) -> UndoStaging {
    let files = stretch.entries.map { entry in
      if let atomicGroup = entry.atomicGroup, atomicGroups[atomicGroup] == nil, edits.isShared(entry) {
        atomicGroups[atomicGroup] = rewriter.atomicGroup()
      }
      let path = Result { () throws(FileError) in
        try requireWhole(entry)
        try kept.requireNone(of: entry.path)
        return try moved.place(of: entry, in: journal)
      }
      return UndoStaging.File(
        entry: entry, path: path, atomicGroup: entry.atomicGroup.flatMap { atomicGroups[$0] })
    }
    return UndoStaging(files, until: fullDisk) { [journal, rewriter, later] file throws(FileError) in
      try file.staged(in: journal, by: rewriter, later)
    }
  }

  /// Adds a change to those that are undone. A file that must be left unchanged is usually reported at once.
  /// - Parameters:
  ///   - index: The position of the change in its stretch.
  ///   - staging: The staged files of the stretch, if bytes change.
  mutating func add(_ entry: JournalEntry, at index: Int, of staging: UndoStaging?, _ announce: Announce) {
    if group.isFull { report(group.change(), announce) }
    if let target = entry.target {
      nameBack(entry, from: target, announce)
    } else if let trashed = entry.trashed {
      moveBack(entry, trashed, announce)
    } else if entry.method == .times {
      resetTimes(entry, announce)
    } else if let staging {
      let staged = staging.result(index, rewriter) { report(group.finish(), announce) }
      restore(entry, staged, announce)
    }
  }

  /// Restores the files that are still waiting, and waits until all are durable.
  mutating func finish(_ announce: Announce) {
    for (entry, result) in edits.left {
      if case .success(let file) = result { rewriter.withdraw([file]) }
      announce(entry.operation, .notRun)
    }
    for (entry, _) in names.left { announce(entry.operation, .notRun) }
    report(group.finish(), announce)
    commitTimes(announce)
  }

  private mutating func report(_ results: [UndoGroup.Settled], _ announce: Announce) {
    for (entry, result) in results {
      switch result {
      case .success:
        if renamed.contains(entry.path) { restored.insert(entry.path) }
        announce(
          moved.operation(of: entry),
          entry.makesFile ? .removed : vague.contains(entry.sequence) ? .restoredMetadata : .restored)
      case .failure(let error): announce(moved.operation(of: entry), .notRestored(error))
      }
    }
  }

  /// Throws if the change belongs to a photo that was renamed and can't be undone as a whole. All of the photo is checked
  /// before its first change is taken back.
  private mutating func requireWhole(_ entry: JournalEntry) throws(FileError) {
    if let photo = unchecked[entry.key] {
      let entries = try journal.rows(of: photo).entries
      for step in photo { unchecked[step.key] = nil }
      let results = UndoTrial.results(
        of: photo, entries, in: journal, preflight, later, &moved, isStrict: isStrict)
      for (change, result) in results {
        guard case .failure(let error) = result else { continue }
        refused[change.key] = error
        newNames[change.path] = change.target
      }
    }
    if let error = refused[entry.key] { throw error }
  }

  // MARK: Bytes

  private mutating func restore(_ entry: JournalEntry, _ staged: UndoStaging.Staged, _ announce: Announce) {
    let file = staged.map { staged in
      if staged.isVague { vague.insert(entry.sequence) }
      return staged.file
    }
    for (mate, result) in edits.add(entry, file, withdraw: { [rewriter] in rewriter.withdraw([$0]) }) {
      switch result {
      case .success(let file): group.add(mate, file)
      case .failure(let error): announce(moved.operation(of: mate), writtenBeside(mate, error))
      }
    }
  }

  /// Writes what can be recovered of the original next to a photo that was changed since.
  private func writtenBeside(_ entry: JournalEntry, _ error: FileError) -> Undo.Outcome {
    let place = newNames[entry.path] ?? entry.path
    guard writesBeside, !entry.makesFile, error.kind == .conflict,
      let change = try? JournaledChange(entry, in: journal),
      let source = try? entry.opened(at: place), (try? change.isNew(source)) == true,
      let path = try? rewriter.write(
        change.inverse, of: source, beside: place, suffix: Undo.suffix, modified: entry.old.modified)
    else { return .notRestored(error) }
    return .writtenBeside(path, error)
  }

  // MARK: Names

  /// Gives a file its old name back, once all files that were renamed together can be.
  private mutating func nameBack(_ entry: JournalEntry, from target: FilePath, _ announce: Announce) {
    report(group.finish(), announce)
    // A time set under the new name must be committed under that name.
    commitTimes(announce)
    let isOurs = restored.contains(target)
    let back = Result { () throws(FileError) in
      try requireWhole(entry)
      try kept.requireNone(of: target)
      let name = try later.naming(target) { () throws(FileError) in
        try entry.oldName(of: target, isOurs: isOurs, in: journal)
      }
      return Rewriter.Renaming(path: target, name: name, undone: entry.key)
    }
    let changes = names.add(entry, back)
    var failure: FileError?
    do throws(FileError) {
      try rewriter.rename(changes.compactMap { try? $0.result.get() })
    } catch {
      failure = error
    }
    for (entry, result) in changes {
      let error: FileError? = if case .failure(let error) = result { error } else { failure }
      if let error { kept.add(entry, error) }
      announce(entry.operation, error.map(Undo.Outcome.notRestored) ?? .renamed)
    }
  }

  // MARK: The trash

  /// Takes a file out of the trash.
  private mutating func moveBack(_ entry: JournalEntry, _ trashed: FilePath, _ announce: Announce) {
    report(group.finish(), announce)
    commitTimes(announce)
    do throws(FileError) {
      try requireWhole(entry)
      try rewriter.move([try entry.untrashing(trashed)])
      announce(entry.operation, .untrashed)
    } catch {
      announce(entry.operation, .notRestored(error))
    }
  }

  // MARK: Times

  private mutating func resetTimes(_ entry: JournalEntry, _ announce: Announce) {
    do throws(FileError) {
      try requireWhole(entry)
      let back = try later.naming(entry.path) { () throws(FileError) in try entry.timeBack(in: journal) }
      times.append((entry, back))
    } catch {
      announce(entry.operation, .notRestored(error))
    }
    if times.count >= Rewriter.groupCount { commitTimes(announce) }
  }

  private mutating func commitTimes(_ announce: Announce) {
    for ((entry, _), result) in zip(times, rewriter.setTimes(times.map(\.change))) {
      switch result {
      case .success: announce(entry.operation, .retimed)
      case .failure(let error): announce(entry.operation, .notRestored(error))
      }
    }
    times = []
  }
}
