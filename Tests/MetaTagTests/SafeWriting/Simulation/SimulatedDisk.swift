@testable import SafeWriting
import CSys
import Glibc
import SystemPackage
import TestSupport

@testable import MetaTag

/// A file system in memory whose disk lags behind: what isn't flushed may be lost in a power failure, in part and in any
/// order. It can fail or lose power at any call that changes something.
///
/// A test uses it on one thread.
final class SimulatedDisk: FileSystem, @unchecked Sendable {
  /// The kinds of file systems.
  enum Kind: CaseIterable {
    case ext4
    /// Shares blocks, so nothing is edited in place.
    case xfs
    /// Can't exchange names.
    case nfs
    /// May lose the content of a file whose name changed.
    case fat

    var type: UInt64 {
      switch self {
      case .ext4: csys_magic_ext
      case .xfs: csys_magic_xfs
      case .nfs: 0x6969
      case .fat: csys_magic_fat
      }
    }
  }

  enum Fault: Equatable {
    case powerFailure
    case error(CInt)
    /// Half of the bytes are written.
    case shortWrite
  }

  static let sector = 512

  let kind: Kind
  /// The device number, which may change with a restart.
  let device: UInt
  /// The files as programs see them.
  private(set) var live: DiskImage
  /// The steps that a power failure leaves for certain.
  private(set) var durable: DiskImage
  /// The steps that may or may not be on disk, too.
  private(set) var pending: [DiskImage.Step] = []
  /// The number of calls so far that change something, those of the journal included.
  private(set) var callCount = 0
  /// The faults, by the number of the call that they hit.
  var faults: [Int: Fault] = [:]
  /// The acts of another program just before a call.
  var intrusions: [Int: (SimulatedDisk) -> Void] = [:]
  private(set) var isOff = false
  /// Sectors that a failed flush dropped: the cache shows other bytes than the disk has.
  private var dropped: [(inode: Int, range: Range<Int>)] = []
  private var open: [CInt: Int] = [:]
  private var nextDescriptor: CInt = 1000
  private var nextInode: Int
  private let start: FileTime

  init(_ image: DiskImage, _ kind: Kind, device: UInt = 0xF00, now start: FileTime) {
    (live, durable, self.kind, self.device, self.start) = (image, image, kind, device, start)
    nextInode = 1 + max(image.files.keys.max() ?? 0, image.folders.keys.max() ?? 1)
  }

  /// The time of the clock, which advances by a millisecond with every call.
  var now: FileTime {
    let nanoseconds = start.nanoseconds + callCount * 1_000_000
    return FileTime(seconds: start.seconds + nanoseconds / 1_000_000_000, nanoseconds: nanoseconds % 1_000_000_000)
  }

  /// Counts a call that changes something. Returns false, with `errno`, if it must not happen.
  func permits() -> Bool {
    guard !isOff else { return fails(EIO) }
    let number = callCount
    intrusions.removeValue(forKey: number)?(self)
    callCount += 1
    switch faults[number] {
    case .powerFailure:
      isOff = true
      return fails(EIO)
    case .error(let code): return fails(code)
    case .shortWrite, nil: return true
    }
  }

  private func fails(_ code: CInt) -> Bool {
    errno = code
    return false
  }

  private func failing(_ code: CInt) -> CInt {
    errno = code
    return -1
  }

  private func change(_ step: DiskImage.Step) {
    live.take(step)
    pending.append(step)
  }

  private func setAttributes(_ inode: Int, _ set: (inout DiskImage.Attributes) -> Void) {
    guard var attributes = live.files[inode]?.attributes else { return }
    set(&attributes)
    attributes.changed = now
    change(.attributes(inode, attributes))
  }

  private func inode(_ folder: CInt, _ path: UnsafePointer<CChar>) -> Int? {
    let bytes = String(cString: path).utf8.map(\.self)
    if bytes.first == 0x2F { return live.inode(at: bytes) }
    guard let folder = open[folder] else { return nil }
    return bytes == [0x2E] || bytes.isEmpty ? folder : live.folders[folder]?[bytes]
  }

  /// Returns the folder and the name of a path that may not exist.
  private func entry(_ folder: CInt, _ path: UnsafePointer<CChar>) -> (folder: Int, name: [UInt8])? {
    let bytes = String(cString: path).utf8.map(\.self)
    guard bytes.first == 0x2F, let slash = bytes.lastIndex(of: 0x2F) else { return open[folder].map { ($0, bytes) } }
    return live.inode(at: Array(bytes[..<slash])).map { ($0, Array(bytes[(slash + 1)...])) }
  }

  private func fill(_ status: inout stat, _ inode: Int) {
    status = stat()
    status.st_dev = device
    status.st_ino = ino_t(inode)
    status.st_blksize = 4096
    guard let file = live.files[inode] else {
      status.st_mode = S_IFDIR | 0o755
      status.st_nlink = 2
      return
    }
    status.st_mode = S_IFREG | file.attributes.mode
    (status.st_uid, status.st_gid) = (file.attributes.owner, file.attributes.group)
    status.st_nlink = nlink_t(live.folders.values.reduce(0) { $0 + $1.values.count { $0 == inode } })
    status.st_size = file.bytes.count
    status.st_blocks = (file.bytes.count + 511) / 512
    status.st_atim = file.attributes.accessed.timespec
    status.st_mtim = file.attributes.modified.timespec
    status.st_ctim = file.attributes.changed.timespec
  }

  private func descriptor(of inode: Int) -> CInt {
    nextDescriptor += 1
    open[nextDescriptor] = inode
    return nextDescriptor
  }

  /// Another program changes the mode of a file. Returns false if there is no such file.
  func intrude(at path: String, mode: mode_t) -> Bool {
    guard let inode = live.inode(at: Array(path.utf8)) else { return false }
    setAttributes(inode) { $0.mode = mode }
    return true
  }

  /// Another program writes to a file, or replaces it.
  func intrude(at path: String, _ bytes: [UInt8], renaming: Bool) {
    let bytesOfPath = Array(path.utf8)
    guard let slash = bytesOfPath.lastIndex(of: 0x2F), let folder = live.inode(at: Array(bytesOfPath[..<slash]))
    else { return }
    let name = Array(bytesOfPath[(slash + 1)...])
    var inode = live.folders[folder]?[name]
    if renaming || inode == nil {
      inode = nextInode
      nextInode += 1
      change(.names([DiskImage.NameChange(folder: folder, name: name, inode: inode)]))
    }
    guard let inode else { return }
    change(.shorten(inode, to: 0))
    change(.bytes(inode, at: 0, bytes))
    setAttributes(inode) { $0.modified = now }
  }
}

// MARK: Names

extension SimulatedDisk {
  func openat(_ folder: CInt, _ path: UnsafePointer<CChar>, _ flags: CInt, _ mode: mode_t) -> CInt {
    guard !isOff else { return failing(EIO) }
    if let inode = inode(folder, path) {
      guard flags & O_EXCL == 0 else { return failing(EEXIST) }
      if flags & O_TRUNC != 0 { change(.shorten(inode, to: 0)) }
      return descriptor(of: inode)
    }
    guard flags & O_CREAT != 0, let (folder, name) = entry(folder, path), live.folders[folder] != nil else {
      return failing(ENOENT)
    }
    guard permits() else { return -1 }
    let inode = nextInode
    nextInode += 1
    change(.names([DiskImage.NameChange(folder: folder, name: name, inode: inode)]))
    setAttributes(inode) { ($0.mode, $0.accessed, $0.modified) = (mode, now, now) }
    return descriptor(of: inode)
  }

  func fstatat(_ folder: CInt, _ path: UnsafePointer<CChar>, _ status: inout stat, _ flags: CInt) -> CInt {
    guard !isOff else { return failing(EIO) }
    guard let inode = inode(folder, path) else { return failing(ENOENT) }
    fill(&status, inode)
    return 0
  }

  func faccessat(_ folder: CInt, _ path: UnsafePointer<CChar>, _ mode: CInt) -> CInt {
    guard !isOff else { return failing(EIO) }
    return inode(folder, path) == nil ? failing(ENOENT) : 0
  }

  func renameat2(
    _ from: CInt, _ old: UnsafePointer<CChar>, _ to: CInt, _ new: UnsafePointer<CChar>, _ flags: CUnsignedInt
  ) -> CInt {
    guard kind != .nfs || flags & csys_rename_exchange == 0 else { return failing(EINVAL) }
    guard permits() else { return -1 }
    guard let source = entry(from, old), let target = entry(to, new), let moved = inode(from, old) else {
      return failing(ENOENT)
    }
    let other = inode(to, new)
    guard flags & csys_rename_noreplace == 0 || other == nil else { return failing(EEXIST) }
    guard flags & csys_rename_exchange == 0 || other != nil else { return failing(ENOENT) }
    change(
      .names([
        DiskImage.NameChange(
          folder: source.folder, name: source.name, inode: flags & csys_rename_exchange == 0 ? nil : other),
        DiskImage.NameChange(folder: target.folder, name: target.name, inode: moved),
      ]))
    for inode in [moved, flags & csys_rename_exchange == 0 ? nil : other].compactMap(\.self) {
      setAttributes(inode) { _ in }
      if kind == .fat, live.files[inode] != nil { pending.append(.lose(inode)) }
    }
    return 0
  }

  func unlinkat(_ folder: CInt, _ path: UnsafePointer<CChar>) -> CInt {
    guard !isOff else { return failing(EIO) }
    guard inode(folder, path) != nil, let (folder, name) = entry(folder, path) else { return failing(ENOENT) }
    guard permits() else { return -1 }
    change(.names([DiskImage.NameChange(folder: folder, name: name, inode: nil)]))
    return 0
  }

  func mkdir(_ path: UnsafePointer<CChar>, _ mode: mode_t) -> CInt {
    guard inode(AT_FDCWD, path) == nil else { return failing(EEXIST) }
    guard let (folder, name) = entry(AT_FDCWD, path), live.folders[folder] != nil else { return failing(ENOENT) }
    guard permits() else { return -1 }
    change(.folder(DiskImage.NameChange(folder: folder, name: name, inode: nextInode)))
    nextInode += 1
    return 0
  }

  func realpath(_ path: UnsafePointer<CChar>) -> FilePath? {
    guard !isOff, inode(AT_FDCWD, path) != nil else {
      errno = isOff ? EIO : ENOENT
      return nil
    }
    return FilePath(platformString: path)
  }

  func names(in folder: CInt) throws(FileError) -> [FilePath.Component] {
    guard !isOff, let inode = open[folder], let names = live.folders[inode] else {
      throw FileError(errno: EIO, doing: "read the folder")
    }
    return names.keys.compactMap { FilePath(bytes: $0).lastComponent }
  }

  func marks(_ folder: CInt, _ path: UnsafePointer<CChar>) -> CUnsignedInt { 0 }
}

// MARK: Open files

extension SimulatedDisk {
  func duplicate(_ file: CInt) -> CInt { open[file].map { descriptor(of: $0) } ?? failing(EBADF) }
  func close(_ file: CInt) { open[file] = nil }

  func fstat(_ file: CInt, _ status: inout stat) -> CInt {
    guard !isOff, let inode = open[file] else { return failing(EIO) }
    fill(&status, inode)
    return 0
  }

  func pread(_ file: CInt, _ buffer: UnsafeMutableRawBufferPointer, _ position: Int) -> Int {
    guard !isOff, let bytes = open[file].flatMap({ live.files[$0]?.bytes }) else { return Int(failing(EIO)) }
    guard position < bytes.count else { return 0 }
    let count = min(buffer.count, bytes.count - position)
    bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[position..<position + count])) }
    return count
  }

  func pwrite(_ file: CInt, _ bytes: UnsafeRawBufferPointer, _ position: Int) -> Int {
    let number = callCount
    guard permits() else { return -1 }
    guard let inode = open[file], !bytes.isEmpty else { return 0 }
    let count = faults[number] == .shortWrite ? (bytes.count + 1) / 2 : bytes.count
    var at = position
    while at < position + count {
      let end = min((at / SimulatedDisk.sector + 1) * SimulatedDisk.sector, position + count)
      change(.bytes(inode, at: at, Array(bytes[at - position..<end - position])))
      at = end
    }
    setAttributes(inode) { $0.modified = now }
    return count
  }

  func ftruncate(_ file: CInt, _ count: Int) -> CInt {
    guard permits() else { return -1 }
    guard let inode = open[file] else { return failing(EBADF) }
    change(.shorten(inode, to: count))
    setAttributes(inode) { $0.modified = now }
    return 0
  }

  func fallocate(_ file: CInt, _ count: Int) -> CInt { failing(EOPNOTSUPP) }

  func copyFileRange(_ from: CInt, _ range: Range<Int>, _ to: CInt, _ position: Int) -> Int {
    guard let bytes = open[from].flatMap({ live.files[$0]?.bytes }), range.lowerBound < bytes.count else { return 0 }
    return bytes[range.clamped(to: 0..<bytes.count)].withUnsafeBytes { pwrite(to, $0, position) }
  }

  func nextData(_ file: CInt, from start: Int) -> Range<Int>? { start..<Int.max }

  func cloneRange(_ from: CInt, _ range: Range<Int>, _ to: CInt, _ position: Int) -> CInt {
    copyFileRange(from, range, to, position) == range.count ? 0 : failing(EIO)
  }

  func fadvise(_ file: CInt, _ range: Range<Int>, _ advice: CInt) {
    guard advice == POSIX_FADV_DONTNEED, let inode = open[file], !isOff else { return }
    for lost in dropped where lost.inode == inode {
      let there = durable.files[inode]?.bytes ?? []
      let bytes = lost.range.map { $0 < there.count ? there[$0] : 0 }
      live.take(.bytes(inode, at: lost.range.lowerBound, bytes))
    }
    dropped.removeAll { $0.inode == inode }
  }

  func hasWriter(_ file: CInt) -> Bool { false }
  func lock(_ file: CInt) -> Bool { true }
  func unlock(_ file: CInt) {}
}

// MARK: Attributes

extension SimulatedDisk {
  private func set(
    _ file: CInt, _ set: (inout DiskImage.Attributes) -> Void
  ) -> CInt {
    guard permits() else { return -1 }
    guard let inode = open[file] else { return failing(EBADF) }
    setAttributes(inode, set)
    return 0
  }

  func fchmod(_ file: CInt, _ mode: mode_t) -> CInt { set(file) { $0.mode = mode } }

  func fchown(_ file: CInt, _ owner: uid_t, _ group: gid_t) -> CInt {
    set(file) { ($0.owner, $0.group) = (owner, group) }
  }

  func futimens(_ file: CInt, _ accessed: timespec, _ modified: timespec) -> CInt {
    set(file) {
      $0.accessed = FileTime(accessed)
      let time = FileTime(modified)
      if time.nanoseconds != csys_utime_omit { $0.modified = time }
    }
  }

  func flistxattr(_ file: CInt, _ names: UnsafeMutableBufferPointer<CChar>) -> Int {
    let all = open[file].flatMap { live.files[$0]?.attributes.extended.keys.sorted { $0.count < $1.count } } ?? []
    let list = all.flatMap(\.self)
    for (index, byte) in list.enumerated() { names[index] = byte }
    return list.count
  }

  func fgetxattr(_ file: CInt, _ name: UnsafePointer<CChar>, _ value: UnsafeMutableRawBufferPointer?) -> Int {
    let key = Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1))
    guard let found = open[file].flatMap({ live.files[$0]?.attributes.extended[key] }) else {
      return Int(failing(ENODATA))
    }
    value?.copyBytes(from: found)
    return found.count
  }

  func fsetxattr(_ file: CInt, _ name: UnsafePointer<CChar>, _ value: UnsafeRawBufferPointer) -> CInt {
    let key = Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1))
    return set(file) { $0.extended[key] = Array(value) }
  }

  func fremovexattr(_ file: CInt, _ name: UnsafePointer<CChar>) -> CInt {
    let key = Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1))
    return set(file) { $0.extended[key] = nil }
  }

  func copyInodeFlags(_ from: CInt, _ to: CInt) -> CInt { 0 }
}

// MARK: Disks

extension SimulatedDisk {
  /// Flushes the steps that meet a condition. After an error, the bytes may be dropped, and the next flush succeeds.
  private func flush(_ applies: (DiskImage.Step) -> Bool) -> CInt {
    guard permits() else {
      guard !isOff, errno == EIO else { return -1 }
      // Every second sector is lost.
      var (kept, count): ([DiskImage.Step], Int) = ([], 0)
      for step in pending {
        if case .bytes(let inode, let at, let bytes) = step, applies(step) {
          count += 1
          if count.isMultiple(of: 2) {
            dropped.append((inode, at..<at + bytes.count))
            continue
          }
        }
        kept.append(step)
      }
      pending = kept
      errno = EIO
      return -1
    }
    for step in pending where applies(step) {
      if case .lose = step { continue }
      durable.take(step)
    }
    pending.removeAll(where: applies)
    return 0
  }

  func fsync(_ file: CInt) -> CInt {
    guard let own = open[file] else { return failing(EBADF) }
    return flush { step in
      switch step {
      case .bytes(let inode, _, _), .shorten(let inode, _), .attributes(let inode, _), .lose(let inode): inode == own
      case .folder: true
      case .names(let changes): changes.contains { $0.folder == own || $0.inode == own }
      }
    }
  }

  func fdatasync(_ file: CInt) -> CInt {
    guard let own = open[file] else { return failing(EBADF) }
    return flush { step in
      switch step {
      case .bytes(let inode, _, _), .shorten(let inode, _): inode == own
      case .attributes, .lose, .folder, .names: false
      }
    }
  }

  func syncfs(_ file: CInt) -> CInt { flush { _ in true } }

  func startWriteback(_ file: CInt) {}

  func fstatfs(_ file: CInt) -> (type: UInt64, blockSize: Int) { (kind.type, 4096) }

  func fstatvfs(_ file: CInt) -> (free: Int, isReadOnly: Bool)? { (1 << 40, false) }
}

extension SimulatedDisk {
  /// How much of what isn't flushed is lost in a power failure.
  enum Loss: CaseIterable { case all, none, random }

  /// Returns what the disk holds after a power failure.
  /// - Parameter isTorn: Whether a sector may be written in part.
  func image(losing loss: Loss, isTorn: Bool = false, _ generator: inout SeededGenerator) -> DiskImage {
    var image = durable
    // Journaling file systems keep the order of names and attributes.
    let isOrdered = kind == .ext4 || kind == .xfs
    let metadataCount = pending.count { !$0.isOfBytes }
    var rest = isOrdered && loss == .random ? Int.random(in: 0...metadataCount, using: &generator) : metadataCount
    for step in pending where loss != .all {
      guard loss == .random else {
        if case .lose = step { continue }
        image.take(step)
        continue
      }
      if case .bytes(let inode, let at, let bytes) = step {
        guard Bool.random(using: &generator) else { continue }
        let isHalf = isTorn && Bool.random(using: &generator)
        image.take(isHalf ? .bytes(inode, at: at, Array(bytes.prefix(bytes.count / 2))) : step)
      } else {
        rest -= 1
        if rest >= 0, isOrdered || Bool.random(using: &generator) { image.take(step) }
      }
    }
    return image
  }
}
