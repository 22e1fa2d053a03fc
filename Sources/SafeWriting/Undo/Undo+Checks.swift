import SystemPackage

/// Files that can't get their old names back. They can't get their old bytes back either, because those belong to the
/// old names.
struct KeptNames {
  private var errors: [FilePath: FileError] = [:]

  /// Adds a file unless it is gone: undoing its bytes will then report it as gone as well.
  mutating func add(_ entry: JournalEntry, _ error: FileError) {
    if error != .isGone { errors[entry.path] = error }
  }

  func requireNone(of path: FilePath) throws(FileError) {
    if let error = errors[path] { throw error }
  }
}

/// The checks that an undo makes before it touches a file. Each throws the reason why the file is left unchanged.
extension JournalEntry {
  /// Returns the change, and the file as the change left it.
  ///
  /// - Parameter actual: The current path of the file.
  func asLeft(
    in journal: Journal, at actual: FilePath, _ later: LaterRuns
  ) throws(FileError) -> (JournaledChange, FileSource) {
    guard method != .removal else {
      throw FileError(.notRestorable, "was removed by the undo, which kept no copy", remedy: .createAgain)
    }
    let change = try JournaledChange(self, in: journal)
    let source = try opened(at: actual)
    try change.requireAsLeft(source, at: actual, later)
    // The fingerprint doesn't cover every byte, and a copy is removed as a whole.
    if method == .copy, !change.isWholeAsLeft(source) { throw FileError.isChangedSince }
    return (change, source)
  }

  /// Throws unless `restored` is the file as it was before.
  func requireOld(_ restored: any ByteSource) throws(FileError) {
    guard let oldHash, try restored.digest() != Array(oldHash) else { return }
    throw FileError.isChangedSince
  }

  /// Returns the name that the file had. `isOurs` means that this undo has just restored the file.
  func oldName(of target: FilePath, isOurs: Bool, in journal: Journal) throws(FileError) -> FilePath.Component {
    _ = try journal.inverse(of: self)
    guard let name = path.lastComponent, let current = target.lastComponent,
      let folder = try? Directory(folderPath), let identity = try folder.identity(of: current)
    else { throw FileError.isGone }
    // After a later change of it was undone, it is another inode with the same time.
    guard isOurs || (identity.size, identity.modified) == (new.size, new.modified) else {
      throw FileError.isChangedSince
    }
    return name
  }

  /// Returns the change that restores a file's old modification time. Throws if the file no longer has the time that
  /// the run set.
  func timeBack(in journal: Journal) throws(FileError) -> TimeChange {
    _ = try journal.inverse(of: self)
    guard let name = path.lastComponent, let folder = try? Directory(folderPath),
      let now = try folder.identity(of: name)
    else { throw FileError.isGone }
    guard (now.size, now.modified) == (new.size, new.modified) else { throw FileError.isChangedSince }
    return TimeChange(path, from: now, to: old.modified, undoing: key)
  }

  func opened(at path: FilePath) throws(FileError) -> FileSource {
    guard let name = path.lastComponent, let folder = try? Directory(path.removingLastComponent()),
      try folder.status(of: name) != nil
    else { throw FileError.isGone }
    return try DirectoryEntry(folder, name).open()
  }
}

extension FileError {
  static let isGone = FileError(.notAtOriginalPath, "not found at its original path", remedy: .moveBack)
  static let isChangedSince = FileError(.modifiedAfterRun, "modified after this run")
}

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
      let entries = rows.entries
      var trial = UndoTrial(journal, preflight, later)
      var groups = GroupedUndo<Outcome>(steps, isStrict: selection.isStrict)
      for entry in entries {
        guard !stop() else {
          announce(entry.operation, .notRun)
          continue
        }
        let outcome = Result { () throws(FileError) in try trial.outcome(of: entry, &files) }
        for (mate, result) in groups.add(entry, outcome) {
          switch result {
          case .success(let outcome): announce(files.operation(of: mate), outcome)
          case .failure(let error):
            trial.keepName(of: mate, error)
            announce(files.operation(of: mate), .notRestored(error))
          }
        }
      }
      for (entry, _) in groups.left { announce(entry.operation, .notRun) }
    }
    journal.announce(order.damaged, selection, announce)
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
  /// The files that would be back from the trash.
  private var untrashed: Set<FilePath> = []

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
    if let trashed = entry.trashed {
      try entry.untrashing(trashed).requirePossible()
      untrashed.insert(entry.path)
      return .untrashed
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
    if entry.makesFile {
      if let origin = entry.origin, !untrashed.contains(origin.path) { try origin.requireKept(besides: source) }
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
