import Glibc
import SystemPackage

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
