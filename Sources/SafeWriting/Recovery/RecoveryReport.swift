public import SystemPackage

/// The interrupted changes of earlier runs that recovery found, and what became of them.
public struct RecoveryReport: Hashable, Sendable {
  /// A file, and the reason why it was left as it is.
  public struct Trouble: Hashable, Sendable {
    /// The photo.
    public let path: FilePath
    /// The problem, and what helps.
    public let reason: String
  }

  /// The photos whose interrupted change recovery completed.
  public internal(set) var finished: [FilePath] = []
  /// The photos that were restored to their state before the interrupted run.
  public internal(set) var restored: [FilePath] = []
  /// The photos that another program changed, moved or removed in the meantime. They were not touched.
  public internal(set) var conflicts: [Trouble] = []
  /// The photos that can't be reached now (for example, on a card that isn't inserted), and unfinished new files that
  /// can't be removed. The next recovery tries again.
  public internal(set) var unreachable: [Trouble] = []
  /// The number of unfinished new files that were removed from the folders of photos.
  public internal(set) var removed = 0
  /// The scratch files of another journal. They may be in use, so they were not touched.
  public internal(set) var orphans: [FilePath] = []

  /// The number of changes of each run that recovery completed.
  public internal(set) var completed: [RunID: Int] = [:]
  /// The number of changes of each run that recovery took back.
  public internal(set) var takenBack: [RunID: Int] = [:]

  /// Whether there is nothing to report.
  public var isEmpty: Bool { self == RecoveryReport() }

  mutating func complete(_ entry: JournalEntry) {
    finished.append(entry.path)
    completed[RunID(entry.run), default: 0] += 1
  }

  package mutating func takeBack(_ entry: JournalEntry) {
    restored.append(entry.path)
    takenBack[RunID(entry.run), default: 0] += 1
  }
}
