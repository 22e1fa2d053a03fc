import Glibc
import Synchronization
package import SystemPackage

/// Checks of photos and their file systems before a byte is written; a dry run makes the same checks.
package final class Preflight: Sendable {
  /// The guarantees of each file system, and the number of bytes its disk writes atomically.
  private let volumes = Mutex<[dev_t: (volume: Volume, sector: Int)]>([:])
  /// The folder of the last file, and the path by which it was given.
  private let lastFolder = Mutex<(spelled: FilePath, folder: Directory)?>(nil)

  /// The size in bytes from which a file without other hard links is edited in place. A program that reads a photo while
  /// that happens may see the beginning of one version and the end of the other, so it must be worth it.
  private let leastInPlace: Int

  package init(leastInPlace: Int = 4 << 20) { self.leastInPlace = leastInPlace }

  /// Throws whatever prevents `patch` from being staged, as far as that can be determined without writing.
  package func requireStageable(_ source: FileSource, at path: FilePath, patch: Patch) throws(FileError) {
    _ = try examine(source, at: path, patch: patch)
  }

  /// Throws unless this process owns the file: only the owner can restore its modification time.
  package func requireOwner(of source: FileSource) throws(FileError) {
    guard source.status.isOurs else {
      throw FileError(
        .foreignOwner, "belongs to another user, and only its owner can keep its modification time",
        remedy: .omitKeptTime)
    }
  }

  /// Returns the location of the file, the inverse patch, and the edit in place if that is to be used.
  func examine(
    _ source: FileSource, at path: FilePath, patch: Patch
  ) throws(FileError) -> (place: DirectoryEntry, inverse: Patch, edit: (InPlaceEdit, InPlaceEdit)?) {
    guard patch.oldCount == source.count else {
      throw FileError(.changedDuringRun, "has \(source.count) bytes, but the change was planned for \(patch.oldCount)")
    }
    let place = try place(of: path, FileIdentity(source.status))
    try place.refuseUnlessWritable(source.status)
    let inverse = try patch.inverse(of: source)
    let edit = try inPlace(patch, inverse, of: source)
    if edit == nil { try place.folder.requireWritable() }
    return (place, inverse, edit)
  }

  /// Returns the edit in place and its inverse. It is used for a file with several hard links, which a new inode would
  /// separate, and for a large file wherever a copy could not share its blocks.
  private func inPlace(
    _ patch: Patch, _ inverse: Patch, of source: FileSource
  ) throws(FileError) -> (InPlaceEdit, InPlaceEdit)? {
    let isLinked = source.status.st_nlink > 1
    let (volume, sector) = volume(of: source)
    let isWorthIt = source.count >= leastInPlace && !volume.sharesBlocks
    guard isLinked || isWorthIt && !patch.splices.contains(where: { $0.use == .scanned }) else { return nil }
    let staysWhole = !Attributes.isStripped(byWriting: source.file, source.status)
    if volume.writesInPlace, staysWhole, let edit = InPlaceEdit(patch, sector: sector),
      let back = InPlaceEdit(inverse, sector: sector)
    {
      return (edit, back)
    }
    guard !isLinked else {
      throw FileError(
        .hardLinked, "has \(source.status.st_nlink) hard links, which this change would separate",
        remedy: .copyLinkedFile)
    }
    return nil
  }

  /// Returns the properties of the file's volume, which are read once.
  private func volume(of source: FileSource) -> (volume: Volume, sector: Int) {
    volumes.withLock { volumes in
      let device = source.status.st_dev
      if let known = volumes[device] { return known }
      let volume = Volume(of: source.file)
      let known = (volume, volume.sectorCount(on: device))
      volumes[device] = known
      return known
    }
  }

  /// Returns the location of the file whose identity is `old`. The folder of the last file is still open: if the name
  /// in it is the file that was read, its path need not be resolved.
  private func place(of path: FilePath, _ old: FileIdentity) throws(FileError) -> DirectoryEntry {
    let spelled = path.removingLastComponent()
    if let last = lastFolder.withLock(\.self), last.spelled == spelled, let name = path.lastComponent,
      last.folder.isStillThere, try last.folder.identity(of: name) == old
    {
      return DirectoryEntry(last.folder, name)
    }
    let place = try DirectoryEntry(resolving: path)
    guard try place.folder.identity(of: place.name) == old else { throw FileError.changedMeanwhile }
    // If `path` is a symbolic link, its target is usually in another folder.
    if let folder = try? Directory(resolving: spelled), folder.path == place.folder.path {
      lastFolder.withLock { $0 = (spelled, folder) }
    }
    return place
  }
}
