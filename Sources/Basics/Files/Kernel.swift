import CSys
package import Glibc
package import SystemPackage

/// The kernel's file systems.
package struct Kernel: FileSystem {
  package init() {}

  package func openat(_ folder: CInt, _ path: UnsafePointer<CChar>, _ flags: CInt, _ mode: mode_t) -> CInt {
    Glibc.openat(folder, path, flags, mode)
  }
  package func fstatat(
    _ folder: CInt, _ path: UnsafePointer<CChar>, _ status: inout stat, _ flags: CInt
  ) -> CInt { Glibc.fstatat(folder, path, &status, flags) }
  package func faccessat(_ folder: CInt, _ path: UnsafePointer<CChar>, _ mode: CInt) -> CInt {
    Glibc.faccessat(folder, path, mode, AT_EACCESS)
  }
  package func renameat2(
    _ from: CInt, _ old: UnsafePointer<CChar>, _ to: CInt, _ new: UnsafePointer<CChar>, _ flags: CUnsignedInt
  ) -> CInt { csys_renameat2(from, old, to, new, flags) }
  package func unlinkat(_ folder: CInt, _ path: UnsafePointer<CChar>) -> CInt { Glibc.unlinkat(folder, path, 0) }
  package func mkdir(_ path: UnsafePointer<CChar>, _ mode: mode_t) -> CInt { Glibc.mkdir(path, mode) }
  package func realpath(_ path: UnsafePointer<CChar>) -> FilePath? {
    guard let resolved = Glibc.realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return FilePath(platformString: resolved)
  }
  package func names(in folder: CInt) throws(FileError) -> [FilePath.Component] {
    let copy = Glibc.openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { throw FileError(errno: errno, doing: "list its folder") }
    let listing = try FolderListing(owning: copy)
    var names: [FilePath.Component] = []
    while let entry = try listing.next() { names.append(entry.name) }
    return names
  }
  package func marks(_ folder: CInt, _ path: UnsafePointer<CChar>) -> CUnsignedInt { csys_marks(folder, path) }

  package func duplicate(_ file: CInt) -> CInt { fcntl(file, F_DUPFD_CLOEXEC, 0) }
  package func close(_ file: CInt) { _ = Glibc.close(file) }
  package func fstat(_ file: CInt, _ status: inout stat) -> CInt { Glibc.fstat(file, &status) }
  package func pread(_ file: CInt, _ buffer: UnsafeMutableRawBufferPointer, _ position: Int) -> Int {
    Glibc.pread(file, buffer.baseAddress, buffer.count, off_t(position))
  }
  package func pwrite(_ file: CInt, _ bytes: UnsafeRawBufferPointer, _ position: Int) -> Int {
    Glibc.pwrite(file, bytes.baseAddress, bytes.count, off_t(position))
  }
  package func ftruncate(_ file: CInt, _ count: Int) -> CInt { Glibc.ftruncate(file, off_t(count)) }
  package func fallocate(_ file: CInt, _ count: Int) -> CInt { csys_fallocate(file, 0, 0, Int64(count)) }
  package func copyFileRange(_ from: CInt, _ range: Range<Int>, _ to: CInt, _ position: Int) -> Int {
    csys_copy_file_range(from, Int64(range.lowerBound), to, Int64(position), range.count)
  }
  package func nextData(_ file: CInt, from start: Int) -> Range<Int>? {
    let data = lseek(file, off_t(start), csys_seek_data)
    guard data >= 0 else { return errno == ENXIO ? nil : start..<Int.max }
    let hole = lseek(file, data, csys_seek_hole)
    return Int(data)..<(hole > data ? Int(hole) : Int.max)
  }
  package func cloneRange(_ from: CInt, _ range: Range<Int>, _ to: CInt, _ position: Int) -> CInt {
    csys_clone_range(from, Int64(range.lowerBound), range.count, to, Int64(position))
  }
  package func fadvise(_ file: CInt, _ range: Range<Int>, _ advice: CInt) {
    _ = posix_fadvise(file, off_t(range.lowerBound), off_t(range.count), advice)
  }
  package func hasWriter(_ file: CInt) -> Bool { csys_has_writer(file) == 1 }
  package func lock(_ file: CInt) -> Bool { flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK }
  package func unlock(_ file: CInt) { _ = flock(file, LOCK_UN) }

  package func fchmod(_ file: CInt, _ mode: mode_t) -> CInt { Glibc.fchmod(file, mode) }
  package func fchown(_ file: CInt, _ owner: uid_t, _ group: gid_t) -> CInt { Glibc.fchown(file, owner, group) }
  package func futimens(_ file: CInt, _ accessed: timespec, _ modified: timespec) -> CInt {
    Glibc.futimens(file, [accessed, modified])
  }
  package func flistxattr(_ file: CInt, _ names: UnsafeMutableBufferPointer<CChar>) -> Int {
    csys_flistxattr(file, names.baseAddress, names.count)
  }
  package func fgetxattr(
    _ file: CInt, _ name: UnsafePointer<CChar>, _ value: UnsafeMutableRawBufferPointer?
  ) -> Int { csys_fgetxattr(file, name, value?.baseAddress, value?.count ?? 0) }
  package func fsetxattr(_ file: CInt, _ name: UnsafePointer<CChar>, _ value: UnsafeRawBufferPointer) -> CInt {
    csys_fsetxattr(file, name, value.baseAddress, value.count)
  }
  package func fremovexattr(_ file: CInt, _ name: UnsafePointer<CChar>) -> CInt { csys_fremovexattr(file, name) }
  package func copyInodeFlags(_ from: CInt, _ to: CInt) -> CInt { csys_copy_inode_flags(from, to) }

  package func fsync(_ file: CInt) -> CInt { Glibc.fsync(file) }
  package func fdatasync(_ file: CInt) -> CInt { Glibc.fdatasync(file) }
  package func syncfs(_ file: CInt) -> CInt { csys_syncfs(file) }
  package func startWriteback(_ file: CInt) { _ = csys_start_writeback(file) }
  package func fstatfs(_ file: CInt) -> (type: UInt64, blockSize: Int) {
    let volume = csys_fstatfs(file)
    return (volume.magic, Int(volume.block_size))
  }
  package func fstatvfs(_ file: CInt) -> (free: Int, isReadOnly: Bool)? {
    var volume = statvfs()
    guard Glibc.fstatvfs(file, &volume) == 0 else { return nil }
    let free = UInt64(volume.f_bavail).multipliedReportingOverflow(by: UInt64(volume.f_frsize)).partialValue
    return (Int(clamping: free), volume.f_flag & UInt(ST_RDONLY) != 0)
  }
}
