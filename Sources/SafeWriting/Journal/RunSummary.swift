public import SystemPackage

/// The number of one run of the tool in its journal. Later runs have larger numbers.
public struct RunID: Hashable, Comparable, Sendable {
  /// The number, starting at 1.
  public let rawValue: Int64

  /// Creates the identifier of the run with this number.
  public init(_ rawValue: Int64) { self.rawValue = rawValue }

  /// Compares by number: earlier runs come first.
  public static func < (a: RunID, b: RunID) -> Bool { a.rawValue < b.rawValue }
}

extension RunID: CustomStringConvertible {
  /// The number as text.
  public var description: String { String(rawValue) }
}

/// One run, as `metatag log` shows it.
public struct RunSummary: Hashable, Sendable {
  /// The state of a run.
  public enum State: String, Sendable {
    /// The run has begun and not ended, or another process is working on it.
    case running
    /// The run ended normally.
    case finished
    /// The user stopped the run early, or it was killed and a later run settled it.
    case interrupted
  }

  /// The run's number.
  public let id: RunID
  /// Whether only the run's number can be read, because the journal is damaged. Its changes can be undone all the same, as far as
  /// they can be read.
  public let isDamaged: Bool
  /// The time at which it began, as given by the caller.
  public let started: Instant
  /// The command line, program name included.
  public let arguments: [String]
  /// The version of the tool that ran.
  public let version: String
  /// The state of the run.
  public let state: State
  /// The run that this run undid; nil if it is not an undo.
  public let undoes: RunID?
  /// The run that this run retried from a plan; otherwise nil. A retry that the command line names is not
  /// included.
  public let retries: RunID?
  /// The number of files it changed that still have the change, as far as the journal knows.
  public internal(set) var changed: Int
  /// The number of files it created that still exist as it left them, as far as the journal knows.
  public internal(set) var created: Int
  /// The number of files it changed or created whose change was undone since.
  public internal(set) var undone: Int
  /// The number of files it could not change.
  public let failed: Int
}

/// Counts of a run's changes that are done, but that the journal has not yet recorded as done.
package struct UnnotedChanges: Hashable, Sendable {
  /// The number of files it changed.
  package internal(set) var changed = 0
  /// The number of files it created.
  package internal(set) var created = 0
  /// The number of its changes that another run took back.
  package internal(set) var undone = 0
}

extension RunSummary {
  /// Returns this summary with changes added that are done but not recorded.
  package func counting(_ unnoted: UnnotedChanges?) -> RunSummary {
    guard let unnoted else { return self }
    var run = self
    let standing = changed + created + unnoted.changed + unnoted.created
    let undone = min(unnoted.undone, standing)
    run.changed = max(0, changed + unnoted.changed - undone)
    run.created = standing - undone - run.changed
    run.undone += undone
    return run
  }
}

/// One change that one run made to one file.
public struct JournalOperation: Hashable, Sendable {
  /// The state of a change.
  public enum State: String, Codable, Sendable, CaseIterable {
    /// The new bytes are ready; recovery has to find out whether the photo is old or new.
    case staged
    /// The photo is new; the old bytes are still kept next to it.
    case committed
    /// The photo is new, and nothing is left next to it.
    case cleaned
    /// The change failed, and the photo is as it was.
    case failed
    /// Another program changed the photo in the meantime, and the photo was left unchanged.
    case conflict
    /// The change was made and then undone.
    case undone
  }

  /// The run that made the change.
  public let run: RunID
  /// The position of the change within the run.
  public let sequence: Int
  /// The absolute path of the file, symbolic links resolved. Paths are bytes, not text.
  public private(set) var path: FilePath
  /// The new path, if the file was renamed; otherwise nil.
  public let target: FilePath?
  /// The absolute path of the original, if the file was created as a copy; otherwise nil.
  public let origin: FilePath?
  /// The state of the change.
  public let state: State
  /// The reason why the change was not made; nil if it was made.
  public let reason: String?
  /// The kind of change.
  public let kind: Kind

  /// Returns this operation with the current path of its file.
  package func moved(to path: FilePath) -> JournalOperation {
    var operation = self
    operation.path = path
    return operation
  }

  /// The kinds of changes.
  @nonexhaustive
  public enum Kind: Hashable, Sendable {
    /// The bytes of a file changed.
    case bytes
    /// The name of a file changed.
    case name
    /// The modification time of a file changed.
    case time
    /// A file was created.
    case creation
    /// A file was removed.
    case removal
    /// A file was moved to the trash.
    case trashing
    /// A file was moved back from the trash.
    case untrashing
  }
}
