import SystemPackage

extension Journal {
  /// Returns the changes of `run` that can be undone, grouped by photo and sorted by path, so that the order of the
  /// report doesn't depend on which photo was staged first. The changes of a photo include all files that were changed
  /// together with it, newest first.
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
    // A file may share an atomic group with some files by its bytes and with others by its name: all of them form one
    // photo, led by the first.
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

  /// Returns the changes of `run` that an undo of this selection would take back, in its order.
  ///
  /// - Throws: `FileError`: `.refused` when there is no such run, `.io` when the journal can't be read.
  public func operations(
    toUndo run: RunID, _ selection: UndoSelection = UndoSelection()
  ) throws(FileError) -> [JournalOperation] {
    try require(run)
    return try inUndoOrder(run, selection).flatMap { $0.map(\.operation) }
  }
}

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
      throw FileError(.refused, "was removed by that undo, which kept no copy; run the command that made it again")
    }
    let change = try JournaledChange(self, in: journal)
    let source = try opened(at: actual)
    try change.requireAsLeft(source, at: actual, later)
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
  static let isGone = FileError(.conflict, "not found where the run left it")
  static let isChangedSince = FileError(.conflict, "was changed since, and is left as it is")
}
