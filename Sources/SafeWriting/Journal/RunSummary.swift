public import SystemPackage

/// Names one run of the tool in its journal; later runs have larger numbers.
public struct RunID: Hashable, Comparable, Sendable {
  /// 1, 2, 3, …
  public let rawValue: Int64

  /// The run with this number.
  public init(_ rawValue: Int64) { self.rawValue = rawValue }

  /// Earlier runs come first.
  public static func < (a: RunID, b: RunID) -> Bool { a.rawValue < b.rawValue }
}

extension RunID: CustomStringConvertible {
  /// The number.
  public var description: String { String(rawValue) }
}

/// One run, as `metatag log` shows it.
public struct RunSummary: Hashable, Sendable {
  /// How a run stands.
  public enum State: String, Sendable {
    /// Begun and not ended; or another process is at it.
    case running
    /// Ended by itself.
    case finished
    /// Ended by its user before its time; or killed or cut off, and settled by a later run.
    case interrupted
  }

  /// Its number.
  public let id: RunID
  /// When it began, as the caller said.
  public let started: Instant
  /// The command line, program name included.
  public let arguments: [String]
  /// The version of the tool that ran.
  public let version: String
  /// How it stands.
  public let state: State
  /// The run it undid.
  public let undoes: RunID?
  /// The run that it retried by a plan; what its command line says of that is not here.
  public let retries: RunID?
  /// Files it changed that are as it left them, as far as the journal knows.
  public internal(set) var changed: Int
  /// Files that were not there before, and are as it left them, as far as the journal knows.
  public internal(set) var created: Int
  /// Files it changed or created of which that was undone since.
  public internal(set) var undone: Int
  /// Files it could not change.
  public let failed: Int
}

/// Changes of a run that are done, and that its journal has not noted as done.
package struct UnnotedChanges: Hashable, Sendable {
  /// Files it changed.
  package internal(set) var changed = 0
  /// Files it made.
  package internal(set) var created = 0
  /// Changes of it that another run took back.
  package internal(set) var undone = 0
}

extension RunSummary {
  /// The same run with what is done although its journal hasn't noted that.
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

/// What one run did to one file.
public struct JournalOperation: Hashable, Sendable {
  /// How a change stands.
  public enum State: String, Codable, Sendable {
    /// The new bytes are ready; the photo is old, or new, until recovery says so.
    case staged
    /// The photo is new; the old bytes still lie beside it.
    case committed
    /// The photo is new and nothing is left beside it.
    case cleaned
    /// The photo is as it was.
    case failed
    /// The photo was changed by someone else meanwhile and was left alone.
    case conflict
    /// The photo was new, and is as it was again.
    case undone
  }

  /// Which run.
  public let run: RunID
  /// Its place in the run.
  public let sequence: Int
  /// The file, absolute, symbolic links resolved. Bytes, not text.
  public private(set) var path: FilePath
  /// Of a change of its name, where it is since.
  public let target: FilePath?
  /// How it stands.
  public let state: State
  /// Why it was not done.
  public let reason: String?
  /// What it changed.
  public let kind: Kind

  /// The same with the path where its file is by now.
  package func moved(to path: FilePath) -> JournalOperation {
    var operation = self
    operation.path = path
    return operation
  }

  /// What a change is of.
  public enum Kind: Hashable, Sendable {
    /// The file's bytes.
    case bytes
    /// Its name.
    case name
    /// Its time of last change.
    case time
    /// The file was not there before.
    case creation
    /// It was there before.
    case removal
  }
}
