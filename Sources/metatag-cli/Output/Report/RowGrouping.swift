/// Which rows a person has to see one by one: files that were left or failed, all; none of those not done, which the
/// summary counts; of those that are as asked for, as
/// many of each kind as tell what there is.
struct RowGrouping: Sendable {
  /// Rows that say the same.
  struct Group: Hashable, Sendable {
    let outcome: RowOutcome
    let words: String
  }

  /// So many of a kind are printed; nil is all.
  private let most: Int?

  /// Piped output stays row by row, unless it is to be summed up.
  init(sumsUp: Bool, isTerminal: Bool) { most = sumsUp ? 0 : isTerminal ? 10 : nil }

  /// Whether the row is printed; counts it.
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

  /// Whether rows were left out, so that their groups have to be told.
  func hides(_ groups: [Group: Int]) -> Bool { most.map { most in groups.values.contains { $0 > most } } ?? false }
}
