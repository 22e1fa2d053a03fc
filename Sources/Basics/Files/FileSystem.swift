package import Glibc
package import SystemPackage

/// The system calls by which photos are read and changed.
///
/// A function named after a call of section 2 of the manual pages does and returns what that call does: −1 and `errno` on
/// failure. `Kernel` makes the calls. Tests put a simulated disk in its place, which can fail or lose power at any call.
///
/// Only the opening of a file looks up the current file system. The open file then stays with it.
package protocol FileSystem: Sendable {
  // MARK: Names

  /// Opens `path`, relative to the open folder or to `AT_FDCWD`.
  func openat(_ folder: CInt, _ path: UnsafePointer<CChar>, _ flags: CInt, _ mode: mode_t) -> CInt
  func fstatat(_ folder: CInt, _ path: UnsafePointer<CChar>, _ status: inout stat, _ flags: CInt) -> CInt
  /// Checks the rights of the effective user.
  func faccessat(_ folder: CInt, _ path: UnsafePointer<CChar>, _ mode: CInt) -> CInt
  func renameat2(
    _ from: CInt, _ old: UnsafePointer<CChar>, _ to: CInt, _ new: UnsafePointer<CChar>, _ flags: CUnsignedInt
  ) -> CInt
  func unlinkat(_ folder: CInt, _ path: UnsafePointer<CChar>) -> CInt
  func mkdir(_ path: UnsafePointer<CChar>, _ mode: mode_t) -> CInt
  /// Returns the absolute path without symbolic links; nil and `errno` on failure.
  func realpath(_ path: UnsafePointer<CChar>) -> FilePath?
  /// Returns every name in an open folder except `.` and `..`, in no particular order.
  func names(in folder: CInt) throws(FileError) -> [FilePath.Component]
  /// Returns the `chattr` attributes that protect a name, or the folder itself for "": the bits of
  /// `csys_marked_append_only` and `csys_marked_immutable`.
  func marks(_ folder: CInt, _ path: UnsafePointer<CChar>) -> CUnsignedInt

  // MARK: Open files

  func duplicate(_ file: CInt) -> CInt
  func close(_ file: CInt)
  func fstat(_ file: CInt, _ status: inout stat) -> CInt
  func pread(_ file: CInt, _ buffer: UnsafeMutableRawBufferPointer, _ position: Int) -> Int
  func pwrite(_ file: CInt, _ bytes: UnsafeRawBufferPointer, _ position: Int) -> Int
  func ftruncate(_ file: CInt, _ count: Int) -> CInt
  func fallocate(_ file: CInt, _ count: Int) -> CInt
  func copyFileRange(_ from: CInt, _ range: Range<Int>, _ to: CInt, _ position: Int) -> Int
  /// Returns the next range from `start` that the disk stores; nil if nothing but a hole follows (`SEEK_DATA`).
  func nextData(_ file: CInt, from start: Int) -> Range<Int>?
  /// Shares blocks of two files (`FICLONERANGE`).
  func cloneRange(_ from: CInt, _ range: Range<Int>, _ to: CInt, _ position: Int) -> CInt
  /// Gives advice about a range; all of the file if it is empty.
  func fadvise(_ file: CInt, _ range: Range<Int>, _ advice: CInt)
  /// Whether another program has the file, which is open only for reading, open for writing; false if unknown.
  func hasWriter(_ file: CInt) -> Bool
  /// Takes the advisory lock of an open file (`flock`); false if it is taken.
  func lock(_ file: CInt) -> Bool
  func unlock(_ file: CInt)

  // MARK: Attributes

  func fchmod(_ file: CInt, _ mode: mode_t) -> CInt
  func fchown(_ file: CInt, _ owner: uid_t, _ group: gid_t) -> CInt
  func futimens(_ file: CInt, _ accessed: timespec, _ modified: timespec) -> CInt
  func flistxattr(_ file: CInt, _ names: UnsafeMutableBufferPointer<CChar>) -> Int
  func fgetxattr(_ file: CInt, _ name: UnsafePointer<CChar>, _ value: UnsafeMutableRawBufferPointer?) -> Int
  func fsetxattr(_ file: CInt, _ name: UnsafePointer<CChar>, _ value: UnsafeRawBufferPointer) -> CInt
  func fremovexattr(_ file: CInt, _ name: UnsafePointer<CChar>) -> CInt
  /// Copies the `chattr` attributes that don't restrict writing.
  func copyInodeFlags(_ from: CInt, _ to: CInt) -> CInt

  // MARK: Disks

  func fsync(_ file: CInt) -> CInt
  func fdatasync(_ file: CInt) -> CInt
  func syncfs(_ file: CInt) -> CInt
  /// Starts to write dirty pages without waiting (`sync_file_range`).
  func startWriteback(_ file: CInt)
  /// Returns the type of the file system (`f_type`; 0 if unknown) and its block size in bytes.
  func fstatfs(_ file: CInt) -> (type: UInt64, blockSize: Int)
  /// Returns the number of free bytes and whether the file system is mounted read-only; nil on failure.
  func fstatvfs(_ file: CInt) -> (free: Int, isReadOnly: Bool)?
}

/// The file system that paths lead to.
package enum FileSystems {
  /// The kernel's, except in tests that simulate one.
  @TaskLocal package static var current: any FileSystem = Kernel()
}
