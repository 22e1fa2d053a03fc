import ArgumentParser
import MetaTag
import SystemPackage

/// An error in writing the report, after work was done.
struct OutputError: Error, CustomStringConvertible {
  /// The error of the system call.
  let reason: Errno
  /// Whether photos may have been changed.
  var isOfChanges = false

  var description: String {
    "the report could not be written: \(reason)" + (isOfChanges ? "; photos may be changed, see 'metatag log'" : "")
  }
}

/// Prints one row per file, in the order given, and totals at the end.
struct Report {
  enum Format: Sendable { case text, json, jsonLines, csv }

  private let console: Console
  private let format: Format
  private let isDryRun: Bool
  private let isQuiet: Bool
  private let isStrict: Bool
  private let explains: Bool
  private let showsSplices: Bool
  private let grouping: RowGrouping
  private var groups: [RowGrouping.Group: Int] = [:]
  private var writer: JSONWriter
  private(set) var totals = Totals()
  /// Photos to which other programs wrote during the run, and where their versions are kept.
  var kept: [(path: FilePath, kept: FilePath)] = []
  /// The commands that handle files that were not done.
  var ways: ResumeCommands?
  /// The cameras' clocks, if photos are placed by time.
  var cameras: CameraSummary?
  /// The inputs that failed or weren't started.
  private(set) var unfinished: [FilePath] = []

  /// Creates a report.
  /// - Parameters:
  ///   - run: The run that is undone.
  ///   - isQuiet: Print only rows of files that were not done.
  ///   - explains: Print what each change is based on.
  ///   - sumsUp: Print counts instead of rows of changed files. On a terminal, only the first of many equal rows are
  ///     printed in any case.
  ///   - showsSplices: List in JSON which bytes are replaced.
  init(
    to console: Console, _ format: Format, isDryRun: Bool = false, undoing run: RunSummary? = nil,
    isQuiet: Bool = false,
    isStrict: Bool = false, explains: Bool = false, sumsUp: Bool = false, showsSplices: Bool = false
  ) {
    self.console = console
    self.format = format
    self.isDryRun = isDryRun
    self.isQuiet = isQuiet
    self.isStrict = isStrict
    self.explains = explains
    self.showsSplices = showsSplices
    grouping = RowGrouping(sumsUp: sumsUp, isTerminal: console.isTerminal && !explains)
    writer = JSONWriter(format == .jsonLines ? .oneLine : .pretty)
    if format == .csv {
      var header = CSVWriter()
      header.row(ReportRow.csvTitles)
      console.write(header.take())
    }
    guard format == .json else { return }
    writer.open("{")
    writer.member("dryRun", isDryRun)
    if let run {
      writer.key("undoes")
      run.writeName(to: &writer)
    }
    writer.key("rows")
    writer.open("[")
  }

  mutating func add(_ row: ReportRow) {
    totals.add(row)
    if row.outcome == .failed || row.outcome == .notRun { unfinished.append(row.path) }
    if !(isQuiet && [.changed, .created, .unchanged].contains(row.outcome)) { print(row) }
    console.advance()
  }

  /// Prints the totals and flushes the output. If all files were done, the run doesn't count as interrupted.
  /// - Returns: The exit status.
  mutating func finish(isInterrupted isWished: Bool = false) throws(OutputError) -> ExitCode {
    let isInterrupted = isWished && totals[.notRun] > 0
    console.endProgress()
    totals.leftOut = console.takeLeftOut()
    switch format {
    case .text where isQuiet: break
    case .text:
      totals.lines(isDryRun: isDryRun, sumsUp: grouping.hides(groups)).forEach { console.print($0) }
      cameras?.lines.forEach { console.print($0) }
    case .jsonLines, .csv: if let sentence = totals.leftOut.sentence, !isQuiet { console.warn(sentence) }
    case .json:
      writer.close("]")
      writer.key("totals")
      totals.write(to: &writer)
      if let cameras {
        writer.key("cameras")
        cameras.write(to: &writer)
      }
      if !kept.isEmpty {
        writer.key("kept")
        writer.array { writer in
          for (path, kept) in kept {
            writer.object { writer in
              writer.member(path: path)
              writer.member(path: kept, as: "kept")
            }
          }
        }
      }
      writer.close("}")
      writer.endLine()
      console.write(writer.take())
    }
    if totals.substituted > 0, !isDryRun {
      console.warn(
        "metatag: warning: \(totals.substituted) of \(totals.files) files can't be changed; "
          + "the new files next to them have the change")
    }
    if !isInterrupted, totals[.notRun] > 0 {
      console.warn(
        "metatag: stopped at the first failure: \(totals[.notRun]) of \(totals.files) files not done")
    }
    if isInterrupted {
      let done = totals.files - totals[.notRun]
      console.warn("metatag: interrupted: \(done) of \(totals.files) files done, \(totals[.notRun]) not done")
    }
    if totals[.notRun] > 0 { ways?.lines.forEach { console.warn($0) } }
    do throws(Errno) { try console.finish() } catch { throw OutputError(reason: error, isOfChanges: !isDryRun) }
    let status = totals.exitCode(isInterrupted: isInterrupted, isStrict: isStrict)
    return status == .success && !kept.isEmpty ? .failure : status
  }

  private mutating func print(_ row: ReportRow) {
    switch format {
    case .text:
      guard grouping.prints(row, &groups) else { return }
      console.print(row.line(isDryRun: isDryRun, paint: console.paint))
      if explains, let explanation = row.explanation { console.print("    \(explanation)".printable) }
    case .csv:
      var writer = CSVWriter()
      row.write(to: &writer, isDryRun: isDryRun)
      console.write(writer.take())
    case .json, .jsonLines:
      row.write(to: &writer, isDryRun: isDryRun, showsSplices: showsSplices)
      if format == .jsonLines { writer.endLine() }
      console.write(writer.take())
    }
  }
}

extension Report {
  /// Prints the outcome of a photo.
  mutating func add(_ outcome: Outcome) {
    cameras?.take(outcome)
    add(ReportRow(outcome))
  }
}

extension ReportRow {
  init(_ outcome: Outcome) {
    switch outcome.status {
    case .changed:
      self.init(outcome.path, .changed)
      before = outcome.before.map(PhotoValues.init)
      after = outcome.after.map(PhotoValues.init)
      explanation = outcome.explanation
      common = outcome.explanation?.common
      patch = outcome.patch
      let warnings = outcome.warnings.isEmpty ? nil : outcome.warnings.words()
      let place = outcome.patch == nil ? outcome.placeOfChange : nil
      if let code = place?.code ?? outcome.warnings.first?.code.rawValue {
        explain(code, [place?.words, warnings].compactMap(\.self).joined(separator: "; "))
      }
    case .substituted(let substitute):
      self.init(outcome.path, substitute.kind == .jpeg ? .fallbackJPEG : .fallbackSidecar)
      let obstacle = substitute.obstacle.map { "; no JPEG: \($0.description)" } ?? ""
      explain(
        substitute.reason.reportedCode, outcome.warnings.words(after: substitute.reason.description + obstacle))
      heading = substitute.reason.description
      before = outcome.before.map(PhotoValues.init)
      after = outcome.after.map(PhotoValues.init)
      explanation = outcome.explanation
      self.substitute = Substitute(path: substitute.path, isNew: substitute.isNew, losses: substitute.losses)
    case .unchanged(let reason):
      let words = (outcome.warnings + outcome.doubts).words(after: reason.description, reason.remedy)
      self.init(outcome.path, .unchanged, reason.code.rawValue, reason: words)
      heading = reason.summary
    case .skipped(let reason):
      self.init(outcome.path, .skipped, reason.code.rawValue, reason: reason.words)
      heading = reason.summary
    case .failed(let error):
      self.init(outcome.path, error)
    case .notRun:
      self.init(outcome.path, RowOutcome.notRun)
    }
    if let copy = outcome.copy {
      if case .substituted = outcome.status {
        self.copy = copy
        substitute?.isOriginalTrashed = outcome.isTrashed
      } else {
        if self.outcome != .failed { self.outcome = .created }
        substitute = Substitute(path: copy, isNew: true, losses: [], isOriginalTrashed: outcome.isTrashed)
      }
    }
    isPartial = isPartial || outcome.explanation?.isPartial ?? false
    notes = outcome.lastingNotices + outcome.notes
    for tag in outcome.tags {
      before?.tags[tag.key] = tag.before
      after?.tags[tag.key] = tag.after
    }
    newName = outcome.newName?.printable
    companions = outcome.companions.map {
      Companion(
        path: $0.path, role: $0.role.rawValue, isNew: $0.isNew, patch: $0.patch, newName: $0.newName?.printable,
        copy: $0.copy)
    }
  }
}

extension Outcome {
  /// Where the change is, if not in the photo itself, as a code and in words.
  fileprivate var placeOfChange: (code: String, words: String)? {
    let changed = companions.filter { $0.patch != nil || $0.isNew }
    let names = changed.map { $0.path.lastComponent?.string ?? "" }.joined(separator: ", ")
    if changed.isEmpty { return nil }
    guard changed.allSatisfy({ $0.role == .sidecar }) else {
      return (ResultCode.onlyCompanions.rawValue, "only \(names) had to change")
    }
    let words = changed.allSatisfy(\.isNew) ? "in its new sidecar \(names)" : "in its sidecar \(names)"
    return (Note.Code.inSidecar.rawValue, words)
  }
}

/// Decides which rows are printed. Skipped and failed files always are; files not reached never are, as the summary
/// counts them; of changed and unchanged files, only the first few of each kind.
struct RowGrouping: Sendable {
  /// A set of rows with the same text.
  struct Group: Hashable, Sendable {
    let outcome: RowOutcome
    let words: String
  }

  /// The number of rows to print per group; nil for all.
  private let most: Int?

  /// Piped output isn't shortened, except by `--summary`.
  init(sumsUp: Bool, isTerminal: Bool) { most = sumsUp ? 0 : isTerminal ? 10 : nil }

  /// Counts the row and returns whether to print it.
  func prints(_ row: ReportRow, _ groups: inout [Group: Int]) -> Bool {
    if most != nil, row.outcome == .notRun { return false }
    guard let most, [.changed, .created, .unchanged].contains(row.outcome) else { return true }
    if most == 0 {
      groups[Group(outcome: row.outcome, words: ""), default: 0] += 1
      return false
    }
    guard let words = row.outcome == .changed ? row.common : row.heading ?? row.reason else { return true }
    let group = Group(outcome: row.outcome, words: words)
    groups[group, default: 0] += 1
    return groups[group, default: 0] <= most
  }

  /// Whether rows were left out, so that their groups have to be listed.
  func hides(_ groups: [Group: Int]) -> Bool { most.map { most in groups.values.contains { $0 > most } } ?? false }
}
