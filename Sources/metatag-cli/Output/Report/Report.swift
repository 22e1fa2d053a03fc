import ArgumentParser
import MetaTag
import SystemPackage

/// Work was done, and can't be told of.
struct OutputError: Error, CustomStringConvertible {
  /// What the system said.
  let reason: Errno
  /// Photos may be changed.
  var isOfChanges = false

  var description: String {
    "the report could not be written: \(reason)" + (isOfChanges ? "; photos may be changed, see 'metatag log'" : "")
  }
}

/// Prints one row per file, in the order in which the rows are given, and at the end what they add up to.
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
  /// What to do about files that were not done.
  var ways: Ways?
  /// The cameras' clocks, where photos are placed by them.
  var cameras: CameraSummary?
  /// The inputs that failed or were not begun.
  private(set) var unfinished: [FilePath] = []

  /// `isQuiet` keeps to the rows of files that were not done; `explains` tells of those that were what it rests on;
  /// `sumsUp` prints no rows of these at all. On a terminal, only the first rows of many that say the same are printed.
  /// `run` is the one that is taken back; `showsSplices` lists in JSON which bytes are replaced.
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

  /// Prints the totals and sends everything out. Returns the exit status of the tool. Where all was done already,
  /// nothing was interrupted.
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
      writer.close("}")
      writer.endLine()
      console.write(writer.take())
    }
    if totals.substituted > 0, !isDryRun {
      console.warn(
        "metatag: warning: \(totals.substituted) of \(totals.files) files can't be changed and are as they were; "
          + "what was asked for stands in the files beside them")
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
    return totals.exitCode(isInterrupted: isInterrupted, isStrict: isStrict)
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
