import Foundation
import Glibc
import SystemPackage

/// A copy of a whole photo next to the journal, kept until a change is on disk. It is needed on file systems that may
/// lose both the old and the new file in a power failure.
package struct FullCopy {
  let path: FilePath

  init(of entry: JournalEntry, in journal: any ChangeJournal) {
    path = FullCopy.folder(of: journal).appending("\(entry.run)-\(entry.sequence)")
  }

  private static func folder(of journal: any ChangeJournal) -> FilePath { journal.folder.appending("copies") }

  /// Makes the copy. Its bytes are on disk when this returns; its name is on disk when `synchronize` returns.
  func keep(_ source: FileSource) throws(FileError) {
    let folder = path.removingLastComponent()
    guard folder.withPlatformString({ FileSystems.current.mkdir($0, 0o700) }) == 0 || errno == EEXIST else {
      throw FileError(errno: errno, doing: "create the folder \(folder)")
    }
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW
    let descriptor = try Descriptor(path, flags, mode: 0o600, doing: "keep a copy of it next to the journal")
    do throws(FileError) {
      var at = 0
      while at < source.count {
        let end = min(at + 1 << 20, source.count)
        try descriptor.write(try source.bytes(at..<end).array, at: at)
        at = end
      }
      try descriptor.synchronize()
    } catch {
      remove()
      throw error
    }
  }

  /// Flushes the names of all copies to disk.
  static func synchronize(_ journal: any ChangeJournal) throws(FileError) {
    let path = folder(of: journal)
    guard path.status(followingLinks: true) != nil else { return }
    try Directory(path).descriptor.synchronizeAll(doing: "keep a copy next to the journal")
  }

  /// Removes the copies that no change in `entries` needs any more.
  static func removeAll(of journal: any ChangeJournal, but entries: [JournalEntry]) throws(FileError) {
    let needed = Set(entries.map { FullCopy(of: $0, in: journal).path })
    guard let folder = try? Directory(folder(of: journal)) else { return }
    for name in try folder.names() where !needed.contains(folder.path.appending(name)) { try folder.remove(name) }
  }

  /// Opens the copy; nil if it does not exist.
  func open() -> FileSource? { try? FileSource(path) }

  func remove() { path.unlink() }
}
