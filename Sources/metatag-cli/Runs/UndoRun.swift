import ArgumentParser
import Glibc
import MetaTag
import SystemPackage

/// A command that undoes a run: `undo` or `redo`.
protocol RunUndoing: AsyncParsableCommand {
  var dryRun: Bool { get }
  var yes: Bool { get }
  var failFast: Bool { get }
  var output: OutputOptions { get }
}

extension RunUndoing {
  func journal(_ console: Console) throws -> Journal? {
    dryRun ? try Journal.read(console: console) : try Journal.opened(console: console)
  }

  /// Undoes the files of run `id` in `selection`, and returns the totals and the exit status.
  /// - Parameter asks: Whether to ask first on a terminal, because the user may not know which run it is.
  func takeBack(
    _ id: RunID, _ selection: UndoSelection, in journal: Journal, asks: Bool, on console: Console
  ) throws -> (totals: Totals, status: ExitCode) {
    guard let run = try journal.runs(limit: .max).first(where: { $0.id == id }) else {
      throw SetupError(noRun: id)
    }
    let paths = try journal.paths(toUndo: id, selection)
    guard !paths.isEmpty else {
      let what = selection.files == nil && selection.folder == nil ? "nothing" : "no change of these files"
      throw SetupError("run \(id) has \(what) left to undo; 'metatag log \(id)' lists its files")
    }
    console.warn(
      "run \(id) of \(run.began.prefix(16).replacing("T", with: " ")) (UTC): \(run.words.shortened(to: 100))".printable)
    if asks, !dryRun, !yes { try requireConsent(to: run, paths, on: console) }
    var report = Report(
      to: console, output.format, isDryRun: dryRun, undoing: run, isQuiet: output.quiet, sumsUp: output.summary)
    console.begin(Progress(total: paths.count))
    Interrupt.listen()
    var ends = false
    var missing: [JournalOperation] = []
    let announce = { (operation: JournalOperation, outcome: Undo.Outcome) in
      ends = ends || failFast && outcome.isFailure
      if Undo.isMissing(outcome), !Confinement.excludes(operation.path) { missing.append(operation) }
      report.add(ReportRow(operation, outcome, isDryRun: dryRun))
    }
    if dryRun {
      try Undo.trial(of: id, in: journal, selection, until: { Interrupt.isWished || ends }, announce)
    } else {
      let undo = try journal.beginRun(
        arguments: Argv.typed, at: .now, version: Console.version, undoing: id,
        after: try journal.removeLeftovers(beside: paths, console))
      try Undo(id, as: undo, in: journal, selection)(until: { Interrupt.isWished || ends }, announce)
      journal.finish(undo, reporting: report, isUndo: true, console: console)
      report.kept = journal.warnOfKeptFiles(of: undo, console)
      report.ways = ResumeCommands(undoing: id, by: undo)
    }
    var status = try report.finish(isInterrupted: Interrupt.isWished)
    if report.totals.files == 0 {
      console.warn("metatag: no change of run \(id) could be read: the journal is damaged. See 'metatag doctor'.")
      status = .failure
    }
    advise(on: missing, selection, retry: "metatag \(run.undoes == nil ? "undo" : "redo") \(id)", console)
    return (report.totals, status)
  }

  /// Prints advice about files that were not found.
  private func advise(
    on missing: [JournalOperation], _ selection: UndoSelection, retry: String, _ console: Console
  ) {
    let names = missing.count { $0.kind == .name }
    let files = missing.count - names
    if files > 0 {
      let (are, them) = (files.pluralized("file is", "files are"), files == 1 ? "it" : "them")
      let were = files == 1 ? "it was" : "they were"
      let help =
        if let folder = selection.movedTo {
          "nor in \(folder.printable). If \(were) moved elsewhere, name that folder with --moved-to"
        } else {
          "If \(were) moved: \(retry) --moved-to FOLDER"
        }
      console.warn(
        "metatag: \(are) no longer where the run left \(them)\(selection.movedTo == nil ? "." : ",") \(help)")
    }
    if names > 0 {
      console.warn(
        "metatag: \(names.pluralized("renamed file is", "renamed files are")) not where the run renamed "
          + "\(names == 1 ? "it" : "them"); old names can only be restored there. Move \(names == 1 ? "it" : "them") "
          + "back, then run: \(retry)")
    }
  }

  /// Shows the run, folder, age and number of files, and asks.
  private func requireConsent(
    to run: RunSummary, _ paths: [FilePath], on console: Console
  ) throws {
    guard console.isTerminal, isatty(STDIN_FILENO) == 1 else { return }
    let folders = paths.map { $0.removingLastComponent() }
    let folder = folders.common ?? "/"
    let count = Set(paths).count
    let age = run.started.age(at: .now)
    guard console.asks("Undo \(count.pluralized("file")) in \(folder.printable), changed \(age)? [y/N] ") else {
      throw SetupError("Cancelled. Nothing was changed.")
    }
  }
}

extension Journal {
  /// A sentence with the location of the user's journal.
  static var pathSentence: String { "The journal is \(XDGDirectories().state.appending("journal.db").printable)" }
}

extension [FilePath] {
  /// The deepest folder that contains all these folders; nil if there are no folders.
  var common: FilePath? {
    dropFirst().reduce(first) { common, other in
      guard var folder = common else { return nil }
      while !other.starts(with: folder), !folder.components.isEmpty { folder.removeLastComponent() }
      return folder
    }
  }
}

extension Instant {
  /// Returns its rough age: `3 hours ago`.
  func age(at now: Instant) -> String {
    let seconds = Int(now.seconds - seconds)
    for (unit, name) in [(86_400, "day"), (3_600, "hour"), (60, "minute")] where seconds >= unit {
      return "\((seconds / unit).pluralized(name)) ago"
    }
    return seconds < 0 ? "in the future" : "just now"
  }
}

extension String {
  /// Returns the text, cut to `count` characters.
  func shortened(to count: Int) -> String { self.count > count ? prefix(count - 1) + "…" : self }
}

extension Undo.Outcome {
  /// Whether a file was left unchanged.
  var isFailure: Bool {
    switch self {
    case .notRestored, .writtenBeside: true
    case .restored, .restoredMetadata, .renamed, .retimed, .removed, .untrashed, .notRun: false
    }
  }
}

extension ReportRow {
  private init(_ path: FilePath, _ outcome: RowOutcome, _ code: ResultCode, _ reason: String) {
    self.init(path, outcome, code.rawValue, reason: reason)
  }

  init(_ operation: JournalOperation, _ outcome: Undo.Outcome, isDryRun: Bool = false) {
    let would = isDryRun ? "would be " : ""
    switch outcome {
    case .restored: self.init(operation.path, .changed, .restored, "\(would)restored")
    case .restoredMetadata:
      self.init(
        operation.path, .changed, .metadataRestored,
        "metadata \(would)restored; the modification time has changed since the run and stays, because the picture itself "
          + "can't be verified")
    case .renamed: self.init(operation.path, .changed, .nameRestored, "old name \(would)restored")
    case .retimed: self.init(operation.path, .changed, .fileTimeRestored, "old modification time \(would)restored")
    case .removed: self.init(operation.path, .changed, .removed, "\(would)removed (was created by this run)")
    case .untrashed: self.init(operation.path, .changed, .takenFromTrash, "\(would)taken out of the trash")
    case .notRestored(let error) where error.code == .notDurable: self.init(operation.path, error)
    case .notRestored where Confinement.excludes(operation.path):
      let limit = FileError(.permissionDenied, "is not below the folder of --root")
      self.init(operation.path, .skipped, limit.reportedCode, reason: limit.words)
    case .notRestored(let error):
      self.init(operation.path, .skipped, error.reportedCode, reason: error.words)
    case .writtenBeside(let path, let error):
      let fact = "\(error.description); without the run's change it is \(path.printable)"
      self.init(operation.path, .skipped, error.reportedCode, reason: joined(fact, error.remedy))
    case .notRun: self.init(operation.path, RowOutcome.notRun)
    }
  }
}
