import MetaTag
import SystemPackage

/// The answer to one line of a worker's input.
struct WorkerAnswer {
  private enum Content {
    case row(ReportRow, id: String)
    case refused(line: Int, code: String, reason: String)
    /// The line is the first one of a plan.
    case header(line: Int)
    /// A line for the next pass.
    case line(PlanValue, RowOutcome?)
  }

  private let content: Content
  /// Whether the same row may succeed later, if it wasn't done.
  private var canRetry = false
  /// The version of the photo that another program wrote during the change.
  var kept: FilePath?
  /// The bytes of partial files that are needed.
  private var need: PlanValue?

  /// Answers a row with a photo's outcome.
  init(_ outcome: Outcome, id: String) {
    content = .row(ReportRow(outcome), id: id)
    switch outcome.status {
    case .notRun: canRetry = true
    case .failed(let error): canRetry = error.code.isTransient
    case .changed, .substituted, .unchanged, .skipped: break
    }
  }

  /// Answers a row of an undo with the outcome of one of the photo's files.
  init(_ row: ReportRow, id: String, canRetry: Bool) {
    content = .row(row, id: id)
    self.canRetry = canRetry
  }

  /// Answers a line that isn't a row, or that can't be used.
  init(refusing line: Int, _ error: any Error) {
    let code = (error as? RequestError)?.code ?? .malformedRequest
    let words =
      (error as? RequestError)?.description
      ?? "not a row: \((error as? DecodingError)?.flawOfMember ?? error.words)"
    content = .refused(line: line, code: code.rawValue, reason: words)
  }

  /// Answers a photo of which bytes are needed that aren't here yet.
  /// - Parameter bytes: The value of `PhotoLine.need`.
  init(needing bytes: PlanValue, id: String, of photo: FilePath) {
    let error = FileError(.missingBytes, "bytes of it are needed that aren't here yet")
    self.init(ReportRow(photo, error), id: id, canRetry: true)
    need = bytes
  }

  /// Answers the first line of a plan.
  init(header line: Int) { content = .header(line: line) }

  /// Answers with a line for the next pass.
  /// - Parameter outcome: What became of the photo; nil if nothing was planned or done.
  init(_ line: PlanValue, _ outcome: RowOutcome?) { content = .line(line, outcome) }

  /// The outcome; nil for a line that has none.
  var outcome: RowOutcome? {
    switch content {
    case .row(let row, _): row.outcome
    case .refused: .failed
    case .header: nil
    case .line(_, let outcome): outcome
    }
  }

  /// Whether a line of input was answered that is about a photo.
  var isOfPhoto: Bool { if case .header = content { false } else { true } }

  func write(to writer: inout JSONWriter) {
    defer { writer.endLine() }
    if case .line(let value, _) = content { return writer.value(value) }
    writer.object { writer in
      switch content {
      case .line: break
      case .row(let row, let id):
        writer.member("id", id)
        row.writeMembers(to: &writer)
        if let kept { writer.member(path: kept, as: "kept") }
        if [.failed, .notRun, .skipped].contains(row.outcome) { writer.member("retry", canRetry) }
        if let need {
          writer.key("need")
          writer.value(need)
        }
      case .refused(let line, let code, let reason):
        writer.key("id")
        writer.null()
        writer.member("line", line)
        writer.member("outcome", RowOutcome.failed.rawValue)
        writer.member("reason", reason)
        writer.member("code", code)
        writer.member("retry", false)
      case .header(let line):
        writer.key("id")
        writer.null()
        writer.member("line", line)
        writer.member("metatagPlan", PlanFile.Header.form)
      }
    }
  }
}
