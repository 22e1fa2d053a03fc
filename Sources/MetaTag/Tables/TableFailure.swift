/// Why a table gives a photo nothing.
public enum TableFailure: Error, Hashable, Sendable {
  /// No row names it.
  case notListed
  /// The rows in these lines name it, or files that belong to it, and differ.
  case severalRows([Int])
  /// Two files have the name that stands in this line.
  case severalFiles(line: Int)
  /// The row in this line has neither position nor date.
  case emptyRow(line: Int)
  /// The row in this line says 0, 0, which is what devices without a fix write.
  case noFix(line: Int)
  /// What the row in this line says can't be used: why.
  case malformedRow(line: Int, String)

  /// The reason in a sentence, with what helps.
  package var sentence: String {
    switch self {
    case .notListed: heading
    case .severalRows(let lines): "\(heading) (lines \(lines.map(\.description).joined(separator: ", ")))"
    case .severalFiles(let line):
      "\(heading) (line \(line)): beside the table, and where you are; move the table or go elsewhere"
    case .emptyRow(let line): "\(heading) (line \(line))"
    case .noFix(let line): "\(heading) (line \(line)); --allow-zero writes it all the same"
    case .malformedRow(let line, let reason): "\(heading) (line \(line)): \(reason)"
    }
  }

  /// The reason without the table's values.
  package var heading: String {
    switch self {
    case .notListed: "is not in the table"
    case .severalRows: "is in several rows of the table that differ"
    case .severalFiles: "has the name of another file that the table may mean"
    case .emptyRow: "has neither position nor date in the table"
    case .noFix: "has the position 0, 0 in the table, which is none"
    case .malformedRow: "has a row in the table that can't be used"
    }
  }
}
