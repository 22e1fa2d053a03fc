import ArgumentParser
import SystemPackage

/// Options for commands that change files or plan changes.
@dynamicMemberLookup
struct EditOptions: ParsableArguments {
  @OptionGroup var running: RunOptions

  @Option(
    help: ArgumentHelp(
      "Change nothing; write the planned changes to this new file, for 'metatag apply'.", valueName: "file",
      visibility: .shared))
  var plan: PathArgument?

  @Flag(
    help: ArgumentHelp(
      "Treat each file as a photo of its own: don't change a Live Photo's movie or an edited version with its photo.",
      visibility: .shared))
  var separately = false

  @Flag(
    help: ArgumentHelp(
      "Rename files whose extension doesn't match their content: a .JPG that is a HEIC becomes .HEIC.",
      visibility: .shared))
  var fixExtension = false

  @Option(
    help: ArgumentHelp(
      "Move dates again that this unfinished run already moved, which is refused otherwise. With 'geotag --fix-dates': "
        + "finish that run, or revise the dates it corrected. Repeatable.",
      valueName: "run", visibility: .shared))
  var despiteRun: [Int] = []

  @OptionGroup(title: "Raw files and sidecars", visibility: .shared) var sidecars: SidecarOptions

  func validate() throws {
    if plan?.path == "-" {
      throw ValidationError("--plan takes a file: standard output has the report. Name a new one, and print it.")
    }
    if running.dryRun, plan != nil {
      throw ValidationError("--plan and --dry-run exclude each other: a plan changes nothing either.")
    }
  }

  /// Whether no photo is changed.
  var isTrial: Bool { running.dryRun || plan != nil }

  subscript<Value>(dynamicMember option: KeyPath<RunOptions, Value>) -> Value { running[keyPath: option] }
}
