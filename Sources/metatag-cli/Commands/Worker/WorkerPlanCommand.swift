import ArgumentParser
import MetaTag

/// `metatag worker plan`: plans the changes of photos.
struct WorkerPlanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Plan the changes of photos, as rows for 'metatag worker apply'.",
    usage: """
      metatag worker plan --clocks <file> [<options>]
             metatag worker plan [<options>] -- <command>
      """,
    discussion: """
      EXAMPLES:
        parallel --pipe metatag worker plan --no-hello --clocks clocks.json
          < photos.jsonl > plan.jsonl
            plan the photos that 'metatag clocks' printed
        find photos -type f | metatag worker plan -- set --title Lake > plan.jsonl

      Each line names a photo: a line that 'metatag clocks' printed, or a path. The
      answer is a row of a plan, or says why nothing is to be changed. No photo is
      changed.

      Store the plan before any of its rows is applied: a plan that is made again
      then plans a change of what was changed already.

      The command is that of 'metatag clocks'. Commands for which a photo's change
      depends neither on other photos nor on its old date can be given directly,
      without their files: name, set, clear, fix-extension, geotag --at or --place,
      and some of date.
      """)

  @Option(help: ArgumentHelp("Take the command and the cameras' clocks from this file.", valueName: "file"))
  var clocks: PathArgument?

  @OptionGroup var worker: WorkerOptions
  @OptionGroup var confinement: ConfinementOption

  @Argument(parsing: .postTerminator, help: ArgumentHelp("The command, without files.", valueName: "command"))
  var command: [String] = []

  func validate() throws {
    if (clocks == nil) == command.isEmpty {
      throw ValidationError("Give --clocks, or the command after --: metatag worker plan -- set --title Lake")
    }
  }

  func run() async throws {
    let file = try clocks.map { try ClocksFile($0.path) }
    let words = file.map { $0.command.map { Argv.disguised(Array($0.utf8)) } } ?? command
    let job = try JobCommand(words)
    guard file != nil || job.command.relativeChange == nil else {
      throw ValidationError(
        "This command moves what photos record, so it needs --clocks: 'metatag clocks' finds out whether an earlier run that "
          + "was interrupted has moved some of them.")
    }
    try worker.enterFolder()
    Batch.prepare(jobs: worker.jobs)
    let planning = try await PhotoLinePlanning(job, file?.knowledge ?? JobKnowledge(), jobs: worker.jobs)
    try await worker.serve(.plan, on: Console()) { try await planning.answer($0) }
  }
}
