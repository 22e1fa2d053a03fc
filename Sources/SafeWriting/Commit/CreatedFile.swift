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
  /// - Parameter owner: The photo that it belongs to, if it is a sidecar.
  package func named(
    _ name: FilePath.Component, besides owner: FilePath? = nil
  ) throws(FileError) -> StagedFile {
    var entry = entry
    entry.name = Data(name.bytes)
    return StagedFile(
      place: DirectoryEntry(folder, name), source: empty, patch: try Patch([], to: content.count, imageData: []),
      inverse: inverse, method: .creation(scratch), entry: entry, modified: nil, owner: owner)
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
        from: attributeSource.file, attributeSource.status, to: scratch.descriptor, keepingOwner: false)
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
        throw FileError(
          .nameTakenDuringRun, "another file named \(place.name) appeared during the run", remedy: .runAgain)
      }
      throw error
    }
    displaced = scratch.name
  }

  /// Throws if the photo that the new file belongs to is gone. Another process may have renamed it, together with the
  /// sidecar of that name that it had created: a second one would belong to no photo.
  func refuseWithoutOwner() throws(FileError) {
    guard let owner, owner.status(followingLinks: false) == nil else { return }
    throw FileError(.noSuchFile, "no longer exists (moved or removed during the run)")
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

/// Chooses names for the new files of one run. Called in the order of the inputs, the answers depend on nothing else.
package struct NewNames {
  package enum Answer {
    /// The name is free: no file has it.
    case free(FilePath.Component)
    /// The file of this name already has exactly these bytes.
    case same(FilePath.Component)
  }

  private var given: Set<FilePath> = []

  package init() {}

  /// Returns `name`, or the first of `name-1`, `name-2`, … (before the file extension) that doesn't exist in `folder`
  /// and was not returned before.
  package mutating func name(
    _ name: FilePath.Component, in folder: Directory, for content: WholeContent
  ) throws(FileError) -> Answer {
    for number in 0..<10_000 {
      let candidate = try name.numbered(number)
      guard !given.contains(folder.path.appending(candidate)) else { continue }
      if let status = try folder.status(of: candidate) {
        guard status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == content.count,
          try content.isHeld(by: try DirectoryEntry(folder, candidate).open())
        else { continue }
        return .same(candidate)
      }
      given.insert(folder.path.appending(candidate))
      return .free(candidate)
    }
    throw FileError(.nameTaken, "too many files named \(name) in the folder", remedy: .moveAway(nil))
  }

  /// Gives `file` its name; returns nil if an identical file already exists.
  package mutating func name(_ file: CreatedFile) throws(FileError) -> StagedFile? {
    do throws(FileError) {
      if case .free(let name) = try name(file.wantedName, in: file.folder, for: file.content) {
        return try file.named(name)
      }
    } catch {
      file.discard()
      throw error
    }
    file.discard()
    return nil
  }
}

extension FilePath.Component {
  /// Returns the name with a number: `IMG_1-2.JPG` for `IMG_1.JPG` and 2; unchanged for 0.
  func numbered(_ number: Int, after separator: String = "-") throws(FileError) -> FilePath.Component {
    guard number > 0 else { return self }
    let ending = bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? bytes[$0...] : nil } ?? []
    let stem = bytes.dropLast(ending.count) + Array("\(separator)\(number)".utf8)
    guard let name = FilePath(bytes: stem + ending).lastComponent else {
      throw FileError(.noName, "could not find a name for the new file")
    }
    return name
  }
}
