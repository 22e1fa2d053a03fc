import ArgumentParser

/// How a run that changes files goes about it, whatever was planned.
struct RunOptions: ParsableArguments {
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

  @Option(
    help: ArgumentHelp(
      "A JPEG XL file that can give back the JPEG it was made from, and would not after the change: left alone (keep), "
        + "or changed all the same (drop).", valueName: "what"))
  var jxlJpeg = Reconstruction.keep

  @OptionGroup var condition: ConditionOption
  @OptionGroup var work: JobsOption
}
