import ArgumentParser
import MetaTag

/// The commands that lead on from a run that ended before its time.
struct Ways {
  /// Nil where it can only be undone.
  let resume: String?
  let undo: String

  /// - Parameter resumption: How a change that starts from what photos record is resumed.
  init(onFrom run: RunID, of command: any ParsableCommand.Type, _ resumption: RelativeChange.Resumption? = nil) {
    undo = "metatag undo \(run)"
    let words = CommandWords(Argv.typed, of: command)
    switch resumption ?? .retry {
    case .none: resume = nil
    case .repetition: resume = (Argv.typed.withoutRuns + ["--despite-run", "\(run)"]).inShell
    case .retry:
      // A plan says itself which files are done.
      resume = words.map { $0.canRetry ? $0.retrying(run) : Argv.typed.inShell }
    }
  }

  /// Of an undo: the same once more.
  init(undoing run: RunID, by undo: RunID) {
    resume = "metatag undo \(run)"
    self.undo = "metatag redo \(undo)"
  }

  var lines: [String] { [resume.map { "  Resume: \($0)" }, "  Undo:   \(undo)"].compactMap(\.self) }
}
