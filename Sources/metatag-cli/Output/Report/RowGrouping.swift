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
