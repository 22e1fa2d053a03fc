public import SystemPackage

/// One run over many photos: open, propose, patch, prove, write in groups, report. Photos are worked on side by side and
/// reported in the order of the inputs.
public struct Batch: Sendable {
  private let rewriter: Rewriter?
  private let codecs: CodecPool
  private let jobs: Int

  /// A run that writes through `rewriter`; with nil it is a dry run, which writes nothing at all.
  /// - Parameters:
  ///   - codecs: Where the second reader is asked.
  ///   - jobs: How many photos are worked on at once, at least 1.
  public init(rewriter: Rewriter?, codecs: CodecPool, jobs: Int) {
    self.rewriter = rewriter
    self.codecs = codecs
    self.jobs = max(1, jobs)
  }

  /// Asks `propose` about every photo and carries the proposals out. `report` gets one outcome for each input, in order,
  /// only once it is durable. When the task is cancelled, begun photos are finished and the rest is reported as not run.
  public func run(
    _ inputs: [Walk.Input], propose: @escaping @Sendable (Metadata) -> Proposal, report: (Outcome) -> Void
  ) async {
    var group = WriteGroup(rewriter: rewriter)
    let consumed = await inOrder(inputs, width: jobs) { input in
      work(on: input, propose: propose)
    } consume: { work in
      group.add(work)
      if group.isFull { group.commit(report) }
    }
    group.commit(report)
    for input in inputs.dropFirst(consumed) { report(Outcome(input.path, .notRun)) }
  }

  private func work(on input: Walk.Input, propose: (Metadata) -> Proposal) -> Work {
    if let failure = input.failure { return Work(outcome: Outcome(input.path, .failed(failure))) }
    do throws(PhotoError) {
      let file = try FileSource(input.path)
      let image = try ImageSource(file, path: input.path)
      var outcome = Outcome(input.path, .changed)
      let metadata = image.metadata()
      outcome.type = image.type
      outcome.before = metadata
      switch propose(metadata) {
      case .unchanged(let reason):
        outcome.status = .unchanged(reason)
        return Work(outcome: outcome)
      case .skip(let reason):
        outcome.status = .skipped(reason.sentence)
        return Work(outcome: outcome)
      case .change(let edit, let explanation):
        outcome.explanation = explanation
        return try change(image, file, by: edit, outcome)
      }
    } catch {
      return Work(outcome: Outcome(input.path, .failed(error)))
    }
  }

  private func change(
    _ image: ImageSource, _ file: FileSource, by edit: MetadataEdit, _ planned: Outcome
  ) throws(PhotoError) -> Work {
    var outcome = planned
    let changes = try image.changes(for: edit)
    let patch = try image.patch(changes)
    guard !patch.isEmpty else {
      outcome.status = .unchanged("it already was as wanted")
      return Work(outcome: outcome)
    }
    let after = try ImageSource(PatchedSource(patch, over: file), path: image.path)
    let metadata = after.metadata()
    try Expectation(edit: edit, before: outcome.before ?? Metadata()).check(metadata)
    outcome.after = metadata
    outcome.patch = patch
    guard let rewriter else { return Work(outcome: outcome) }
    let staged = try rewriter.stage(file, at: image.path, patch: patch) { new throws(PhotoError) in
      try SecondReader(codecs).check(
        old: (file, image.layout.exif), new: (new, after.layout.exif), changes: changes.exif)
    }
    return Work(outcome: outcome, staged: staged)
  }
}

/// An outcome that may still wait for its file to be committed.
private struct Work: Sendable {
  var outcome: Outcome
  var staged: StagedFile?
}

/// Photos that share the cost of becoming durable, and the outcomes between them.
private struct WriteGroup {
  let rewriter: Rewriter?
  private var works: [Work] = []
  private var bytes = 0
  private var begun: ContinuousClock.Instant?

  init(rewriter: Rewriter?) { self.rewriter = rewriter }

  /// 64 files, 256 MB or 2 s: where sharing a sync stops paying (measured; see ARCHITECTURE).
  var isFull: Bool {
    works.count >= 64 || bytes >= 256 << 20 || (begun.map { $0.duration(to: .now) >= .seconds(2) } ?? false)
  }

  mutating func add(_ work: Work) {
    if begun == nil { begun = .now }
    works.append(work)
    if work.staged != nil { bytes += work.outcome.patch?.newCount ?? 0 }
  }

  mutating func commit(_ report: (Outcome) -> Void) {
    defer { (works, bytes, begun) = ([], 0, nil) }
    let staged = works.compactMap(\.staged)
    var results = staged.isEmpty ? [][...] : (rewriter?.commit(staged) ?? [])[...]
    for work in works {
      var outcome = work.outcome
      if work.staged != nil, case .failure(let error)? = results.popFirst() {
        outcome.status = .failed(error)
        outcome.after = nil
      }
      report(outcome)
    }
  }
}
