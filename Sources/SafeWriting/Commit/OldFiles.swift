import Glibc
import SystemPackage

/// The old files of photos whose change is on disk; the only work left is to remove them.
///
/// They are removed in large batches. For minutes after a file was removed, ext4 skips its inode whenever a file is
/// created: a run that created and removed files in turn would become slower with every photo.
struct OldFiles {
  /// The largest number of old files, and of bytes in them, that are kept next to photos.
  static let mostCount = 1 << 14
  static let mostBytes = 256 << 20
  /// The largest number of removed files whose rows are not yet settled: after an interrupted run, each is examined
  /// once more.
  static let mostRemoved = 1 << 10
  /// The largest number of folders kept open.
  static let mostFolders = 64

  /// Whether files may stay in a folder for a while.
  private let mayStay: @Sendable (Directory) -> Bool

  /// An old file; or only the journal's row, if the photo was edited in place.
  package struct File {
    let key: JournalEntry.Key
    let old: FileIdentity
    let folder: Directory
    let name: FilePath.Component?

    package init(key: JournalEntry.Key, old: FileIdentity, folder: Directory, name: FilePath.Component?) {
      self.key = key
      self.old = old
      self.folder = folder
      self.name = name
    }
  }

  /// Creates an empty list. By default, files stay only on ext2, ext3 and ext4 with at least 4 GiB free.
  init(mayStay: @escaping @Sendable (Directory) -> Bool = { $0.isOfEXT && $0.freeCount >= 4 << 30 }) {
    self.mayStay = mayStay
  }

  private var files: [File] = []
  private var removals = Removals()
  private var folders: [FilePath: Directory] = [:]
  private var bytes = 0

  /// Adds the old files of a group, and removes all if there are too many.
  mutating func add(_ group: [File], journal: Journal) {
    for file in group {
      let folder = folders[file.folder.path] ?? file.folder
      folders[folder.path] = folder
      files.append(File(key: file.key, old: file.old, folder: folder, name: file.name))
      if file.name != nil { bytes += file.old.size }
    }
    if !folders.values.allSatisfy(mayStay) { remove() }
    if removals.keys.count >= OldFiles.mostRemoved || files.count >= OldFiles.mostCount || bytes >= OldFiles.mostBytes
      || folders.count > OldFiles.mostFolders
    {
      removeAll(journal: journal)
    }
  }

  /// Removes all old files. If one can't be removed, or another program wrote to it, its row stays unchanged, and the
  /// next recovery tries again or reports it. The photo is new and safe.
  mutating func removeAll(journal: Journal) {
    remove()
    _ = try? removals.settle(in: journal)
  }

  private mutating func remove() {
    for file in files where (try? file.remove()) == true {
      removals.add(file.key, on: file.old.device, from: file.name == nil ? nil : file.folder)
    }
    (files, folders, bytes) = ([], [:], 0)
  }
}

extension OldFiles.File {
  /// Removes the file; returns whether nothing is left of it.
  fileprivate func remove() throws(FileError) -> Bool {
    guard let name, let now = try folder.identity(of: name) else { return true }
    // The inode is not compared, because some file systems change its number.
    guard (now.size, now.modified) == (old.size, old.modified) else { return false }
    try folder.remove(name)
    return true
  }
}

extension Directory {
  fileprivate var isOfEXT: Bool { Volume(of: descriptor).isEXT }

  /// The number of free bytes on its file system; 0 if unknown.
  fileprivate var freeCount: Int {
    var volume = statvfs()
    guard fstatvfs(descriptor, &volume) == 0 else { return 0 }
    return Int(clamping: UInt64(volume.f_bavail).multipliedReportingOverflow(by: UInt64(volume.f_frsize)).partialValue)
  }
}

/// Changes whose leftover files next to photos are removed. The journal forgets them only when that is on disk:
/// otherwise the files could reappear after a power failure, with no record of them.
struct Removals {
  private(set) var keys: [JournalEntry.Key] = []
  /// An open folder on each file system from which a name was removed.
  private var volumes: [UInt64: Directory] = [:]

  /// - Parameter folder: The folder from which a name was removed; nil if only the row is left.
  mutating func add(_ key: JournalEntry.Key, on device: UInt64, from folder: Directory?) {
    keys.append(key)
    if let folder { add(folder, on: device) }
  }

  /// Adds a folder from which a name was removed that the journal has no row for.
  mutating func add(_ folder: Directory, on device: UInt64) { volumes[device] = volumes[device] ?? folder }

  /// Flushes the removals to disk, each file system once, and records in the journal that nothing is left to do.
  /// Returns false if a disk fails; then the rows stay, and the next recovery looks again.
  mutating func settle(in journal: Journal) throws(FileError) -> Bool {
    defer { self = Removals() }
    for folder in volumes.values where (try? folder.synchronizeVolume()) == nil { return false }
    try journal.noteCleaned(keys)
    return true
  }
}
