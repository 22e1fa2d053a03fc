import MetaTag
import SystemPackage

/// A row of a plan that is to be done.
struct RowRequest: Sendable {
  let row: PlanRow
  let id: String
  /// The values of the plan's first line.
  let header: PlanFile.Header
  /// The number of its answer.
  let index: Int
}

/// Rows that can be done together: no file is in two of them, and their plans have the same options. There is at least one.
struct RowGroup: Sendable {
  let requests: [RowRequest]
  /// The photos of the rows; nil if they haven't been looked up.
  fileprivate(set) var photos: [Photo]?

  var header: PlanFile.Header { requests[0].header }
  fileprivate var paths: [FilePath] { requests.flatMap(\.row.paths) }

  fileprivate static func groups(of requests: [RowRequest]) -> [RowGroup] {
    PlanRow.grouped(requests, by: \.row, together: { $0.header.hasOptions(of: $1.header) })
      .map { RowGroup(requests: $0) }
  }

  /// Returns the photos of the rows, and looks them up if that wasn't done.
  func foundPhotos(jobs: Int) async -> [Photo] {
    if let photos { return photos }
    return await PlanFile(header, rows: requests.map(\.row)).photos(jobs: jobs)
  }
}

/// The rows in some lines, in groups. While a group is done, the next one is read and its photos looked up.
struct RowGroups {
  /// The values of the plan's first line, for rows that don't repeat them.
  private(set) var header: PlanFile.Header?
  /// The answers to lines that need nothing done, with their numbers.
  private(set) var answers: [(Int, WorkerAnswer)] = []
  private let allowsZero: Bool
  private let jobs: Int
  private var lines: ArraySlice<WorkerLines.Line>
  private var ahead: Task<Portion, Never>?
  private var groups: ArraySlice<RowGroup>
  /// The files of the groups that were returned.
  private var begun: Set<FilePath> = []

  /// The most lines to read ahead.
  static let portion = 384

  /// Reads lines.
  /// - Parameter header: The values of the plan's first line, if they are known.
  init(_ lines: [WorkerLines.Line], after header: PlanFile.Header?, allowsZero: Bool, jobs: Int) {
    (self.lines, self.header, self.allowsZero, self.jobs) = (lines[...], header, allowsZero, jobs)
    groups = []
    // The files of the first rows may have to be recovered before they are looked up.
    readAhead(looksUp: false)
  }

  /// Divides rows that are to be done again.
  init(of requests: [RowRequest]) {
    (lines, allowsZero, jobs) = ([], false, 1)
    groups = RowGroup.groups(of: requests)[...]
  }

  /// Returns the next group; nil if there are no more.
  mutating func next() async -> RowGroup? {
    guard var group = await first() else { return nil }
    if !begun.isDisjoint(with: group.paths) { group.photos = nil }
    return take(group)
  }

  /// Returns the next group; nil if it must wait until those before it are done, because it has one of their files or
  /// other options than these.
  mutating func next(with header: PlanFile.Header) async -> RowGroup? {
    guard let group = await first(), group.photos != nil, group.header.hasOptions(of: header),
      begun.isDisjoint(with: group.paths)
    else { return nil }
    return take(group)
  }

  private mutating func first() async -> RowGroup? {
    while groups.isEmpty, let portion = await ahead?.value {
      header = portion.header
      answers += portion.answers
      groups = portion.groups[...]
      readAhead(looksUp: true)
    }
    return groups.first
  }

  private mutating func take(_ group: RowGroup) -> RowGroup {
    groups.removeFirst()
    begun.formUnion(group.paths)
    return group
  }

  private mutating func readAhead(looksUp: Bool) {
    let (next, header, allowsZero, jobs) = (lines.prefix(Self.portion), header, allowsZero, jobs)
    lines = lines.dropFirst(Self.portion)
    ahead =
      next.isEmpty
      ? nil
      : Task {
        var portion = Portion(next, after: header, allowsZero: allowsZero)
        if looksUp { await portion.lookUp(jobs: jobs) }
        return portion
      }
  }
}

/// Some lines, read.
private struct Portion: Sendable {
  private(set) var header: PlanFile.Header?
  private(set) var answers: [(Int, WorkerAnswer)] = []
  private(set) var groups: [RowGroup] = []

  init(_ lines: ArraySlice<WorkerLines.Line>, after header: PlanFile.Header?, allowsZero: Bool) {
    self.header = header
    var requests: [RowRequest] = []
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
    groups = RowGroup.groups(of: requests)
  }

  /// Looks up the photos of the first group. Those after it may have the same files.
  mutating func lookUp(jobs: Int) async {
    guard let first = groups.first else { return }
    groups[0].photos = await first.foundPhotos(jobs: jobs)
  }

  /// A row to be done, or an answer that needs nothing done.
  private enum Item {
    case request(RowRequest)
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
      return .request(RowRequest(row: line.row, id: line.id ?? line.row.id, header: header, index: index))
    }
  }
}

extension RowOutcome {
  /// Whether a worker that only plans can have answered with it.
  fileprivate var isOfPlan: Bool { [.unchanged, .skipped, .failed, .notRun].contains(self) }
}
