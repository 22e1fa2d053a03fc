import ArgumentParser
import MetaTag

/// `metatag worker undo`: takes back a run's changes, photo by photo.
struct WorkerUndoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Take back a run's changes of photos.",
    usage: "metatag worker undo --journal <folder> [<options>]",
    discussion: """
      EXAMPLES:
        metatag undo 7 --rows | parallel --pipe metatag worker undo --journal j
        metatag runs adopt j
            undo run 7 with one worker per processor

      Each line is a row that 'metatag undo --rows' printed. It has everything that
      is needed to give a photo its old bytes back, so that a worker doesn't need
      the journal with the run.
      """)

  @OptionGroup var journaling: WorkerJournalOption
  @OptionGroup var worker: WorkerOptions
  @OptionGroup var confinement: ConfinementOption

  func validate() throws {
    if journaling.journal == nil { throw ValidationError("--journal is required.") }
  }

  func run() async throws {
    let console = Console()
    let journals = try journaling.journals
    try worker.enterFolder()
    var undoing = UndoRowApplying(run: WorkerRun(in: journals, console))
    try await worker.serve(.undo, on: console) {
      try await undoing.answer($0)
    } end: {
      try undoing.end()
    }
  }
}
