import CSys
package import Glibc
package import SystemPackage

/// An open folder. Operations on its names stay within this folder, whatever happens to its path in the meantime.
package final class Directory: Sendable {
  package let path: FilePath
  package let descriptor: Descriptor

  package init(_ path: FilePath) throws(FileError) {
    descriptor = try Descriptor(path, O_RDONLY | O_DIRECTORY, doing: "open its folder")
    self.path = path
  }

  /// Opens the folder by its canonical path, because journals record it. The empty path is the working directory.
  package convenience init(resolving path: FilePath) throws(FileError) {
    let spelled: FilePath = path.isEmpty ? "." : path
    guard let resolved = spelled.resolved else { throw FileError(errno: errno, doing: "find its folder") }
    try self.init(resolved)
  }

  /// Opens the same folder a second time.
  package init(again folder: Directory) throws(FileError) {
    let again = folder.system.openat(folder.descriptor.rawValue, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard again >= 0 else { throw FileError(errno: errno, doing: "open its folder") }
    descriptor = Descriptor(owning: again, of: folder.system)
    path = folder.path
  }

  var system: any FileSystem { descriptor.system }

  /// Whether its path still leads to this folder.
  var isStillThere: Bool {
    guard let here = try? descriptor.status(), let there = path.status(followingLinks: false) else { return false }
    return here.st_dev == there.st_dev && here.st_ino == there.st_ino
  }

  /// The device number of its file system.
  package var device: UInt64 {
    get throws(FileError) { try FileIdentity(of: descriptor).device }
  }

  /// Returns the status of `name`, without following a symbolic link; nil if there is no such entry.
  package func status(of name: FilePath.Component) throws(FileError) -> stat? {
    var status = stat()
    let result = name.withPlatformString { system.fstatat(descriptor.rawValue, $0, &status, AT_SYMLINK_NOFOLLOW) }
    guard result != 0 else { return status }
    // No file has a name that is too long for the file system.
    guard errno == ENOENT || errno == ENAMETOOLONG else {
      throw FileError(errno: errno, doing: "read its attributes again")
    }
    return nil
  }

  package func identity(of name: FilePath.Component) throws(FileError) -> FileIdentity? {
    try status(of: name).map(FileIdentity.init)
  }

  /// Opens the regular file at `name`, without following a symbolic link.
  package func open(_ name: FilePath.Component, _ flags: CInt) throws(FileError) -> Descriptor {
    let flags = flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let file = name.withPlatformString { system.openat(descriptor.rawValue, $0, flags, 0) }
    guard file >= 0 else {
      throw errno == ELOOP
        ? FileError(.io, "could not open it: it is a symbolic link") : FileError(errno: errno, doing: "open it")
    }
    return Descriptor(owning: file, of: system)
  }

  /// Creates a file that only its owner can access, and opens it.
  package func create(_ name: FilePath.Component) throws(FileError) -> Descriptor {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | csys_o_noatime
    let file = name.withPlatformString { system.openat(descriptor.rawValue, $0, flags, 0o600) }
    guard file >= 0 else { throw FileError(errno: errno, doing: "create a file next to it") }
    return Descriptor(owning: file, of: system)
  }

  /// Exchanges the files of two names in one step: both names exist at every instant. Returns false if the file system
  /// can't.
  package func exchange(_ a: FilePath.Component, _ b: FilePath.Component) throws(FileError) -> Bool {
    if rename(a, b, csys_rename_exchange) == 0 { return true }
    guard errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP else {
      if errno == ENOENT { throw FileError.changedMeanwhile }
      throw FileError(errno: errno, doing: "replace it with the new file")
    }
    return false
  }

  /// Renames `a` to `b`, which must not exist.
  package func move(_ a: FilePath.Component, to b: FilePath.Component) throws(FileError) {
    if rename(a, b, csys_rename_noreplace) == 0 { return }
    if errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP {
      guard try status(of: b) == nil else {
        throw FileError(.nameTakenDuringRun, "another file with its name appeared during the run")
      }
      if rename(a, b, 0) == 0 { return }
    }
    throw FileError(errno: errno, doing: "rename it")
  }

  /// Moves `a` to the name `b`, which must not exist, of another folder on the same file system.
  func move(_ a: FilePath.Component, to b: FilePath.Component, in other: Directory) throws(FileError) {
    if rename(a, b, in: other, csys_rename_noreplace) == 0 { return }
    if errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP {
      guard try other.status(of: b) == nil else { throw FileError(errno: EEXIST, doing: "move it") }
      if rename(a, b, in: other, 0) == 0 { return }
    }
    throw FileError(errno: errno, doing: "move it")
  }

  private func rename(
    _ a: FilePath.Component, _ b: FilePath.Component, in other: Directory? = nil, _ flags: CUnsignedInt
  ) -> CInt {
    let (from, to) = (descriptor.rawValue, (other ?? self).descriptor.rawValue)
    return a.withPlatformString { a in b.withPlatformString { b in system.renameat2(from, a, to, b, flags) } }
  }

  /// Removes a name. It is not an error if the name does not exist.
  package func remove(_ name: FilePath.Component) throws(FileError) {
    guard name.withPlatformString({ system.unlinkat(descriptor.rawValue, $0) }) == 0 || errno == ENOENT else {
      throw FileError(errno: errno, doing: "remove the scratch file next to it")
    }
  }

  /// Waits until everything written to this file system, names included, is on disk.
  func synchronizeVolume() throws(FileError) { try descriptor.synchronizeVolume() }

  /// Throws if a `chattr` attribute prevents names from being removed from this folder.
  func refuseIfMarked() throws(FileError) {
    if let mark = Mark("", in: self) { throw mark.refusal(isFolder: true) }
  }

  /// Throws if names can't be removed from this folder.
  package func requireWritable() throws(FileError) {
    try refuseIfMarked()
    guard system.faccessat(descriptor.rawValue, ".", W_OK | X_OK) == 0 else {
      throw FileError(errno: errno, doing: "write to its folder")
    }
  }

  /// Returns every name in the folder except `.` and `..`, in no particular order.
  package func names() throws(FileError) -> [FilePath.Component] { try system.names(in: descriptor.rawValue) }
}

/// The location of a photo: its folder and its name there. Symbolic links are resolved once.
package struct DirectoryEntry: Sendable {
  package let folder: Directory
  package let name: FilePath.Component

  package init(resolving path: FilePath) throws(FileError) {
    guard let whole = path.resolved else { throw FileError(errno: errno, doing: "find it") }
    guard let name = whole.lastComponent else { throw FileError(.notRegularFile, "is not a regular file") }
    self.init(try Directory(whole.removingLastComponent()), name)
  }

  package init(_ folder: Directory, _ name: FilePath.Component) {
    self.folder = folder
    self.name = name
  }

  /// Opens the photo for reading, and drops its clean pages from the page cache.
  package func open() throws(FileError) -> FileSource {
    try FileSource(reopening: try folder.open(name, O_RDONLY))
  }

  /// Throws if a `chattr` attribute protects the file's bytes, name and times.
  func refuseIfMarked() throws(FileError) {
    if let mark = name.withPlatformString({ Mark($0, in: folder) }) { throw mark.refusal(isFolder: false) }
  }

  /// Throws if another program has the file open for writing, where the file system reports that.
  /// - Parameter file: The file, open for reading only.
  func refuseIfOpenForWriting(_ file: borrowing Descriptor) throws(FileError) {
    guard Volume.hasWriter(file) else { return }
    throw FileError(.openForWriting, "is open for writing in another program", remedy: .closeElsewhere)
  }

  /// Throws if the file can't be written, or is write-protected.
  func refuseUnlessWritable(_ status: stat) throws(FileError) {
    try refuseIfMarked()
    guard name.withPlatformString({ folder.system.faccessat(folder.descriptor.rawValue, $0, W_OK) }) != 0 else {
      return
    }
    switch errno {
    case EROFS: throw FileError(.readOnlyVolume, "is on a file system that is mounted read-only")
    case EACCES where status.st_mode & 0o222 == 0:
      throw FileError(.writeProtected, "is write-protected", remedy: .makeWritable)
    case EACCES: throw FileError(.notPermitted, "belongs to another user, and you may not write it")
    // File systems that don't report `chattr` attributes.
    case EPERM: throw FileError(.immutable, "is marked immutable", remedy: .removeAttribute("i", ofFolder: false))
    case let code: throw FileError(errno: code, doing: "write it")
    }
  }
}

/// A `chattr` attribute that prevents changes even by the owner of a file or folder.
private enum Mark: String {
  case appendOnly = "append-only"
  case immutable

  /// Reads the attribute of a name in `folder`, or of the folder itself if the name is "".
  init?(_ name: UnsafePointer<CChar>, in folder: Directory) {
    switch folder.system.marks(folder.descriptor.rawValue, name) {
    case let marks where marks & csys_marked_immutable != 0: self = .immutable
    case let marks where marks & csys_marked_append_only != 0: self = .appendOnly
    default: return nil
    }
  }

  func refusal(isFolder: Bool) -> FileError {
    let letter = self == .immutable ? "i" : "a"
    return FileError(
      .immutable, "\(isFolder ? "its folder is" : "is") marked \(rawValue)",
      remedy: .removeAttribute(letter, ofFolder: isFolder))
  }
}
