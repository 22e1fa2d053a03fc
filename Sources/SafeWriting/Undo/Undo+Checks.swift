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

  /// Returns the name that the file had. `isOurs` means that this undo has just restored the file or its time.
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

extension DirectoryEntry {
  /// Returns the location of the file at `path` if its name can be removed.
  static func removing(_ path: FilePath) throws(FileError) -> DirectoryEntry {
    guard let name = path.lastComponent else { throw FileError.isGone }
    let place = DirectoryEntry(try Directory(path.removingLastComponent()), name)
    try place.refuseIfMarked()
    try place.folder.requireWritable()
    return place
  }
}
