import CSys
import Glibc
import MetaTag
import SystemPackage

/// Restrictions that the process puts on itself, so that a hostile photo or link gains nothing even through an unknown
/// hole. They can't be lifted again.
enum Confinement {
  /// Forbids the network: sockets other than local ones, and connections. Older kernels can't.
  static func forbidNetwork() { _ = csys_forbid_network() }

  /// Whether this process can't reach the network.
  static var isOffline: Bool { csys_can_open_socket() == 0 }

  /// Limits the files of a command line with `--root DIR`: those below `DIR` can be read and changed, and apart from them only
  /// the folders of metatag and of the system, and files named on the command line that are no photos.
  ///
  /// Call it while the process has only one thread.
  /// - Throws: `SetupError` if the kernel can't, or if `DIR` isn't a folder.
  static func limitFiles(to words: [String]) throws {
    let options = Array(words.prefix { $0 != "--" })
    guard let root = options.root else { return }
    guard let folder = root.resolved, Walk.isFolder(folder) else {
      throw SetupError("--root: \(root.printable) is not a folder", isUsage: true)
    }
    guard csys_landlock_version() > 0 else {
      throw SetupError("--root needs a kernel with Landlock (Linux 5.13 or later, not turned off)")
    }
    guard try Directory("/proc/self/task").names().count == 1 else {
      throw SetupError("--root: the process has several threads already, and can't be limited")
    }
    let rules = csys_landlock_new()
    guard rules >= 0 else { throw SetupError("--root: could not begin: \(Errno(rawValue: errno).words)") }
    defer { close(rules) }
    func allow(_ path: FilePath, writing: Bool) {
      _ = path.withPlatformString { csys_landlock_allow(rules, $0, writing ? 1 : 0) }
    }
    let folders = XDGDirectories()
    for own in [folders.state, folders.cache, folders.data] {
      try? own.createFolder(mode: 0o700, called: "the folder")
      allow(own, writing: true)
    }
    allow(folder, writing: true)
    for device: FilePath in ["/dev/null", "/dev/tty"] { allow(device, writing: true) }
    for system: FilePath in [
      "/usr", "/lib", "/lib64", "/bin", "/etc", "/dev/zero", "/dev/random", "/dev/urandom", "/proc", "/sys",
    ] {
      allow(system, writing: false)
    }
    for shared in folders.sharedData + programFolders { allow(shared, writing: false) }
    for input in options.namedFiles { allow(input, writing: false) }
    guard csys_landlock_restrict(rules) == 0 else {
      throw SetupError("--root: could not limit the process: \(Errno(rawValue: errno).words)")
    }
  }

  /// The folder of `--root` on the command line.
  static let root = Array(Argv.words.prefix { $0 != "--" }).root

  /// Whether `--root` excludes a file.
  /// - Parameter path: Absolute, symbolic links resolved.
  static func excludes(_ path: FilePath) -> Bool { root?.resolved.map { !path.starts(with: $0) } ?? false }

  /// The folders of the program, its data and the decoders.
  private static var programFolders: [FilePath] {
    let program = FilePath("/proc/self/exe").resolved?.removingLastComponent()
    let decoders = getenv("METATAG_LIBEXEC").map { FilePath(platformString: $0) }
    return [program, program?.removingLastComponent().appending("libexec"), decoders].compactMap(\.self)
  }
}

extension [String] {
  /// The folder of `--root`.
  fileprivate var root: FilePath? {
    for (index, word) in enumerated() {
      if word == "--root", index + 1 < count { return FilePath(rawBytes: Argv.bytes(of: self[index + 1])) }
      if word.hasPrefix("--root=") { return FilePath(rawBytes: Argv.bytes(of: String(word.dropFirst(7)))) }
    }
    return nil
  }

  /// The tracks, lists, plans and tables that are named, and folders of tracks.
  fileprivate var namedFiles: [FilePath] {
    enumerated().compactMap { index, word in
      let isOption = word.hasPrefix("--")
      guard let value = isOption ? word.split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init) : word
      else { return nil }
      let path = FilePath(rawBytes: Argv.bytes(of: value))
      let isTrack = word.hasPrefix("--track=") || index > 0 && self[index - 1] == "--track"
      guard let mode = path.status(followingLinks: true)?.st_mode else { return nil }
      let isFile = mode & S_IFMT == S_IFREG && !Walk.isPhoto(path)
      return isFile || isTrack && mode & S_IFMT == S_IFDIR ? path : nil
    }
  }
}
