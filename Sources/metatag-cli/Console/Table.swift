/// Columns of text, aligned as a terminal shows them.
struct Table {
  enum Alignment: Sendable { case left, right }

  struct Column: Sendable {
    let title: String
    let alignment: Alignment

    init(_ title: String, _ alignment: Alignment = .left) {
      self.title = title
      self.alignment = alignment
    }
  }

  let columns: [Column]
  private(set) var rows: [[String]] = []

  init(_ columns: [Column]) { self.columns = columns }

  /// One row. Cells that are missing at its end are blank.
  mutating func add(_ cells: [String]) {
    rows.append(columns.indices.map { $0 < cells.count ? cells[$0].printable : "" })
  }

  /// The titles, then the rows; two blanks between columns, none at a line's end.
  var lines: [String] {
    let widths = columns.indices.map { column in
      rows.reduce(columns[column].title.displayWidth) { max($0, $1[column].displayWidth) }
    }
    return ([columns.map(\.title)] + rows).map { cells in
      let line = zip(zip(cells, widths), columns)
        .map { $0.0.padded(to: $0.1, $1.alignment) }
        .joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
