import Foundation
import Synchronization
import SystemPackage

/// Consecutive changes of an undo whose files can be staged at the same time: each is about the bytes of another file. Or one
/// change of another kind.
struct UndoStretch {
  var entries: [JournalEntry] = []
  let paths: Set<FilePath>
  /// Whether the bytes of files change.
  let isOfBytes: Bool
}

/// Reads the changes of an undo from the journal, stretch by stretch.
struct UndoStretches<Steps: Sequence<UndoStep>> {
  private let journal: Journal
  private var steps: Steps.Iterator
  private var first: UndoStep?
  /// The changes that can't be read any more.
  private(set) var damaged: [DamagedRow] = []

  /// With the group that is flushed and the one that is collected, two stretches are staged: together they may not have more
  /// files open than three groups.
  private static var mostCount: Int { Rewriter.groupCount / 2 }
  private static var mostBytes: Int { Rewriter.groupBytes / 2 }

  init(_ steps: Steps, in journal: Journal) {
    self.journal = journal
    self.steps = steps.makeIterator()
    first = self.steps.next()
  }

  mutating func next() throws(FileError) -> UndoStretch? {
    guard let start = first else { return nil }
    var taken = [start]
    var (paths, bytes): (Set<FilePath>, Int) = ([start.path], start.count)
    first = steps.next()
    while start.isOfBytes, let step = first, step.isOfBytes, taken.count < Self.mostCount, bytes < Self.mostBytes,
      paths.insert(step.path).inserted
    {
      taken.append(step)
      bytes += step.count
      first = steps.next()
    }
    let rows = try journal.rows(of: taken)
    damaged += rows.damaged
    return UndoStretch(entries: rows.entries, paths: paths, isOfBytes: start.isOfBytes)
  }
}

/// Files of a stretch that are being staged on several threads.
struct UndoStaging {
  /// A file to stage.
  struct File: Sendable {
    let entry: JournalEntry
    /// The current path of the file, or why it can't be restored.
    let path: Result<FilePath, FileError>
    /// The atomic group of the undo.
    let atomicGroup: Int?
  }

  /// A staged file, and whether another program may have written to the photo since; or why it isn't staged.
  typealias Staged = Result<(file: StagedFile, isVague: Bool), FileError>

  /// Two threads per processor: one waits for the disk while the other works. Each stages every n-th file.
  private let threads: [Future<Results>]
  private let files: [File]
  private let fullDisk: Signal
  private let stage: @Sendable (File) throws(FileError) -> (file: StagedFile, isVague: Bool)

  /// Starts to stage files, until one of this undo doesn't fit on its disk: what is staged ahead would take its room.
  /// - Parameter fullDisk: Raised when one doesn't fit.
  init(
    _ files: [File], until fullDisk: Signal,
    _ stage: @escaping @Sendable (File) throws(FileError) -> (file: StagedFile, isVague: Bool)
  ) {
    (self.files, self.fullDisk, self.stage) = (files, fullDisk, stage)
    let count = min(files.count, 2 * max(1, ProcessInfo.processInfo.activeProcessorCount))
    threads = (0..<count).map { first in
      Future {
        Results(
          stride(from: first, to: files.count, by: count).map { index in
            fullDisk.isRaised ? nil : Self.staged(files[index], fullDisk, stage)
          })
      }
    }
  }

  /// The results of a thread. Each is handed over once: an old file takes up room until it is closed.
  private final class Results: Sendable {
    private let results: Mutex<[Staged?]>

    init(_ results: [Staged?]) { self.results = Mutex(results) }

    func take(_ index: Int) -> Staged? { results.withLock { $0[index].take() } }
  }

  /// Returns the result for a file, which may have to be staged now. Waits until it is known.
  /// - Parameter makeRoom: Commits the files before it, and removes what they needed meanwhile. Those after it are discarded,
  ///   and staged in their turn.
  func result(_ index: Int, _ rewriter: Rewriter, makingRoom makeRoom: () -> Void) -> Staged {
    if let staged = take(index) { return staged }
    if let staged = Self.staged(files[index], fullDisk, stage) { return staged }
    makeRoom()
    withdraw(rewriter)
    return Result { () throws(FileError) in try stage(files[index]) }
  }

  private func take(_ index: Int) -> Staged? { threads[index % threads.count].value.take(index / threads.count) }

  /// Stages a file; returns nil if it doesn't fit on its disk.
  private static func staged(
    _ file: File, _ fullDisk: Signal,
    _ stage: (File) throws(FileError) -> (file: StagedFile, isVague: Bool)
  ) -> Staged? {
    let staged = Result { () throws(FileError) in try stage(file) }
    guard case .failure(let error) = staged, error.code == .diskFull else { return staged }
    fullDisk.raise()
    return nil
  }

  /// Discards the staged file at an index.
  func withdraw(_ index: Int, _ rewriter: Rewriter) {
    if case .success(let staged) = take(index) { rewriter.withdraw([staged.file]) }
  }

  /// Discards all staged files.
  func withdraw(_ rewriter: Rewriter) {
    for index in files.indices { withdraw(index, rewriter) }
  }
}

extension UndoStaging.File {
  /// Stages the file, after all checks.
  func staged(
    in journal: Journal, by rewriter: Rewriter, _ later: LaterRuns
  ) throws(FileError) -> (file: StagedFile, isVague: Bool) {
    let path = try path.get()
    let (change, source) = try entry.asLeft(in: journal, at: path, later)
    let isVague = !change.isWholeAsLeft(source)
    if entry.makesFile {
      try entry.origin?.requireKept(besides: source)
      let place = try DirectoryEntry.removing(path)
      return (
        try rewriter.stage(removalOf: source, at: place, undoing: entry.key, atomicGroup: atomicGroup), isVague
      )
    }
    // With the old time, a file whose picture another program changed would be taken for the original.
    let modified = isVague ? FileTime(source.status.st_mtim) : entry.old.modified
    let file = try rewriter.stage(
      source, at: path, patch: change.inverse, modified: modified, undoing: entry.key,
      atomicGroup: atomicGroup
    ) { restored throws(FileError) in
      try entry.requireOld(restored)
    }
    return (file, isVague)
  }
}
