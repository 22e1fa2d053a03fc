import ArgumentParser
import MetaTag
import SystemPackage

/// `metatag convert`: converts photos to JPEG, HEIC or AVIF, with all their metadata.
struct ConvertCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert photos to JPEG, HEIC or AVIF, or make them smaller, with all their metadata.",
    usage: "metatag convert --to <format> [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag convert --to compatible *                   HEIC becomes JPEG
        metatag convert --to jpeg --output ~/mail *.HEIC    into a folder
        metatag convert --to jpeg --max-pixels 2048 --output ~/mail *
        metatag convert --to avif --quality 80 IMG_0001.JPG

      IMG_0001.HEIC is converted to IMG_0001.JPG next to it, or to IMG_0001-1.JPG if
      that name is taken. The original stays as it is; 'metatag undo' removes the
      new files. The report says what is lost: gain maps, depth, more than 8 bits,
      transparency, the full size. Raw files and JPEG 2000 can't be decoded. For raw
      files, 'metatag show --thumbnail' writes the preview.
      """)

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp(
      "New format. With compatible, HEIF and AVIF files become JPEG, and no other files are converted.",
      valueName: "format"))
  var target: Conversion.Target

  @Option(
    name: [.customLong("quality"), .customLong("jpeg-quality")],
    help: ArgumentHelp("Quality, 1–100.", valueName: "number"))
  var quality = 95

  @Option(
    help: ArgumentHelp(
      "Scale larger pictures down to this length of the longer side, also those that have the format already.",
      valueName: "pixels"))
  var maxPixels: Int?

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write the new files to this folder.", valueName: "folder")
  )
  var folder: PathArgument?

  @Flag(name: [.customShort("n"), .long], help: "Show which files would be written, and write none.")
  var dryRun = false

  @OptionGroup(title: "Files") var input: InputOptions
  @OptionGroup(title: "Files") var condition: ConditionOption
  @OptionGroup var work: JobsOption
  @Flag(help: ArgumentHelp("Stop at the first failure; later files are reported as not done.", visibility: .shared))
  var failFast = false

  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions
  @OptionGroup var unplanned: UnplannedOptions

  func validate() throws {
    guard (1...100).contains(quality) else { throw ValidationError("--quality takes 1 to 100, not \(quality).") }
    if let maxPixels, !(1...65_535).contains(maxPixels) {
      throw ValidationError("--max-pixels takes 1 to 65535, not \(maxPixels).")
    }
  }

  func run() async throws {
    let console = Console()
    let inputs = await condition.reading(try input.photos(console: console), jobs: work, console: console).map(\.input)
    var options = Conversion.Options()
    (options.target, options.quality, options.jobs) = (target, quality, work.count)
    options.maxPixels = maxPixels
    options.folder = folder?.path
    options.stopsAtFailure = failFast
    if let folder = folder?.path {
      do { try FileDescriptor.open(folder, .readOnly, options: [.directory, .closeOnExec]).close() } catch let error
        as Errno
      {
        let remedy = error == .noSuchFileOrDirectory ? "; create the folder first (mkdir -p)" : ""
        throw SetupError("can't write to the folder \(folder.printable): \(error.words)\(remedy)")
      }
    }
    let codecs = try await PictureCodecs()
    var report = Report(to: console, output.format, isDryRun: dryRun, isQuiet: output.quiet, sumsUp: output.summary)
    console.begin(Progress(total: inputs.count))
    Interrupt.listen()
    if dryRun {
      await Conversion(dryRun: options, codecs: codecs).run(inputs, until: { Interrupt.isWished }) {
        report.add(ReportRow($0, $1))
      }
    } else {
      let run = try RecordedRun(on: console, of: inputs.map(\.path))
      await Conversion(run.id, in: run.journal, codecs: codecs, options: options)
        .run(inputs, until: { Interrupt.isWished }) { report.add(ReportRow($0, $1)) }
      run.end(&report, of: Self.self)
    }
    try report.end()
  }
}

extension ReportRow {
  init(_ path: FilePath, _ outcome: Conversion.Outcome) {
    switch outcome {
    case .created(let new, let losses):
      self.init(path, .created)
      substitute = Substitute(path: new, isNew: true, losses: losses)
    case .unchanged(let reason): self.init(path, .unchanged, reason.code.rawValue, reason: reason.words)
    case .failed(let error): self.init(path, error)
    case .notRun: self.init(path, RowOutcome.notRun)
    }
  }
}
