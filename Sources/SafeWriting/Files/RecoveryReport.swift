public import SystemPackage

/// What was found of earlier runs that were cut off, and what became of it.
public struct RecoveryReport: Hashable, Sendable {
  /// A file, and a sentence on why it was left as it is.
  public struct Trouble: Hashable, Sendable {
    /// The photo.
    public let path: FilePath
    /// What is the matter, and what helps.
    public let reason: String
  }

  /// Photos whose change was as good as done, and is done now.
  public internal(set) var finished: [FilePath] = []
  /// Photos that are as they were before the run that was cut off.
  public internal(set) var restored: [FilePath] = []
  /// Photos that someone else changed, moved or removed meanwhile: nothing was touched.
  public internal(set) var conflicts: [Trouble] = []
  /// Photos that can't be reached now (a card that isn't in), and unfinished new files that can't be removed: the next
  /// recovery tries again.
  public internal(set) var unreachable: [Trouble] = []
  /// How many unfinished new files were removed from beside photos.
  public internal(set) var removed = 0
  /// Scratch files of another journal. They may be in use: nothing was touched.
  public internal(set) var orphans: [FilePath] = []

  /// How many changes of each run are done now that were as good as done.
  public internal(set) var completed: [RunID: Int] = [:]
  /// How many changes of each run were taken back.
  public internal(set) var takenBack: [RunID: Int] = [:]

  /// Whether there is nothing to tell.
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
