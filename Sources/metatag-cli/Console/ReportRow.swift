import MetaTag
import SystemPackage

/// One file's line in a report.
struct ReportRow: Sendable, Hashable {
  /// What became of a file.
  enum Outcome: String, Sendable, CaseIterable {
    /// It has what was asked for now; in a dry run, it would have.
    case changed
    /// It had what was asked for already.
    case unchanged
    /// It could not get what was asked for, and was left as it is.
    case skipped
    /// It could not be read or written, and is as it was.
    case failed
    /// The run ended before its turn.
    case notRun
  }

  var path: FilePath
  var outcome: Outcome
  /// Why it is not `changed`, or what to know although it is; without the file's name.
  var reason: String?
  /// Where in the file the trouble is, in bytes from its start.
  var offset: Int?
  /// What the changed value was and is.
  var before: String?
  var after: String?

  init(
    _ path: FilePath, _ outcome: Outcome, reason: String? = nil, before: String? = nil, after: String? = nil
  ) {
    self.path = path
    self.outcome = outcome
    self.reason = reason
    self.before = before
    self.after = after
  }

  /// A file that could not be read or changed; one that was refused on purpose is skipped.
  init(_ path: FilePath, _ error: PhotoError) {
    self.init(path, error.kind == .refused ? .skipped : .failed, reason: error.sentence)
    offset = error.offset
  }

  /// `beach.jpg: changed: nothing → 35.0116, 135.7681`.
  func line(isDryRun: Bool = false, paint: (String, Console.Colour?) -> String = { text, _ in text }) -> String {
    var line = path.printable + ": " + paint(outcome.words(isDryRun: isDryRun), outcome.colour)
    if outcome == .changed, before != nil || after != nil {
      line += ": \((before ?? "nothing").printable) → \((after ?? "nothing").printable)"
    }
    if let reason { line += ": " + reason.printable }
    if let offset { line += " (offset \(offset))" }
    return line
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member(path: path)
      writer.member("outcome", outcome.rawValue)
      writer.member("reason", reason)
      writer.member("offset", offset)
      writer.member("before", before)
      writer.member("after", after)
    }
  }
}

extension ReportRow.Outcome {
  func words(isDryRun: Bool) -> String {
    switch self {
    case .changed: isDryRun ? "would change" : "changed"
    case .unchanged: "unchanged"
    case .skipped: "left alone"
    case .failed: "failed"
    case .notRun: "not done"
    }
  }

  fileprivate var colour: Console.Colour? {
    switch self {
    case .changed: .green
    case .unchanged: .dim
    case .skipped, .notRun: .yellow
    case .failed: .red
    }
  }
}
