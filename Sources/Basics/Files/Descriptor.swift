package import Glibc
package import SystemPackage

/// An open file, or an open folder, of a file system. It is closed at the end of the value's life.
package struct Descriptor: ~Copyable, Sendable {
  package let rawValue: CInt
  package let system: any FileSystem

  /// Takes ownership of an open file.
  package init(owning rawValue: CInt, of system: any FileSystem = Kernel()) {
    self.rawValue = rawValue
    self.system = system
  }

  /// Opens a path.
  /// - Parameter act: The purpose, for an error, such as "open it".
  package init(_ path: FilePath, _ flags: CInt, mode: mode_t = 0, doing act: String) throws(FileError) {
    let system = FileSystems.current
    let rawValue = path.withPlatformString { system.openat(AT_FDCWD, $0, flags | O_CLOEXEC, mode) }
    guard rawValue >= 0 else { throw FileError(errno: errno, doing: act) }
    self.init(owning: rawValue, of: system)
  }

  deinit { system.close(rawValue) }

  /// Returns another descriptor of the same open file.
  package func duplicate() throws(FileError) -> Descriptor {
    let copy = system.duplicate(rawValue)
    guard copy >= 0 else { throw FileError(errno: errno, doing: "read it back") }
    return Descriptor(owning: copy, of: system)
  }

  /// Returns the status of the file.
  /// - Parameter act: The purpose, for an error.
  package func status(doing act: String = "read its attributes again") throws(FileError) -> stat {
    var status = stat()
    guard system.fstat(rawValue, &status) == 0 else { throw FileError(errno: errno, doing: act) }
    return status
  }

  /// Reads a range of bytes.
  package func read(_ range: Range<Int>) throws(FileError) -> Bytes {
    var failure: CInt = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
      while filled < range.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<range.count])
        let n = system.pread(rawValue, rest, range.lowerBound + filled)
        if n < 0, errno == EINTR { continue }
        if n < 0 { failure = errno }
        if n <= 0 { break }
        filled += n
      }
    }
    if failure != 0 { throw FileError(errno: failure, doing: "read it", at: range.lowerBound) }
    guard bytes.count == range.count else {
      throw FileError(
        .changedDuringRead, "the file was truncated while it was being read", at: range.lowerBound + bytes.count)
    }
    return Bytes(bytes, base: range.lowerBound)
  }

  /// Writes all of `bytes` at `position`.
  package func write(_ bytes: [UInt8], at position: Int) throws(FileError) {
    var failure: CInt = 0
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count, failure == 0 {
        let count = system.pwrite(rawValue, UnsafeRawBufferPointer(rebasing: buffer[done...]), position + done)
        if count >= 0 { done += count } else if errno != EINTR { failure = errno }
      }
    }
    guard failure == 0 else { throw FileError(errno: failure, doing: "write it", at: position) }
  }

  /// Drops the file's clean pages from the page cache, so that the disk answers: after a failed write the cache may
  /// show bytes that the disk does not hold.
  package func forget() { system.fadvise(rawValue, 0..<0, POSIX_FADV_DONTNEED) }

  /// Drops the cached pages that hold `range`; whole pages, because partial ones are not dropped.
  package func forget(_ range: Range<Int>) {
    // The largest page size in use.
    let page = 65_536
    let (start, end) = (range.lowerBound / page * page, (range.upperBound + page - 1) / page * page)
    system.fadvise(rawValue, start..<end, POSIX_FADV_DONTNEED)
  }

  /// Asks the kernel to start reading `range`.
  package func ask(for range: Range<Int>) { system.fadvise(rawValue, range, POSIX_FADV_WILLNEED) }

  /// Waits until this file's bytes are on disk.
  package func synchronize() throws(FileError) {
    guard system.fdatasync(rawValue) == 0 else { throw FileError(errno: errno, doing: "flush it to disk") }
  }

  /// Waits until this file's bytes and attributes, or this folder's names, are on disk.
  package func synchronizeAll(doing act: String = "flush it to disk") throws(FileError) {
    guard system.fsync(rawValue) == 0 else { throw FileError(errno: errno, doing: act) }
  }

  /// Waits until everything written to its file system, names included, is on disk.
  package func synchronizeVolume() throws(FileError) {
    guard system.syncfs(rawValue) == 0 else { throw FileError(errno: errno, doing: "flush it to disk") }
  }
}

/// Paths in the current file system.
extension FilePath {
  /// Returns the status of the file here; nil and `errno` if it can't be read.
  package func status(followingLinks: Bool) -> Glibc.stat? {
    var status = Glibc.stat()
    let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
    let result = withPlatformString { FileSystems.current.fstatat(AT_FDCWD, $0, &status, flags) }
    return result == 0 ? status : nil
  }

  /// Returns the absolute path without symbolic links; nil and `errno` on failure.
  package var resolved: FilePath? { withPlatformString { FileSystems.current.realpath($0) } }

  /// Throws if less than `least` bytes are free on the disk of this folder. A folder that can't be opened is ignored.
  package func requireRoom(_ least: Int) throws(FileError) {
    let folder: FilePath = isEmpty ? "." : self
    guard let descriptor = try? Descriptor(folder, O_RDONLY | O_DIRECTORY, doing: "open it") else { return }
    guard let free = descriptor.system.fstatvfs(descriptor.rawValue)?.free, free < least else { return }
    throw FileError(.diskFull, "the disk of \(folder) is full", remedy: .freeSpace(least - free))
  }

  /// Removes the name; nothing happens if there is none.
  package func unlink() { _ = withPlatformString { FileSystems.current.unlinkat(AT_FDCWD, $0) } }
}
