import SystemPackage

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
    for entries in try journal.inUndoOrder(run, selection) {
      var trial = UndoTrial(journal, preflight, later)
      var bonded = GroupedUndo<Outcome>(entries, isStrict: selection.isStrict)
      for entry in entries {
        guard !stop() else {
          announce(entry.operation, .notRun)
          continue
        }
        let outcome = Result { () throws(FileError) in try trial.outcome(of: entry, &files) }
        for (mate, result) in bonded.add(entry, outcome) {
          switch result {
          case .success(let outcome): announce(files.operation(of: mate), outcome)
          case .failure(let error):
            trial.keepName(of: mate, error)
            announce(files.operation(of: mate), .leftAlone(error))
          }
        }
      }
      for (entry, _) in bonded.left { announce(entry.operation, .notRun) }
    }
  }
}

/// The state that an undo would have reached, without doing any of it.
private struct UndoTrial {
  private let journal: Journal
  /// Finds out what would be refused.
  private let preflight: Preflight
  private let later: LaterRuns
  /// The content that restored files would have, by the names they would have.
  private var restored: [FilePath: any ByteSource] = [:]
  /// The current paths of files that would be renamed.
  private var moved: [FilePath: FilePath] = [:]
  private var kept = KeptNames()

  init(_ journal: Journal, _ preflight: Preflight, _ later: LaterRuns) {
    (self.journal, self.preflight, self.later) = (journal, preflight, later)
  }

  /// Records that a file can't be renamed.
  mutating func keepName(of entry: JournalEntry, _ error: FileError) {
    guard entry.target != nil else { return }
    moved[entry.path] = nil
    kept.add(entry, error)
  }

  mutating func outcome(of entry: JournalEntry, _ files: inout MovedFiles) throws(FileError) -> Undo.Outcome {
    try kept.requireNone(of: entry.target ?? entry.path)
    if let target = entry.target {
      let actual = moved[target] ?? target
      let isOurs = restored[target] != nil
      let name = try later.naming(target) { () throws(FileError) in
        try entry.oldName(of: actual, isOurs: isOurs, in: journal)
      }
      _ = try DirectoryEntry.renaming(actual, to: name)
      moved[entry.path] = actual
      return .renamed
    }
    if entry.method == .times {
      let back = try later.naming(entry.path) { () throws(FileError) in try entry.timeBack(in: journal) }
      _ = try DirectoryEntry.retiming(back.path)
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
    if entry.method == .creation {
      try Directory(actual.removingLastComponent()).requireWritable()
      return .removed
    }
    try preflight.requireStageable(source, at: actual, patch: change.inverse)
    let old = source.patched(by: change.inverse)
    try entry.requireOld(old)
    restored[entry.path] = old
    return change.isWholeAsLeft(source) ? .restored : .restoredMetadata
  }
}
