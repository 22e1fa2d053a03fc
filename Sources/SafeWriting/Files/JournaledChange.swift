import Glibc
package import SystemPackage

/// A change the journal holds, with what it takes to recognise its old and its new file by their bytes.
package struct JournaledChange {
  package let entry: JournalEntry
  /// From the new file to the old.
  package let inverse: Patch
  private let journal: Journal

  package init(_ entry: JournalEntry, in journal: Journal) throws(FileError) {
    inverse = try journal.inverse(of: entry)
    guard !inverse.isEmpty else { throw journal.damage(of: entry) }
    self.entry = entry
    self.journal = journal
  }

  /// What a file is, by its length and the bytes the change replaces.
  package enum Content: Hashable {
    case old
    case new
    case other
    case missing
  }

  package func content(of file: FileSource) throws(FileError) -> Content {
    if try isNew(file) { return .new }
    guard file.count == entry.old.size else { return .other }
    for (splice, range) in zip(inverse.splices, inverse.newRanges) {
      guard try file.bytes(range).array == splice.bytes else { return .other }
    }
    return .old
  }

  package func content(of name: FilePath.Component, in folder: Directory) throws(FileError) -> Content {
    guard let status = try folder.status(of: name) else { return .missing }
    guard status.st_mode & S_IFMT == S_IFREG else { return .other }
    return try content(of: try DirectoryEntry(folder, name).open())
  }

  package func isNew(_ file: any ByteSource) throws(FileError) -> Bool {
    guard file.count == entry.new.size else { return false }
    return try file.digest(inverse.splices.map(\.range)) == Array(entry.digest)
  }

  /// Whether the file is as this change left it. It may have been moved, or got another mode; or another time of last
  /// change, where its bytes vouch for it.
  func isAsLeft(_ file: FileSource) throws(FileError) -> Bool {
    guard try isNew(file) else { return false }
    return try isVouchedFor(file) ?? hasTimeAsLeft(file)
  }

  /// Demands that the file is as this change left it. Its time alone doesn't vouch for what a later run changed.
  ///
  /// - Parameter path: Where it is.
  func requireAsLeft(_ file: FileSource, at path: FilePath, _ later: LaterRuns) throws(FileError) {
    let isVouched = try isNew(file) ? try isVouchedFor(file) : false
    if isVouched == true { return }
    if let refusal = try later.refusal(of: [entry.path, path]) { throw refusal }
    guard isVouched == nil else { throw FileError.isChangedSince }
    guard !hasTimeAsLeft(file) else { return }
    let (seconds, rest) = (entry.new.modified.seconds, entry.new.modified.nanoseconds.padded(9))
    throw FileError(
      .conflict,
      "has another time of last change than the run left, so something else may have written to it; "
        + "if nothing has, give it that time (touch -m -d @\(seconds).\(rest) FILE) and undo again")
  }

  /// Whether no byte of a file that is as this change left it can be another, pictures too: check sums are of parts.
  func isWholeAsLeft(_ file: FileSource) -> Bool { entry.newHash != nil || hasTimeAsLeft(file) }

  private func hasTimeAsLeft(_ file: FileSource) -> Bool { FileTime(file.status.st_mtim) == entry.new.modified }

  /// Whether the bytes that it doesn't replace are those of then; nil where nothing was recorded that tells.
  private func isVouchedFor(_ file: any ByteSource) throws(FileError) -> Bool? {
    if let hash = entry.newHash { return try file.digest() == Array(hash) }
    if let fingerprint = entry.fingerprint { return try Fingerprint(fingerprint).isOf(file) }
    // Of an undo, that of what it took back: without the undo, the file must be what that had left.
    guard let undone = try entry.undoes.flatMap({ key throws(FileError) in try journal.entry(key) }),
      undone.method != .removal
    else { return nil }
    let (change, before) = (try JournaledChange(undone, in: journal), file.patched(by: inverse))
    return try change.isNew(before) ? try change.isVouchedFor(before) : false
  }
}
