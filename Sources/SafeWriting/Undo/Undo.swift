import Glibc
public import SystemPackage

/// Takes back what a run did: every file gets back its old bytes and its old modification time. Files that the run
/// changed together are restored together or not at all.
///
/// An undo is a run of its own, so it can be undone too.
public struct Undo: Sendable {
  /// The result for one file.
  @nonexhaustive
  public enum Outcome: Hashable, Sendable {
    /// The file is restored byte for byte.
    case restored
    /// The old bytes are restored wherever the run had changed them. The file's modification time differs from the one
    /// that the run left, and it isn't certain that every other byte is as the run left it.
    case restoredMetadata
    /// The file has its old name again.
    case renamed
    /// The file has its old modification time again.
    case retimed
    /// The file, which the run had created, is removed.
    case removed
    /// The file, which the run had moved to the trash, is back.
    case untrashed
    /// The file was left unchanged, for this reason.
    case notRestored(FileError)
    /// The file was left unchanged, for this reason. A version without the run's change was written to this path next
    /// to it.
    case writtenBeside(FilePath, FileError)
    /// The undo was cancelled before it reached this file.
    case notRun
  }

  /// Whether a file was left unchanged because it is gone from where the run left it.
  public static func isMissing(_ outcome: Outcome) -> Bool { outcome == .notRestored(.isGone) }

  /// The suffix appended to a photo's name for the file written next to it.
  public static let suffix = ".metatag-original"

  private let journal: Journal
  private let run: RunID
  private let rewriter: Rewriter
  private let writesBeside: Bool
  private let selection: UndoSelection

  /// Prepares to undo `run`.
  ///
  /// - Parameters:
  ///   - undo: The run that undoes it, begun with `beginRun(…, undoing: run)`.
  ///   - selection: The files to restore, and where to look for them.
  ///   - writesBeside: If a photo was changed since, but the run's bytes are still in it, writes a version without them
  ///     next to the photo.
  ///   - verifiesWholeFile: Whether every byte is read back from disk.
  public init(
    _ run: RunID, as undo: RunID, in journal: Journal, _ selection: UndoSelection = UndoSelection(),
    writesBeside: Bool = false, verifiesWholeFile: Bool = false
  ) {
    self.journal = journal
    self.run = run
    self.writesBeside = writesBeside
    self.selection = selection
    rewriter = Rewriter(
      journal: journal, run: undo, options: Rewriter.Options(verifiesWholeFile: verifiesWholeFile))
  }

  /// Undoes the run and reports the result for each file, in the order of their paths. If the task is cancelled or
  /// `stop` returns true, the undo ends after the group that was begun; the rest is reported as `.notRun`. `stop` is
  /// called before each file. A file that must be left unchanged is usually reported at once.
  ///
  /// - Throws: `FileError`: `.refused` if there is no such run, or if it is to undo itself; `.io` if the journal can't
  ///   be read. Problems with a single photo are reported through `announce`.
  public func callAsFunction(
    until stop: () -> Bool = { false }, _ announce: (JournalOperation, Outcome) -> Void
  ) throws(FileError) {
    guard run != rewriter.run else {
      throw FileError(.runIsUndo, "run \(run) can't undo itself", remedy: .undoInOtherRun)
    }
    try journal.require(run)
    var order = try UndoOrder(of: run, in: journal, selection)
    var stretches = UndoStretches(order.steps, in: journal)
    var queue = UndoQueue(
      order.photos, after: LaterRuns(than: run, in: journal), in: journal, by: rewriter, selection,
      writesBeside: writesBeside)
    var isStopped = false
    var next = try stretches.next()
    var staging: UndoStaging?
    while let stretch = next {
      next = try stretches.next()
      let staged = isStopped ? nil : staging ?? queue.stage(stretch, announce)
      // While this stretch is committed, the next one is staged.
      staging = isStopped ? nil : next.flatMap { queue.stage($0, besides: stretch) }
      for (index, entry) in stretch.entries.enumerated() {
        isStopped = isStopped || Task.isCancelled || stop()
        if isStopped {
          staged?.withdraw(index, rewriter)
          announce(entry.operation, .notRun)
        } else {
          queue.add(entry, at: index, of: staged, announce)
        }
      }
      if isStopped { staging?.withdraw(rewriter) }
    }
    queue.finish(announce)
    rewriter.finish()
    order.add(stretches.damaged)
    journal.announce(order.damaged, selection, announce)
  }
}
