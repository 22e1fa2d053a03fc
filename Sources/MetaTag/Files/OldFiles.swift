import Glibc
import SystemPackage

/// The old files of photos whose change is on the disk: all that is left to do is to remove them.
///
/// They go many at once. For minutes after a file was removed, ext4 passes its inode by whenever a file is made: a run
/// that made and removed files by turns would be slower with every photo.
struct OldFiles {
  /// Beside photos lie at most so many, and so many bytes of them; and none where less than `leastFree` is free.
  private static let mostCount = 1 << 14
  private static let mostBytes = 256 << 20
  private static let leastFree = 4 << 30
  /// Each is held open.
  private static let mostFolders = 64

  /// An old file, or where the photo itself was written, only the journal's row.
  struct File {
    let key: JournalEntry.Key
    let old: FileIdentity
    let folder: Folder
    let name: FilePath.Component?
  }

  private var files: [File] = []
  private var folders: [FilePath: Folder] = [:]
  private var bytes = 0

  /// Adds what a group leaves behind, and removes all where that is too much.
  mutating func add(_ group: [File], journal: Journal) {
    for file in group {
      let folder = folders[file.folder.path] ?? file.folder
      folders[folder.path] = folder
      files.append(File(key: file.key, old: file.old, folder: folder, name: file.name))
      if file.name != nil { bytes += file.old.size }
    }
    if files.count >= OldFiles.mostCount || bytes >= OldFiles.mostBytes || folders.count > OldFiles.mostFolders
      || folders.values.contains(where: { $0.freeCount < OldFiles.leastFree })
    {
      removeAll(journal: journal)
    }
  }

  /// Where one can't be removed, or another program wrote into it, its row stays as it is, and the next recovery tries
  /// again, or tells of it. The photo is new and safe.
  mutating func removeAll(journal: Journal) {
    let removed = files.filter { file in
      guard let name = file.name else { return true }
      do throws(PhotoError) {
        guard let now = try file.folder.identity(of: name) else { return true }
        guard now.isSameContent(as: file.old) else { return false }
        try file.folder.remove(name)
        return true
      } catch {
        return false
      }
    }
    try? journal.noteCleaned(removed.map(\.key))
    self = OldFiles()
  }
}

extension Folder {
  /// How many bytes more its file system takes; 0 where it doesn't say.
  fileprivate var freeCount: Int {
    var volume = statvfs()
    guard fstatvfs(descriptor, &volume) == 0 else { return 0 }
    return Int(clamping: UInt64(volume.f_bavail).multipliedReportingOverflow(by: UInt64(volume.f_frsize)).partialValue)
  }
}
