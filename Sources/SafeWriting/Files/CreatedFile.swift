import CSys
import Foundation
import Glibc
package import SystemPackage

/// A file that was not there before: written whole under a scratch name, still without a name of its own.
///
/// It is staged side by side with others, and named one by one (`NewNames`), so that who was faster decides nothing.
package struct CreatedFile: Sendable {
  package let folder: Directory
  /// The name it shall have, if no other file has it.
  package let wantedName: FilePath.Component
  package let content: WholeContent
  fileprivate let scratch: ScratchFile
  fileprivate let empty: FileSource
  fileprivate let inverse: Patch
  fileprivate let entry: JournalEntry

  /// The file as a change that is ready to be committed.
  package func named(_ name: FilePath.Component) throws(FileError) -> StagedFile {
    var entry = entry
    entry.name = Data(name.bytes)
    return StagedFile(
      place: DirectoryEntry(folder, name), source: empty, patch: try Patch([], to: content.count, imageData: []),
      inverse: inverse, method: .creation(scratch), entry: entry, modified: nil)
  }

  /// It is not wanted any more.
  package func discard() { try? scratch.remove() }
}

/// What tells the bytes of one whole file from those of another.
package struct WholeContent: Hashable, Sendable {
  package let count: Int
  /// SHA-256.
  package let digest: [UInt8]

  package init(count: Int, digest: [UInt8]) {
    self.count = count
    self.digest = digest
  }

  package init(_ bytes: some ByteSource) throws(FileError) {
    self.init(count: bytes.count, digest: try bytes.digest())
  }

  func isHeld(by file: FileSource) throws(FileError) -> Bool {
    guard file.count == count else { return false }
    return try file.digest() == digest
  }
}

extension Rewriter {
  /// Writes `bytes` under a scratch name into `folder`, with mode and extended attributes of `attributeSource`, and its owner
  /// where we may give files away. May be called from many threads.
  ///
  /// - Parameters:
  ///   - wantedName: The name it shall have, if no other file has it.
  ///   - datedAlike: It has the times of `attributeSource`, too.
  ///   - bond: From `atomicGroup()`: it appears only if all else that is staged with it is committed, too.
  ///   - check: Reads the new bytes and throws when they are not what was wanted.
  package func stage(
    new bytes: [UInt8], as wantedName: FilePath.Component, in folder: Directory, like attributeSource: FileSource,
    datedAlike: Bool = true, atomicGroup: Int? = nil, check: (any ByteSource) throws(FileError) -> Void
  ) throws(FileError) -> CreatedFile {
    let sequence = nextSequence()
    let scratch = try makeScratch(sequence, in: folder)
    do throws(FileError) {
      let empty = try FileSource(duplicating: scratch.descriptor)
      let patch = try Patch([Splice(0..<0, bytes)], to: 0, imageData: [])
      try scratch.write(patch, of: empty)
      try Attributes.copy(
        from: attributeSource.descriptor, attributeSource.status, to: scratch.descriptor, keepingOwner: false)
      try check(try FileSource(duplicating: scratch.descriptor))
      if datedAlike {
        try Attributes.setTimes(
          scratch.descriptor, accessed: attributeSource.status.st_atim,
          modified: FileTime(attributeSource.status.st_mtim))
      }
      var entry = try JournalEntry(run, sequence, DirectoryEntry(folder, wantedName), empty, patch, .creation(scratch))
      // All of it is read back from the disk, and compared before an undo removes it.
      entry.newHash = entry.digest
      entry.atomicGroup = atomicGroup
      return CreatedFile(
        folder: folder, wantedName: wantedName,
        content: WholeContent(count: bytes.count, digest: Array(entry.digest)), scratch: scratch, empty: empty,
        inverse: try patch.inverse(of: empty), entry: entry)
    } catch {
      throw scratch.removed(after: error)
    }
  }

  /// Prepares to remove `source`, the file that the change `undone` had created at `place`.
  ///
  /// - Parameter bond: From `atomicGroup()`: it goes only if all else that is staged with it is committed, too.
  package func stage(
    removalOf source: FileSource, at place: DirectoryEntry, undoing undone: JournalEntry.Key, atomicGroup: Int? = nil
  ) throws(FileError) -> StagedFile {
    let sequence = nextSequence()
    try note(place.folder)
    let patch = try Patch([], to: source.count, imageData: [])
    var entry = try JournalEntry(run, sequence, place, source, patch, .removal(try scratchName(sequence)))
    entry.oldHash = Data(try source.digest())
    (entry.undoesRun, entry.undoesSequence, entry.atomicGroup) = (undone.run, undone.sequence, atomicGroup)
    return StagedFile(
      place: place, source: source, patch: patch, inverse: patch, method: .removal(try scratchName(sequence)),
      entry: entry, modified: nil)
  }
}

extension StagedFile {
  /// Gives the new file its name; `displaced` is set once it has it.
  func appear(from scratch: ScratchFile, displaced: inout FilePath.Component?) throws(FileError) {
    do throws(FileError) {
      try place.folder.move(scratch.name, to: place.name)
    } catch {
      guard try place.folder.status(of: place.name) == nil else {
        throw FileError(.conflict, "another file took its name, \(place.name), meanwhile; run again for it alone")
      }
      throw error
    }
    displaced = scratch.name
  }

  /// Takes the file's name away; `displaced` becomes the one under which it waits to be removed.
  func disappear(to scratch: FilePath.Component, displaced: inout FilePath.Component?) throws(FileError) {
    try place.folder.move(place.name, to: scratch)
    displaced = scratch
    guard try place.folder.identity(of: scratch)?.isSameContent(as: entry.old) == true else {
      throw FileError.changedMeanwhile
    }
  }
}
