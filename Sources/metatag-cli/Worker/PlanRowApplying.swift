import MetaTag
import SystemPackage

/// Makes the changes of rows of plans in one run.
struct PlanRowApplying {
  /// The values of the first line of the plan, for rows that don't repeat them.
  private var header: PlanFile.Header?
  private let allowsZero: Bool
  private let jobs: Int
  private var run: WorkerRun

  /// The most lines to answer at once.
  static let mostLines = 3 * RowGroups.portion

  init(header: PlanFile.Header?, allowsZero: Bool, jobs: Int, run: WorkerRun) {
    (self.header, self.allowsZero, self.jobs, self.run) = (header, allowsZero, jobs, run)
  }

  /// The answers to some lines.
  private struct Answers {
    var all: [WorkerAnswer?]
    /// The rows that another worker may just have done, and the answers that say that they weren't begun.
    private(set) var late: [(request: RowRequest, notRun: WorkerAnswer)] = []
    /// The numbers of the answers to rows that failed.
    private(set) var failed: Set<Int> = []

    init(count: Int) { all = Array(repeating: nil, count: count) }

    mutating func add(_ outcome: Outcome, to request: RowRequest) {
      all[request.index] = WorkerAnswer(outcome, id: request.id)
      if outcome.isFailure { failed.insert(request.index) } else { failed.remove(request.index) }
      guard outcome.mayBeDoneByAnother else { return }
      var notRun = outcome
      notRun.status = .notRun
      late.append((request, WorkerAnswer(notRun, id: request.id)))
    }

    /// Returns the late rows, to be done again.
    mutating func takeLate() -> [RowRequest] {
      defer { late = [] }
      return late.map(\.request)
    }

    /// Answers that the late rows weren't begun.
    mutating func leaveLate() {
      for (request, var notRun) in late {
        notRun.kept = all[request.index]?.kept
        all[request.index] = notRun
        failed.remove(request.index)
      }
    }
  }

  /// Makes the changes of the rows in some lines.
  mutating func answer(_ lines: [WorkerLines.Line]) async throws -> [WorkerAnswer] {
    var answers = Answers(count: lines.count)
    var lock: WorkerLock?
    defer { lock?.release() }
    var groups = RowGroups(lines, after: header, allowsZero: allowsZero, jobs: jobs)
    try await apply(&groups, &answers, &lock, isFirst: true)
    header = groups.header
    for (index, answer) in groups.answers { answers.all[index] = answer }
    for pause in WorkerRun.pauses {
      guard !answers.late.isEmpty, !Interrupt.isWished else { break }
      try await run.pause(for: pause, releasing: &lock)
      groups = RowGroups(of: answers.takeLate())
      try await apply(&groups, &answers, &lock, isFirst: false)
    }
    if Interrupt.isWished { answers.leaveLate() }
    run.failed += answers.failed.count
    return answers.all.compactMap(\.self)
  }

  /// Ends the run.
  func end() throws { try run.end() }

  /// Makes the changes of rows.
  /// - Parameter isFirst: Whether it is the first attempt. What killed workers left half done is recovered before the
  ///   second one.
  private mutating func apply(
    _ groups: inout RowGroups, _ answers: inout Answers, _ lock: inout WorkerLock?, isFirst: Bool
  ) async throws {
    while let first = await groups.next() {
      let (run, journal) = try self.run.get { journal in
        try journal.beginRun(
          arguments: Argv.typed, at: .now, version: Console.version,
          after: try journal.newestRunThatLeft(beside: first.requests.flatMap(\.row.paths)))
      }
      if lock == nil { lock = try self.run.lock() }
      var options = options(first.header)
      options.finishesRenaming = !isFirst
      let batch = Batch(run, in: journal, options: options)
      let requests = await apply(&groups, from: first, &answers, batch)
      let kept = Dictionary(try journal.keptFiles(of: run)) { first, _ in first }
      guard !kept.isEmpty else { continue }
      for request in requests {
        answers.all[request.index]?.kept = request.row.paths.lazy.compactMap { kept[$0.located] }.first
      }
    }
  }

  /// Makes the changes of a group of rows, and of those after it that can be made together with it. Returns these rows.
  private func apply(
    _ groups: inout RowGroups, from first: RowGroup, _ answers: inout Answers, _ batch: Batch
  ) async -> [RowRequest] {
    var next: RowGroup? = first
    var (requests, done) = ([RowRequest](), 0)
    await batch.run {
      if next == nil { next = await groups.next(with: first.header) }
      guard let group = next.take() else { return nil }
      requests += group.requests
      let planners = Dictionary(group.requests.map { ($0.row.path, $0.row.planner) }) { first, _ in first }
      return Batch.Portion(photos: await group.foundPhotos(jobs: jobs)) { planners[$0.input.path] ?? NoChange() }
    } until: {
      Interrupt.isWished
    } report: { outcome in
      answers.add(outcome, to: requests[done])
      done += 1
    }
    return requests
  }

  private func options(_ header: PlanFile.Header) -> Batch.Options {
    var options = Batch.Options()
    options.follow(header)
    options.jobs = jobs
    options.now = .now
    return options
  }
}

extension Outcome {
  /// Whether another worker may just have made the change: the photo is another one than planned, or has no longer its
  /// name, or a file with its new name is there.
  fileprivate var mayBeDoneByAnother: Bool {
    guard case .failed(let error) = status else { return false }
    return error.kind == .conflict || [.noSuchFile, .nameTaken].contains(error.code)
  }
}
