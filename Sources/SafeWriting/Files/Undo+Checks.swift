import SystemPackage

extension Journal {
  /// The changes of `run` that can be undone, photo by photo, in the order in which they are: by path, so that the
  /// report doesn't tell which photo happened to be staged first; of one photo, all whose files were changed together,
  /// newest first.
  func inUndoOrder(
    _ run: RunID, _ selection: UndoSelection = UndoSelection()
  ) throws(FileError) -> [[JournalEntry]] {
    let entries = try undoable(in: run)
    var oldNames: [FilePath: FilePath] = [:]
    for entry in entries {
      guard let target = entry.target else { continue }
      let first = entry.path.description < target.description ? entry.path : target
      (oldNames[entry.path], oldNames[target]) = (first, first)
    }
    func file(_ entry: JournalEntry) -> String { (oldNames[entry.path] ?? entry.path).description }
    // A file may be bonded to some by its bytes and to others by its name: all of them are one photo, led by the first.
    var leads: [String: String] = [:]
    func lead(_ file: String) -> String {
      var lead = file
      while let next = leads[lead] { lead = next }
      return lead
    }
    var bonded: [Int: String] = [:]
    for entry in entries {
      guard let atomicGroup = entry.atomicGroup else { continue }
      let one = lead(file(entry))
      let other = lead(bonded[atomicGroup] ?? one)
      bonded[atomicGroup] = one
      if one != other { leads[max(one, other)] = min(one, other) }
    }
    return Dictionary(grouping: entries) { lead(file($0)) }
      .sorted { $0.key < $1.key }.map { $0.value.sorted { $1.sequence < $0.sequence } }
      .filter { $0.contains(where: selection.contains) }
  }

  /// The changes of `run` that an undo of this selection would take back, in its order.
  ///
  /// - Throws: `FileError`: `.refused` when there is no such run, `.io` when the journal can't be read.
  public func operations(
    toUndo run: RunID, _ selection: UndoSelection = UndoSelection()
  ) throws(FileError) -> [JournalOperation] {
    try require(run)
    return try inUndoOrder(run, selection).flatMap { $0.map(\.operation) }
  }
}

/// Files that can't get their old names back, and so not their old bytes: those were in files of the old names.
struct KeptNames {
  private var errors: [FilePath: FileError] = [:]

  /// One that is gone contradicts nothing: its bytes are found to be gone, too.
  mutating func add(_ entry: JournalEntry, _ error: FileError) {
    if error != .isGone { errors[entry.path] = error }
  }

  func requireNone(of path: FilePath) throws(FileError) {
    if let error = errors[path] { throw error }
  }
}

/// What an undo asks of a file before it touches it; each throws why the file is left alone.
extension JournalEntry {
  /// The file as the change left it, and the change.
  ///
  /// - Parameter actual: Where it is.
  func asLeft(
    in journal: Journal, at actual: FilePath, _ later: LaterRuns
  ) throws(FileError) -> (JournaledChange, FileSource) {
    guard method != .removal else {
      throw FileError(.refused, "was removed by that undo, which kept no copy; run the command that made it again")
    }
    let change = try JournaledChange(self, in: journal)
    let source = try opened(at: actual)
    try change.requireAsLeft(source, at: actual, later)
    return (change, source)
  }

  /// Demands that `restored` is the file as it was before.
  func requireOld(_ restored: any ByteSource) throws(FileError) {
    guard let oldHash, try restored.digest() != Array(oldHash) else { return }
    throw FileError.isChangedSince
  }

  /// The name the file had; `isOurs`: this undo has just restored it.
  func oldName(of target: FilePath, isOurs: Bool, in journal: Journal) throws(FileError) -> FilePath.Component {
    _ = try journal.inverse(of: self)
    guard let name = path.lastComponent, let current = target.lastComponent,
      let folder = try? Directory(folderPath), let identity = try folder.identity(of: current)
    else { throw FileError.isGone }
    // Once a later change is undone, it is another file on the disk, with the same time.
    guard isOurs || (identity.size, identity.modified) == (new.size, new.modified) else {
      throw FileError.isChangedSince
    }
    return name
  }

  /// A file's old time of last change, unless it has another than the run gave it.
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
  static let isGone = FileError(.conflict, "not found where the run left it")
  static let isChangedSince = FileError(.conflict, "was changed since, and is left as it is")
}
