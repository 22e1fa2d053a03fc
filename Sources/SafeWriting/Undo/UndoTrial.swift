import SystemPackage

/// The dry run of an undo, and the check of a renamed photo before its first change is taken back.
extension Undo {
  /// Reports what undoing `run` would do to each file, in the same order and after the same checks, without writing
  /// anything.
  ///
  /// - Throws: `FileError`: `.refused` if there is no such run, `.io` if the journal can't be read. Problems with a
  ///   single photo are reported through `announce`.
  public static func trial(
    of run: RunID, in journal: Journal, _ selection: UndoSelection = UndoSelection(),
    until stop: () -> Bool = { false }, _ announce: (JournalOperation, Outcome) -> Void
  ) throws(FileError) {
    let preflight = Preflight()
    try journal.require(run)
    var files = MovedFiles(selection)
    let later = LaterRuns(than: run, in: journal)
    var order = try UndoOrder(of: run, in: journal, selection)
    for steps in order.photos {
      let rows = try journal.rows(of: steps)
      order.add(rows.damaged)
      guard !stop() else {
        for entry in rows.entries { announce(entry.operation, .notRun) }
        continue
      }
      let results = UndoTrial.results(
        of: steps, rows.entries, in: journal, preflight, later, &files, isStrict: selection.isStrict)
      for (entry, result) in results {
        let outcome: Outcome
        switch result {
        case .success(let success): outcome = success
        case .failure(let error): outcome = .notRestored(error)
        }
        // A file is searched for by its bytes, not by a name.
        announce(entry.target == nil ? files.operation(of: entry) : entry.operation, outcome)
      }
    }
    journal.announce(order.damaged, selection, announce)
  }
}

/// The state that an undo would have reached, without doing any of it.
struct UndoTrial {
  typealias Change = (entry: JournalEntry, result: Result<Undo.Outcome, FileError>)

  private let journal: Journal
  /// Finds out what would be refused.
  private let preflight: Preflight
  private let later: LaterRuns
  /// The content that restored files would have, by the names they would have.
  private var restored: [FilePath: any ByteSource] = [:]
  /// The current paths of files that would be renamed.
  private var moved: [FilePath: FilePath] = [:]
  private var kept = KeptNames()
  /// The files that would have their old times, by their names.
  private var retimed: Set<FilePath> = []
  /// The files that would be back from the trash.
  private var untrashed: Set<FilePath> = []

  private init(_ journal: Journal, _ preflight: Preflight, _ later: LaterRuns) {
    (self.journal, self.preflight, self.later) = (journal, preflight, later)
  }

  /// Returns what undoing the changes of a photo would do to each of its files, in their order.
  ///
  /// A photo that was renamed is undone as a whole or not at all: with its old name and its new bytes, nothing would say
  /// what it is. As in a group, a missing file doesn't block the others unless `isStrict` is set.
  static func results(
    of photo: some Sequence<UndoStep>, _ entries: [JournalEntry], in journal: Journal, _ preflight: Preflight,
    _ later: LaterRuns, _ files: inout MovedFiles, isStrict: Bool
  ) -> [Change] {
    var trial = UndoTrial(journal, preflight, later)
    var groups = GroupedUndo<Undo.Outcome>(photo, isStrict: isStrict)
    var changes: [Change] = []
    for entry in entries {
      let outcome = Result { () throws(FileError) in try trial.outcome(of: entry, &files) }
      for (mate, result) in groups.add(entry, outcome) {
        if case .failure(let error) = result { trial.keepName(of: mate, error) }
        changes.append((mate, result))
      }
    }
    // A group is incomplete if one of its rows can't be read.
    changes += groups.left.map { ($0.entry, .success(.notRun)) }
    guard entries.contains(where: { $0.target != nil }) else { return changes }
    for (entry, result) in changes where entry.method != .removal {
      guard case .failure(let error) = result, isStrict || error != .isGone else { continue }
      let reason = entry.reason(for: error)
      return changes.map { other, result in
        guard case .success = result else { return (other, result) }
        return (other, .failure(other.isOfFile(of: entry) ? error : reason))
      }
    }
    return changes
  }

  /// Records that a file can't be renamed.
  private mutating func keepName(of entry: JournalEntry, _ error: FileError) {
    guard entry.target != nil else { return }
    moved[entry.path] = nil
    kept.add(entry, error)
  }

  private mutating func outcome(of entry: JournalEntry, _ files: inout MovedFiles) throws(FileError) -> Undo.Outcome {
    try kept.requireNone(of: entry.target ?? entry.path)
    if let target = entry.target {
      let actual = moved[target] ?? target
      let isOurs = restored[target] != nil || retimed.contains(target)
      let name = try later.naming(target) { () throws(FileError) in
        try entry.oldName(of: actual, isOurs: isOurs, in: journal)
      }
      _ = try DirectoryEntry.renaming(actual, to: name)
      moved[entry.path] = actual
      return .renamed
    }
    if let trashed = entry.trashed {
      try entry.untrashing(trashed).requirePossible()
      untrashed.insert(entry.path)
      return .untrashed
    }
    if entry.method == .times {
      let back = try later.naming(entry.path) { () throws(FileError) in try entry.timeBack(in: journal) }
      _ = try DirectoryEntry.retiming(back.path)
      retimed.insert(entry.path)
      return .retimed
    }
    if let before = restored[entry.path] {
      // The file was changed twice: check its content as it would be by then.
      let change = try JournaledChange(entry, in: journal)
      guard try change.isNew(before) else { throw FileError.isChangedSince }
      restored[entry.path] = before.patched(by: change.inverse)
      return .restored
    }
    let renamed = moved[entry.path]
    let actual = if let renamed { renamed } else { try files.place(of: entry, in: journal) }
    let (change, source) = try entry.asLeft(in: journal, at: actual, later)
    if entry.makesFile {
      if let origin = entry.origin, !untrashed.contains(origin.path) { try origin.requireKept(besides: source) }
      _ = try DirectoryEntry.removing(actual)
      return .removed
    }
    try preflight.requireStageable(source, at: actual, patch: change.inverse)
    let old = source.patched(by: change.inverse)
    try entry.requireOld(old)
    restored[entry.path] = old
    return change.isWholeAsLeft(source) ? .restored : .restoredMetadata
  }
}

extension JournalEntry {
  /// The reason why a file isn't undone that was changed together with this one, which can't be undone.
  func reason(for error: FileError) -> FileError {
    error.reworded("not changed, because \(path.lastComponent?.string ?? "") can't be undone: \(error.description)")
  }

  /// Whether another change is about the same file.
  fileprivate func isOfFile(of other: JournalEntry) -> Bool {
    !Set([path, target].compactMap(\.self)).isDisjoint(with: [other.path, other.target].compactMap(\.self))
  }
}
