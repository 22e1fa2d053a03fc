import ArgumentParser

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

  @Flag(help: "Say of each photo what its change rests on: points, distances, time zone.")
  var explain = false

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

  @OptionGroup var condition: ConditionOption
  @OptionGroup var work: JobsOption
}
