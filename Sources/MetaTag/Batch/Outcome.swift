public import SystemPackage

/// What became of one input of a run. Every input has exactly one.
public struct Outcome: Sendable {
  /// How it ended.
  public enum Status: Sendable {
    /// The photo holds the change (in a dry run: would hold it), durably.
    case changed
    /// It already was as wanted; not a byte was touched. Why.
    case unchanged(Reason)
    /// It was left alone on purpose. Why, and what helps.
    case skipped(Reason)
    /// It could not be read or changed; it is byte for byte as it was.
    case failed(PhotoError)
    /// The run was interrupted before it was begun.
    case notRun
  }

  /// The input, as named.
  public let path: FilePath
  /// How it ended.
  public var status: Status
  /// Its format, when it was recognised.
  public var type: ImageType?
  /// What it recorded before.
  public var before: Metadata?
  /// What it records now (in a dry run: would record). Nil unless changed.
  public var after: Metadata?
  /// How the change was found: the fix used, the zone assumed.
  public var explanation: Explanation?
  /// The splices, of a dry run or a change.
  public var patch: Patch?
  /// What could not be done as it was asked for, and what the change leaves behind.
  public var notices: [String] = []

  init(_ path: FilePath, _ status: Status) {
    self.path = path
    self.status = status
  }
}
