import ArgumentParser
import MetaTag

/// The commands that lead on from a run that ended before its time.
struct Ways {
  let undo: String
  /// Only few runs need it, and asking the parser for it takes time.
  private let resumption: () -> String?

  /// Nil where it can only be undone.
  var resume: String? { resumption() }

  /// - Parameter resumption: How a change that starts from what photos record is resumed.
  init(onFrom run: RunID, of command: any ParsableCommand.Type, _ resumption: RelativeChange.Resumption? = nil) {
    undo = "metatag undo \(run)"
    self.resumption = {
      switch resumption ?? .retry {
      case .none: nil
      case .repetition: (Argv.typed.withoutRuns + ["--despite-run", "\(run)"]).inShell
      case .continuation: Argv.typed.continuing(run).inShell
      case .retry:
        // A plan says itself which files are done.
        CommandWords(Argv.typed, of: command).map { $0.canRetry ? $0.retrying(run) : Argv.typed.inShell }
      }
    }
  }

  /// Of an undo: the same once more.
  init(undoing run: RunID, by undo: RunID) {
    resumption = { "metatag undo \(run)" }
    self.undo = "metatag redo \(undo)"
  }

  var lines: [String] { [resume.map { "  Resume: \($0)" }, "  Undo:   \(undo)"].compactMap(\.self) }
}
