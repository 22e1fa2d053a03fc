import CSys
import Foundation
import Glibc
package import SystemPackage

/// A new file, written completely under a scratch name and without a final name yet.
///
/// Files are staged in parallel and named one by one (`NewNames`), so that names don't depend on which worker was
/// faster.
package struct CreatedFile: Sendable {
  package let folder: Directory
  /// The name it will get if no other file has it.
  package let wantedName: FilePath.Component
  package let content: WholeContent
  fileprivate let scratch: ScratchFile
  fileprivate let empty: FileSource
  fileprivate let inverse: Patch
  fileprivate let entry: JournalEntry

  /// Returns the file as a change that is ready to be committed.
  package func named(_ name: FilePath.Component) throws(FileError) -> StagedFile {
    var entry = entry
    entry.name = Data(name.bytes)
    return StagedFile(
      place: DirectoryEntry(folder, name), source: empty, patch: try Patch([], to: content.count, imageData: []),
      inverse: inverse, method: .creation(scratch), entry: entry, modified: nil)
  }

  /// Removes the scratch file.
  package func discard() { try? scratch.remove() }
}

/// The length and digest that identify the content of a whole file.
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
  /// Writes `bytes` under a scratch name into `folder`, with the mode and extended attributes of `attributeSource`, and
  /// its owner if the process may set owners. Can be called from many threads.
  ///
  /// - Parameters:
  ///   - wantedName: The name it will get if no other file has it.
  ///   - datedAlike: Whether it also gets the times of `attributeSource`.
  ///   - atomicGroup: A value from `atomicGroup()`: the file appears only if everything else staged with it is
  ///     committed too.
  ///   - check: Reads the new bytes and throws if they are not as expected.
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
      // The whole file is read back from disk now, and compared again before an undo removes it.
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

  /// Prepares to remove `source`, the file that the change `undone` created at `place`.
  ///
  /// - Parameter atomicGroup: A value from `atomicGroup()`: the file is removed only if everything else staged with it
  ///   is committed too.
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
  /// Gives the new file its name, and sets `displaced` once it has it.
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

  /// Moves the file to its scratch name, where it waits to be removed, and sets `displaced` to that name.
  func disappear(to scratch: FilePath.Component, displaced: inout FilePath.Component?) throws(FileError) {
    try place.folder.move(place.name, to: scratch)
    displaced = scratch
    guard try place.folder.identity(of: scratch)?.isSameContent(as: entry.old) == true else {
      throw FileError.changedMeanwhile
    }
  }
}
