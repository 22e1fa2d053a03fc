import ArgumentParser
import MetaTag

struct UndoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Take a run back: every photo gets exactly the bytes it had.",
    usage: "metatag undo [<run>] [<options>]",
    discussion: """
      EXAMPLES:
        metatag undo                the last run that changed something
        metatag undo 7              run 7, as 'metatag log' counts them
        metatag undo --dry-run
        metatag undo --fail-fast    ends at the first photo that was changed since

      The last run is the newest that changed or created files and is not taken back
      whole, in whatever folder it was: its number, time and command are told first.
      A photo that something else changed after the run is left alone and named, with
      what the run changed together with it.
      Files that the run created are removed, unless they were changed since.
      """)

  @Argument(help: ArgumentHelp("Which run; without it, the last one that changed something.", valueName: "run"))
  var number: Int?

  @Flag(name: [.customShort("n"), .long], help: "Only show what would change.")
  var dryRun = false

  @Flag(help: "Stop at the first file that can't be given back: those after it are reported as not done.")
  var failFast = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var unplanned: UnplannedOptions

  func run() async throws {
    let console = Console()
    guard let journal = dryRun ? try Journal.read(telling: console) : try Journal.opened(telling: console) else {
      throw UndoCommand.nothing
    }
    let run = try run(in: journal)
    let operations = try journal.operations(of: run.id).filter(\.isUndoable)
    guard !operations.isEmpty else {
      throw StartError("run \(run.id) has nothing left to undo; 'metatag log' lists the runs")
    }
    console.complain(
      "run \(run.id) of \(run.began.prefix(16).replacing("T", with: " ")) (UTC): \(run.words.shortened(to: 100))"
        .printable)
    var report = Report(
      to: console, output.format, isDryRun: dryRun, undoing: run, isQuiet: output.quiet, sumsUp: output.summary)
    console.begin(Progress(total: operations.count))
    Interrupt.listen()
    var ends = false
    let tell = { (operation: JournalOperation, outcome: Undo.Outcome) in
      ends = ends || failFast && outcome.isFailure
      report.add(ReportRow(operation, outcome, isDryRun: dryRun))
    }
    if dryRun {
      try Undo.trial(of: run.id, in: journal, until: { Interrupt.isWished || ends }, tell)
    } else {
      let undo = try journal.beginRun(
        arguments: Argv.typed, at: .now, version: MetatagCommand.configuration.version, undoing: run.id)
      try Undo(run.id, as: undo, in: journal)(until: { Interrupt.isWished || ends }, tell)
      journal.finish(undo, reporting: report, isUndo: true, telling: console)
    }
    let status = try report.finish(isInterrupted: Interrupt.isWished)
    if number == nil, report.totals[.skipped] > 0, let earlier = try journal.newestRunToUndo(before: run.id) {
      console.complain(
        "metatag: run \(run.id) stays the last one while files of it can't be given back; "
          + "'metatag undo \(earlier)' takes back the one before")
    }
    if status != .success { throw status }
  }

  private static let nothing = StartError("there is no run to undo; 'metatag log' lists the runs")

  /// The run that is meant.
  private func run(in journal: Journal) throws -> RunSummary {
    guard let id = try number.map({ RunID(Int64($0)) }) ?? journal.newestRunToUndo() else {
      throw UndoCommand.nothing
    }
    guard let run = try journal.runs(limit: .max).first(where: { $0.id == id }) else {
      throw StartError("there is no run \(id); 'metatag log' lists the runs")
    }
    return run
  }
}

extension String {
  /// Its beginning, where it is longer.
  func shortened(to count: Int) -> String { self.count > count ? prefix(count - 1) + "…" : self }
}

extension JournalOperation {
  fileprivate var isUndoable: Bool { state == .committed || state == .cleaned }
}

extension Undo.Outcome {
  fileprivate var isFailure: Bool {
    switch self {
    case .leftAlone, .writtenBeside: true
    case .restored, .renamed, .retimed, .removed, .notRun: false
    }
  }
}

extension ReportRow {
  fileprivate init(_ operation: JournalOperation, _ outcome: Undo.Outcome, isDryRun: Bool) {
    let has = isDryRun ? "gets" : "has"
    switch outcome {
    case .restored: self.init(operation.path, .changed, reason: "\(has) its old bytes back")
    case .renamed: self.init(operation.path, .changed, reason: "\(has) its old name back")
    case .retimed: self.init(operation.path, .changed, reason: "\(has) its old time of last change back")
    case .removed:
      let words = isDryRun ? "was not there before, and would be removed" : "is removed: it was not there before"
      self.init(operation.path, .changed, reason: words)
    case .leftAlone(let error): self.init(operation.path, .skipped, reason: error.description)
    case .writtenBeside(let path, let error):
      self.init(operation.path, .skipped, reason: "\(error); without the run's change it is \(path.printable)")
    case .notRun: self.init(operation.path, Ending.notRun)
    }
  }
}
