/// Why a table has no values for a photo.
@nonexhaustive
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

  /// The reason as a code.
  var code: Reason.Code {
    switch self {
    case .notListed: .notInTable
    case .severalRows: .severalRows
    case .severalFiles: .severalFiles
    case .emptyRow: .emptyRow
    case .noFix: .noFixInTable
    case .malformedRow: .malformedRow
    }
  }

  /// The remedy; nil if there is none.
  var remedy: Remedy? {
    switch self {
    case .notListed, .severalRows, .emptyRow, .malformedRow: nil
    case .severalFiles: .moveTable
    case .noFix: .allowZero
    }
  }

  /// The reason without the table's values.
  var summary: String {
    switch self {
    case .notListed: "is not in the table"
    case .severalRows: "is in several rows of the table with different values"
    case .severalFiles: "two files match the name in the table"
    case .emptyRow: "has neither position nor date in the table"
    case .noFix: "has the position 0,0 in the table (no GPS fix)"
    case .malformedRow: "has an invalid row in the table"
    }
  }
}

extension TableFailure: CustomStringConvertible {
  /// The reason in a sentence.
  public var description: String {
    switch self {
    case .notListed: summary
    case .severalRows(let lines): "\(summary) (lines \(lines.map(\.description).joined(separator: ", ")))"
    case .severalFiles(let line): "\(summary) (line \(line)): one next to the table, one in the current folder"
    case .emptyRow(let line), .noFix(let line): "\(summary) (line \(line))"
    case .malformedRow(let line, let reason): "\(summary) (line \(line)): \(reason)"
    }
  }
}
