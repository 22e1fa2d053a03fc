import Foundation
import Glibc
package import SystemPackage

/// A change that is ready to be committed; the photo is still as it was.
package final class StagedFile: Sendable {
  /// The way in which the change gets into the photo.
  package enum Method: Sendable {
    case exchange(ScratchFile)
    case inPlace(InPlaceEdit, inverse: InPlaceEdit)
    /// There was no file; the scratch file becomes it.
    case creation(ScratchFile)
    /// The file is removed; it has this name until the removal is on disk.
    case removal(FilePath.Component)
  }

  package let place: DirectoryEntry
  package let source: FileSource
  package let patch: Patch
  package let inverse: Patch
  package let method: Method
  package let entry: JournalEntry
  /// The modification time the photo will get; nil for the time of writing.
  package let modified: FileTime?
  /// A whole copy, kept until the change is on disk if the file system could lose both files.
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

  /// The new file next to the photo, if there is one.
  package var scratch: ScratchFile? {
    switch method {
    case .exchange(let scratch), .creation(let scratch): scratch
    case .inPlace, .removal: nil
    }
  }

  /// The edit, if the photo itself is written to.
  package var edit: InPlaceEdit? {
    if case .inPlace(let edit, _) = method { edit } else { nil }
  }

  /// The number of bytes to be written to disk.
  package var writtenCount: Int {
    switch method {
    case .exchange, .creation: patch.newCount
    case .inPlace: patch.splices.reduce(0) { $0 + $1.bytes.count }
    case .removal: 0
    }
  }

  /// The content the photo will have.
  package var result: PatchedSource<FileSource> { PatchedSource(old: source, patch: patch) }

  /// Returns the name that the old file gets if names can't be exchanged, and under which recovery looks for it.
  package static func backup(of scratch: FilePath.Component) -> FilePath.Component? {
    FilePath(bytes: scratch.bytes + Array(".old".utf8)).lastComponent
  }

  /// Removes what was written for the new file; the photo is as it was.
  package func discard() {
    try? scratch?.remove()
    copy?.remove()
  }

  /// Discards the staged file after `error`; returns the error to report.
  func discarded(after error: FileError) -> FileError {
    copy?.remove()
    return scratch?.removed(after: error) ?? error
  }

  /// Throws unless the photo is the one that was read, including its times.
  func refuseUnlessUnchanged() throws(FileError) {
    guard try place.folder.identity(of: place.name) == entry.old else {
      throw FileError.changedMeanwhile
    }
  }

  /// Drops the pages of an edit in place from the page cache, and starts to read what will be verified.
  func askAnew() {
    let ranges = entry.newHash == nil ? patch.newRanges.map(around) : [0..<patch.newCount]
    for range in RangeSet(ranges).ranges {
      source.descriptor.forget(range)
      source.descriptor.ask(for: range)
    }
  }

  /// Returns the bytes to read back for `range`, with 4 KiB on either side.
  private func around(_ range: Range<Int>) -> Range<Int> {
    max(0, range.lowerBound - 4096)..<min(patch.newCount, range.upperBound + 4096)
  }

  /// Reads back from disk what was spliced, with 4 KiB around it, or every byte if a hash was recorded.
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
  /// Creates the journal row of a change that is ready.
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
      // Recovery relies on these: the time the photo will get, and when it was written.
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
