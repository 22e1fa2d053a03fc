package import SystemPackage

/// The record that writing and recovery keep of changes. `Journal` keeps it in a database; tests keep it in memory, where
/// it can be copied for every power failure that they simulate.
package protocol ChangeJournal: Sendable {
  /// The folder of the record's files.
  var folder: FilePath { get }
  /// A random token in the name of every scratch file, so that no other journal takes the file for its own.
  var token: String { get }

  // MARK: Writing. Everything is durable when the function returns.

  /// Returns a number that no change and no atomic group of `run` has.
  func nextSequence(of run: RunID) -> Int
  /// Records that `folder` may contain scratch files of `run`. Call it before the first one is created.
  func note(_ folder: FilePath, of run: RunID) throws(FileError)
  /// Records changes before they become visible.
  func record(_ changes: [(entry: JournalEntry, undo: Patch, redo: Patch?)]) throws(FileError)
  /// Records the new state of changes. If a committed change undoes another, that other becomes undone.
  func update(_ entries: [JournalEntry]) throws(FileError)
  /// Records that committed changes need no further work.
  func noteCleaned(_ keys: [JournalEntry.Key]) throws(FileError)
  /// Records that `folder` contains no scratch files of `run` any more.
  func forget(_ folder: FilePath, of run: RunID) throws(FileError)
  func end(_ run: RunID, as state: RunSummary.State) throws(FileError)

  // MARK: Reading

  /// Returns the changes that were begun and may still need work, oldest first.
  func unsettled() throws(FileError) -> JournalRows<JournalEntry>
  /// Returns the changes of interrupted runs whose photo was missing when recovery looked for it. Changes of a file
  /// that a later run changed are left out: there is nothing left to settle.
  func unfound() throws(FileError) -> [JournalEntry]
  /// Returns one change, or nil if the journal has none with this key.
  func entry(_ key: JournalEntry.Key) throws(FileError) -> JournalEntry?
  /// Returns the changes in the atomic group of `entry`, including `entry` itself.
  func entries(inGroupOf entry: JournalEntry) throws(FileError) -> [JournalEntry]
  /// Returns the splices of a change as they are stored.
  func splices(_ direction: PatchDirection, of entry: JournalEntry) throws(FileError) -> [Splice]
  /// Returns the reason why the record may not be whole; nil if it is sound.
  func damage() throws(FileError) -> String?
  /// Returns the runs that began and did not end.
  func runningRuns() throws(FileError) -> [RunID]
  /// Returns the folders that may contain scratch files of runs that were interrupted or had failures.
  func folders() throws(FileError) -> [(RunID, FilePath)]
  /// Returns the names of the scratch files that rows of `run` mention, each with what `use` makes of the row; nil if a row
  /// can't be read.
  func scratchFiles<Use: Sendable>(of run: RunID, _ use: (JournalEntry) -> Use) throws(FileError) -> [[UInt8]: Use]?
}

extension Journal: ChangeJournal {
  /// The prefix of the scratch files of every journal and run.
  static let scratchPrefix = ".metatag-"
  static let scratchSuffix = ".tmp"
}

/// The direction of a recorded patch.
package enum PatchDirection: String {
  /// From the new file to the old.
  case undo
  /// From the old file to the new.
  case redo
}

/// The recorded patches between the old and the new file. Undo and recovery write them into photos.
extension ChangeJournal {
  /// Returns the patch that takes `entry` back; it is empty if no byte changed.
  ///
  /// - Throws: `.malformed` if the row or its splices differ from what was recorded. Rows of older versions have no
  ///   checksum and are not checked.
  package func inverse(of entry: JournalEntry) throws(FileError) -> Patch {
    let splices: [Splice]
    if let undo = entry.undo {
      do throws(FileError) { splices = try PackedSplices.unpacked(undo) } catch { throw damage(of: entry) }
    } else {
      splices = try self.splices(.undo, of: entry)
    }
    if let checksum = entry.checksum {
      guard try Array(entry.checksum(over: splices)).begins(withHash: checksum) else { throw damage(of: entry) }
    }
    return try patch(splices, to: entry.new.size, of: entry)
  }

  /// Returns the patch that makes the change `entry`; `inverse` takes it back.
  ///
  /// - Throws: `.malformed` if it is not what was recorded.
  package func redo(of entry: JournalEntry, inverse: Patch) throws(FileError) -> Patch {
    let splices = try splices(.redo, of: entry)
    let patch = try patch(splices, to: entry.old.size, of: entry)
    guard patch.newRanges == inverse.splices.map(\.range), splices.map(\.range) == inverse.newRanges,
      splices.map(\.use) == inverse.splices.map(\.use.inverse),
      try Bytes(splices.flatMap(\.bytes)).digest().begins(withHash: entry.digest)
    else { throw damage(of: entry) }
    return patch
  }

  private func patch(_ splices: [Splice], to count: Int, of entry: JournalEntry) throws(FileError) -> Patch {
    do {
      return try Patch(splices, to: count, imageData: [])
    } catch {
      throw damage(of: entry)
    }
  }

  func damage(of entry: JournalEntry) -> FileError {
    FileError(
      .damagedJournal,
      "the journal in \(folder) is damaged: the undo data of run \(entry.run) for this file has changed; nothing was written"
    )
  }
}
