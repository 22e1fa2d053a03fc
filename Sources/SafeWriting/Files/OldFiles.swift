import Glibc
import SystemPackage

/// The old files of photos whose change is on the disk: all that is left to do is to remove them.
///
/// They go many at once. For minutes after a file was removed, ext4 passes its inode by whenever a file is made: a run
/// that made and removed files by turns would be slower with every photo.
struct OldFiles {
  /// Beside photos lie at most so many, and so many bytes of them.
  static let mostCount = 1 << 14
  static let mostBytes = 256 << 20
  /// Of removed ones that the journal still speaks of: after a run that was cut off, each is looked at once more.
  static let mostRemoved = 1 << 10
  /// Each is held open.
  static let mostFolders = 64

  /// Whether files may stay in a folder for a while.
  private let mayStay: @Sendable (Directory) -> Bool

  /// An old file, or where the photo itself was written, only the journal's row.
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

  /// By default they stay on ext4 alone, and not where less than 4 GiB is free.
  init(mayStay: @escaping @Sendable (Directory) -> Bool = { $0.isOfEXT && $0.freeCount >= 4 << 30 }) {
    self.mayStay = mayStay
  }

  private var files: [File] = []
  private var removals = Removals()
  private var folders: [FilePath: Directory] = [:]
  private var bytes = 0

  /// Adds what a group leaves behind, and removes all where that is too much.
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

  /// Where one can't be removed, or another program wrote into it, its row stays as it is, and the next recovery tries
  /// again, or tells of it. The photo is new and safe.
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
  /// Whether nothing is left of it then.
  fileprivate func remove() throws(FileError) -> Bool {
    guard let name, let now = try folder.identity(of: name) else { return true }
    // Not by the inode, whose number some file systems change.
    guard (now.size, now.modified) == (old.size, old.modified) else { return false }
    try folder.remove(name)
    return true
  }
}

extension Directory {
  fileprivate var isOfEXT: Bool { Volume(of: descriptor).isEXT }

  /// How many bytes more its file system takes; 0 where it doesn't say.
  fileprivate var freeCount: Int {
    var volume = statvfs()
    guard fstatvfs(descriptor, &volume) == 0 else { return 0 }
    return Int(clamping: UInt64(volume.f_bavail).multipliedReportingOverflow(by: UInt64(volume.f_frsize)).partialValue)
  }
}
