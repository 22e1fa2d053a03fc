import Foundation
import Glibc
package import SystemPackage

/// Changed copies of files, which stay as they are.
extension Rewriter {
  /// Writes the result of applying `patch` to `source` under a scratch name into the folder of `place`. The commit gives
  /// it its name, and fails if another file has that name. `source` is only read, so it may be on a read-only volume.
  /// Can be called from many threads.
  ///
  /// - Parameters:
  ///   - path: The path of `source`.
  ///   - pictures: The ranges of image data in the new file.
  ///   - atomicGroup: A value from `atomicGroup()`: the copy appears only if everything else staged with it is committed
  ///     too.
  ///   - check: Reads the new bytes and throws if they are not as expected.
  package func stage(
    copyOf source: FileSource, at path: FilePath, to place: DirectoryEntry, patch: Patch, pictures: [Range<Int>],
    atomicGroup: Int? = nil, check: (any ByteSource) throws(FileError) -> Void
  ) throws(FileError) -> StagedFile {
    guard patch.oldCount == source.count else { throw FileError.changedMeanwhile }
    let origin = try DirectoryEntry(resolving: path)
    try place.requireNew()
    let sequence = nextSequence()
    let scratch = try makeScratch(sequence, in: place.folder)
    do throws(FileError) {
      try scratch.write(patch, of: source)
      try Attributes.copy(from: source.file, source.status, to: scratch.descriptor, keepingOwner: false)
      let new = try FileSource(duplicating: scratch.descriptor)
      try check(new)
      let modified = FileIdentity(source.status).modified
      try Attributes.setTimes(
        scratch.descriptor, accessed: source.status.st_atim,
        modified: patch.isEmpty || options.keepsModificationTime ? modified : nil)
      var entry = try JournalEntry(run, sequence, place, source, patch, .copy(scratch))
      entry.fingerprint = try Fingerprint(of: new, pictures: pictures).data
      if options.verifiesWholeFile { entry.newHash = Data(try PatchedSource(old: source, patch: patch).digest()) }
      entry.origin = JournalEntry.Origin(
        path: origin.folder.path.appending(origin.name), state: FileIdentity(source.status))
      entry.atomicGroup = atomicGroup
      return StagedFile(
        place: place, source: source, patch: patch, inverse: try patch.inverse(of: source), method: .copy(scratch),
        entry: entry, modified: nil)
    } catch {
      throw scratch.removed(after: error)
    }
  }
}

extension DirectoryEntry {
  /// Throws if something has this name already.
  package func requireNew() throws(FileError) {
    guard try folder.status(of: name) != nil else { return }
    throw FileError(.alreadyExists, "\(folder.path.appending(name)) already exists", remedy: .moveAway(nil))
  }
}

extension Directory {
  /// Opens the folder at `path`, and creates it and its missing parents.
  package convenience init(creating path: FilePath) throws(FileError) {
    try path.createFolder(mode: 0o777, called: "the folder")
    try self.init(resolving: path)
  }

  /// Throws unless the folder at `path` can be written to, or created.
  package static func requireCreatable(_ path: FilePath) throws(FileError) {
    var folder: FilePath = path.isEmpty ? "." : path
    while folder.status(followingLinks: true) == nil, errno == ENOENT {
      let parent = folder.removingLastComponent()
      folder = parent.isEmpty ? "." : parent
    }
    try Directory(resolving: folder).requireWritable()
  }
}

extension StagedFile {
  /// Throws if the file that was copied has changed since it was read.
  func refuseIfOriginChanged() throws(FileError) {
    guard case .copy = method else { return }
    guard try FileIdentity(of: source.file) == FileIdentity(source.status) else {
      throw FileError.changedMeanwhile
    }
  }
}

extension JournalEntry.Origin {
  /// Throws unless the original is still there as it was copied, and is another file than `copy`. Otherwise the copy may
  /// be the only one.
  func requireKept(besides copy: FileSource) throws(FileError) {
    guard let status = path.status(followingLinks: true) else {
      throw FileError(
        .originalMissing, "is kept, because its original \(path) is missing: this may be the only copy",
        remedy: .bringOriginalBack)
    }
    let (now, own) = (FileIdentity(status), FileIdentity(copy.status))
    // A link or a mount may lead from the old path to the copy.
    guard (now.device, now.inode) != (own.device, own.inode) else {
      throw FileError(
        .originalMissing, "is kept, because the path of its original, \(path), leads to this file now")
    }
    guard (now.size, now.modified) == (state.size, state.modified) else {
      throw FileError(
        .originalMissing, "is kept, because its original \(path) is no longer the file that was copied",
        remedy: .removeByHand)
    }
  }
}
