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

extension Journal {
  /// Those of `paths` whose files are still as `run` left them.
  ///
  /// - Throws: `PhotoError`: `.refused` when there is no such run, `.io` when the journal can't be read.
  public func files(among paths: Set<FilePath>, leftBy run: RunID) throws(PhotoError) -> Set<FilePath> {
    try demand(run)
    let entries = try undoable(in: run).filter { $0.method != .times && paths.contains($0.path) }
    return Set(
      entries.filter { entry in
        (try? JournaledChange(entry, in: self).isAsLeft(entry.opened(at: entry.path))) ?? false
      }.map(\.path))
  }

  /// The newest change that left the file at `path` as it is, wherever that was: its run, and the path at which it did.
  /// Nil where none did, or the file is only a copy of one that is still there; undos aside.
  ///
  /// - Throws: `PhotoError`: `.io` when the file or the journal can't be read.
  public func newestChange(leaving path: FilePath) throws(PhotoError) -> (run: RunID, path: FilePath)? {
    let file = try FileSource(path)
    for entry in try undoable(leaving: file.count) {
      // A row that can't be read is not about this file, as far as can be told.
      guard let change = try? JournaledChange(entry, in: self), (try? change.isAsLeft(file)) == true else { continue }
      if let own = try? entry.opened(at: entry.path), (try? change.isAsLeft(own)) == true { continue }
      return (RunID(entry.run), entry.path)
    }
    return nil
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
