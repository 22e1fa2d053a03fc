import SystemPackage

/// Which files later runs changed that are not undone: asked only where a file's bytes don't vouch for it.
final class LaterRuns {
  private let journal: Journal
  private let run: RunID
  /// The newest run after `run` that changed a file, by the file's path.
  private var runs: [FilePath: RunID]?

  init(than run: RunID, in journal: Journal) { (self.run, self.journal) = (run, journal) }

  /// Why the file of a change is left alone, if a later run changed it.
  ///
  /// - Parameter paths: Where it was, and where it is.
  func refusal(of paths: Set<FilePath>) throws(FileError) -> FileError? {
    let known: [FilePath: RunID]
    if let runs { known = runs } else { known = try journal.newestRuns(after: run) }
    runs = known
    return paths.compactMap { known[$0] }.max().map(FileError.isChangedSince(by:))
  }

  /// Does `body`, and says which run changed the file where that finds that it was changed since.
  func naming<R>(_ paths: FilePath..., body: () throws(FileError) -> R) throws(FileError) -> R {
    do throws(FileError) { return try body() } catch {
      guard error == .isChangedSince else { throw error }
      throw try refusal(of: Set(paths)) ?? error
    }
  }
}

extension FileError {
  fileprivate static func isChangedSince(by run: RunID) -> FileError {
    FileError(.conflict, "was changed since, and is left as it is (run \(run) changed it later: undo that first)")
  }
}
