import Glibc
package import SystemPackage

/// Writes a new file that is not part of a run: the journal doesn't record it, and it never overwrites another file.
package enum FreshFile {
  /// - Throws: `.conflict` if something exists at `path`; `.io` if the file can't be written, in which case nothing is
  ///   left.
  package static func write(_ bytes: [UInt8], to path: FilePath) throws(FileError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = path.withPlatformString { open($0, flags, 0o666) }
    guard descriptor >= 0 else {
      if errno == EEXIST { throw FileError(.alreadyExists, "already exists", remedy: .chooseAnotherName) }
      throw FileError(errno: errno, doing: "make it")
    }
    defer { close(descriptor) }
    do throws(FileError) {
      try descriptor.write(bytes, at: 0)
      try descriptor.synchronize()
    } catch {
      _ = path.withPlatformString { unlink($0) }
      throw error
    }
  }
}
