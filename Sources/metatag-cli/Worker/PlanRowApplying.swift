import MetaTag
import SystemPackage

/// Makes the changes of rows of plans, portion by portion, in one run.
struct PlanRowApplying {
  /// The values of the first line of the plan, for rows that don't repeat them.
  private(set) var header: PlanFile.Header?
  private let allowsZero: Bool
  private let jobs: Int
  private var run: WorkerRun

  init(header: PlanFile.Header?, allowsZero: Bool, jobs: Int, run: WorkerRun) {
    (self.header, self.allowsZero, self.jobs, self.run) = (header, allowsZero, jobs, run)
  }

  /// A row, the values of its plan's first line, and the number of its answer.
  private struct Request {
    let row: PlanRow
    let id: String
    let header: PlanFile.Header
    let index: Int
  }

  /// A request for a change, or an answer that needs none.
  private enum Item {
    case request(Request)
    case answer(WorkerAnswer)
  }

  /// Makes the changes of the rows in some lines.
  mutating func answer(_ lines: [WorkerLines.Line]) async throws -> [WorkerAnswer] {
    var answers = [WorkerAnswer?](repeating: nil, count: lines.count)
    var requests: [Request] = []
    for (index, line) in lines.enumerated() {
      do {
        switch try item(in: line, at: index) {
        case .request(let request): requests.append(request)
        case .answer(let answer): answers[index] = answer
        }
      } catch {
        answers[index] = WorkerAnswer(refusing: line.number, error)
      }
    }
    for group in PlanRow.grouped(requests, by: \.row, together: { $0.header.hasOptions(of: $1.header) }) {
      for (request, answer) in zip(group, try await apply(group)) { answers[request.index] = answer }
    }
    return answers.compactMap(\.self)
  }

  /// Ends the run.
  func end() throws { try run.end() }

  /// Returns the row in a line. The values in the first line of a plan apply to the rows after it. The answer about a
  /// photo that isn't to be changed is passed on.
  private mutating func item(in line: WorkerLines.Line, at index: Int) throws -> Item {
    guard let bytes = line.bytes else {
      throw RequestError(.malformedRequest, "not a row: the line exceeds 1 MB")
    }
    switch try PlanLine(bytes, allowsZero: allowsZero) {
    case .header(let header):
      try RequestError.requireVersion(header.version)
      if self.header == nil { self.header = header }
      return .answer(WorkerAnswer(header: line.number))
    case .answer(let value, let text):
      guard let outcome = RowOutcome(rawValue: text), outcome.isOfPlan else {
        throw RequestError(.malformedRequest, "not a row: 'outcome' is \(text.printable)")
      }
      return .answer(WorkerAnswer(value, outcome))
    case .row(let line):
      guard let header = line.header ?? header else {
        throw RequestError(
          .malformedRequest,
          "the row doesn't have the options of its plan's first line, in the member \"plan\". Give the plan with --plan."
        )
      }
      try RequestError.requireVersion(header.version)
      return .request(Request(row: line.row, id: line.id ?? line.row.id, header: header, index: index))
    }
  }

  /// Makes the changes of some rows, and returns the answers in their order.
  private mutating func apply(_ requests: [Request]) async throws -> [WorkerAnswer] {
    guard let header = requests.first?.header else { return [] }
    let (run, journal) = try self.run.get { journal in
      try journal.beginRun(
        arguments: Argv.typed, at: .now, version: Console.version,
        after: try journal.newestRunThatLeft(beside: requests.flatMap(\.row.paths)))
    }
    var lock = try self.run.lock()
    defer { lock?.release() }
    var options = Batch.Options()
    options.follow(header)
    options.jobs = jobs
    options.now = .now
    let batch = Batch(run, in: journal, options: options)
    var outcomes = await self.outcomes(of: requests, header, batch)
    for pause in WorkerRun.pauses {
      let late = outcomes.indices.filter { outcomes[$0].isConflict }
      guard !late.isEmpty, !Interrupt.isWished else { break }
      try await self.run.pause(for: pause, releasing: &lock)
      let again = await self.outcomes(of: late.map { requests[$0] }, header, batch)
      for (index, outcome) in zip(late, again) { outcomes[index] = outcome }
    }
    self.run.failed += outcomes.count { $0.isFailure }
    let kept = Dictionary(try journal.keptFiles(of: run)) { first, _ in first }
    return zip(requests, outcomes).map { request, outcome in
      var answer = WorkerAnswer(outcome, id: request.id)
      if !kept.isEmpty { answer.kept = request.row.paths.lazy.compactMap { kept[$0.located] }.first }
      return answer
    }
  }

  private func outcomes(of requests: [Request], _ header: PlanFile.Header, _ batch: Batch) async -> [Outcome] {
    let plan = PlanFile(header, rows: requests.map(\.row))
    let photos = await plan.photos(jobs: jobs)
    let planners = Dictionary(plan.rows.map { ($0.path, $0.planner) }) { first, _ in first }
    var outcomes: [Outcome] = []
    await batch.run(photos, planning: { planners[$0.input.path] ?? NoChange() }, until: { Interrupt.isWished }) {
      outcomes.append($0)
    }
    return outcomes
  }
}

extension RowOutcome {
  /// Whether a worker that only plans can have answered with it.
  fileprivate var isOfPlan: Bool { [.unchanged, .skipped, .failed, .notRun].contains(self) }
}

extension Outcome {
  /// Whether another program changed the photo, before or during the run.
  fileprivate var isConflict: Bool {
    if case .failed(let error) = status { error.kind == .conflict } else { false }
  }
}
