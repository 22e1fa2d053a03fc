import ArgumentParser
import SystemPackage

/// How a command changes files, or plans to.
@dynamicMemberLookup
struct EditOptions: ParsableArguments {
  @OptionGroup var running: RunOptions

  @Option(
    help: ArgumentHelp(
      "Write what would change into this new file, and change nothing; 'metatag apply' carries it out.",
      valueName: "file"))
  var plan: PathArgument?

  @Flag(help: "Take each file by itself: a Live Photo's movie, or an edited version, is not changed with its photo.")
  var separately = false

  @Flag(help: "Rename files whose ending is not that of their content: a .JPG that holds a HEIC becomes .HEIC.")
  var fixExtension = false

  @Option(
    help: ArgumentHelp(
      "Move photos once more that this unfinished run moved already, which is refused otherwise; of 'geotag --fix-dates' "
        + "do the rest of it, or correct what this finished run corrected. May be repeated.",
      valueName: "run"))
  var despiteRun: [Int] = []

  @OptionGroup(title: "Raw files and sidecars") var sidecars: SidecarOptions

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
