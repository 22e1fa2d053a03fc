import Glibc
import MetaTag
import SystemPackage

/// The question before many photos are changed: what would become of them, and whether that is meant. Scripts aren't
/// asked.
struct Confirmation {
  /// Runs over no more photos are not asked about: the report of them fits a screen or two, and they can be undone.
  static let unasked = 50

  /// What would become of photos, by their paths.
  typealias Forecast = [FilePath: ReportRow]

  private let console: Console
  private let isWanted: Bool

  /// - Parameter isWanted: Whether photos are to be changed, and the user didn't say to go ahead.
  init(_ console: Console, isWanted: Bool) {
    self.console = console
    self.isWanted = isWanted && console.isTerminal && isatty(STDIN_FILENO) == 1
  }

  /// Returns the photos that meet the condition, with what would become of them, both found in one reading; nil if
  /// nothing will be asked.
  func forecast(
    _ photos: [Photo], meeting condition: Condition, options: Batch.Options, _ catalog: PhotoCatalog,
    planner: @escaping @Sendable (Photo) -> any Planner
  ) async -> (met: [Photo], rows: Forecast)? {
    guard isWanted, photos.count > Confirmation.unasked else { return nil }
    var met: [Photo] = []
    var rows: Forecast = [:]
    var next = photos.makeIterator()
    await look(at: photos, Batch(forecast: options, from: catalog, meeting: condition), planner) { outcome in
      guard let photo = next.next(), outcome.meetsCondition else { return }
      met.append(photo)
      rows[photo.input.path] = ReportRow(outcome).forTotals
    }
    return (met, rows)
  }

  /// Sums up what would become of the photos, by `rows` if they are known, and asks. Throws when the answer isn't yes:
  /// nothing was changed.
  func require(
    to photos: [Photo], _ rows: Forecast?, options: Batch.Options, _ catalog: PhotoCatalog,
    planner: @escaping @Sendable (Photo) -> any Planner
  ) async throws {
    guard isWanted, photos.count > Confirmation.unasked else { return }
    var totals = Totals()
    if let rows {
      for row in photos.compactMap({ rows[$0.input.path] }) { totals.add(row) }
    } else {
      await look(at: photos, Batch(forecast: options, from: catalog), planner) { totals.add(ReportRow($0)) }
    }
    guard totals[.changed] + totals.substituted > Confirmation.unasked else { return }
    totals.lines(isDryRun: true, sumsUp: true).forEach { console.warn($0) }
    guard console.asks("Go ahead? [y/N] ") else {
      throw SetupError("Cancelled. Nothing was changed.")
    }
  }

  private func look(
    at photos: [Photo], _ batch: Batch, _ planner: @escaping @Sendable (Photo) -> any Planner,
    report: (Outcome) -> Void
  ) async {
    console.begin(Progress(total: photos.count, unit: "files looked at"))
    await batch.run(photos, planning: planner) { outcome in
      report(outcome)
      console.advance()
    }
    console.endProgress()
  }
}

extension ReportRow {
  /// The row without what isn't counted.
  fileprivate var forTotals: ReportRow {
    var row = self
    row.before = nil
    row.after = nil
    row.patch = nil
    row.explanation = nil
    for index in row.companions.indices { row.companions[index].patch = nil }
    return row
  }
}

extension Console {
  /// Puts a question on the terminal. Everything but `y` and `yes` is a no.
  func asks(_ question: String) -> Bool {
    prompt(question)
    let answer = readLine(strippingNewline: true)?.lowercased() ?? ""
    return ["y", "yes"].contains(answer.filter { !$0.isWhitespace })
  }
}
