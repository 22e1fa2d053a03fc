import Glibc
public import SystemPackage

/// The search for photos in the files and folders that a user names. Each photo is found once, in a fixed order.
///
/// The inputs that it finds are single files; ``Photo/pairing(_:jobs:)`` groups those that belong together.
///
/// ```swift
/// let inputs = Walk.photos(in: ["/photos/2024"], recursively: true)
/// let photos = await Photo.pairing(inputs, jobs: 2)
/// ```
public enum Walk {
  /// One input of a run.
  public struct Input: Sendable {
    /// The path as it was given, or the folder's path with the file's name.
    public fileprivate(set) var path: FilePath
    /// Why the input can't be a photo: it doesn't exist, can't be reached, or its folder can't be read.
    public let failure: FileError?
    /// The identity of the file, whatever its name; nil if there is no file.
    var id: FileID?
    /// Whether the path is a symbolic link to a file elsewhere.
    var isLink = false
    /// The folder that was named, if the file was found in it or below it; nil for a file that was named itself.
    package var root: FilePath?
    /// The content, if it is in no file: standard input.
    var content: FileSource?
    /// Other names of the same file (hard links) that were found too.
    fileprivate(set) var otherNames: [FilePath] = []

    /// Makes one of its other names its name.
    mutating func prefer(_ name: FilePath) {
      otherNames = ([path] + otherNames).filter { $0 != name }
      path = name
    }
  }

  /// Returns the inputs with every name of a file, because each becomes a copy of its own.
  package static func withAllNames(_ inputs: [Input]) -> [Input] {
    inputs.flatMap { input in
      let others = input.otherNames.map { path in
        var other = input
        (other.path, other.otherNames) = (path, [])
        return other
      }
      var input = input
      input.otherNames = []
      return [input] + others
    }
  }

  /// Returns the photo whose bytes `descriptor` delivers, such as standard input, under the name `-`. They are kept in
  /// memory.
  /// - Throws: `FileError`: `.tooLarge` for more than 1 GB, `.io` when it can't be read.
  package static func input(from descriptor: FileDescriptor) throws(FileError) -> Input {
    Input(path: "-", failure: nil, content: try FileSource(holding: descriptor, atMost: 1_000_000_000))
  }

  /// The extensions by which a file in a folder counts as a photo; a file that is named explicitly is recognized by its
  /// content alone. Sidecars aren't included: an XMP file alone belongs to no photo, and may be a program's preset.
  static let extensions = Set(ImageType.allCases.filter { $0 != .xmp }.flatMap(\.fileExtensions))

  /// Returns the photos in `paths`, which may be files and folders. A file is returned whatever its name. For a folder,
  /// the photos directly in it are returned or, with `recursively`, those in all its subfolders; symbolic links to
  /// folders aren't followed. In folders, hidden files, `*_original` copies and files with other extensions are skipped.
  /// A file that is named twice, also through a link, counts once.
  public static func photos(in paths: [FilePath], recursively: Bool) -> [Input] {
    files(in: paths, recursively: recursively, where: isPhoto)
  }

  /// Returns the photos in `paths` and adds to `leftOut` the files in folders that were skipped but may be meant.
  public static func photos(in paths: [FilePath], recursively: Bool, leftOut: inout LeftOut) -> [Input] {
    var others: LeftOutFiles? = LeftOutFiles()
    let inputs = files(in: paths, recursively: recursively, where: isPhoto, noting: &others)
    if let others { leftOut += others.count(besides: paths, Set(inputs.compactMap(\.id))) }
    return inputs
  }

  /// Returns the files at `paths`, each once. A folder is an input that can't be a photo.
  package static func files(at paths: [FilePath]) -> [Input] {
    var names = ListedNames()
    return files(at: paths, &names)
  }

  static func files(at paths: [FilePath], _ names: inout ListedNames) -> [Input] {
    var (inputs, seen): ([Input], [FileID: Int]) = ([], [:])
    for path in paths { add(path, to: &inputs, seen: &seen, &names, isFolder: isFolder(path)) }
    return inputs
  }

  /// Files that were seen before, whatever their names.
  package struct SeenFiles: Sendable {
    private var ids: Set<FileID> = []

    /// Creates an empty collection.
    package init() {}

    /// Adds the files at `paths`, and returns those that are new.
    package mutating func new(at paths: [FilePath]) -> [Input] {
      Walk.files(at: paths).filter { input in input.id.map { ids.insert($0).inserted } ?? true }
    }
  }

  private static func add(
    _ path: FilePath, to inputs: inout [Input], seen: inout [FileID: Int], _ names: inout ListedNames,
    isFolder: Bool = false
  ) {
    let path = names.path(of: path)
    switch look(at: path) {
    case _ where isFolder: inputs.append(Input(path: path, failure: FileError(.isFolder, "is a folder, not a photo")))
    case .success(let (status, isLink)): add(path, status, isLink: isLink, to: &inputs, seen: &seen)
    case .failure(let error): inputs.append(Input(path: path, failure: error))
    }
  }

  /// Like `photos(in:recursively:)`, but with a caller-supplied predicate for files found in folders.
  static func files(in paths: [FilePath], recursively: Bool, where isMeant: (FilePath) -> Bool) -> [Input] {
    var others: LeftOutFiles?
    return files(in: paths, recursively: recursively, where: isMeant, noting: &others)
  }

  /// Like `files(in:recursively:where:)`, but also collects the other files of folders in `others`, if it isn't nil.
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
        add(path, to: &inputs, seen: &seen, &names)
      }
    }
    return inputs
  }

  /// Returns the file at `path`, spelled as given.
  static func input(at path: FilePath) -> Input {
    switch look(at: path) {
    case .success(let (status, isLink)): Input(path: path, failure: nil, id: FileID(status), isLink: isLink)
    case .failure(let error): Input(path: path, failure: error)
    }
  }

  /// Returns the status of a file, or of the file that a link leads to; nil if there is none.
  static func status(of path: FilePath) -> stat? {
    var status = stat()
    return path.withPlatformString { stat($0, &status) } == 0 ? status : nil
  }

  private static func look(at path: FilePath) -> Result<(status: stat, isLink: Bool), FileError> {
    var (status, own) = (stat(), stat())
    guard path.withPlatformString({ stat($0, &status) }) == 0 else {
      return .failure(FileError(errno: errno, doing: "find it"))
    }
    let isLink = path.withPlatformString { lstat($0, &own) } == 0 && own.st_mode & S_IFMT == S_IFLNK
    return .success((status, isLink))
  }

  /// The identity of a file, the same under all its names.
  struct FileID: Hashable, Sendable {
    let device: UInt
    private let inode: UInt

    init(_ status: stat) {
      device = UInt(status.st_dev)
      inode = UInt(status.st_ino)
    }
  }

  /// Returns the folder of a file, whatever its spelling, and its name there.
  private static func spot(of path: FilePath) -> (folder: FileID, name: FilePath.Component)? {
    let folder = path.removingLastComponent()
    guard let id = FileID(at: folder.isEmpty ? "." : folder, S_IFDIR), let name = path.lastComponent else { return nil }
    return (id, name)
  }

  /// Adds a file. A file that was added before is not added again, but another name of it is recorded.
  /// - Parameter root: The named folder in which the file was found.
  private static func add(
    _ path: FilePath, _ status: stat, isLink: Bool, below root: FilePath? = nil, to inputs: inout [Input],
    seen: inout [FileID: Int]
  ) {
    let id = FileID(status)
    guard let first = seen[id] else {
      seen[id] = inputs.count
      return inputs.append(Input(path: path, failure: nil, id: id, isLink: isLink, root: root))
    }
    if inputs[first].root == nil, inputs[first].path == path { inputs[first].root = root }
    guard status.st_nlink > 1, !isLink, !inputs[first].isLink, !inputs[first].otherNames.contains(path),
      let (folder, name) = spot(of: path), let (own, ownName) = spot(of: inputs[first].path),
      folder != own || name != ownName
    else { return }
    inputs[first].otherNames.append(path)
  }

  private static func add(
    folder root: FilePath, recursively: Bool, where isMeant: (FilePath) -> Bool, to inputs: inout [Input],
    seen: inout [FileID: Int], noting others: inout LeftOutFiles?
  ) {
    var pending = [root]
    while let folder = pending.popLast() {
      do throws(FileError) {
        others?.enter(folder)
        let content = try Content(of: folder, recursively: recursively, where: isMeant, noting: &others)
        for (file, status, isLink) in content.files {
          add(file, status, isLink: isLink, below: root, to: &inputs, seen: &seen)
        }
        inputs += content.failures
        pending += content.folders.reversed()
      } catch {
        // It isn't known which files belong together in a partial listing, so use nothing of it.
        inputs.append(Input(path: folder, failure: error))
      }
    }
  }

  /// The contents of a folder that are meant, sorted by name.
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
        // The extension alone shows that most files aren't meant.
        if entry.isFile, !isMeant, others == nil || entry.name.extension != nil { continue }
        var status = stat()
        // Use the status of the path itself, so that links never lead out of the folder or round in circles.
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
          // A link without a target is not a photo. If the target can't be reached, it may be one.
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

  /// Returns the number of folders directly in `folder`, except hidden ones and links; 0 if it is not a folder.
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

  /// Whether the path is a folder, or a link to one.
  public static func isFolder(_ path: FilePath) -> Bool {
    status(of: path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  package static func isPhoto(_ path: FilePath) -> Bool {
    path.extension.map { extensions.contains(ImageType.ending($0)) } ?? false
  }

  /// Compares the bytes of the names, so that the order doesn't depend on the locale.
  private static func precedes(_ a: FilePath, _ b: FilePath) -> Bool {
    a.withPlatformString { a in b.withPlatformString { b in strcmp(a, b) < 0 } }
  }
}

extension Walk {
  /// The number of files in folders that were left out although they may have been meant.
  public struct LeftOut: Sendable, Hashable {
    /// The number of symbolic links to folders, and of links whose target doesn't exist.
    public var symbolicLinks = 0
    /// The number of pipes, sockets and devices with the name of a photo.
    public var specialFiles = 0
    /// The number of files that have no file extension but begin like a photo.
    public var photosWithoutExtension = 0
    /// The number of XMP files without another file of their name in the same folder.
    public var sidecarsWithoutPhoto = 0

    /// Creates counts of zero.
    public init() {}

    /// Adds the counts of other folders.
    public static func += (total: inout LeftOut, other: LeftOut) {
      total.symbolicLinks += other.symbolicLinks
      total.specialFiles += other.specialFiles
      total.photosWithoutExtension += other.photosWithoutExtension
      total.sidecarsWithoutPhoto += other.sidecarsWithoutPhoto
    }
  }

  /// Collects the files in folders that are no photos, each once.
  struct LeftOutFiles {
    private var links: [FileID: FilePath] = [:]
    private var specials: Set<FileID> = []
    private var nameless: Set<FileID> = []
    private var sidecars: Set<FileID> = []
    /// The folders that were walked.
    private var walked: [FilePath] = []

    private static func hasNoExtension(_ path: FilePath) -> Bool { path.extension == nil }

    mutating func enter(_ folder: FilePath) { walked.append(folder) }

    /// Adds a pipe, a socket or a device.
    mutating func add(special path: FilePath, _ status: stat) {
      if isPhoto(path) || Self.hasNoExtension(path) { specials.insert(FileID(status)) }
    }

    /// Adds a link whose target doesn't exist, or that leads to a folder that would otherwise be walked.
    mutating func add(link path: FilePath, _ own: stat) { links[FileID(own)] = path }

    /// Examines a link whose target isn't known yet.
    mutating func look(atLink path: FilePath, _ own: stat, recursively: Bool) {
      guard recursively || Self.hasNoExtension(path) else { return }
      var status = stat()
      guard path.withPlatformString({ stat($0, &status) }) == 0 else {
        if leadsNowhere(errno), Self.hasNoExtension(path) { add(link: path, own) }
        return
      }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: if recursively { add(link: path, own) }
      case S_IFREG: if Self.hasNoExtension(path) { look(atFile: path, status) }
      default: add(special: path, status)
      }
    }

    /// Adds a file without a file extension if it begins like a photo.
    mutating func look(atFile path: FilePath, _ status: stat) {
      guard status.st_size > 0, ImageSource.beginsLikePhoto(path) else { return }
      nameless.insert(FileID(status))
    }

    /// Adds the sidecars in `folder` that share their name with no other file there.
    mutating func addSidecars(of folder: FilePath, _ names: [FilePath.Component]) {
      let sidecars = names.filter(\.isSidecar)
      guard !sidecars.isEmpty else { return }
      var others: Set<String> = []
      for name in names where !name.isSidecar { others.formUnion([name.bytes.folded, name.stemBytes.folded]) }
      for name in sidecars where others.isDisjoint(with: name.resembled + [name.stemBytes.folded]) {
        if let id = FileID(at: folder.appending(name), S_IFREG) { self.sidecars.insert(id) }
      }
    }

    /// Returns the counts without files that are named explicitly or that are inputs in another way.
    func count(besides named: [FilePath], _ inputs: Set<FileID>) -> LeftOut {
      var leftOut = LeftOut()
      guard !links.isEmpty || !specials.isEmpty || !nameless.isEmpty || !sidecars.isEmpty else { return leftOut }
      let known = inputs.union(
        named.compactMap { path in
          var status = stat()
          return path.withPlatformString { lstat($0, &status) } == 0 ? FileID(status) : nil
        })
      leftOut.specialFiles = specials.subtracting(known).count
      leftOut.photosWithoutExtension = nameless.subtracting(known).count
      leftOut.sidecarsWithoutPhoto = sidecars.subtracting(known).count
      let walked = links.isEmpty ? [] : Set(walked.compactMap { FileID(at: $0, S_IFDIR) })
      leftOut.symbolicLinks = links.count { id, path in
        !known.contains(id) && !(FileID(at: path, S_IFDIR).map(walked.contains) ?? false)
      }
      return leftOut
    }
  }

  /// Whether the error says that a link has no target, not just that the target can't be reached.
  static func leadsNowhere(_ error: CInt) -> Bool { [ENOENT, ENOTDIR, ELOOP].contains(error) }
}

extension ImageSource {
  /// Whether a file begins like a photo or a movie; false if it can't be read.
  static func beginsLikePhoto(_ path: FilePath) -> Bool {
    let count = 4_096
    let descriptor = path.withPlatformString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard descriptor >= 0, let source = try? FileSource(owning: descriptor, headCount: count),
      let head = try? source.prefix(at: 0, count: count)
    else { return false }
    return containers.contains { $0.type(of: head).map { $0 != .xmp } ?? false }
  }
}
