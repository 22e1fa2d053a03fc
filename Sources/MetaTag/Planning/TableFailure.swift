/// Why a table has no values for a photo.
public enum TableFailure: Error, Hashable, Sendable {
  /// No row names the photo.
  case notListed
  /// The rows in these lines name the photo or its companions, and differ.
  case severalRows([Int])
  /// Two files have the name in this line.
  case severalFiles(line: Int)
  /// The row in this line has neither position nor date.
  case emptyRow(line: Int)
  /// The position in this line is 0, 0, which devices write without a fix.
  case noFix(line: Int)
  /// The row in this line can't be used; with the reason.
  case malformedRow(line: Int, String)

  /// The reason in a sentence, with a remedy.
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
