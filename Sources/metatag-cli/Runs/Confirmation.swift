import Glibc
import MetaTag
import SystemPackage

/// Shows what would change, and asks before many photos are changed. Scripts aren't asked.
struct Confirmation {
  /// The largest number of photos to change without asking: their report fits on a screen or two, and they can be
  /// undone.
  static let limit = 50

  /// The likely outcomes of photos by their paths.
  typealias Forecast = [FilePath: ReportRow]

  private let console: Console
  private let isWanted: Bool

  /// Creates the confirmation of a run.
  /// - Parameter isWanted: Whether the run changes photos and has no --yes.
  init(_ console: Console, isWanted: Bool) {
    self.console = console
    self.isWanted = isWanted && console.isTerminal && isatty(STDIN_FILENO) == 1
  }

  /// Returns the photos that match the condition with their likely outcomes, from one reading; nil if nothing will be
  /// asked.
  func forecast(
    _ photos: [Photo], meeting condition: Condition, options: Batch.Options, _ catalog: PhotoCatalog,
    planner: @escaping @Sendable (Photo) -> any Planner
  ) async -> (met: [Photo], rows: Forecast)? {
    guard isWanted, photos.count > Confirmation.limit else { return nil }
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

  /// Shows the totals, from `rows` if the outcomes are known, and asks.
  /// - Throws: `SetupError` if the answer isn't yes.
  func require(
    to photos: [Photo], _ rows: Forecast?, options: Batch.Options, _ catalog: PhotoCatalog,
    planner: @escaping @Sendable (Photo) -> any Planner
  ) async throws {
    guard isWanted, photos.count > Confirmation.limit else { return }
    var totals = Totals()
    if let rows {
      for row in photos.compactMap({ rows[$0.input.path] }) { totals.add(row) }
    } else {
      await look(at: photos, Batch(forecast: options, from: catalog), planner) { totals.add(ReportRow($0)) }
    }
    guard totals[.changed] + totals.substituted > Confirmation.limit else { return }
    totals.lines(isDryRun: true, sumsUp: true).forEach { console.warn($0) }
    guard console.asks("Go ahead? [y/N] ") else {
      throw SetupError("Cancelled. Nothing was changed.")
    }
  }

  private func look(
    at photos: [Photo], _ batch: Batch, _ planner: @escaping @Sendable (Photo) -> any Planner,
    report: (Outcome) -> Void
  ) async {
    console.begin(Progress(total: photos.count, unit: "files checked"))
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
  /// Asks on the terminal. Every answer except `y` and `yes` is a no.
  func asks(_ question: String) -> Bool {
    prompt(question)
    let answer = readLine(strippingNewline: true)?.lowercased() ?? ""
    return ["y", "yes"].contains(answer.filter { !$0.isWhitespace })
  }
}
