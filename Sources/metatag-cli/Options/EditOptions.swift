import ArgumentParser
import SystemPackage

/// How a command changes files.
struct EditOptions: ParsableArguments {
  /// How much of a written file is read back.
  enum Verification: String, ExpressibleByArgument, CaseIterable, Sendable {
    case spliced, full
  }

  /// What becomes of the way back from a JPEG XL file to its JPEG.
  enum Reconstruction: String, ExpressibleByArgument, CaseIterable, Sendable {
    case keep, drop
  }

  @Flag(name: [.customShort("n"), .long], help: "Only show what would change.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "Write what would change into this new file, and change nothing; 'metatag apply' carries it out.",
      valueName: "file"))
  var plan: PathArgument?

  @Flag(help: "Say of each photo what its change rests on: points, distances, time zone.")
  var explain = false

  @Flag(
    name: [.customShort("y"), .long],
    help: "Don't ask before more than 50 photos are changed. Only who sits at a terminal is asked.")
  var yes = false

  @Flag(help: "Stop at the first failure: the photos after it are reported as not done.")
  var failFast = false

  @Flag(help: "Leave the files' own times as they are.")
  var keepMtime = false

  @Option(help: "Read back what was changed, or every byte of every file.")
  var verify = Verification.spliced

  @Flag(help: "Take each file by itself: a Live Photo's movie, or an edited version, is not changed with its photo.")
  var separately = false

  @Flag(help: "Rename files whose ending is not that of their content: a .JPG that holds a HEIC becomes .HEIC.")
  var fixExtension = false

  @Option(
    help: ArgumentHelp(
      "A JPEG XL file that can give back the JPEG it was made from, and would not after the change: left alone (keep), "
        + "or changed all the same (drop).", valueName: "what"))
  var jxlJpeg = Reconstruction.keep

  @OptionGroup(title: "Raw files and sidecars") var sidecars: SidecarOptions
  @OptionGroup var condition: ConditionOption
  @OptionGroup var work: JobsOption

  func validate() throws {
    if plan?.path == "-" {
      throw ValidationError("--plan takes a file: standard output has the report. Name a new one, and print it.")
    }
    if dryRun, plan != nil {
      throw ValidationError("--plan and --dry-run exclude each other: a plan changes nothing either.")
    }
  }

  /// Whether no photo is changed.
  var isTrial: Bool { dryRun || plan != nil }
}
