import Glibc
import Synchronization
package import SystemPackage

/// What is found out about photos and their file systems before a byte is written; a dry run asks the same.
package final class Preflight: Sendable {
  /// Of each file system what it can be relied on for, and what its disk writes whole or not at all.
  private let volumes = Mutex<[dev_t: (volume: Volume, sector: Int)]>([:])
  /// The folder of the last file, and how it was spelled.
  private let lastFolder = Mutex<(spelled: FilePath, folder: Directory)?>(nil)

  package init() {}

  /// Throws what keeps `patch` from being staged, as far as that can be told with nothing written.
  package func requireStageable(_ source: FileSource, at path: FilePath, patch: Patch) throws(FileError) {
    _ = try examine(source, at: path, patch: patch)
  }

  /// Only its owner can give a file the time it had.
  package func requireOwner(of source: FileSource) throws(FileError) {
    guard source.status.isOurs else {
      throw FileError(
        .refused, "belongs to someone else, and only its owner can keep its time of last change: leave --keep-mtime out"
      )
    }
  }

  /// Where the file is, the way back, and the edit in place if there is to be one.
  func examine(
    _ source: FileSource, at path: FilePath, patch: Patch
  ) throws(FileError) -> (place: DirectoryEntry, inverse: Patch, edit: (InPlaceEdit, InPlaceEdit)?) {
    guard patch.oldCount == source.count else {
      throw FileError(.conflict, "has \(source.count) bytes, the change was planned for \(patch.oldCount)")
    }
    let place = try place(of: path, FileIdentity(source.status))
    try place.refuseUnlessWritable(source.status)
    let inverse = try patch.inverse(of: source)
    let edit = try inPlace(patch, inverse, of: source)
    if edit == nil { try place.folder.requireWritable() }
    return (place, inverse, edit)
  }

  /// The edit in place, and its inverse: for a file with several names, which another inode would split, and wherever a
  /// copy could not share its blocks.
  private func inPlace(
    _ patch: Patch, _ inverse: Patch, of source: FileSource
  ) throws(FileError) -> (InPlaceEdit, InPlaceEdit)? {
    let isLinked = source.status.st_nlink > 1
    let (volume, sector) = volume(of: source)
    guard isLinked || !volume.sharesBlocks else { return nil }
    let staysWhole = !Attributes.isStripped(byWriting: source.descriptor, source.status)
    if volume.writesInPlace, staysWhole, let edit = InPlaceEdit(patch, sector: sector),
      let back = InPlaceEdit(inverse, sector: sector)
    {
      return (edit, back)
    }
    guard !isLinked else {
      throw FileError(
        .refused,
        "has \(source.status.st_nlink) names (hard links), and this change would separate them; "
          + "to change it, make it a file of its own first (cp FILE COPY && mv COPY FILE)")
    }
    return nil
  }

  /// Each is asked once.
  private func volume(of source: FileSource) -> (volume: Volume, sector: Int) {
    volumes.withLock { volumes in
      let device = source.status.st_dev
      if let known = volumes[device] { return known }
      let volume = Volume(of: source.descriptor)
      let known = (volume, volume.sectorCount(on: device))
      volumes[device] = known
      return known
    }
  }

  /// Where the file is that is `old`. The folder of the last one is still open: what is called so in it, and is the
  /// file that was read, needs no finding.
  private func place(of path: FilePath, _ old: FileIdentity) throws(FileError) -> DirectoryEntry {
    let spelled = path.removingLastComponent()
    if let last = lastFolder.withLock(\.self), last.spelled == spelled, let name = path.lastComponent,
      last.folder.isStillThere, try last.folder.identity(of: name) == old
    {
      return DirectoryEntry(last.folder, name)
    }
    let place = try DirectoryEntry(resolving: path)
    guard try place.folder.identity(of: place.name) == old else { throw FileError.changedMeanwhile }
    // Where a link leads is another folder, as a rule.
    if let folder = try? Directory(resolving: spelled), folder.path == place.folder.path {
      lastFolder.withLock { $0 = (spelled, folder) }
    }
    return place
  }
}
