import ArgumentParser
import MetaTag
import SystemPackage

/// `metatag worker apply`: makes the changes of plan rows from standard input.
struct WorkerApplyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Make the changes of rows of a plan.",
    usage: "metatag worker apply [<options>]",
    discussion: """
      EXAMPLES:
        tail -n +2 plan.jsonl |
          parallel --pipe metatag worker apply --plan plan.jsonl --journal j
            make the changes of a plan with one worker per processor

      Each line is a row of a plan, as PLANS.md describes it. The options in the
      plan's first line apply to all rows: give the plan with --plan, unless each
      row repeats them in its member "plan".

      Two workers can't use the same journal. With --journal, each worker makes a
      journal of its own in that folder, best on a local disk.
      """)

  @Option(help: ArgumentHelp("Take the options in the first line of this plan.", valueName: "plan"))
  var plan: PathArgument?

  @OptionGroup var journaling: WorkerJournalOption

  @Flag(
    help:
      "Also write the position 0, 0. Devices write it when they don't know where they are, so metatag treats it as no location."
  )
  var allowZero = false

  @OptionGroup var worker: WorkerOptions
  @OptionGroup var confinement: ConfinementOption

  func run() async throws {
    let console = Console()
    let header = try plan.map { plan in
      do throws(FileError) { return try PlanFile.Header(ofFile: plan.path) } catch {
        throw SetupError("the plan \(plan.path.printable): \(error.words.printable)")
      }
    }
    let journals = try journaling.journals
    try worker.enterFolder()
    Batch.prepare(jobs: worker.jobs)
    var applying = PlanRowApplying(
      header: header, allowsZero: allowZero, jobs: worker.jobs, run: WorkerRun(in: journals, console))
    try await worker.serve(.apply, on: console, mostLines: PlanRowApplying.mostLines) {
      try await applying.answer($0)
    } end: {
      try applying.end()
    }
  }
}
