/// Columns of text, aligned as a terminal shows them.
struct Table {
  enum Alignment: Sendable { case left, right }

  /// How a column gives way where the table is wider than the terminal.
  enum Shortening: Sendable, Hashable {
    /// It stays whole: numbers, words that can be typed again.
    case never
    /// Its end is cut, down to so many columns.
    case atEnd(Int)
    /// Its beginning is cut, down to so many columns: a file's name stands at the end of its path.
    case atStart(Int)
    /// Its texts move to lines of their own, below their rows.
    case belowRow
  }

  struct Column: Sendable {
    let title: String
    let alignment: Alignment
    let shortening: Shortening

    init(_ title: String, _ alignment: Alignment = .left, _ shortening: Shortening = .never) {
      (self.title, self.alignment, self.shortening) = (title, alignment, shortening)
    }

    fileprivate var cutsStart: Bool { if case .atStart = shortening { true } else { false } }
  }

  let columns: [Column]
  private(set) var rows: [[String]] = []

  init(_ columns: [Column]) { self.columns = columns }

  /// One row. Cells that are missing at its end are blank.
  mutating func add(_ cells: [String]) {
    rows.append(columns.indices.map { $0 < cells.count ? cells[$0].printable : "" })
  }

  /// The titles, then the rows; two blanks between columns, none at a line's end.
  /// - Parameter width: columns of the terminal, which no line may exceed; nil where nothing is cut.
  func lines(fitting width: Int? = nil) -> [String] {
    let natural = columns.indices.map { column in
      rows.reduce(columns[column].title.displayWidth) { max($0, $1[column].displayWidth) }
    }
    let all = Array(columns.indices)
    guard let width, Self.total(all.map { natural[$0] }) > width else { return lines(all, natural, within: nil) }
    // An empty column is the first to go, then texts that are sentences.
    let filled = all.filter { column in rows.contains { !$0[column].isEmpty } }
    if Self.total(filled.map { natural[$0] }) <= width { return lines(filled, natural, within: width) }
    let shown = filled.filter { columns[$0].shortening != .belowRow }
    return lines(shown, widths(of: shown, natural, within: width), within: width)
  }

  private func lines(_ shown: [Int], _ widths: [Int], within width: Int?) -> [String] {
    var lines = [line(columns.map(\.title), shown, widths, within: width)]
    for row in rows {
      lines.append(line(row, shown, widths, within: width))
      guard let width else { continue }
      for column in columns.indices where columns[column].shortening == .belowRow && !shown.contains(column) {
        lines += row[column].folded(to: width - 2).map { "  \($0)" }
      }
    }
    return lines
  }

  private func line(_ cells: [String], _ shown: [Int], _ widths: [Int], within width: Int?) -> String {
    let line = shown.map { column in
      let text = cells[column]
      return (columns[column].cutsStart ? text.cutAtStart(to: widths[column]) : text.cut(to: widths[column]))
        .padded(to: widths[column], columns[column].alignment)
    }.joined(separator: "  ")
    let trimmed = String(line.reversed().drop { $0 == " " }.reversed())
    return width.map { trimmed.cut(to: $0) } ?? trimmed
  }

  /// Widths with which the columns fit: the widest of those that can be cut give way first. Names of files, which differ
  /// most, may be twice as wide as others.
  private func widths(of shown: [Int], _ natural: [Int], within width: Int) -> [Int] {
    let least = columns.indices.map { column in
      switch columns[column].shortening {
      case .never, .belowRow: natural[column]
      case .atEnd(let least), .atStart(let least): min(least, natural[column])
      }
    }
    var widths = least
    // Column by column, one wider at a time, until the room is used up.
    var room = width - Self.total(shown.map { least[$0] })
    let share = { (column: Int) in columns[column].cutsStart ? widths[column] / 2 : widths[column] }
    while room > 0, let narrowest = shown.filter({ widths[$0] < natural[$0] }).min(by: { share($0) < share($1) }) {
      widths[narrowest] += 1
      room -= 1
    }
    return widths
  }

  private static func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + 2 * max(0, widths.count - 1) }
}

extension Console {
  /// Prints a table, as wide as the terminal at most; off a terminal whole.
  func print(_ table: Table) { table.lines(fitting: columns).forEach { print($0) } }
}
