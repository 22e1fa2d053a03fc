import Foundation
import Glibc
public import SystemPackage

extension Journal {
  /// The files among `paths` that `run` changed and that still have that change, as far as can be told: also those that
  /// were moved on their volume since. Files that have their old bytes again are not among them.
  ///
  /// - Parameter paths: Absolute, symbolic links resolved.
  /// - Throws: `PhotoError`: `.refused` when there is no such run, `.io` when the journal can't be read.
  public func files(among paths: Set<FilePath>, changedBy run: RunID) throws(PhotoError) -> Set<FilePath> {
    try demand(run)
    let entries = try undoable(in: run).filter { $0.method != .times && $0.method != .renaming }
    guard !entries.isEmpty else { return [] }
    var moved: [FileNumber: FilePath] = [:]
    for path in paths {
      if let number = FileNumber(path) { moved[number] = path }
    }
    var found: Set<FilePath> = []
    for entry in entries {
      let isThere = paths.contains(entry.path)
      guard let path = isThere ? entry.path : moved[FileNumber(entry.new)], !found.contains(path) else { continue }
      let content = try? JournaledChange(entry, in: self).content(of: entry.opened(at: path))
      // What can't be read at its own path may well be changed; elsewhere, numbers are given anew to other files.
      if isThere ? content != .old : content == .new { found.insert(path) }
    }
    return found
  }
}

/// The number of a file on its volume.
private struct FileNumber: Hashable {
  let device: UInt64
  let inode: UInt64

  init(_ identity: FileIdentity) { (device, inode) = (identity.device, identity.inode) }

  init?(_ path: FilePath) {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
    self.init(FileIdentity(status))
  }
}
