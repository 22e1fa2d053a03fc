import Glibc
public import SystemPackage

/// The files of a run to restore, and where to look for them.
public struct UndoSelection: Sendable {
  /// The only files to restore, by the paths at which the run changed or left them: absolute, symbolic links resolved.
  /// Nil means all.
  public var files: Set<FilePath>?
  /// The folder to which the undo is limited, with its subfolders; nil for no limit.
  public var folder: FilePath?
  /// The folder (with its subfolders) in which files are searched for by content if they are gone from where the run
  /// left them.
  public var movedTo: FilePath?
  /// The known current paths of files, by the paths at which the run left them. Files that were changed together with
  /// them are searched for in the same folders and below.
  public var places: [FilePath: FilePath] = [:]
  /// Whether a missing file blocks the files that were changed together with it. If false, it may be gone for good.
  public var isStrict = false

  /// Creates a selection of all files, each at its original path.
  public init() {}

  func contains(_ path: FilePath) -> Bool { contains([path]) }

  /// Whether a file with these names is selected.
  func contains(_ paths: [FilePath]) -> Bool {
    if let files, !paths.contains(where: files.contains) { return false }
    return folder.map { folder in paths.contains { $0.starts(with: folder) } } ?? true
  }
}

/// Finds the files of a run that were moved since.
struct MovedFiles {
  private let folders: [FilePath]
  /// The folders that contain the selected files that were moved.
  private let own: [FilePath]
  private(set) var places: [FilePath: FilePath]
  /// The files that are known to be those of some change.
  private var taken: Set<FilePath>
  /// The files in the folders, by size.
  private var files: [Int: [FilePath]]?

  init(_ selection: UndoSelection) {
    places = selection.places
    taken = Set(places.values)
    own = Set(places.values.map { $0.removingLastComponent() }).sorted { $0.description < $1.description }
    folders = [selection.movedTo].compactMap(\.self) + own
  }

  /// Returns the path of the file of `entry`: its own path if something exists there; otherwise the only file that has
  /// the content which the run left, or of several the only one with the same name.
  mutating func place(of entry: JournalEntry, in journal: Journal) throws(FileError) -> FilePath {
    // A copy may have the bytes of its original, so it is never searched for: the original might be found.
    if entry.method == .copy { return entry.path }
    if let place = places[entry.path] { return place }
    guard !folders.isEmpty, try !entry.isSomethingThere else { return entry.path }
    let change = try JournaledChange(entry, in: journal)
    func matches(among paths: [FilePath]) -> [FilePath] {
      var found: [FileIdentity: FilePath] = [:]
      for path in paths where !taken.contains(path) {
        guard let file = try? FileSource(path), (try? change.isAsLeft(file)) == true else { continue }
        let identity = FileIdentity(file.status)
        if found[identity] == nil { found[identity] = path }
      }
      return found.values.sorted { $0.description < $1.description }
    }
    var paths = entry.path.lastComponent.map { name in matches(among: own.map { $0.appending(name) }) } ?? []
    if paths.count != 1 {
      if files == nil { files = MovedFiles.files(in: folders) }
      paths = matches(among: files?[entry.new.size] ?? [])
      let namesakes = paths.filter { $0.lastComponent == entry.path.lastComponent }
      if namesakes.count == 1 { paths = namesakes }
    }
    guard let place = paths.first else { throw FileError.isGone }
    guard paths.count == 1 else {
      throw FileError(
        .ambiguousPath,
        "not found at its original path, and \(paths.count) other files match it (\(paths.prefix(3).map(\.string).joined(separator: ", ")))"
      )
    }
    places[entry.path] = place
    taken.insert(place)
    return place
  }

  /// Returns the operation of `entry` with the current path of its file.
  func operation(of entry: JournalEntry) -> JournalOperation {
    places[entry.path].map(entry.operation.moved(to:)) ?? entry.operation
  }

  /// Returns the files in folders and below them, by size.
  static func files(in folders: [FilePath]) -> [Int: [FilePath]] {
    var files: [Int: [FilePath]] = [:]
    var folders = folders
    // Links aren't followed, so no folder is visited twice.
    while let path = folders.popLast() {
      guard let open = try? Directory(path), let names = try? open.names() else { continue }
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
  var isSomethingThere: Bool {
    get throws(FileError) {
      guard let name = path.lastComponent, let folder = try? Directory(folderPath) else { return false }
      return try folder.status(of: name) != nil
    }
  }
}
