import Glibc
import MetaTag

/// Shows what would change, and asks before many photos are changed. Scripts aren't asked.
struct Confirmation {
  /// The largest number of photos to change without asking: their report fits on a screen or two, and they can be
  /// undone.
  static let unasked = 50

  private let console: Console
  private let isAttended: Bool

  init(_ console: Console) {
    self.console = console
    isAttended = console.isTerminal && isatty(STDIN_FILENO) == 1
  }

  /// Plans the whole run, shows the totals and asks.
  /// - Throws: `ExitCode` if the answer isn't yes.
  func require(
    to photos: [Photo], options: Batch.Options, planner: @escaping @Sendable (Photo) -> any Planner
  ) async throws {
    guard isAttended, photos.count > Confirmation.unasked else { return }
    var totals = Totals()
    console.begin(Progress(total: photos.count, unit: "files looked at"))
    await Batch(dryRun: options).run(photos, planning: planner) { outcome in
      totals.add(ReportRow(outcome))
      console.advance()
    }
    console.endProgress()
    guard totals[.changed] + totals.substituted > Confirmation.unasked else { return }
    totals.lines(isDryRun: true, sumsUp: true).forEach { console.warn($0) }
    guard console.asks("Go ahead? [y/N] ") else {
      throw SetupError("Cancelled. Nothing was changed.")
    }
  }
}

extension Console {
  /// Asks on the terminal. Every answer except `y` and `yes` is a no.
  func asks(_ question: String) -> Bool {
    prompt(question)
    let answer = readLine(strippingNewline: true)?.lowercased() ?? ""
    return ["y", "yes"].contains(answer.filter { !$0.isWhitespace })
  }
}
