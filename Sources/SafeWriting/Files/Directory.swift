import CSys
package import Glibc
package import SystemPackage

/// A folder held open: what is done to a name in it stays in it, whatever happens to the path meanwhile.
package final class Directory: Sendable {
  package let path: FilePath
  package let descriptor: CInt

  package init(_ path: FilePath) throws(FileError) {
    descriptor = path.withPlatformString { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw FileError(errno: errno, doing: "open its folder") }
    self.path = path
  }

  /// The folder itself, however it is spelled: journals remember it. The empty path is where the program was started.
  package convenience init(resolving path: FilePath) throws(FileError) {
    let spelled: FilePath = path.isEmpty ? "." : path
    guard let resolved = spelled.withPlatformString({ realpath($0, nil) }) else {
      throw FileError(errno: errno, doing: "find its folder")
    }
    defer { free(resolved) }
    try self.init(FilePath(platformString: resolved))
  }

  /// The same folder, opened another time.
  package init(again folder: Directory) throws(FileError) {
    descriptor = openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(errno: errno, doing: "open its folder") }
    path = folder.path
  }

  deinit { close(descriptor) }

  /// Whether its path still leads to it.
  var isStillThere: Bool {
    var (here, there) = (stat(), stat())
    return fstat(descriptor, &here) == 0 && path.withPlatformString { lstat($0, &there) } == 0
      && here.st_dev == there.st_dev && here.st_ino == there.st_ino
  }

  /// The number of its file system.
  package var device: UInt64 {
    get throws(FileError) { try FileIdentity(of: descriptor).device }
  }

  /// What stands at `name`, a symbolic link itself rather than its target; nil when nothing does.
  package func status(of name: FilePath.Component) throws(FileError) -> stat? {
    var status = stat()
    if name.withPlatformString({ fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 { return status }
    guard errno == ENOENT else { throw FileError(errno: errno, doing: "look at it again") }
    return nil
  }

  package func identity(of name: FilePath.Component) throws(FileError) -> FileIdentity? {
    try status(of: name).map(FileIdentity.init)
  }

  /// Opens the regular file at `name`, not what a symbolic link there leads to.
  package func open(_ name: FilePath.Component, _ flags: CInt) throws(FileError) -> CInt {
    let flags = flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let descriptor = name.withPlatformString { openat(self.descriptor, $0, flags) }
    guard descriptor >= 0 else { throw FileError(errno: errno, doing: "open it") }
    return descriptor
  }

  /// A new file, for its owner only.
  package func create(_ name: FilePath.Component) throws(FileError) -> CInt {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | csys_o_noatime
    let descriptor = name.withPlatformString { openat(self.descriptor, $0, flags, 0o600) }
    guard descriptor >= 0 else { throw FileError(errno: errno, doing: "make a file beside it") }
    return descriptor
  }

  /// Trades the files of two names, in one step: at no instant is either name free. False where the file system can't.
  package func exchange(_ a: FilePath.Component, _ b: FilePath.Component) throws(FileError) -> Bool {
    if rename(a, b, csys_rename_exchange) == 0 { return true }
    guard errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP else {
      throw FileError(errno: errno, doing: "put the new file in its place")
    }
    return false
  }

  /// Moves `a` to `b`, which must be free.
  package func move(_ a: FilePath.Component, to b: FilePath.Component) throws(FileError) {
    if rename(a, b, csys_rename_noreplace) == 0 { return }
    if errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP {
      guard try status(of: b) == nil else { throw FileError(.conflict, "another file took its name meanwhile") }
      if rename(a, b, 0) == 0 { return }
    }
    throw FileError(errno: errno, doing: "move it in its folder")
  }

  private func rename(_ a: FilePath.Component, _ b: FilePath.Component, _ flags: CUnsignedInt) -> CInt {
    a.withPlatformString { a in
      b.withPlatformString { b in csys_renameat2(descriptor, a, descriptor, b, flags) }
    }
  }

  /// Removes a name. That it is gone already is fine.
  package func remove(_ name: FilePath.Component) throws(FileError) {
    guard name.withPlatformString({ unlinkat(descriptor, $0, 0) }) == 0 || errno == ENOENT else {
      throw FileError(errno: errno, doing: "remove the scratch file beside it")
    }
  }

  /// Waits until all that was written to this file system, names included, is on the disk.
  func synchronizeVolume() throws(FileError) {
    guard csys_syncfs(descriptor) == 0 else { throw FileError(errno: errno, doing: "bring it to the disk") }
  }

  /// Refuses where `chattr` says that no name can be taken out of it.
  func refuseIfMarked() throws(FileError) {
    if let mark = Mark("", in: self) { throw mark.refusal("its folder is", "that") }
  }

  /// Refuses where no name can be taken out of it.
  package func requireWritable() throws(FileError) {
    try refuseIfMarked()
    guard faccessat(descriptor, ".", W_OK | X_OK, AT_EACCESS) == 0 else {
      throw FileError(errno: errno, doing: "write in its folder")
    }
  }

  /// Every name in it but `.` and `..`, in no order.
  package func names() throws(FileError) -> [FilePath.Component] {
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { throw FileError(errno: errno, doing: "list its folder") }
    let listing = try FolderListing(owning: copy)
    var names: [FilePath.Component] = []
    while let entry = try listing.next() { names.append(entry.name) }
    return names
  }
}

/// Where a photo is: its folder and its name in it, symbolic links resolved once.
package struct DirectoryEntry: Sendable {
  package let folder: Directory
  package let name: FilePath.Component

  package init(resolving path: FilePath) throws(FileError) {
    guard let resolved = path.withPlatformString({ realpath($0, nil) }) else {
      throw FileError(errno: errno, doing: "find it")
    }
    defer { free(resolved) }
    let whole = FilePath(platformString: resolved)
    guard let name = whole.lastComponent else { throw FileError(.unsupported, "is not a regular file") }
    self.init(try Directory(whole.removingLastComponent()), name)
  }

  package init(_ folder: Directory, _ name: FilePath.Component) {
    self.folder = folder
    self.name = name
  }

  /// The photo, for reading; what is cached of it and clean is forgotten.
  package func open() throws(FileError) -> FileSource {
    let descriptor = try folder.open(name, O_RDONLY)
    defer { close(descriptor) }
    return try FileSource(reopening: descriptor)
  }

  /// Refuses a file whose bytes, name and times `chattr` has fixed.
  func refuseIfMarked() throws(FileError) {
    if let mark = name.withPlatformString({ Mark($0, in: folder) }) { throw mark.refusal("is", "it") }
  }

  /// Refuses a file that may not, or should not, be written.
  func refuseUnlessWritable(_ status: stat) throws(FileError) {
    try refuseIfMarked()
    guard name.withPlatformString({ faccessat(folder.descriptor, $0, W_OK, AT_EACCESS) }) != 0 else { return }
    switch errno {
    case EROFS: throw FileError(.refused, "is on a file system that is mounted read-only")
    case EACCES where status.st_mode & 0o222 == 0:
      throw FileError(.refused, "is write-protected, and is left so; to change it, run chmod u+w on it first")
    case EACCES: throw FileError(.refused, "belongs to someone who does not let you write it")
    // Where the system doesn't say what is marked.
    case EPERM: throw FileError(.refused, "is marked immutable; to change it, run chattr -i on it first")
    case let code: throw FileError(errno: code, doing: "write it")
    }
  }
}

/// What `chattr` marked a file or folder with, so that even its owner can't change it.
private enum Mark: String {
  case appendOnly = "append-only"
  case immutable

  /// Of a name in `folder`, or of the folder for "".
  init?(_ name: UnsafePointer<CChar>, in folder: Directory) {
    switch csys_marks(folder.descriptor, name) {
    case let marks where marks & csys_marked_immutable != 0: self = .immutable
    case let marks where marks & csys_marked_append_only != 0: self = .appendOnly
    default: return nil
    }
  }

  func refusal(_ whatIs: String, _ what: String) -> FileError {
    let letter = self == .immutable ? "i" : "a"
    return FileError(
      .refused, "\(whatIs) marked \(rawValue); to change it, run chattr -\(letter) on \(what) first")
  }
}
