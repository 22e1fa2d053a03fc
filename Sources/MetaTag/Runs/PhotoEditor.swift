import Foundation
public import SystemPackage

/// Edits photos in bulk: the shortest way to change them safely.
///
/// ```swift
/// var edit = MetadataEdit()
/// edit.location = .set(Location(kyoto))
/// edit.title = .set("Kyoto")
/// let editor = PhotoEditor()
/// let result = try await editor.apply(edit, to: ["/photos/2024"])
/// for outcome in result.outcomes { print(outcome.path, outcome.status) }
/// try await editor.undo(result.run)
/// ```
///
/// Files that belong to a photo, such as its sidecar or the movie of a Live Photo, are changed with it or not at all.
/// Every run is in a journal, and can be undone. Only one run at a time can use a journal.
public struct PhotoEditor: Sendable {
  /// The options of runs: copies instead of changes, sidecars, modification times and more.
  public var options = Batch.Options()
  /// Whether photos in subfolders of the named folders are included.
  public var includesSubfolders = true
  private let journal: FilePath

  /// The result of a run.
  public struct Result: Sendable {
    /// The run, by which it can be undone.
    public let run: RunID
    /// One outcome per photo, in the order of the inputs.
    public let outcomes: [Outcome]

    /// Whether no photo was skipped, failed, or not reached.
    public var isComplete: Bool {
      outcomes.allSatisfy { outcome in
        switch outcome.status {
        case .changed, .substituted, .unchanged: true
        case .skipped, .failed, .notRun: false
        }
      }
    }
  }

  /// An event of a run. Photos are processed in parallel: their events may be in any order, but each has its own in
  /// this order.
  @nonexhaustive
  public enum Event: Sendable {
    /// The run has begun, with this number of photos.
    case started(RunID, count: Int)
    /// A photo is being read.
    case begun(FilePath)
    /// A photo's new bytes are ready and verified, or it needs none.
    case staged(FilePath)
    /// A photo's outcome is final. A change is on the disk.
    case committed(Outcome)
  }

  /// Creates an editor whose runs are recorded in the journal in `folder`. Runs of this version and of `metatag` can
  /// share a journal.
  public init(journal folder: FilePath = PhotoEditor.userJournal) { journal = folder }

  /// The folder of the user's journal, that of the program `metatag`: `$XDG_STATE_HOME/metatag`, or
  /// `~/.local/state/metatag`. What an editor does there can be undone with `metatag undo`.
  public static var userJournal: FilePath {
    let variables = ProcessInfo.processInfo.environment
    let state = variables["XDG_STATE_HOME"].map { FilePath($0) }
    // The specification says to ignore relative paths.
    if let state, state.isAbsolute { return state.appending("metatag") }
    let home = variables["HOME"].map { FilePath($0) } ?? FilePath(FileManager.default.homeDirectoryForCurrentUser.path)
    return home.appending(".local/state/metatag")
  }

  /// Applies the same edit to photos in files and folders. A photo that has the requested values already isn't touched.
  /// Cancelling the task finishes photos in progress; the others have the status `.notRun`.
  /// - Throws: `FileError`: `.conflict` while another run uses the journal, `.io` when it can't be used. No photo is
  ///   changed then. Problems with single photos are in the result.
  @discardableResult
  public func apply(_ edit: MetadataEdit, to paths: [FilePath]) async throws(FileError) -> Result {
    try await apply(GivenEdit(edit: edit), to: paths)
  }

  /// Applies what `planner` proposes for each photo. See `apply(_:to:)`.
  @discardableResult
  public func apply(_ planner: any Planner, to paths: [FilePath]) async throws(FileError) -> Result {
    try await run(planner, paths) { _ in }
  }

  /// Applies the same edit to photos, and returns the run's events as they happen. The run begins at once; leaving the
  /// loop over the events cancels it. The sequence throws the errors of `apply(_:to:)`.
  public func events(applying edit: MetadataEdit, to paths: [FilePath]) -> AsyncThrowingStream<Event, any Error> {
    events(applying: GivenEdit(edit: edit), to: paths)
  }

  /// Applies what `planner` proposes for each photo, and returns the run's events as they happen. See
  /// `events(applying:to:)`.
  public func events(applying planner: any Planner, to paths: [FilePath]) -> AsyncThrowingStream<Event, any Error> {
    AsyncThrowingStream { continuation in
      // A stream needs a task of its own. It ends with the stream.
      let task = Task {
        do throws(FileError) {
          _ = try await run(planner, paths) { continuation.yield($0) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { if case .cancelled = $0 { task.cancel() } }
    }
  }

  /// Gives every file that a run changed its old bytes back, and removes the files that it created. A file that another
  /// program has changed since stays as it is.
  /// - Returns: The outcome of each file.
  /// - Throws: `FileError`: `.refused` when there is no such run, and the errors of `apply(_:to:)`.
  @discardableResult
  public func undo(_ run: RunID) async throws(FileError) -> [(change: JournalOperation, outcome: Undo.Outcome)] {
    let cancelled = Signal()
    let undone = await withTaskCancellationHandler {
      await offloading {
        Swift.Result { () throws(FileError) in
          let journal = try opened()
          let last = try journal.newestRunThatLeft(beside: journal.operations(of: run).map(\.path))
          let undo = try journal.beginRun(
            arguments: [Self.name, "undo", "\(run)"], at: .now, version: "", undoing: run, after: last)
          var outcomes: [(change: JournalOperation, outcome: Undo.Outcome)] = []
          try Undo(run, as: undo, in: journal)(until: { cancelled.isRaised }) { outcomes.append(($0, $1)) }
          try journal.finishRun(undo)
          return outcomes
        }
      }
    } onCancel: {
      cancelled.raise()
    }
    return try undone.get()
  }

  /// The name of the running program, under which the journal lists its runs.
  private static var name: String { CommandLine.arguments.first ?? "" }

  private func opened() throws(FileError) -> Journal {
    let journal = try Journal(directory: journal)
    // An interrupted run is finished or taken back before another one begins.
    _ = try journal.recover()
    return journal
  }

  private func run(
    _ planner: any Planner, _ paths: [FilePath], _ note: @escaping @Sendable (Event) -> Void
  ) async throws(FileError) -> Result {
    let (inputs, begun) = await offloading {
      let found = Walk.photos(in: paths, recursively: includesSubfolders)
      let inputs = options.copies == nil ? found : Walk.withAllNames(found)
      let begun = Swift.Result { () throws(FileError) in
        let journal = try opened()
        let last = try journal.newestRunThatLeft(beside: inputs.map(\.path))
        return (journal, try journal.beginRun(arguments: [Self.name], at: .now, version: "", after: last))
      }
      return (inputs, begun)
    }
    let (journal, run) = try begun.get()
    let photos = await Photo.pairing(inputs, jobs: options.jobs)
    note(.started(run, count: photos.count))
    var outcomes: [Outcome] = []
    await Batch(run, in: journal, options: options).run(
      photos, planning: { _ in planner }, until: { false },
      noting: { progress in
        switch progress {
        case .begun(let path): note(.begun(path))
        case .staged(let path): note(.staged(path))
        }
      }
    ) { outcome in
      note(.committed(outcome))
      outcomes.append(outcome)
    }
    let left = outcomes.filter { outcome in if case .notRun = outcome.status { true } else { outcome.isFailure } }
    let (paths, failed) = (left.map(\.path), left.count { $0.isFailure })
    let isCancelled = Task.isCancelled
    let ended = await offloading {
      Swift.Result { () throws(FileError) in
        try journal.finishRun(run, leaving: paths, failed: failed, isInterrupted: isCancelled && !paths.isEmpty)
      }
    }
    try ended.get()
    return Result(run: run, outcomes: outcomes)
  }
}

/// A planner that proposes the same edit for every photo.
private struct GivenEdit: Planner {
  let edit: MetadataEdit

  var isAboutPlaces: Bool { edit.location != .keep }

  func propose(for metadata: Metadata) -> Proposal { .change(edit, because: .described) }
}
