import Glibc
import SystemPackage

extension Walk {
  /// How many files in folders were left out that may be meant all the same.
  public struct LeftOut: Sendable, Hashable {
    /// Symbolic links to folders, and links that lead nowhere.
    public var symbolicLinks = 0
    /// Pipes, sockets and devices with the name of a photo.
    public var specialFiles = 0
    /// Photos by their first bytes whose names have no extension.
    public var photosWithoutExtension = 0
    /// XMP files beside which there is no other file of their name.
    public var sidecarsWithoutPhoto = 0

    /// Nothing.
    public init() {}

    /// Adds what other folders have.
    public static func += (total: inout LeftOut, other: LeftOut) {
      total.symbolicLinks += other.symbolicLinks
      total.specialFiles += other.specialFiles
      total.photosWithoutExtension += other.photosWithoutExtension
      total.sidecarsWithoutPhoto += other.sidecarsWithoutPhoto
    }
  }

  /// Collects what folders have besides the files that are meant, each once.
  struct LeftOutFiles {
    private var links: [FileID: FilePath] = [:]
    private var specials: Set<FileID> = []
    private var nameless: Set<FileID> = []
    private var sidecars: Set<FileID> = []
    /// The folders that were walked through.
    private var walked: [FilePath] = []

    private static func hasNoExtension(_ path: FilePath) -> Bool { path.extension == nil }

    mutating func enter(_ folder: FilePath) { walked.append(folder) }

    /// A pipe, a socket or a device.
    mutating func add(special path: FilePath, _ status: stat) {
      if isPhoto(path) || Self.hasNoExtension(path) { specials.insert(FileID(status)) }
    }

    /// A link that leads nowhere, or to a folder that would else be walked through.
    mutating func add(link path: FilePath, _ own: stat) { links[FileID(own)] = path }

    /// A link of which nothing else is known yet.
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

    /// A file that has no extension is a photo if it begins like one.
    mutating func look(atFile path: FilePath, _ status: stat) {
      guard status.st_size > 0, ImageSource.beginsLikePhoto(path) else { return }
      nameless.insert(FileID(status))
    }

    /// Sidecars in `folder` that no other file there has the name of.
    mutating func addSidecars(of folder: FilePath, _ names: [FilePath.Component]) {
      let sidecars = names.filter(\.isSidecar)
      guard !sidecars.isEmpty else { return }
      var others: Set<String> = []
      for name in names where !name.isSidecar { others.formUnion([name.bytes.folded, name.stemBytes.folded]) }
      for name in sidecars where others.isDisjoint(with: name.resembled + [name.stemBytes.folded]) {
        if let id = FileID(at: folder.appending(name), S_IFREG) { self.sidecars.insert(id) }
      }
    }

    /// How many there are, without those that are named themselves, or are inputs in another way.
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

  /// Whether a link whose target can't be found has none.
  static func leadsNowhere(_ error: CInt) -> Bool { [ENOENT, ENOTDIR, ELOOP].contains(error) }
}

extension ImageSource {
  /// Whether a file begins like a photo or a movie; of what can't be read nobody knows.
  static func beginsLikePhoto(_ path: FilePath) -> Bool {
    let count = 4_096
    let descriptor = path.withPlatformString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard descriptor >= 0, let source = try? FileSource(owning: descriptor, headCount: count),
      let head = try? source.prefix(at: 0, count: count)
    else { return false }
    return containers.contains { $0.type(of: head).map { $0 != .xmp } ?? false }
  }
}
