import SystemPackage

/// The files that later runs changed and that are not undone. Loaded only if a file's bytes can't be confirmed.
final class LaterRuns {
  private let journal: Journal
  private let run: RunID
  /// The newest run after `run` that changed a file, by the file's path.
  private var runs: [FilePath: RunID]?

  init(than run: RunID, in journal: Journal) { (self.run, self.journal) = (run, journal) }

  /// Returns the reason to leave a file unchanged if a later run changed it.
  ///
  /// - Parameter paths: The original and the current path of the file.
  func refusal(of paths: Set<FilePath>) throws(FileError) -> FileError? {
    let known: [FilePath: RunID]
    if let runs { known = runs } else { known = try journal.newestRuns(after: run) }
    runs = known
    return paths.compactMap { known[$0] }.max().map(FileError.isChangedSince(by:))
  }

  /// Runs `body`. If it reports that the file was changed since, the error names the run that changed it.
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
