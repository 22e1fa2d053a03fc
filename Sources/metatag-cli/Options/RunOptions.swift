import ArgumentParser

/// Options for commands that change files, whether planned by them or not.
struct RunOptions: ParsableArguments {
  /// How much of a written file to read back.
  enum Verification: String, ExpressibleByArgument, CaseIterable, Sendable {
    case spliced, full
  }

  /// The treatment of a JPEG XL file whose original JPEG couldn't be reconstructed after the change.
  enum Reconstruction: String, ExpressibleByArgument, CaseIterable, Sendable {
    case keep, drop
  }

  @Flag(name: [.customShort("n"), .long], help: "Show what would change, and change nothing.")
  var dryRun = false

  @Flag(help: ArgumentHelp("Explain each change: track points, distances, time zone.", visibility: .shared))
  var explain = false

  @Flag(
    name: [.customShort("y"), .long],
    help: ArgumentHelp(
      "Don't ask before changing more than 50 photos (asked only in a terminal).", visibility: .shared))
  var yes = false

  @Flag(help: ArgumentHelp("Stop at the first failure; later photos are reported as not done.", visibility: .shared))
  var failFast = false

  @Flag(help: ArgumentHelp("Keep the files' modification times.", visibility: .shared))
  var keepMtime = false

  @Option(help: ArgumentHelp("Read back only the changed bytes, or every byte of each file.", visibility: .shared))
  var verify = Verification.spliced

  @Option(
    help: ArgumentHelp(
      "For a JPEG XL file whose original JPEG couldn't be reconstructed after the change: skip it (keep), or change it "
        + "anyway (drop).", valueName: "what", visibility: .shared))
  var jxlJpeg = Reconstruction.keep

  @OptionGroup(title: "Files", visibility: .shared) var condition: ConditionOption
  @OptionGroup var work: JobsOption
}
