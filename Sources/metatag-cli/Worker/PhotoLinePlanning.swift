import MetaTag
import SystemPackage

/// Plans the changes of photos, portion by portion.
struct PhotoLinePlanning {
  private let command: any PortionPlanning
  private let planning: (PhotoLine) throws -> any Planner
  private let options: Batch.Options
  private let header: PlanFile.Header
  private let jobs: Int

  /// Prepares the planners of a job.
  /// - Parameter knowledge: What the job learned from all photos.
  init(_ job: JobCommand, _ knowledge: JobKnowledge, jobs: Int) async throws {
    (command, self.jobs) = (job.command, jobs)
    // `metatag clocks` has reported on the tracks and the clocks.
    planning = try await command.planning(knowledge, .silent)
    var options = command.batch
    (options.recordsStates, options.now, options.jobs) = (true, .now, jobs)
    self.options = options
    header = PlanFile.Header(
      version: Console.version, command: [], options: options, isStrict: command.isStrict,
      isSeparate: command.edit.separately)
  }

  private struct Request {
    let line: PhotoLine
    let photo: Photo
    let planner: any Planner
    /// The number of its answer.
    let index: Int
  }

  func answer(_ lines: [WorkerLines.Line]) async throws -> [WorkerAnswer] {
    try await PhotoLine.answer(lines, by: plan)
  }

  /// Returns the answers to some lines, in their order.
  private func plan(_ lines: [PhotoLine]) async throws -> [WorkerAnswer] {
    var answers: [WorkerAnswer?] = []
    var requests: [Request] = []
    for (index, (line, photos)) in zip(lines, await photos(of: lines)).enumerated() {
      guard let photo = photos.first, line.isMade(of: photos) else {
        let error = FileError(
          .changedSincePlan, "its files are not those that 'metatag clocks' found; run it again")
        answers.append(WorkerAnswer(ReportRow(line.paths[0], error), id: line.id, canRetry: false))
        continue
      }
      answers.append(nil)
      requests.append(Request(line: line, photo: photo, planner: try planning(line), index: index))
    }
    for (request, answer) in await leaveOut(&requests) { answers[request.index] = answer }
    let planners = Dictionary(requests.map { ($0.photo.input.path, $0.planner) }) { first, _ in first }
    var outcomes: [Outcome] = []
    await Batch(dryRun: options)
      .run(
        requests.map(\.photo), planning: { planners[$0.input.path] ?? NoChange() }, until: { Interrupt.isWished }
      ) { outcomes.append($0) }
    for (request, outcome) in zip(requests, outcomes) { answers[request.index] = answer(to: request.line, outcome) }
    return answers.compactMap(\.self)
  }

  /// Returns the photos that the files of each line make up: one, unless files have changed.
  private func photos(of lines: [PhotoLine]) async -> [[Photo]] {
    guard command.edit.separately else {
      return await Photo.pairing(groups: lines.map(\.names), jobs: jobs, PhotoCatalog()) { photos, index in
        lines[index].isMade(of: photos)
      }
    }
    return lines.map { Photo.separately(Walk.files(at: $0.names)) }
  }

  /// Answers the photos that don't match --where, and removes them.
  private func leaveOut(_ requests: inout [Request]) async -> [(Request, WorkerAnswer)] {
    guard let condition = command.edit.condition.condition else { return [] }
    let met = Set(await condition.photos(among: requests.map(\.photo), jobs: jobs).photos.map(\.input.path))
    let others = requests.filter { !met.contains($0.photo.input.path) }
    requests.removeAll { !met.contains($0.photo.input.path) }
    return others.map { request in
      let row = ReportRow(
        request.photo.input.path, .skipped, ResultCode.conditionNotMet.rawValue, reason: "doesn't match --where")
      return (request, WorkerAnswer(row, id: request.line.id, canRetry: false))
    }
  }

  private func answer(to line: PhotoLine, _ outcome: Outcome) -> WorkerAnswer {
    guard let row = PlanRow(outcome) else { return WorkerAnswer(outcome, id: line.id) }
    return WorkerAnswer(
      row.lineValue(id: line.id, before: outcome.before, after: outcome.after, of: header), .changed)
  }
}

extension PhotoLine {
  /// All names of its files.
  fileprivate var names: [FilePath] { paths + otherNames }

  /// Whether these are one photo, of the files that the line names if it names all.
  fileprivate func isMade(of photos: [Photo]) -> Bool {
    photos.count == 1 && (!isWhole || Set(photos[0].pictures) == Set(paths))
  }
}
