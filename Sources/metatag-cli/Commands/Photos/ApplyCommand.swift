import ArgumentParser
import MetaTag

/// `metatag apply`: makes the changes of a plan that another command wrote with --plan.
struct ApplyCommand: PhotoWriting {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Make the changes of a plan that another command wrote with --plan.",
    usage: "metatag apply <plan> [<options>]",
    discussion: """
      EXAMPLES:
        metatag apply plan.jsonl
            make the changes that 'metatag geotag --track day.gpx --plan plan.jsonl
            *.JPG' planned; run it in the same folder
        metatag apply --dry-run plan.jsonl
            show them again
        jq -c 'select(.metatagPlan or .change.location.latitude > 46)' plan.jsonl
            keep the first line, and only the photos north of 46°

      A plan is a text file with one line per photo, and you may edit it; PLANS.md
      describes the format. A photo is changed only if it is still as it was when
      the plan was made: its size, its modification time, and the SHA-256 of all its
      bytes except pictures and sound. Otherwise it is reported as failed. The whole
      plan is checked before any photo is changed, and an unknown word in it is an
      error.
      """)

  @Argument(help: ArgumentHelp("Plan to apply.", valueName: "plan"))
  var plan: PathArgument

  @Flag(
    help:
      "Also write the position 0, 0. Devices write it when they don't know where they are, so metatag treats it as no location."
  )
  var allowZero = false

  @OptionGroup var running: RunOptions
  @OptionGroup(title: "Copies", visibility: .shared) var copying: CopyOptions
  @OptionGroup var confinement: ConfinementOption
  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions

  func validate() throws {
    if plan.paths.count > 1 { throw ValidationError("Give one plan.") }
  }

  func run() async throws {
    let console = Console()
    let file: PlanFile
    do throws(FileError) {
      file = try PlanFile(plan.path, allowsZero: allowZero)
    } catch {
      throw SetupError("the plan \(plan.path.printable): \(error.words.printable)")
    }
    var options = running.batch
    options.follow(file.header)
    options.copies = copying.copies
    options.keepsModificationTime = options.keepsModificationTime || running.keepMtime
    let planners = Dictionary(file.rows.map { ($0.path, $0.planner) }) { first, _ in first }
    let catalog = running.condition.catalog
    let photos = await file.photos(jobs: running.work.count, catalog)
    options.copies?.root = photos.map { $0.input.path.removingLastComponent() }.common
    try await write(
      to: photos, on: console, catalog, options: options,
      isStrict: file.header.isStrict, retrying: RunID(retriedBy: file.header.command)
    ) { photo in
      planners[photo.input.path] ?? NoChange()
    }
  }
}

extension Batch.Options {
  /// Takes over the options in the first line of a plan.
  mutating func follow(_ header: PlanFile.Header) {
    fallback = Fallback(header.fallback, quality: header.jpegQuality)
    fixesExtensions = header.fixesExtensions
    sidecars = header.sidecars
    keepsModificationTime = header.keepsModificationTime
  }
}
