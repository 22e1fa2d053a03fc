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

  @OptionGroup(title: "Files") var condition: ConditionOption
  @OptionGroup var work: JobsOption
}

/// Options for changed copies.
struct CopyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Don't change the photos; write changed copies into this folder. Files found in a folder keep their place below "
        + "it.", valueName: "folder", visibility: .shared))
  var copyTo: PathArgument?

  @Flag(
    help: ArgumentHelp(
      "With --copy-to: move each photo with all its files to the trash once its copy is safely on the disk.",
      visibility: .shared))
  var trashOriginal = false

  func validate() throws {
    if trashOriginal, copyTo == nil { throw ValidationError("--trash-original requires --copy-to.") }
    if let folder = copyTo?.path.resolvedPart, Confinement.excludes(folder) {
      throw ValidationError("--copy-to must be below the folder of --root.")
    }
  }

  /// The library's equivalent of these options.
  var copies: Copies? {
    copyTo.map { Copies(in: $0.path, trash: trashOriginal ? XDGDirectories().trash : nil) }
  }
}

extension FilePath {
  /// The path of what exists of it, without links.
  fileprivate var resolvedPart: FilePath? {
    let folder = removingLastComponent()
    return resolved ?? (folder.isEmpty ? "." : folder).resolvedPart
  }
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
      "Allow moving dates again that this unfinished run already moved. With 'geotag --fix-dates': "
        + "finish that run, or revise the dates it corrected. Repeatable.",
      valueName: "run", visibility: .shared))
  var despiteRun: [Int] = []

  @OptionGroup(title: "Copies", visibility: .shared) var copying: CopyOptions
  @OptionGroup(title: "Raw files and sidecars", visibility: .shared) var sidecars: SidecarOptions

  func validate() throws {
    if plan != nil, copying.copyTo != nil {
      throw ValidationError("--plan and --copy-to can't be used together. Use --copy-to with 'metatag apply'.")
    }
    if plan?.path == "-" {
      throw ValidationError("--plan requires a file, because standard output has the report.")
    }
    if running.dryRun, plan != nil {
      throw ValidationError("--plan and --dry-run can't be used together. A plan doesn't change photos either.")
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
        "--plan can't be used with this command, which doesn't change metadata. Use --dry-run.")
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
      "Which photos get a new sidecar: raw files (raw); every photo, instead of being changed itself (always); or "
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

/// Options for the report.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Report as one JSON document.")
  var json = false

  @Flag(help: "Report as JSON Lines: one object per line, as results arrive.")
  var jsonl = false

  @Flag(help: "Report as CSV (RFC 4180), one row per file.")
  var csv = false

  @Flag(help: "With --json or --jsonl, list which bytes of each file are replaced.")
  var splices = false

  @Flag(help: "Print counts instead of one line per file, except for skipped and failed files.")
  var summary = false

  @Flag(name: [.customShort("q"), .long], help: "Report only files that were skipped or failed.")
  var quiet = false

  func validate() throws {
    if [json, jsonl, csv].count(where: { $0 }) > 1 {
      throw ValidationError("--json, --jsonl and --csv can't be used together.")
    }
    if splices, !json, !jsonl { throw ValidationError("--splices requires --json or --jsonl.") }
    if summary, format != .text { throw ValidationError("--summary can't be used with --json, --jsonl or --csv.") }
  }

  var format: Report.Format { json ? .json : jsonl ? .jsonLines : csv ? .csv : .text }
}

/// Options for a date that is known as an instant.
struct DatingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Time zone where the photos were taken: +02:00, Europe/Vienna, Vienna, @home. (default: from each photo's location)",
      valueName: "zone"),
    transform: Zone.argument)
  var zone: Zone?

  @Option(help: "Whether to replace what photos already record.")
  var overwrite = PlainOverwrite.keep
}

/// Options for photos that can't be changed.
struct FallbackOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "For a HEIF or AVIF file that can't be changed: write a JPEG copy with all its metadata (jpeg) or an XMP sidecar "
        + "next to it, or fail.", valueName: "what"))
  var fallback = Fallback.Choice.jpeg

  @Option(help: ArgumentHelp("Quality of that JPEG, 1–100.", valueName: "number"))
  var jpegQuality = 95

  @Flag(
    help: ArgumentHelp(
      "Exit with status 1 if --fallback wrote a JPEG or a sidecar. Sidecars written because of --raw or --sidecar don't "
        + "count."))
  var strict = false

  func validate() throws {
    guard 1...100 ~= jpegQuality else { throw ValidationError("--jpeg-quality takes 1 to 100, not \(jpegQuality).") }
  }
}

/// Options that many commands share, such as `--where` and `--json`.
enum SharedOptions {
  /// Whether help lists them like any other option. Completion scripts need this: the parser leaves hidden options out.
  @TaskLocal static var areListed = false
}

extension ArgumentVisibility {
  /// For shared options: `--help-hidden` and the manual list them, `--help` doesn't.
  static var shared: ArgumentVisibility { SharedOptions.areListed ? .default : .hidden }
}
