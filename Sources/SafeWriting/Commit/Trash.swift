import CSys
import Glibc
package import SystemPackage

/// The trash of a file system, as the freedesktop.org Trash specification 1.0 describes it: a folder `files` with the
/// files, and a folder `info` with a description of each.
package struct Trash: Sendable {
  /// The extension of descriptions.
  private static let suffix = ".trashinfo"
  /// The folder of the files.
  private let files: FilePath

  /// Finds the trash for a file, which need not exist yet.
  ///
  /// - Parameters:
  ///   - place: The file's location: absolute, symbolic links resolved.
  ///   - home: The user's trash (`$XDG_DATA_HOME/Trash`), which is used on its own file system.
  ///   - disks: The folder where the kernel describes block devices.
  /// - Throws: `.refused` on removable and read-only volumes.
  package init(
    for place: DirectoryEntry, home: FilePath, disks: FilePath = "/sys/dev/block"
  ) throws(FileError) {
    let device = try place.folder.device
    try Trash.requireFixed(place.folder, disks)
    var folder = home
    if try Trash.device(nearest: home) != device {
      var top = place.folder.path
      while top.removingLastComponent() != top, try Trash.device(nearest: top.removingLastComponent()) == device {
        top.removeLastComponent()
      }
      folder = Trash.shared(in: top) ?? top.appending(".Trash-\(getuid())")
    }
    files = folder.appending("files")
    guard try Trash.device(nearest: files) == device else {
      throw FileError(.notTrashable, "is on a file system that has no trash", remedy: .keepOriginal)
    }
  }

  /// Returns the trash that the administrator made for all users, `.Trash`; nil if there is none that is safe.
  private static func shared(in top: FilePath) -> FilePath? {
    let folder = top.appending(".Trash")
    guard let status = folder.status(followingLinks: false), status.st_mode & S_IFMT == S_IFDIR,
      status.st_mode & S_ISVTX != 0
    else { return nil }
    return folder.appending("\(getuid())")
  }

  /// Returns the device of `path`, or of its nearest parent that exists.
  private static func device(nearest path: FilePath) throws(FileError) -> UInt64 {
    var path = path
    while true {
      if let status = path.status(followingLinks: true) { return FileIdentity(status).device }
      guard errno == ENOENT, path.removingLastComponent() != path, !path.isEmpty else {
        throw FileError(errno: errno, doing: "find the trash")
      }
      path.removeLastComponent()
    }
  }

  /// Throws on removable and read-only volumes: a card is emptied elsewhere, and its trash would fill it.
  private static func requireFixed(_ folder: Directory, _ disks: FilePath) throws(FileError) {
    if folder.system.fstatvfs(folder.descriptor.rawValue)?.isReadOnly == true {
      throw FileError(
        .notTrashable, "is on a file system that is mounted read-only, so it can't be moved to the trash",
        remedy: .keepOriginal)
    }
    let device = try folder.descriptor.status().st_dev
    guard Volume(of: folder.descriptor).isFAT || Volume.isRemovable(device, disks: disks) else { return }
    throw FileError(
      .notTrashable, "is on a removable volume, where nothing is moved to the trash", remedy: .keepOriginal)
  }

  /// Creates the folders of the trash, accessible only to their owner.
  func make() throws(FileError) {
    for folder in [files, files.removingLastComponent().appending("info")] {
      try folder.createFolder(mode: 0o700, called: "the trash")
    }
  }

  /// Returns a path in the trash that nothing has.
  func freePath(for name: FilePath.Component) throws(FileError) -> FilePath {
    // The description's name is longer, and so is one with a number.
    let name = try name.cut(to: 255 - Trash.suffix.utf8.count - 7)
    for number in 1..<100_000 {
      let path = files.appending(try name.numbered(number == 1 ? 0 : number, after: "."))
      if path.status(followingLinks: false) == nil, errno == ENOENT,
        Trash.description(of: path).status(followingLinks: false) == nil, errno == ENOENT
      {
        return path
      }
    }
    throw FileError(.noName, "could not find a name for it in the trash")
  }

  /// Returns the path of the description of a file in the trash.
  static func description(of trashed: FilePath) -> FilePath {
    let name = (trashed.lastComponent?.bytes ?? []) + Array(suffix.utf8)
    let folder = trashed.removingLastComponent().removingLastComponent().appending("info")
    return FilePath(bytes: name).lastComponent.map { folder.appending($0) } ?? folder
  }

  /// Writes the description of the file at `original`, which is about to become `trashed`.
  static func describe(_ original: FilePath, as trashed: FilePath) throws(FileError) {
    let folder = trashed.removingLastComponent().removingLastComponent()
    // In a trash at the top of a volume, paths are relative to that folder.
    let (name, parent) = (folder.lastComponent?.string ?? "", folder.removingLastComponent())
    let isShared = parent.lastComponent?.string == ".Trash"
    let top: FilePath? = isShared ? parent.removingLastComponent() : name.hasPrefix(".Trash-") ? parent : nil
    var path = original
    if let top { _ = path.removePrefix(top) }
    let text = "[Trash Info]\nPath=\(escaped(path))\nDeletionDate=\(localTime())\n"
    try FreshFile.write(Array(text.utf8), to: description(of: trashed), mode: 0o600)
  }

  /// Returns the path with all bytes escaped that a URL's path can't have (RFC 2396).
  private static func escaped(_ path: FilePath) -> String {
    let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.!~*'()/".utf8)
    return path.bytes.reduce(into: "") { text, byte in
      if plain.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
  }

  /// Returns the present time of the user's zone, as the specification wants it: `2024-05-18T10:00:00`.
  private static func localTime() -> String {
    var (seconds, parts) = (time(nil), tm())
    localtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 20)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

extension FilePath.Component {
  /// Returns the name with its stem cut so that the whole has at most `count` bytes.
  fileprivate func cut(to count: Int) throws(FileError) -> FilePath.Component {
    guard bytes.count > count else { return self }
    let ending = bytes.lastIndex(of: UInt8(ascii: ".")).map { Array(bytes[$0...]) } ?? []
    let stem = bytes.prefix(max(1, count - min(ending.count, 20)))
    guard let name = FilePath(bytes: Array(stem) + Array(ending.prefix(20))).lastComponent else {
      throw FileError(.noName, "could not find a name for it in the trash")
    }
    return name
  }
}
