import Glibc
package import SystemPackage

/// A change in the journal, with what is needed to recognize its old and its new file by their bytes.
package struct JournaledChange {
  package let entry: JournalEntry
  /// The patch from the new file to the old.
  package let inverse: Patch
  private let journal: any ChangeJournal

  package init(_ entry: JournalEntry, in journal: any ChangeJournal) throws(FileError) {
    inverse = try journal.inverse(of: entry)
    guard !inverse.isEmpty || entry.method == .copy else { throw journal.damage(of: entry) }
    self.entry = entry
    self.journal = journal
  }

  /// The content of a file, recognized by its length and the bytes that the change replaces.
  package enum Content: Hashable {
    case old
    case new
    case other
    case missing
  }

  package func content(of file: FileSource) throws(FileError) -> Content {
    if try isNew(file) { return .new }
    guard entry.method != .copy, file.count == entry.old.size else { return .other }
    for (splice, range) in zip(inverse.splices, inverse.newRanges) {
      guard try file.bytes(range).array == splice.bytes else { return .other }
    }
    return .old
  }

  /// Whether every sector of a file is that of the old file, or of the new one, or was never written. Of the new file, the
  /// bytes that the change wrote are unknown.
  func isPart(_ file: FileSource, ofChanging old: FileSource) throws(FileError) -> Bool {
    let written = inverse.splices.map(\.range)
    let blank = zip(inverse.newRanges, written).map { range, new in
      Splice(range, [UInt8](repeating: 0, count: new.count))
    }
    let new = old.patched(by: try Patch(blank, to: old.count, imageData: []))
    guard file.count <= max(old.count, new.count) else { return false }
    for start in stride(from: 0, to: file.count, by: Patch.smallestSector) {
      let sector = start..<min(start + Patch.smallestSector, file.count)
      let bytes = try file.bytes(sector)
      if bytes.array.allSatisfy({ $0 == 0 }) { continue }
      if sector.upperBound <= old.count, try bytes.isEqual(to: old.bytes(sector)) { continue }
      guard sector.upperBound <= new.count else { return false }
      for part in [sector].excluding(written.filter { $0.overlaps(sector) }) {
        guard try file.bytes(part).isEqual(to: new.bytes(part)) else { return false }
      }
    }
    return true
  }

  package func content(of name: FilePath.Component, in folder: Directory) throws(FileError) -> Content {
    guard let status = try folder.status(of: name) else { return .missing }
    guard status.st_mode & S_IFMT == S_IFREG else { return .other }
    return try content(of: try DirectoryEntry(folder, name).open())
  }

  package func isNew(_ file: any ByteSource) throws(FileError) -> Bool {
    guard file.count == entry.new.size else { return false }
    // A copy may have no bytes of its own; its fingerprint covers those of the original.
    if entry.method == .copy, try isVouchedFor(file) == false { return false }
    return try file.digest(inverse.splices.map(\.range)).begins(withHash: entry.digest)
  }

  /// Whether the file is as this change left it. It may have been moved, or have another mode; it may also have another
  /// modification time if a hash or fingerprint confirms its bytes.
  func isAsLeft(_ file: FileSource) throws(FileError) -> Bool {
    guard try isNew(file) else { return false }
    return try isVouchedFor(file) ?? hasTimeAsLeft(file)
  }

  /// Throws unless the file is as this change left it. If a later run changed the file, the modification time alone is
  /// not sufficient.
  ///
  /// - Parameter path: The current path of the file.
  func requireAsLeft(_ file: FileSource, at path: FilePath, _ later: LaterRuns) throws(FileError) {
    let isVouched = try isNew(file) ? try isVouchedFor(file) : false
    if isVouched == true { return }
    if let refusal = try later.refusal(of: [entry.path, path]) { throw refusal }
    guard isVouched == nil else { throw FileError.isChangedSince }
    guard !hasTimeAsLeft(file) else { return }
    let time = entry.new.modified
    throw FileError(
      .modificationTimeChanged, "its modification time has changed since the run",
      remedy: .restoreFileTime(seconds: Int(time.seconds), nanoseconds: Int(time.nanoseconds)))
  }

  /// Whether it is certain that every byte of a file as this change left it, image data included, is unchanged.
  /// Fingerprints cover only parts.
  func isWholeAsLeft(_ file: FileSource) -> Bool { entry.newHash != nil || hasTimeAsLeft(file) }

  private func hasTimeAsLeft(_ file: FileSource) -> Bool { FileTime(file.status.st_mtim) == entry.new.modified }

  /// Whether the bytes that the change doesn't replace are the recorded ones; nil if nothing was recorded to compare
  /// with.
  private func isVouchedFor(_ file: any ByteSource) throws(FileError) -> Bool? {
    if let hash = entry.newHash { return try file.digest() == Array(hash) }
    if let fingerprint = entry.fingerprint { return try Fingerprint(fingerprint).isOf(file) }
    // For an undo, use the record of the change it took back: without the undo, the file must be as that change left
    // it.
    guard let undone = try entry.undoes.flatMap({ key throws(FileError) in try journal.entry(key) }),
      undone.method != .removal
    else { return nil }
    let (change, before) = (try JournaledChange(undone, in: journal), file.patched(by: inverse))
    return try change.isNew(before) ? try change.isVouchedFor(before) : false
  }
}

/// The files that later runs changed and that are not undone. Loaded only if a file's bytes can't be confirmed.
final class LaterRuns: Sendable {
  private let journal: Journal
  private let run: RunID
  /// The newest run after `run` that changed a file, by the file's path.
  private let runs = Lazily<Result<[FilePath: RunID], FileError>>()

  init(than run: RunID, in journal: Journal) { (self.run, self.journal) = (run, journal) }

  /// Returns the reason to leave a file unchanged if a later run changed it.
  ///
  /// - Parameter paths: The original and the current path of the file.
  func refusal(of paths: Set<FilePath>) throws(FileError) -> FileError? {
    let known = try runs.get { Result { () throws(FileError) in try journal.newestRuns(after: run) } }.get()
    return paths.compactMap { known[$0] }.max().map(FileError.isChangedSince(by:))
  }

  /// Runs `body`. If it reports that the file was changed since, the error names the run that changed it.
  func naming<R>(_ paths: FilePath..., body: () throws(FileError) -> R) throws(FileError) -> R {
    do throws(FileError) { return try body() } catch {
      guard error == .isChangedSince else { throw error }
      throw try refusal(of: Set(paths)) ?? error
    }
  }
}

extension FileError {
  fileprivate static func isChangedSince(by run: RunID) -> FileError {
    FileError(.changedByLaterRun, "modified after this run, by run \(run)", remedy: .undoFirst(Int(run.rawValue)))
  }
}
