import ArgumentParser
import MetaTag
import SystemPackage

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

/// For commands that don't change metadata: refuses `--plan` with a reason.
struct UnplannedOptions: ParsableArguments {
  @Option(help: .private)
  var plan: PathArgument?

  func validate() throws {
    guard plan == nil else {
      throw ValidationError(
        "--plan writes down changes of metadata, and this command makes none; --dry-run shows what it would do.")
    }
  }
}

/// Options for sidecars.
struct SidecarOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "For raw files: write an XMP sidecar, or change the file itself where its format allows it.", valueName: "what"))
  var raw = SidecarPolicy.Raw.sidecar

  @Option(
    help: ArgumentHelp(
      "Which photos get a new sidecar: only raw files (raw); every photo, none of which is changed itself (always); or "
        + "none (never). Existing sidecars are always updated.", valueName: "which"))
  var sidecar = SidecarPolicy.New.raw

  @Option(
    help: ArgumentHelp(
      "Name of a new sidecar: IMG_1.NEF.xmp, as in darktable and digiKam (full), or IMG_1.xmp, as in Adobe programs, "
        + "unless another photo shares that name (base).", valueName: "how"))
  var sidecarName = SidecarPolicy.Name.full

  /// The library's equivalent of these options.
  var policy: SidecarPolicy {
    var policy = SidecarPolicy()
    (policy.raw, policy.new, policy.name) = (raw, sidecar, sidecarName)
    return policy
  }
}
