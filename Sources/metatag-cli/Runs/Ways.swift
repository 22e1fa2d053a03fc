import ArgumentParser
import MetaTag

/// The commands that continue an interrupted run.
struct Ways {
  let undo: String
  /// Computed only if needed, because the parser takes time.
  private let resumption: () -> String?

  /// The command that resumes the run; nil if it can only be undone.
  var resume: String? { resumption() }

  /// - Parameter resumption: How a relative change is resumed.
  init(onFrom run: RunID, of command: any ParsableCommand.Type, _ resumption: RelativeChange.Resumption? = nil) {
    undo = "metatag undo \(run)"
    self.resumption = {
      switch resumption ?? .retry {
      case .none: nil
      case .repetition: (Argv.typed.withoutRuns + ["--despite-run", "\(run)"]).inShell
      case .continuation: Argv.typed.continuing(run).inShell
      case .retry:
        // A plan itself records which files are done.
        CommandWords(Argv.typed, of: command).map { $0.canRetry ? $0.retrying(run) : Argv.typed.inShell }
      }
    }
  }

  /// Creates the commands for an undo: the same again.
  init(undoing run: RunID, by undo: RunID) {
    resumption = { "metatag undo \(run)" }
    self.undo = "metatag redo \(undo)"
  }

  var lines: [String] { [resume.map { "  Resume: \($0)" }, "  Undo:   \(undo)"].compactMap(\.self) }
}
