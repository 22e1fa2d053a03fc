import Glibc
public import SystemPackage

/// Which files of a run are taken back, and where they are looked for.
public struct UndoSelection: Sendable {
  /// Only these, by the paths at which the run changed or left them: absolute, symbolic links resolved. Nil is all.
  public var files: Set<FilePath>?
  /// Only those that the run changed in this folder, or in folders below it.
  public var folder: FilePath?
  /// Where files are looked for, by their content, that are gone from where the run left them; folders below it, too.
  public var movedTo: FilePath?
  /// Where files are known to be now, by the paths at which the run left them.
  public var places: [FilePath: FilePath] = [:]

  /// All files, each where it was.
  public init() {}

  /// Whether a file is meant; what was changed together with it is, too.
  func contains(_ entry: JournalEntry) -> Bool {
    let paths = [entry.path, entry.target].compactMap(\.self)
    if let files, !paths.contains(where: files.contains) { return false }
    return folder.map { folder in paths.contains { $0.starts(with: folder) } } ?? true
  }
}

/// Finds the files of a run that were moved since.
struct MovedFiles {
  private let folder: FilePath?
  private var places: [FilePath: FilePath]
  /// What lies in the folder, by size.
  private var files: [Int: [FilePath]]?

  init(_ selection: UndoSelection) { (folder, places) = (selection.movedTo, selection.places) }

  /// Where the file of `entry` is: at its own path as long as something is there, else where exactly one file has the
  /// content that the run left.
  mutating func place(of entry: JournalEntry, in journal: Journal) throws(PhotoError) -> FilePath {
    if let place = places[entry.path] { return place }
    guard let folder, try !entry.isSomethingThere else { return entry.path }
    let change = try JournaledChange(entry, in: journal)
    if files == nil { files = MovedFiles.files(in: folder) }
    var found: [FileIdentity: FilePath] = [:]
    for path in files?[entry.new.size] ?? [] {
      guard let file = try? FileSource(path), (try? change.isAsLeft(file)) == true else { continue }
      let identity = FileIdentity(file.status)
      if found[identity] == nil { found[identity] = path }
    }
    let paths = found.values.sorted { $0.description < $1.description }
    guard let place = paths.first else { throw PhotoError.isGone }
    guard paths.count == 1 else {
      throw PhotoError(
        .conflict,
        "is no longer where it was, and \(paths.count) files match it (\(paths.prefix(3).map(\.string).joined(separator: ", "))): "
          + "which of them it is can't be told")
    }
    places[entry.path] = place
    return place
  }

  private static func files(in folder: FilePath) -> [Int: [FilePath]] {
    var files: [Int: [FilePath]] = [:]
    var folders = [folder]
    // Links aren't followed: no folder comes twice.
    while let path = folders.popLast() {
      guard let open = try? Folder(path), let names = try? open.names() else { continue }
      for name in names where !name.bytes.starts(with: Array(Journal.scratchPrefix.utf8)) {
        guard let status = try? open.status(of: name) else { continue }
        if status.st_mode & S_IFMT == S_IFDIR { folders.append(path.appending(name)) }
        if status.st_mode & S_IFMT == S_IFREG { files[Int(status.st_size), default: []].append(path.appending(name)) }
      }
    }
    return files
  }
}

extension JournalEntry {
  fileprivate var isSomethingThere: Bool {
    get throws(PhotoError) {
      guard let name = path.lastComponent, let folder = try? Folder(folderPath) else { return false }
      return try folder.status(of: name) != nil
    }
  }
}
