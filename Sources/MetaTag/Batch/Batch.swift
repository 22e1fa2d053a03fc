/// One run over many photos: open, propose, patch, prove, write in groups, report. Photos are worked on side by side and
/// reported in the order of the inputs.
public struct Batch: Sendable {
  /// How a run goes about it.
  public struct Options: Sendable {
    /// How many photos are worked on at once, at least 1. It changes how long a run takes, nothing else.
    public var jobs = 2
    /// The files' times of last change stay as they were, to the nanosecond.
    public var keepsModificationTime = false
    /// Every byte is read back from the disk, not only what was spliced.
    public var verifiesWholeFile = false

    /// Two at once, files' times of last change new, what was spliced read back.
    public init() {}
  }

  private let rewriter: Rewriter?
  private let secondReader = SecondReader(pool: CodecPool())
  private let options: Options

  /// A run that writes, under `run` of `journal`.
  public init(_ run: RunID, in journal: Journal, options: Options = Options()) {
    rewriter = Rewriter(
      journal: journal, run: run,
      options: Rewriter.Options(
        keepsModificationTime: options.keepsModificationTime, verifiesWholeFile: options.verifiesWholeFile))
    self.options = options
  }

  /// A dry run: everything is worked out and proved, nothing is written.
  public init(dryRun options: Options) {
    rewriter = nil
    self.options = options
  }

  /// Asks `planner` about every photo and carries the proposals out. `report` gets one outcome for each input, in order,
  /// only once it is durable. When the task is cancelled or `stop` says so, begun photos are finished and the rest is
  /// reported as not run.
  public func run(
    _ inputs: [Walk.Input], planner: any Planner, until stop: @escaping @Sendable () -> Bool = { false },
    report: (Outcome) -> Void
  ) async {
    var group = WriteGroup(rewriter: rewriter)
    let consumed = await inOrder(inputs, width: max(1, options.jobs), until: stop) { input in
      work(on: input, planner)
    } consume: { work in
      group.add(work)
      if group.isFull { group.commit(report) }
    }
    group.commit(report)
    for input in inputs.dropFirst(consumed) { report(Outcome(input.path, .notRun)) }
  }

  private func work(on input: Walk.Input, _ planner: any Planner) -> Work {
    if let failure = input.failure { return Work(outcome: Outcome(input.path, .failed(failure))) }
    do throws(PhotoError) {
      let file = try FileSource(input.path)
      let image = try ImageSource(file, path: input.path)
      var outcome = Outcome(input.path, .changed)
      let metadata = image.metadata()
      outcome.type = image.type
      outcome.before = metadata
      switch planner.propose(for: metadata) {
      case .unchanged(let reason):
        outcome.status = .unchanged(reason)
        return Work(outcome: outcome)
      case .skip(let reason):
        outcome.status = .skipped(reason)
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
      outcome.status = .unchanged(.asWanted)
      return Work(outcome: outcome)
    }
    let after = try ImageSource(PatchedSource(old: file, patch: patch), path: image.path)
    let metadata = after.metadata()
    try Expectation(edit: edit, before: outcome.before ?? Metadata()).check(metadata)
    outcome.after = metadata
    outcome.patch = patch
    outcome.notices = changes.notices + edit.staleNames(of: outcome.before ?? Metadata())
    guard let rewriter else { return Work(outcome: outcome) }
    var written = changes
    written.exif = try image.tagChanges(changes)
    let staged = try rewriter.stage(file, at: image.path, patch: patch) { new throws(PhotoError) in
      try confirm(written, from: (file, image.layout), to: (new, after.layout))
    }
    return Work(outcome: outcome, staged: staged)
  }

  /// The second reader's word on the written bytes. What it can't read, old or new, only `Expectation` vouches for.
  private func confirm(
    _ changes: BlockChanges, from old: (source: any ByteSource, layout: Layout),
    to new: (source: any ByteSource, layout: Layout)
  ) throws(PhotoError) {
    var blocks: [(old: Range<Int>?, new: Range<Int>, changes: TIFFChanges)] = []
    if let range = new.layout.exif { blocks.append((old.layout.exif, range, changes.exif)) }
    for (ifd, range) in new.layout.exifDirectories.sorted(by: { $0.value.lowerBound < $1.value.lowerBound }) {
      let wanted = changes.exif.standingAlone(ifd)
      if !wanted.isEmpty { blocks.append((old.layout.exifDirectories[ifd], range, wanted)) }
    }
    for (index, (old, new)) in zip(old.layout.furtherExif, new.layout.furtherExif).enumerated() {
      if let wanted = changes.furtherExif[index] { blocks.append((old, new, wanted)) }
    }
    for block in blocks {
      let before = try block.old.map { range throws(PhotoError) in
        try ReadableBlock(range, of: old.source, without: old.layout.imageData)
      }
      let after = try ReadableBlock(block.new, of: new.source, without: new.layout.imageData)
      _ = try secondReader.check(old: before?.block, new: after.block, changes: block.changes)
    }
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

  /// Full, or old enough that whoever watches wants to see something done.
  var isFull: Bool {
    works.count >= Rewriter.groupCount || bytes >= Rewriter.groupBytes
      || (begun.map { $0.duration(to: .now) >= .seconds(2) } ?? false)
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
