import ArgumentParser
import MetaTag

struct DateSyncMtimeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync-mtime",
    abstract: "Give files the time of last change at which their photos were taken.",
    usage: "metatag date sync-mtime [<options>] <files> ...",
    discussion: """
      EXAMPLES:
        metatag date sync-mtime --dry-run *.JPG
        metatag date sync-mtime --camera-zone Europe/Vienna --recursive ~/Pictures

      Programs that sort by the file's time then sort by the photo's. Not a byte of
      the files changes, and 'metatag undo' gives their old times back. A file whose
      time is at most a second away from its photo's is left as it is. Photos that
      don't record their zone have that of --camera-zone, else of their place; of
      movies that tell a time only in their headers, --camera-zone is needed. Of raw
      files the sidecar is believed; its own time stays as it is.
      """)

  @Flag(name: [.customShort("n"), .long], help: "Only show what would change.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "Zone of the camera's clock, for photos that don't record it: +09:00, Asia/Tokyo, Kyoto, @home.",
      valueName: "zone"),
    transform: Zone.argument)
  var cameraZone: Zone?

  @Flag(help: "Take each file by itself: a Live Photo's movie isn't given its time with its photo.")
  var separately = false

  @OptionGroup var condition: ConditionOption
  @OptionGroup var input: InputOptions
  @OptionGroup var work: JobsOption
  @Flag(help: "Stop at the first failure: the files after it are reported as not done.")
  var failFast = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var unplanned: UnplannedOptions

  func run() async throws {
    let console = Console()
    let inputs = try input.files(console: console, separately: separately).inputs
    let all = separately ? Photo.separately(inputs) : await Photo.pairing(inputs, jobs: work.count)
    let photos = await condition.photos(among: all, jobs: work, console: console)
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
      let journal = try Journal.opened(console: console)
      let run = try journal.beginRun(
        arguments: Argv.typed, at: .now, version: Console.version)
      await sync(run, journal)
      journal.finish(run, reporting: report, console: console)
      report.ways = Ways(onFrom: run, of: Self.self)
    }
    let status = try report.finish(isInterrupted: Interrupt.isWished)
    if status != .success { throw status }
  }
}

extension ReportRow {
  fileprivate init(_ outcome: TimeSync.Outcome) {
    switch outcome.status {
    case .changed:
      self.init(outcome.path, .changed)
      modified = Modified(before: outcome.before?.inUTC, after: outcome.reading?.instant.inUTC)
    case .unchanged:
      self.init(outcome.path, .unchanged, reason: "its file's time is its own")
    case .skipped(let reason):
      self.init(outcome.path, .skipped, reason: reason.sentence)
      heading = reason.heading
    case .failed(let error): self.init(outcome.path, error)
    case .notRun: self.init(outcome.path, RowOutcome.notRun)
    }
    companions = outcome.companions.map { Companion(path: $0.path, role: $0.role.rawValue) }
  }
}
