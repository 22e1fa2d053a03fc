import ArgumentParser
import MetaTag

struct ApplyCommand: PhotoWriting {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Carry out a plan that another command wrote with --plan.",
    usage: "metatag apply <plan> [<options>]",
    discussion: """
      EXAMPLES:
        metatag apply plan.jsonl
            what 'metatag geotag --track day.gpx --plan plan.jsonl *.JPG' planned,
            from the same folder, and nothing else
        metatag apply --dry-run plan.jsonl
            see it again
        jq -c 'select(.metatagPlan or .change.location.latitude > 46)' plan.jsonl
            the first line stays, of the others those that are meant

      A plan is text, a photo a line, and may be edited; PLANS.md says what it
      holds. A photo is changed only while it is as it was when it was planned: by
      its size, its time of last change, and the SHA-256 of all its bytes but
      pictures and sound. Others are reported as failed. What the plan says is
      checked before any photo is touched, and a word that isn't known refuses the
      whole plan.
      """)

  @Argument(help: ArgumentHelp("The plan.", valueName: "plan"))
  var plan: PathArgument

  @Flag(help: "Write the position 0, 0 too, which metatag reads as no place: devices write it without a fix.")
  var allowZero = false

  @OptionGroup var running: RunOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if plan.paths.count > 1 { throw ValidationError("Give one plan.") }
  }

  func run() async throws {
    let console = Console()
    let file: PlanFile
    do throws(FileError) {
      file = try PlanFile(plan.path, allowsZero: allowZero)
    } catch {
      throw SetupError("the plan \(plan.path.printable): \("\(error)".printable)")
    }
    var options = running.batch
    options.fallback = Fallback(file.header.fallback, quality: file.header.jpegQuality)
    options.fixesExtensions = file.header.fixesExtensions
    options.sidecars = file.header.sidecars
    options.keepsModificationTime = running.keepMtime || file.header.keepsModificationTime
    let planners = Dictionary(file.rows.map { ($0.path, $0.planner) }) { first, _ in first }
    try await write(
      to: await file.photos(jobs: running.work.count), on: console, options: options,
      isStrict: file.header.isStrict, retrying: RunID(retriedBy: file.header.command)
    ) { photo in
      planners[photo.input.path] ?? NoChange()
    }
  }
}
