import ArgumentParser
import MetaTag

struct UndoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Take a run back: every photo gets exactly the bytes it had.",
    discussion: """
      EXAMPLES:
        metatag undo                           the last run
        metatag undo 7                         run 7, as 'metatag log' counts them
        metatag undo --dry-run
        metatag undo --fail-fast               ends at the first photo that was changed since

      A photo that something else changed after the run is left alone and named.
      Files that the run created are removed, unless they were changed since.
      """)

  @Argument(help: ArgumentHelp("Which run; without it, the last one.", valueName: "run"))
  var number: Int?

  @Flag(name: [.customShort("n"), .long], help: "Only show what would change.")
  var dryRun = false

  @Flag(help: "Stop at the first file that can't be given back: those after it are reported as not done.")
  var failFast = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var unplanned: UnplannedOptions

  func run() async throws {
    let console = Console()
    let journal = try Journal.opened(telling: console)
    guard let run = try number.map({ RunID(Int64($0)) }) ?? journal.newestRunToUndo() else {
      throw StartError("there is no run to undo; 'metatag log' lists the runs")
    }
    let operations = try journal.operations(of: run).filter(\.isUndoable)
    guard !operations.isEmpty else {
      throw StartError("run \(run) has nothing left to undo; 'metatag log' lists the runs")
    }
    var report = Report(to: console, output.format, isDryRun: dryRun, isQuiet: output.quiet, sumsUp: output.summary)
    console.begin(Progress(total: operations.count))
    Interrupt.listen()
    if dryRun {
      for operation in operations {
        report.add(ReportRow(operation.path, .changed, reason: operation.kind.prospect))
      }
    } else {
      let undo = try journal.beginRun(
        arguments: Argv.typed, at: .now, version: MetatagCommand.configuration.version, undoing: run)
      var ends = false
      try Undo(run, as: undo, in: journal)(until: { Interrupt.isWished || ends }) { operation, outcome in
        ends = ends || failFast && outcome.isFailure
        report.add(ReportRow(operation, outcome))
      }
      journal.finish(undo, reporting: report, isUndo: true, telling: console)
    }
    let status = try report.finish(isInterrupted: Interrupt.isWished)
    if status != .success { throw status }
  }
}

extension JournalOperation {
  fileprivate var isUndoable: Bool { state == .committed || state == .cleaned }
}

extension JournalOperation.Kind {
  /// What undoing it would give back.
  fileprivate var prospect: String {
    switch self {
    case .bytes: "gets its old bytes back"
    case .name: "gets its old name back"
    case .time: "gets its old time of last change back"
    case .creation: "was not there before, and would be removed"
    case .removal: "was removed, and would be there again"
    }
  }
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
  fileprivate init(_ operation: JournalOperation, _ outcome: Undo.Outcome) {
    switch outcome {
    case .restored: self.init(operation.path, .changed, reason: "has its old bytes back")
    case .renamed: self.init(operation.path, .changed, reason: "has its old name back")
    case .retimed: self.init(operation.path, .changed, reason: "has its old time of last change back")
    case .removed: self.init(operation.path, .changed, reason: "is removed: it was not there before")
    case .leftAlone(let error): self.init(operation.path, .skipped, reason: error.description)
    case .writtenBeside(let path, let error):
      self.init(operation.path, .skipped, reason: "\(error); without the run's change it is \(path.printable)")
    case .notRun: self.init(operation.path, Ending.notRun)
    }
  }
}
