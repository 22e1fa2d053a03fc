import Glibc
public import SystemPackage

/// From what a user names (files, folders) to the photos that are meant, each once, in a fixed order.
public enum Walk {
  /// One input of a run.
  public struct Input: Sendable {
    /// As named, or folder and name joined.
    public let path: FilePath
    /// Why it can't be a photo: it doesn't exist, can't be reached, or its folder can't be read.
    public let failure: FileError?
    /// Which file it is, under whatever name; nil when there is none.
    var id: FileID?
    /// It is a symbolic link: the file is elsewhere.
    var isLink = false
    /// Other names of the same file (hard links) that are meant too.
    var otherNames: [FilePath] = []
  }

  /// Endings that make a file in a folder a photo; a file that is named itself is told by its content alone.
  /// A sidecar is none: alone, it is of no photo but perhaps a program's preset.
  static let extensions = Set(ImageType.allCases.filter { $0 != .xmp }.flatMap(\.fileExtensions))

  /// The photos meant by `paths`: a file is itself; a folder, the photos directly in it, or with `recursively` in all
  /// folders below (symbolic links to folders aren't followed). Hidden files, `*_original` copies and files with
  /// endings of other things are passed over in folders. The same file named twice, also through a link, counts once.
  public static func photos(in paths: [FilePath], recursively: Bool) -> [Input] {
    files(in: paths, recursively: recursively, where: isPhoto)
  }

  /// The photos meant by `paths`. What folders have besides that may be meant, too, is added to `leftOut`.
  public static func photos(in paths: [FilePath], recursively: Bool, leftOut: inout LeftOut) -> [Input] {
    var others: LeftOutFiles? = LeftOutFiles()
    let inputs = files(in: paths, recursively: recursively, where: isPhoto, noting: &others)
    if let others { leftOut += others.count(besides: paths, Set(inputs.compactMap(\.id))) }
    return inputs
  }

  /// The same of files that are told by their paths, in folders, otherwise.
  static func files(in paths: [FilePath], recursively: Bool, where isMeant: (FilePath) -> Bool) -> [Input] {
    var others: LeftOutFiles?
    return files(in: paths, recursively: recursively, where: isMeant, noting: &others)
  }

  /// The same; what folders have besides is added to `others`, where there is such a collection.
  static func files(
    in paths: [FilePath], recursively: Bool, where isMeant: (FilePath) -> Bool, noting others: inout LeftOutFiles?
  ) -> [Input] {
    var inputs: [Input] = []
    var seen: [FileID: Int] = [:]
    var names = ListedNames()
    for path in paths {
      if isFolder(path) {
        add(folder: path, recursively: recursively, where: isMeant, to: &inputs, seen: &seen, noting: &others)
      } else {
        let path = names.path(of: path)
        switch look(at: path) {
        case .success(let (status, isLink)): add(path, status, isLink: isLink, to: &inputs, seen: &seen)
        case .failure(let error): inputs.append(Input(path: path, failure: error))
        }
      }
    }
    return inputs
  }

  /// The file that is named so, whatever its folder lists.
  static func input(at path: FilePath) -> Input {
    switch look(at: path) {
    case .success(let (status, isLink)): Input(path: path, failure: nil, id: FileID(status), isLink: isLink)
    case .failure(let error): Input(path: path, failure: error)
    }
  }

  private static func look(at path: FilePath) -> Result<(status: stat, isLink: Bool), FileError> {
    var (status, own) = (stat(), stat())
    guard path.withPlatformString({ stat($0, &status) }) == 0 else {
      return .failure(FileError(errno: errno, doing: "find it"))
    }
    let isLink = path.withPlatformString { lstat($0, &own) } == 0 && own.st_mode & S_IFMT == S_IFLNK
    return .success((status, isLink))
  }

  /// What all names of a file have in common.
  struct FileID: Hashable, Sendable {
    private let device: UInt
    private let inode: UInt

    init(_ status: stat) {
      device = UInt(status.st_dev)
      inode = UInt(status.st_ino)
    }
  }

  /// In which folder a file is, however that is spelled, and its name there.
  private static func spot(of path: FilePath) -> (folder: FileID, name: FilePath.Component)? {
    let folder = path.removingLastComponent()
    guard let id = FileID(at: folder.isEmpty ? "." : folder, S_IFDIR), let name = path.lastComponent else { return nil }
    return (id, name)
  }

  /// The same file counts once; that it has another name in a folder is remembered.
  private static func add(
    _ path: FilePath, _ status: stat, isLink: Bool, to inputs: inout [Input], seen: inout [FileID: Int]
  ) {
    let id = FileID(status)
    guard let first = seen[id] else {
      seen[id] = inputs.count
      return inputs.append(Input(path: path, failure: nil, id: id, isLink: isLink))
    }
    guard status.st_nlink > 1, !isLink, !inputs[first].isLink, !inputs[first].otherNames.contains(path),
      let (folder, name) = spot(of: path), let (own, ownName) = spot(of: inputs[first].path),
      folder != own || name != ownName
    else { return }
    inputs[first].otherNames.append(path)
  }

  private static func add(
    folder: FilePath, recursively: Bool, where isMeant: (FilePath) -> Bool, to inputs: inout [Input],
    seen: inout [FileID: Int], noting others: inout LeftOutFiles?
  ) {
    var pending = [folder]
    while let folder = pending.popLast() {
      do throws(FileError) {
        others?.enter(folder)
        let content = try Content(of: folder, recursively: recursively, where: isMeant, noting: &others)
        for (file, status, isLink) in content.files { add(file, status, isLink: isLink, to: &inputs, seen: &seen) }
        inputs += content.failures
        pending += content.folders.reversed()
      } catch {
        // Of a part nobody knows what belongs together: nothing of it is taken.
        inputs.append(Input(path: folder, failure: error))
      }
    }
  }

  /// What is meant in a folder, by name.
  private struct Content {
    var folders: [FilePath] = []
    var files: [(path: FilePath, status: stat, isLink: Bool)] = []
    var failures: [Input] = []

    init(
      of folder: FilePath, recursively: Bool, where isMeant: (FilePath) -> Bool, noting others: inout LeftOutFiles?
    ) throws(FileError) {
      let listing = try FolderListing(folder)
      var found: [(path: FilePath, own: stat)] = []
      var (names, hasSidecars): ([FilePath.Component], Bool) = ([], false)
      while let entry = try listing.next() {
        guard !entry.isHidden else { continue }
        let path = folder.appending(entry.name)
        let isMeant = isMeant(path)
        if others != nil, !entry.isFolder {
          names.append(entry.name)
          if !isMeant, entry.name.isSidecar { hasSidecars = true }
        }
        // The name says enough of most files that aren't meant.
        if entry.isFile, !isMeant, others == nil || entry.name.extension != nil { continue }
        var status = stat()
        // What is at the path itself, so that links never lead out of the folder or round in circles.
        guard path.withPlatformString({ lstat($0, &status) }) == 0 else {
          if errno != ENOENT, entry.isFolder ? recursively : isMeant {
            failures.append(Input(path: path, failure: FileError(errno: errno, doing: "find it")))
          }
          continue
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: if recursively { folders.append(path) }
        case S_IFREG where isMeant, S_IFLNK where isMeant: found.append((path, status))
        case S_IFREG: if entry.name.extension == nil { others?.look(atFile: path, status) }
        case S_IFLNK: others?.look(atLink: path, status, recursively: recursively)
        default: others?.add(special: path, status)
        }
      }
      if hasSidecars { others?.addSidecars(of: folder, names) }
      for (file, own) in found.sorted(by: { precedes($0.path, $1.path) }) {
        var status = own
        let isLink = own.st_mode & S_IFMT == S_IFLNK
        if isLink, file.withPlatformString({ stat($0, &status) }) != 0 {
          // A link that leads nowhere is no photo; one of which that isn't known may be.
          if leadsNowhere(errno) {
            others?.add(link: file, own)
          } else {
            failures.append(Input(path: file, failure: FileError(errno: errno, doing: "find it")))
          }
          continue
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: files.append((file, status, isLink))
        case S_IFDIR: if recursively { others?.add(link: file, own) }
        default: others?.add(special: file, status)
        }
      }
      failures.sort { precedes($0.path, $1.path) }
      folders.sort(by: precedes)
    }
  }

  /// How many folders are directly in `folder`, hidden ones and links aside; 0 of what is none.
  public static func foldersBelow(_ folder: FilePath) -> Int {
    guard let listing = try? FolderListing(folder) else { return 0 }
    var count = 0
    while let entry = try? listing.next() {
      guard !entry.isHidden else { continue }
      var status = stat()
      let path = folder.appending(entry.name)
      if path.withPlatformString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFDIR { count += 1 }
    }
    return count
  }

  /// Whether it is a folder, or a link to one.
  public static func isFolder(_ path: FilePath) -> Bool {
    var status = stat()
    return path.withPlatformString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  static func isPhoto(_ path: FilePath) -> Bool {
    path.extension.map { extensions.contains(ImageType.ending($0)) } ?? false
  }

  /// The order of the names' bytes: the same whatever the locale.
  private static func precedes(_ a: FilePath, _ b: FilePath) -> Bool {
    a.withPlatformString { a in b.withPlatformString { b in strcmp(a, b) < 0 } }
  }
}
