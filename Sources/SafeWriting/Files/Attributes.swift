import CSys
import Glibc

/// Rights of this process on a file.
extension stat {
  /// Whether this process may set any time on the file: only its owner and root can.
  var isOurs: Bool { [0, st_uid].contains(geteuid()) }
}

/// Copies what a file has in addition to its bytes: owner, mode, and extended attributes, including access control
/// lists.
enum Attributes {
  /// Copies the attributes of the file `from` to the file `to`. An attribute that can't be kept is an error: a photo
  /// that loses its access control list is damaged. Only with `keepingOwner: false` may the new file get another owner.
  static func copy(from: borrowing Descriptor, _ status: stat, to: borrowing Descriptor, keepingOwner: Bool = true)
    throws(FileError)
  {
    let own = try to.status(doing: "read the attributes of the new file")
    if (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid) {
      guard to.system.fchown(to.rawValue, status.st_uid, status.st_gid) == 0 || !keepingOwner else {
        throw own.st_uid == status.st_uid
          ? FileError(
            .foreignOwner, "belongs to a group of others, which a new file can't preserve", remedy: .changeGroup)
          : FileError(
            .foreignOwner, "belongs to another user, which a new file can't preserve", remedy: .letOwnerChange)
      }
    }
    try copyExtended(from: from, to: to)
    if keepingOwner { try copyMarks(from: from, to: to) }
    // After the owner, because changing that clears the set-id bits. With `keepingOwner: false`, the copy must be
    // writable (the sidecar of a protected photo will be changed) and must not get set-id bits.
    try setMode(keepingOwner ? status.st_mode & 0o7777 : status.st_mode & 0o1777 | S_IWUSR, to)
  }

  /// Sets the mode. File systems without modes report the same mode for all files.
  private static func setMode(_ mode: mode_t, _ file: borrowing Descriptor) throws(FileError) {
    let now = try file.status(doing: "read the attributes of the new file")
    guard now.st_mode & 0o7777 != mode else { return }
    let error = file.system.fchmod(file.rawValue, mode) == 0 ? 0 : errno
    switch error {
    case 0: break
    case EPERM, ENOSYS, EOPNOTSUPP:
      throw FileError(
        .attributesNotKept, "its file system can't preserve its mode in a new file", remedy: .changeOnOtherDisk)
    default: throw FileError(errno: error, doing: "preserve its mode")
    }
    // The kernel drops the set-group-id bit without an error if we aren't in the file's group.
    guard mode & (S_ISUID | S_ISGID) != 0 else { return }
    guard try file.status(doing: "read the attributes of the new file").st_mode & 0o7777 == mode else {
      throw FileError(
        .attributesNotKept, "has a set-user-ID or set-group-ID bit, which a new file can't preserve",
        remedy: .removeSetID)
    }
  }

  /// Copies the chattr attributes that don't restrict writing: `d`, `A`, `S`.
  private static func copyMarks(from: borrowing Descriptor, to: borrowing Descriptor) throws(FileError) {
    guard to.system.copyInodeFlags(from.rawValue, to.rawValue) == 0 else {
      throw FileError(errno: errno, doing: "preserve its chattr attributes")
    }
  }

  /// Whether writing to the file would remove something from it: set-id bits or capabilities.
  static func isStripped(byWriting file: borrowing Descriptor, _ status: stat) -> Bool {
    status.st_mode & (S_ISUID | S_ISGID) != 0 || file.system.fgetxattr(file.rawValue, "security.capability", nil) >= 0
  }

  private static func copyExtended(from: borrowing Descriptor, to: borrowing Descriptor) throws(FileError) {
    let wanted = try names(from)
    // A folder's default access control list is applied to every new file in it, so remove what the original doesn't
    // have.
    for name in try names(to) where !wanted.contains(name) {
      // XFS reports an access control list under two names; removing one removes the other.
      guard to.system.fremovexattr(to.rawValue, name) == 0 || errno == ENODATA else {
        throw FileError(errno: errno, doing: "preserve its extended attributes")
      }
    }
    for name in wanted {
      let value = try value(name, of: from)
      guard value.withUnsafeBytes({ to.system.fsetxattr(to.rawValue, name, $0) }) == 0 else {
        let shown = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        throw FileError(errno: errno, doing: "preserve its extended attribute \(shown)")
      }
    }
  }

  /// Returns the names of the extended attributes, each with its final zero.
  private static func names(_ file: borrowing Descriptor) throws(FileError) -> [[CChar]] {
    // XATTR_LIST_MAX of the kernel.
    var failure: CInt = 0
    let list = [CChar](unsafeUninitializedCapacity: 65_536) { buffer, filled in
      let count = file.system.flistxattr(file.rawValue, buffer)
      if count < 0 { failure = errno }
      filled = max(0, count)
    }
    guard failure == 0 || failure == EOPNOTSUPP else {
      throw FileError(errno: failure, doing: "read its extended attributes")
    }
    return list.split(separator: 0).map { Array($0) + [0] }
  }

  private static func value(_ name: [CChar], of file: borrowing Descriptor) throws(FileError) -> [UInt8] {
    let size = file.system.fgetxattr(file.rawValue, name, nil)
    var failure: CInt = size < 0 ? errno : 0
    let value = [UInt8](unsafeUninitializedCapacity: max(0, size)) { buffer, filled in
      guard size > 0 else { return }
      let count = file.system.fgetxattr(file.rawValue, name, UnsafeMutableRawBufferPointer(buffer))
      if count < 0 { failure = errno }
      filled = max(0, count)
    }
    guard failure == 0 else { throw FileError(errno: failure, doing: "read its extended attributes") }
    return value
  }

  /// Sets the access and modification times, each unless nil. Call it after everything else is written.
  static func setTimes(_ file: borrowing Descriptor, accessed: timespec?, modified: FileTime?) throws(FileError) {
    // File systems that use libfuse 2 ignore the call if one time is omitted, so the access time is always given. An
    // omitted modification time must stay omitted: another program may be writing.
    let now = try file.status(doing: "preserve its times")
    let modified = modified?.timespec ?? timespec(tv_sec: 0, tv_nsec: csys_utime_omit)
    guard file.system.futimens(file.rawValue, accessed ?? now.st_atim, modified) == 0 else {
      throw FileError(errno: errno, doing: "preserve its times")
    }
  }
}
