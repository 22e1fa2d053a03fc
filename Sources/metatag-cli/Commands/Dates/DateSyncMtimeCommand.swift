import ArgumentParser
import MetaTag

/// `metatag date sync-mtime`: sets the modification times of files to the capture times.
struct DateSyncMtimeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync-mtime",
    abstract: "Set the modification times of files to the capture times.",
    usage: "metatag date sync-mtime [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date sync-mtime --dry-run *.JPG
        metatag date sync-mtime --camera-zone Europe/Vienna --recursive ~/Pictures

      Programs that sort by file time then sort by capture time. The contents of the
      files don't change, and 'metatag undo' restores the old times. A file whose
      time is within a second is left unchanged. Photos without a time zone use
      --camera-zone, or else the zone of their location; movies with a time only in
      their headers need --camera-zone. The date of a raw file is taken from its
      sidecar, whose own modification time doesn't change.
      """)

  @Flag(name: [.customShort("n"), .long], help: "Show what would change, and change nothing.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "Time zone of the camera's clock, for photos that don't record one: +09:00, Asia/Tokyo, Kyoto, @home.",
      valueName: "zone"),
    transform: Zone.argument)
  var cameraZone: Zone?

  @Flag(help: ArgumentHelp("Treat each file as a photo of its own.", visibility: .shared))
  var separately = false

  @OptionGroup(title: "Files") var condition: ConditionOption
  @OptionGroup(title: "Files") var input: InputOptions
  @OptionGroup var work: JobsOption
  @Flag(help: ArgumentHelp("Stop at the first failure; later files are reported as not done.", visibility: .shared))
  var failFast = false

  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions
  @OptionGroup var unplanned: UnplannedOptions

  func run() async throws {
    let console = Console()
    let inputs = try input.files(console: console, separately: separately, takesStandardInput: false).inputs
    let catalog = condition.catalog
    let all = separately ? Photo.separately(inputs) : await Photo.pairing(inputs, jobs: work.count, catalog)
    let photos = await condition.photos(among: all, jobs: work, console: console, catalog)
    let zones = ZoneLookup(console: console)
    var report = Report(to: console, output.format, isDryRun: dryRun, isQuiet: output.quiet, sumsUp: output.summary)
    console.begin(Progress(total: photos.count))
    Interrupt.listen()
    func sync(_ run: RunID?, _ journal: Journal?) async {
      var sync = TimeSync(run, in: journal) { zones.zone(at: $0) }
      sync.clock.zone = cameraZone
      sync.jobs = work.count
      sync.stopsAtFailure = failFast
      await sync.run(photos, until: { Interrupt.isWished }) { report.add(ReportRow($0)) }
    }
    if dryRun {
      await sync(nil, nil)
    } else {
      let run = try RecordedRun(on: console, of: photos.map(\.input.path))
      await sync(run.id, run.journal)
      run.end(&report, of: Self.self)
    }
    try report.end()
  }
}

extension ReportRow {
  fileprivate init(_ outcome: TimeSync.Outcome) {
    switch outcome.status {
    case .changed:
      self.init(outcome.path, .changed)
      modified = Modified(before: outcome.before?.inUTC, after: outcome.reading?.instant.inUTC)
    case .unchanged:
      self.init(
        outcome.path, .unchanged, Reason.Code.asWanted.rawValue,
        reason: "the modification time already is the capture time")
    case .skipped(let reason):
      self.init(outcome.path, .skipped, reason.code.rawValue, reason: reason.words)
      heading = reason.summary
    case .failed(let error): self.init(outcome.path, error)
    case .notRun: self.init(outcome.path, RowOutcome.notRun)
    }
    companions = outcome.companions.map { Companion(path: $0.path, role: $0.role.rawValue) }
  }
}
