import MetaTag
import SystemPackage

/// Takes back the changes in rows of an undo, portion by portion, in one run.
struct UndoRowApplying {
  private var run: WorkerRun
  /// The journal and the run that the rows are of.
  private var undone: (journal: String, run: Int64)?

  init(run: WorkerRun) { self.run = run }

  /// Takes back the changes in some lines.
  mutating func answer(_ lines: [WorkerLines.Line]) async throws -> [WorkerAnswer] {
    var answers: [WorkerAnswer] = []
    var rows: [UndoRow] = []
    var files: Set<FilePath> = []
    for line in lines {
      do {
        let row = try row(in: line)
        // A row that comes again is answered after the first one is done.
        if !files.isDisjoint(with: row.paths) {
          answers += try await undo(rows)
          (rows, files) = ([], [])
        }
        rows.append(row)
        files.formUnion(row.paths)
      } catch {
        answers.append(WorkerAnswer(refusing: line.number, error))
      }
    }
    return answers + (try await undo(rows))
  }

  /// Ends the run.
  func end() throws { try run.end() }

  private mutating func row(in line: WorkerLines.Line) throws -> UndoRow {
    guard let bytes = line.bytes else { throw RequestError(.malformedRequest, "not a row: the line exceeds 1 MB") }
    let row = try UndoRow(bytes)
    try RequestError.requireVersion(row.version)
    if let undone, undone != (row.journal, row.run) {
      throw RequestError(.malformedRequest, "the row is of another run than those before it; give it to another worker")
    }
    undone = (row.journal, row.run)
    return row
  }

  private mutating func undo(_ rows: [UndoRow]) async throws -> [WorkerAnswer] {
    guard let first = rows.first else { return [] }
    let (undo, journal) = try run.get { journal in
      try journal.beginRun(arguments: Argv.typed, at: .now, version: Console.version, undoing: first)
    }
    var lock = try run.lock()
    defer { lock?.release() }
    var outcomes: [String: (JournalOperation, Undo.Outcome)] = [:]
    var left = rows
    for pause in [nil] + WorkerRun.pauses {
      if let pause { try await run.pause(for: pause, releasing: &lock) }
      left = left.filter { !journal.isTakenBack($0) }
      guard !left.isEmpty else { break }
      let results = try self.undo(left, as: undo, in: journal)
      left.removeAll { row in
        let own = row.paths.flatMap { results[$0] ?? [] }
        outcomes[row.id] = own.max { $0.1.weight < $1.1.weight }
        return outcomes[row.id].map { !$0.1.isConflict } ?? true
      }
    }
    let kept = Dictionary(try journal.keptFiles(of: undo)) { first, _ in first }
    return rows.map { row in
      guard let outcome = outcomes[row.id], !(outcome.1.isFailure && journal.isTakenBack(row)) else {
        let done = ReportRow(
          FilePath(row.path), .unchanged, ResultCode.undoneBefore.rawValue, reason: "is as it was before the run")
        return WorkerAnswer(done, id: row.id, canRetry: false)
      }
      if outcome.1.isFailure { run.failed += 1 }
      var answer = WorkerAnswer(ReportRow(outcome.0, outcome.1), id: row.id, canRetry: outcome.1.isTransient)
      answer.kept = row.paths.lazy.compactMap { kept[$0] }.first
      return answer
    }
  }

  /// Takes back the changes in rows; returns the outcome of each file.
  private func undo(
    _ rows: [UndoRow], as undo: RunID, in journal: Journal
  ) throws -> [FilePath: [(JournalOperation, Undo.Outcome)]] {
    guard let first = rows.first else { return [:] }
    var outcomes: [FilePath: [(JournalOperation, Undo.Outcome)]] = [:]
    var selection = UndoSelection()
    selection.files = Set(rows.flatMap(\.paths))
    try journal.add(rows)
    try Undo(RunID(first.run), as: undo, in: journal, selection)(until: { Interrupt.isWished }) { operation, outcome in
      outcomes[operation.path, default: []].append((operation, outcome))
    }
    try journal.remove(rows)
    return outcomes
  }
}

extension Undo.Outcome {
  /// A number by which the answer about a photo is chosen from the outcomes of its files: the greatest.
  fileprivate var weight: Int {
    switch self {
    // A file that got its old name in an earlier attempt is not found, either.
    case .notRestored(let error): error.code == .notAtOriginalPath ? 4 : 5
    case .writtenBeside: 5
    case .notRun: 3
    case .restoredMetadata: 2
    case .restored, .removed, .untrashed: 1
    case .renamed, .retimed: 0
    }
  }

  /// Whether something else changed the file before or during the undo, or another worker gave it its old name.
  fileprivate var isConflict: Bool {
    guard case .notRestored(let error) = self else { return false }
    return error.kind == .conflict || [.noSuchFile, .nameTaken].contains(error.code)
  }

  /// Whether the same undo may succeed later.
  fileprivate var isTransient: Bool {
    switch self {
    case .notRun: true
    case .notRestored(let error): error.code.isTransient
    default: false
    }
  }
}
