import CSys
package import Glibc
package import SystemPackage

/// An open folder. Operations on its names stay within this folder, whatever happens to its path in the meantime.
package final class Directory: Sendable {
  package let path: FilePath
  package let descriptor: CInt

  package init(_ path: FilePath) throws(FileError) {
    descriptor = path.withPlatformString { Glibc.open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw FileError(errno: errno, doing: "open its folder") }
    self.path = path
  }

  /// Opens the folder by its canonical path, because journals record it. The empty path is the working directory.
  package convenience init(resolving path: FilePath) throws(FileError) {
    let spelled: FilePath = path.isEmpty ? "." : path
    guard let resolved = spelled.withPlatformString({ realpath($0, nil) }) else {
      throw FileError(errno: errno, doing: "find its folder")
    }
    defer { free(resolved) }
    try self.init(FilePath(platformString: resolved))
  }

  /// Opens the same folder a second time.
  package init(again folder: Directory) throws(FileError) {
    descriptor = openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(errno: errno, doing: "open its folder") }
    path = folder.path
  }

  deinit { close(descriptor) }

  /// Whether its path still leads to this folder.
  var isStillThere: Bool {
    var (here, there) = (stat(), stat())
    return fstat(descriptor, &here) == 0 && path.withPlatformString { lstat($0, &there) } == 0
      && here.st_dev == there.st_dev && here.st_ino == there.st_ino
  }

  /// The device number of its file system.
  package var device: UInt64 {
    get throws(FileError) { try FileIdentity(of: descriptor).device }
  }

  /// Returns the status of `name`, without following a symbolic link; nil if there is no such entry.
  package func status(of name: FilePath.Component) throws(FileError) -> stat? {
    var status = stat()
    if name.withPlatformString({ fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }) == 0 { return status }
    guard errno == ENOENT else { throw FileError(errno: errno, doing: "read its attributes again") }
    return nil
  }

  package func identity(of name: FilePath.Component) throws(FileError) -> FileIdentity? {
    try status(of: name).map(FileIdentity.init)
  }

  /// Opens the regular file at `name`, without following a symbolic link.
  package func open(_ name: FilePath.Component, _ flags: CInt) throws(FileError) -> CInt {
    let flags = flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let descriptor = name.withPlatformString { openat(self.descriptor, $0, flags) }
    guard descriptor >= 0 else { throw FileError(errno: errno, doing: "open it") }
    return descriptor
  }

  /// Creates a file that only its owner can access, and opens it.
  package func create(_ name: FilePath.Component) throws(FileError) -> CInt {
    let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | csys_o_noatime
    let descriptor = name.withPlatformString { openat(self.descriptor, $0, flags, 0o600) }
    guard descriptor >= 0 else { throw FileError(errno: errno, doing: "create a file next to it") }
    return descriptor
  }

  /// Exchanges the files of two names in one step: both names exist at every instant. Returns false if the file system
  /// can't.
  package func exchange(_ a: FilePath.Component, _ b: FilePath.Component) throws(FileError) -> Bool {
    if rename(a, b, csys_rename_exchange) == 0 { return true }
    guard errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP else {
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
    a.withPlatformString { a in
      b.withPlatformString { b in csys_renameat2(descriptor, a, other?.descriptor ?? descriptor, b, flags) }
    }
  }

  /// Removes a name. It is not an error if the name does not exist.
  package func remove(_ name: FilePath.Component) throws(FileError) {
    guard name.withPlatformString({ unlinkat(descriptor, $0, 0) }) == 0 || errno == ENOENT else {
      throw FileError(errno: errno, doing: "remove the scratch file next to it")
    }
  }

  /// Waits until everything written to this file system, names included, is on disk.
  func synchronizeVolume() throws(FileError) {
    guard csys_syncfs(descriptor) == 0 else { throw FileError(errno: errno, doing: "flush it to disk") }
  }

  /// Throws if a `chattr` attribute prevents names from being removed from this folder.
  func refuseIfMarked() throws(FileError) {
    if let mark = Mark("", in: self) { throw mark.refusal(isFolder: true) }
  }

  /// Throws if names can't be removed from this folder.
  package func requireWritable() throws(FileError) {
    try refuseIfMarked()
    guard faccessat(descriptor, ".", W_OK | X_OK, AT_EACCESS) == 0 else {
      throw FileError(errno: errno, doing: "write to its folder")
    }
  }

  /// Returns every name in the folder except `.` and `..`, in no particular order.
  package func names() throws(FileError) -> [FilePath.Component] {
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { throw FileError(errno: errno, doing: "list its folder") }
    let listing = try FolderListing(owning: copy)
    var names: [FilePath.Component] = []
    while let entry = try listing.next() { names.append(entry.name) }
    return names
  }
}

/// The location of a photo: its folder and its name there. Symbolic links are resolved once.
package struct DirectoryEntry: Sendable {
  package let folder: Directory
  package let name: FilePath.Component

  package init(resolving path: FilePath) throws(FileError) {
    guard let resolved = path.withPlatformString({ realpath($0, nil) }) else {
      throw FileError(errno: errno, doing: "find it")
    }
    defer { free(resolved) }
    let whole = FilePath(platformString: resolved)
    guard let name = whole.lastComponent else { throw FileError(.notRegularFile, "is not a regular file") }
    self.init(try Directory(whole.removingLastComponent()), name)
  }

  package init(_ folder: Directory, _ name: FilePath.Component) {
    self.folder = folder
    self.name = name
  }

  /// Opens the photo for reading, and drops its clean pages from the page cache.
  package func open() throws(FileError) -> FileSource {
    let descriptor = try folder.open(name, O_RDONLY)
    defer { close(descriptor) }
    return try FileSource(reopening: descriptor)
  }

  /// Throws if a `chattr` attribute protects the file's bytes, name and times.
  func refuseIfMarked() throws(FileError) {
    if let mark = name.withPlatformString({ Mark($0, in: folder) }) { throw mark.refusal(isFolder: false) }
  }

  /// Throws if the file can't be written, or is write-protected.
  func refuseUnlessWritable(_ status: stat) throws(FileError) {
    try refuseIfMarked()
    guard name.withPlatformString({ faccessat(folder.descriptor, $0, W_OK, AT_EACCESS) }) != 0 else { return }
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
    switch csys_marks(folder.descriptor, name) {
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

/// A folder listing that is read entry by entry.
package struct FolderListing: ~Copyable {
  private let stream: OpaquePointer

  /// Lists the folder at `path`.
  package init(_ path: FilePath) throws(FileError) {
    guard let stream = path.withPlatformString({ opendir($0) }) else {
      throw FileError(errno: errno, doing: "read the folder")
    }
    self.stream = stream
  }

  /// Lists the folder that `descriptor` refers to. Closes `descriptor` in the end.
  package init(owning descriptor: CInt) throws(FileError) {
    guard let stream = fdopendir(descriptor) else {
      let error = errno
      close(descriptor)
      throw FileError(errno: error, doing: "read the folder")
    }
    self.stream = stream
  }

  deinit { closedir(stream) }

  /// One entry of a folder.
  package struct Entry {
    package let name: FilePath.Component
    /// Whether the listing reports a folder. Not all file systems report the type.
    package let isFolder: Bool
    /// Whether the listing reports a regular file.
    package let isFile: Bool

    package init(name: FilePath.Component, isFolder: Bool, isFile: Bool) {
      self.name = name
      self.isFolder = isFolder
      self.isFile = isFile
    }

    /// Whether the name begins with a dot.
    package var isHidden: Bool { name.withPlatformString { $0[0] } == CInterop.PlatformChar(UInt8(ascii: ".")) }
  }

  /// Returns the next entry other than `.` and `..`, in no particular order; nil at the end.
  ///
  /// - Throws: If the file system can't continue; otherwise the folder would seem to end there.
  package func next() throws(FileError) -> Entry? {
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        let error = errno
        guard error == 0 else { throw FileError(errno: error, doing: "read the whole folder") }
        return nil
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CInterop.PlatformChar.self, capacity: Int(NAME_MAX) + 1) {
          FilePath.Component(platformString: $0)
        }
      }
      guard let name, name.kind == .regular else { continue }
      let type = entry.pointee.d_type
      return Entry(name: name, isFolder: type == UInt8(DT_DIR), isFile: type == UInt8(DT_REG))
    }
  }
}
