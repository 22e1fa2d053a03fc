import Foundation
import Glibc
package import SystemPackage

/// A change that is ready to be committed; the photo is still as it was.
package final class StagedFile: Sendable {
  /// How the change gets into the photo.
  package enum Method: Sendable {
    case exchange(ScratchFile)
    case inPlace(InPlaceEdit, inverse: InPlaceEdit)
    /// There was no file; the scratch file gets its name.
    case creation(ScratchFile)
    /// The file goes; until that is on the disk, it has this name.
    case removal(FilePath.Component)
  }

  package let place: DirectoryEntry
  package let source: FileSource
  package let patch: Patch
  package let inverse: Patch
  package let method: Method
  package let entry: JournalEntry
  /// The time of last change the photo shall have; nil for the time of writing.
  package let modified: FileTime?
  /// Kept until the change is on the disk, where the file system could lose both files.
  package let copy: FullCopy?

  package init(
    place: DirectoryEntry, source: FileSource, patch: Patch, inverse: Patch, method: Method, entry: JournalEntry,
    modified: FileTime?, copy: FullCopy? = nil
  ) {
    self.place = place
    self.source = source
    self.patch = patch
    self.inverse = inverse
    self.method = method
    self.entry = entry
    self.modified = modified
    self.copy = copy
  }

  /// The new file beside the photo, where there is one.
  package var scratch: ScratchFile? {
    switch method {
    case .exchange(let scratch), .creation(let scratch): scratch
    case .inPlace, .removal: nil
    }
  }

  /// The edit, where the photo itself is written.
  package var edit: InPlaceEdit? {
    if case .inPlace(let edit, _) = method { edit } else { nil }
  }

  /// How many bytes the disk has to take.
  package var writtenCount: Int {
    switch method {
    case .exchange, .creation: patch.newCount
    case .inPlace: patch.splices.reduce(0) { $0 + $1.bytes.count }
    case .removal: 0
    }
  }

  /// What the photo will hold.
  package var result: PatchedSource<FileSource> { PatchedSource(old: source, patch: patch) }

  /// The name the old file gets where names can't be exchanged, and under which recovery looks for it.
  package static func backup(of scratch: FilePath.Component) -> FilePath.Component? {
    FilePath(bytes: scratch.bytes + Array(".old".utf8)).lastComponent
  }

  /// Removes what was written for the new file; the photo is as it was.
  package func discard() {
    try? scratch?.remove()
    copy?.remove()
  }

  /// The same, because of `error`; the error to tell.
  func discarded(after error: FileError) -> FileError {
    copy?.remove()
    return scratch?.removed(after: error) ?? error
  }

  /// Throws unless the photo is what was read, down to its times.
  func refuseUnlessUnchanged() throws(FileError) {
    guard try place.folder.identity(of: place.name) == entry.old else {
      throw FileError.changedMeanwhile
    }
  }

  /// What is cached of an edit in place is forgotten, and the disk begins to answer what will be read back.
  func askAnew() {
    let ranges = entry.newHash == nil ? patch.newRanges.map(around) : [0..<patch.newCount]
    for range in RangeSet(ranges).ranges {
      source.descriptor.forget(range)
      source.descriptor.ask(for: range)
    }
  }

  /// The bytes to read back for those of `range`.
  private func around(_ range: Range<Int>) -> Range<Int> {
    max(0, range.lowerBound - 4096)..<min(patch.newCount, range.upperBound + 4096)
  }

  /// Reads back from the disk what was spliced, and 4 KiB around it, or every byte.
  package func verify(_ file: FileSource) throws(FileError) {
    guard file.count == patch.newCount else {
      throw FileError(.io, "the disk returned \(file.count) bytes where \(patch.newCount) were written")
    }
    for range in patch.newRanges.map(around).merged() {
      guard try file.bytes(range).isEqual(to: result.bytes(range)) else {
        throw FileError(.io, "the disk returned other bytes than were written", at: range.lowerBound)
      }
    }
    if let hash = entry.newHash, try file.digest() != Array(hash) {
      throw FileError(.io, "the disk returned other bytes than were written")
    }
  }
}

extension JournalEntry {
  /// What the journal is told of a change that is ready.
  init(
    _ run: RunID, _ sequence: Int, _ place: DirectoryEntry, _ source: FileSource, _ patch: Patch,
    _ method: StagedFile.Method,
    modified: FileTime? = nil
  ) throws(FileError) {
    self.run = run.rawValue
    self.sequence = sequence
    folder = Data(place.folder.path.bytes)
    name = Data(place.name.bytes)
    old = FileIdentity(source.status)
    switch method {
    case .exchange(let file):
      self.method = .exchange
      scratch = Data(file.name.bytes)
      new = try FileIdentity(of: file.descriptor)
    case .creation(let file):
      self.method = .creation
      scratch = Data(file.name.bytes)
      new = try FileIdentity(of: file.descriptor)
    case .removal(let name):
      self.method = .removal
      scratch = Data(name.bytes)
      new = old
    case .inPlace:
      self.method = .inPlace
      scratch = nil
      new = old
      // What recovery goes by: the time it shall have, and from when on it was written.
      (new.size, new.modified, new.changed) = (patch.newCount, modified ?? .now, .now)
    }
    digest = Data(try PatchedSource(old: source, patch: patch).digest(patch.newRanges))
  }
}

extension FileError {
  static let changedMeanwhile = FileError(
    .conflict,
    "was changed by another program meanwhile, and is left as that one wrote it; run again for it alone")
}
