import CSys
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
    /// There was no file; the scratch file, a changed copy of `source`, becomes it.
    case copy(ScratchFile)
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
  /// The photo that the new file belongs to: without it, the file isn't created.
  package let owner: FilePath?

  package init(
    place: DirectoryEntry, source: FileSource, patch: Patch, inverse: Patch, method: Method, entry: JournalEntry,
    modified: FileTime?, copy: FullCopy? = nil, owner: FilePath? = nil
  ) {
    self.place = place
    self.source = source
    self.patch = patch
    self.inverse = inverse
    self.method = method
    self.entry = entry
    self.modified = modified
    self.copy = copy
    self.owner = owner
  }

  /// The new file next to the photo, if there is one.
  package var scratch: ScratchFile? {
    switch method {
    case .exchange(let scratch), .creation(let scratch), .copy(let scratch): scratch
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
    case .exchange, .creation, .copy: patch.newCount
    case .inPlace: patch.splices.reduce(0) { $0 + $1.bytes.count }
    case .removal: 0
    }
  }

  /// The content the photo will have.
  package var result: PatchedSource<FileSource> { PatchedSource(old: source, patch: patch) }

  static let backupEnding = Array(".old".utf8)

  /// Returns the name that the old file gets if names can't be exchanged, and under which recovery looks for it.
  package static func backup(of scratch: FilePath.Component) -> FilePath.Component? {
    FilePath(bytes: scratch.bytes + backupEnding).lastComponent
  }

  /// The ending of a new file that hasn't replaced anything yet.
  static let stagingEnding = Array(".new".utf8)

  /// Returns the name that a new file has until the exchange, by the name that the journal records.
  package static func staging(of scratch: FilePath.Component) -> FilePath.Component? {
    let ending = Array(Journal.scratchSuffix.utf8)
    guard scratch.bytes.suffix(ending.count).elementsEqual(ending) else { return nil }
    return FilePath(bytes: scratch.bytes.dropLast(ending.count) + stagingEnding).lastComponent
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

  /// Throws if another program has the photo open for writing: what it writes later would be lost with the old file.
  func refuseIfOpenForWriting() throws(FileError) {
    switch method {
    case .creation, .copy: return
    case .exchange, .inPlace, .removal: break
    }
    try place.refuseIfOpenForWriting(source.file)
    // Two processes must not write to the same file. Where names are exchanged, the displaced file shows it.
    guard edit != nil, !source.file.system.lock(source.file.rawValue) else { return }
    throw FileError(.openForWriting, "is being changed by another process", remedy: .wait)
  }

  /// Throws unless the photo is the one that was read, including its times.
  func refuseUnlessUnchanged() throws(FileError) {
    guard try place.folder.identity(of: place.name) == entry.old else {
      throw FileError.changedMeanwhile
    }
  }

  /// Drops the pages of an edit in place from the page cache, and starts to read what will be verified.
  func dropCachedPages() {
    let ranges = entry.newHash == nil ? patch.newRanges.map(around) : [0..<patch.newCount]
    for range in RangeSet(ranges).ranges {
      source.file.forget(range)
      source.file.ask(for: range)
    }
  }

  /// Returns the bytes to read back for `range`, with 4 KiB on either side.
  private func around(_ range: Range<Int>) -> Range<Int> {
    max(0, range.lowerBound - 4096)..<min(patch.newCount, range.upperBound + 4096)
  }

  /// Reads back from disk what was spliced, with 4 KiB around it, or every byte if a hash was recorded.
  package func verify(_ file: FileSource) throws(FileError) {
    guard file.count == patch.newCount else {
      throw FileError(.readBackDiffers, "read back \(file.count) bytes, expected \(patch.newCount)")
    }
    for range in patch.newRanges.map(around).merged() {
      guard try file.bytes(range).isEqual(to: result.bytes(range)) else {
        throw FileError(.readBackDiffers, "the bytes read back differ from those written", at: range.lowerBound)
      }
    }
    if let hash = entry.newHash, try file.digest() != Array(hash) {
      throw FileError(.readBackDiffers, "the bytes read back differ from those written")
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
    old =
      if case .copy(let file) = method {
        FileIdentity(emptyVersionOf: try FileIdentity(of: file.descriptor))
      } else {
        FileIdentity(source.status)
      }
    switch method {
    case .exchange(let file):
      self.method = .exchange
      scratch = Data(file.recordedName.bytes)
      new = try FileIdentity(of: file.descriptor)
    case .creation(let file):
      self.method = .creation
      scratch = Data(file.recordedName.bytes)
      new = try FileIdentity(of: file.descriptor)
    case .copy(let file):
      self.method = .copy
      scratch = Data(file.recordedName.bytes)
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
  package static let changedMeanwhile = FileError(
    .changedDuringRun, "was changed by another program during the run", remedy: .runAgain)
}

extension StagedFile {
  /// Puts the new file in the photo's place. Sets `displaced` to the name of the old file as soon as the old file has
  /// it, so that it can be restored from there whatever happens next.
  package func exchange(with scratch: ScratchFile, displaced: inout FilePath.Component?) throws(FileError) {
    let folder = place.folder
    try scratch.takeRecordedName()
    if try folder.exchange(scratch.name, place.name) {
      displaced = scratch.name
    } else {
      // Without an exchange, the photo briefly has only its backup's name, which recovery knows.
      guard let backup = StagedFile.backup(of: scratch.name) else {
        throw FileError(.noName, "could not find a name for the old file")
      }
      try folder.move(place.name, to: backup)
      displaced = backup
      try folder.synchronizeVolume()
      try folder.move(scratch.name, to: place.name)
    }
    // If another file was displaced than the one that was read, it was replaced after the check: the caller puts it
    // back.
    guard let displaced, let status = try folder.status(of: displaced),
      FileIdentity(status).isSameContent(as: entry.old), status.hasRights(of: source.status)
    else { throw FileError.changedMeanwhile }
  }

  /// Performs one step of an edit in place, and returns the photo's new identity. Throws and writes nothing if the
  /// photo isn't `now`.
  package func step(
    from now: FileIdentity, _ write: (borrowing Descriptor) throws(FileError) -> Void
  ) throws(FileError) -> FileIdentity {
    let descriptor = try place.folder.open(place.name, O_RDWR)
    guard try FileIdentity(of: descriptor) == now else { throw FileError.changedMeanwhile }
    try write(descriptor)
    // This only starts the write-back: the disk works while the next photo is changed.
    descriptor.system.startWriteback(descriptor.rawValue)
    return try FileIdentity(of: descriptor)
  }

  /// Sets the times of a photo that was edited in place.
  package func setTimes(_ descriptor: borrowing Descriptor) throws(FileError) {
    if let modified {
      try Attributes.setTimes(descriptor, accessed: source.status.st_atim, modified: modified)
    } else {
      // In another user's file we may only write the bytes; the access time can then have moved.
      try? Attributes.setTimes(descriptor, accessed: source.status.st_atim, modified: nil)
    }
  }

  /// Restores the old photo.
  package func takeBack(_ displaced: FilePath.Component?) throws(FileError) {
    switch method {
    case .exchange(let scratch):
      guard let displaced else { return try refuseIfRenamed(scratch) }
      if displaced == scratch.name {
        guard try place.folder.exchange(displaced, place.name) else {
          throw FileError(.io, "could not restore the old file")
        }
      } else {
        if try place.folder.status(of: place.name) != nil { try place.folder.move(place.name, to: scratch.name) }
        try place.folder.move(displaced, to: place.name)
      }
      try place.folder.synchronizeVolume()
    case .inPlace(let edit, let inverse):
      try edit.takeBack(at: place, inverse: inverse, to: entry.old, isOurs: entry.mayHaveSet)
    case .creation(let scratch), .copy(let scratch):
      // Unless another program wrote to it, or put another file there.
      guard displaced != nil, try place.folder.identity(of: place.name)?.isSameContent(as: entry.new) == true
      else { return }
      try place.folder.move(place.name, to: scratch.name)
      try place.folder.synchronizeVolume()
    case .removal:
      guard let displaced else { return }
      try place.folder.move(displaced, to: place.name)
      try place.folder.synchronizeVolume()
    }
  }
}

extension StagedFile {
  /// Throws if a name changed although the system reported failure, as NFS and SMB may; recovery then finds out which
  /// file is where.
  private func refuseIfRenamed(_ scratch: ScratchFile) throws(FileError) {
    let folder = place.folder
    let isRenamed =
      if let now = try folder.identity(of: place.name) {
        now.inode == (try FileIdentity(of: scratch.descriptor)).inode
      } else if let backup = StagedFile.backup(of: scratch.name) {
        try folder.status(of: backup) != nil
      } else {
        false
      }
    guard !isRenamed else {
      throw FileError(.io, "it may have been renamed, although its file system reports an error")
    }
  }

  /// Whether the photo is certainly as it was before the change.
  func isOld() throws(FileError) -> Bool {
    let now = try place.folder.identity(of: place.name)
    switch method {
    case .exchange, .removal: return now?.isSameContent(as: entry.old) == true
    case .creation, .copy: return now == nil
    case .inPlace(let edit, let inverse):
      // The edit may have set the old time.
      guard now?.isSameContent(as: entry.old) == true else { return false }
      return try edit.progress(in: try place.open(), inverse: inverse) == .old
    }
  }

  /// The photo's modification time, if it was edited in place and has its old bytes again; otherwise nil.
  var timeOnceTakenBack: FileTime? {
    guard case .inPlace(let edit, let inverse) = method, let file = try? place.open(), file.count == entry.old.size,
      (try? edit.progress(in: file, inverse: inverse)) == .old
    else { return nil }
    return FileTime(file.status.st_mtim)
  }
}

extension FileIdentity {
  /// Creates the identity of a new file before anything was written to it.
  fileprivate init(emptyVersionOf file: FileIdentity) {
    self = file
    size = 0
  }

  package init(of file: borrowing Descriptor) throws(FileError) {
    self.init(try file.status())
  }
}

extension stat {
  /// Whether the file has the mode and the owners of another.
  fileprivate func hasRights(of other: stat) -> Bool {
    (st_mode, st_uid, st_gid) == (other.st_mode, other.st_uid, other.st_gid)
  }
}
