import CSys
import Glibc

extension stat {
  /// Whether we may give the file any time: only its owner can.
  var isOurs: Bool { [0, st_uid].contains(geteuid()) }
}

/// What a file has besides its bytes: owner, mode, extended attributes (access lists among them).
enum Attributes {
  /// Gives the file `to` those of the file `from`. What can't be kept is an error: a photo that loses its access list
  /// is a damaged photo; only a file that is there besides may get another owner.
  static func copy(from: CInt, _ status: stat, to: CInt, keepingOwner: Bool = true) throws(PhotoError) {
    var own = stat()
    guard fstat(to, &own) == 0 else { throw PhotoError(errno: errno, doing: "look at the new file") }
    if (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid) {
      guard fchown(to, status.st_uid, status.st_gid) == 0 || !keepingOwner else {
        throw PhotoError(
          .refused, "belongs to another user or group, which a new file could not keep; let its owner change it")
      }
    }
    try copyExtended(from: from, to: to)
    // After the owner: changing that clears the set-id bits.
    // A protected photo's sidecar is there to be changed.
    let mode = status.st_mode & 0o7777 | (keepingOwner ? 0 : S_IWUSR)
    guard fchmod(to, mode) == 0 else { throw PhotoError(errno: errno, doing: "keep its mode") }
  }

  private static func copyExtended(from: CInt, to: CInt) throws(PhotoError) {
    let wanted = try names(from)
    // A folder's default access list is put on every new file in it, wanted or not.
    for name in try names(to) where !wanted.contains(name) {
      // XFS shows an access list under two names; with the one, the other goes.
      guard name.withUnsafeBufferPointer({ csys_fremovexattr(to, $0.baseAddress) }) == 0 || errno == ENODATA else {
        throw PhotoError(errno: errno, doing: "keep its extended attributes")
      }
    }
    for name in wanted {
      let value = try value(name, of: from)
      let done = name.withUnsafeBufferPointer { name in
        value.withUnsafeBytes { csys_fsetxattr(to, name.baseAddress, $0.baseAddress, $0.count) }
      }
      guard done == 0 else {
        let shown = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        throw PhotoError(errno: errno, doing: "keep its extended attribute \(shown)")
      }
    }
  }

  /// Names with their final zero.
  private static func names(_ descriptor: CInt) throws(PhotoError) -> [[CChar]] {
    // The kernel's XATTR_LIST_MAX.
    var failure: CInt = 0
    let list = [CChar](unsafeUninitializedCapacity: 65_536) { buffer, filled in
      let count = csys_flistxattr(descriptor, buffer.baseAddress, buffer.count)
      if count < 0 { failure = errno }
      filled = max(0, count)
    }
    guard failure == 0 || failure == EOPNOTSUPP else {
      throw PhotoError(errno: failure, doing: "read its extended attributes")
    }
    return list.split(separator: 0).map { Array($0) + [0] }
  }

  private static func value(_ name: [CChar], of descriptor: CInt) throws(PhotoError) -> [UInt8] {
    let size = name.withUnsafeBufferPointer { csys_fgetxattr(descriptor, $0.baseAddress, nil, 0) }
    var failure: CInt = size < 0 ? errno : 0
    let value = [UInt8](unsafeUninitializedCapacity: max(0, size)) { buffer, filled in
      guard size > 0 else { return }
      let count = name.withUnsafeBufferPointer {
        csys_fgetxattr(descriptor, $0.baseAddress, buffer.baseAddress, buffer.count)
      }
      if count < 0 { failure = errno }
      filled = max(0, count)
    }
    guard failure == 0 else { throw PhotoError(errno: failure, doing: "read its extended attributes") }
    return value
  }

  /// Sets the times of last access and of last change, each unless nil. After everything else is written.
  static func setTimes(_ descriptor: CInt, accessed: timespec?, modified: FileTime?) throws(PhotoError) {
    let same = timespec(tv_sec: 0, tv_nsec: csys_utime_omit)
    let times = [accessed ?? same, modified?.timespec ?? same]
    guard futimens(descriptor, times) == 0 else { throw PhotoError(errno: errno, doing: "keep its times") }
  }
}
