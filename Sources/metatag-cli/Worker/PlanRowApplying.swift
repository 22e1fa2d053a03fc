import MetaTag
import SystemPackage

/// Makes the changes of rows of plans in one run. While some photos are changed, the next rows are read and their files
/// looked up.
struct PlanRowApplying {
  /// The values of the first line of the plan, for rows that don't repeat them.
  private var header: PlanFile.Header?
  private let allowsZero: Bool
  private let jobs: Int
  private var run: WorkerRun

  /// The most lines to take at once.
  static let mostLines = 3 * portion
  /// The most lines to read ahead.
  private static let portion = 384

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

  /// The answers to some lines.
  private struct Answers {
    var all: [WorkerAnswer?]
    /// The requests that failed because something else changed the photo.
    var late: [Request] = []
    /// The numbers of the answers to rows that failed.
    var failed: Set<Int> = []

    mutating func add(_ outcome: Outcome, to request: Request) {
      all[request.index] = WorkerAnswer(outcome, id: request.id)
      if outcome.isFailure { failed.insert(request.index) } else { failed.remove(request.index) }
      if outcome.isConflict { late.append(request) }
    }
  }

  /// Makes the changes of the rows in some lines.
  mutating func answer(_ lines: [WorkerLines.Line]) async throws -> [WorkerAnswer] {
    var answers = Answers(all: Array(repeating: nil, count: lines.count))
    var lock: WorkerLock?
    defer { lock?.release() }
    var (portion, rest) = (Portion(lines.prefix(Self.portion), after: header, allowsZero), lines[...])
    while !portion.isEmpty {
      let current = portion
      rest = rest.dropFirst(Self.portion)
      async let next = Portion(rest.prefix(Self.portion), after: current, allowsZero, jobs)
      for (index, answer) in current.answers { answers.all[index] = answer }
      var photos = current.photos
      for group in current.groups { try await apply(group, photos.take(), &answers, &lock) }
      header = current.header
      portion = await next
    }
    for pause in WorkerRun.pauses {
      guard !answers.late.isEmpty, !Interrupt.isWished else { break }
      try await run.pause(for: pause, releasing: &lock)
      let late = answers.late
      answers.late = []
      for group in Self.grouped(late) { try await apply(group, nil, &answers, &lock) }
    }
    run.failed += answers.failed.count
    return answers.all.compactMap(\.self)
  }

  /// Ends the run.
  func end() throws { try run.end() }

  /// Makes the changes of some rows.
  /// - Parameter photos: Their photos; nil if they haven't been looked up.
  private mutating func apply(
    _ requests: [Request], _ photos: [Photo]?, _ answers: inout Answers, _ lock: inout WorkerLock?
  ) async throws {
    guard let header = requests.first?.header else { return }
    let (run, journal) = try self.run.get { journal in
      try journal.beginRun(
        arguments: Argv.typed, at: .now, version: Console.version,
        after: try journal.newestRunThatLeft(beside: requests.flatMap(\.row.paths)))
    }
    if lock == nil { lock = try self.run.lock() }
    var options = Batch.Options()
    options.follow(header)
    options.jobs = jobs
    options.now = .now
    let batch = Batch(run, in: journal, options: options)
    let planners = Dictionary(requests.map { ($0.row.path, $0.row.planner) }) { first, _ in first }
    let found = if let photos { photos } else { await Self.photos(of: requests, jobs) }
    var done = 0
    await batch.run(found, planning: { planners[$0.input.path] ?? NoChange() }, until: { Interrupt.isWished }) {
      answers.add($0, to: requests[done])
      done += 1
    }
    let kept = Dictionary(try journal.keptFiles(of: run)) { first, _ in first }
    guard !kept.isEmpty else { return }
    for request in requests {
      answers.all[request.index]?.kept = request.row.paths.lazy.compactMap { kept[$0.located] }.first
    }
  }

  private static func photos(of requests: [Request], _ jobs: Int) async -> [Photo] {
    guard let header = requests.first?.header else { return [] }
    return await PlanFile(header, rows: requests.map(\.row)).photos(jobs: jobs)
  }

  /// Returns the requests in groups that don't contain a file twice and have the same options.
  private static func grouped(_ requests: [Request]) -> [[Request]] {
    PlanRow.grouped(requests, by: \.row, together: { $0.header.hasOptions(of: $1.header) })
  }
}

extension PlanRowApplying {
  /// Some lines, ready to be answered.
  private struct Portion: Sendable {
    /// The values of the plan's first line, if it is among these lines or before them.
    private(set) var header: PlanFile.Header?
    /// The answers to lines that request no change, with their numbers.
    private(set) var answers: [(Int, WorkerAnswer)] = []
    private(set) var groups: [[Request]] = []
    /// The photos of the first group; nil if they haven't been looked up.
    private(set) var photos: [Photo]?

    var isEmpty: Bool { answers.isEmpty && groups.isEmpty }

    init(_ lines: ArraySlice<WorkerLines.Line>, after header: PlanFile.Header?, _ allowsZero: Bool) {
      self.header = header
      var requests: [Request] = []
      for index in lines.indices {
        do {
          switch try item(in: lines[index], at: index, allowsZero) {
          case .request(let request): requests.append(request)
          case .answer(let answer): answers.append((index, answer))
          }
        } catch {
          answers.append((index, WorkerAnswer(refusing: lines[index].number, error)))
        }
      }
      groups = PlanRowApplying.grouped(requests)
    }

    /// Prepares the lines after those of another portion, and looks up the photos of the first group unless one of their
    /// files is in that portion, too.
    init(_ lines: ArraySlice<WorkerLines.Line>, after portion: Portion, _ allowsZero: Bool, _ jobs: Int) async {
      self.init(lines, after: portion.header, allowsZero)
      let busy = Set(portion.groups.joined().flatMap(\.row.paths))
      guard let group = groups.first, busy.isDisjoint(with: group.lazy.flatMap(\.row.paths)) else { return }
      photos = await PlanRowApplying.photos(of: group, jobs)
    }

    /// A request for a change, or an answer that needs none.
    private enum Item {
      case request(Request)
      case answer(WorkerAnswer)
    }

    /// Returns the row in a line. The values in the first line of a plan apply to the rows after it. The answer about a
    /// photo that isn't to be changed is passed on.
    private mutating func item(in line: WorkerLines.Line, at index: Int, _ allowsZero: Bool) throws -> Item {
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
