/// An outcome that may still wait for its files to be committed.
struct Work: Sendable {
  var outcome: Outcome
  var staged: [StagedFile] = []
  /// A file without a name yet.
  var unnamed: Unnamed?

  /// How much of a group it is, in files: while one group waits for the disk, as much as fits the next is made ready.
  var share: Int {
    let bytes = staged.reduce(0) { $0 + $1.writtenCount }
    return max(1, staged.count, bytes / (Rewriter.groupBytes / Rewriter.groupCount))
  }

  /// Nothing of it is done.
  func withdraw(_ rewriter: Rewriter?) {
    rewriter?.withdraw(staged)
    switch unnamed {
    case .copy(let file): file.discard()
    case .planned, nil: break
    }
  }
}

/// Photos that share the cost of becoming durable, and the outcomes between them.
struct WriteGroup {
  private typealias Settling = (works: [Work], results: Future<[Result<Void, FileError>]>)

  let rewriter: Rewriter?
  private var works: [Work] = []
  /// Of files, and of photos without any.
  private var count = 0
  private var bytes = 0
  private var begun: ContinuousClock.Instant?
  private var names = NewNames()
  /// The group before, whose photos are changed and on their way to the disk.
  private var settling: Settling?

  init(rewriter: Rewriter?) { self.rewriter = rewriter }

  var isFull: Bool { count >= Rewriter.groupCount || bytes >= Rewriter.groupBytes }

  /// Whoever watches wants to see something done.
  var isOld: Bool { begun.map { $0.duration(to: .now) >= .seconds(2) } ?? false }

  /// Returns what will be told of it, if its files can be committed.
  mutating func add(_ work: Work) async -> Outcome {
    if begun == nil { begun = .now }
    let work = await work.unnamed == nil ? work : name(work)
    works.append(work)
    count += max(1, work.staged.count)
    bytes += work.staged.reduce(0) { $0 + $1.writtenCount }
    return work.outcome
  }

  private mutating func name(_ work: Work) async -> Work {
    let (named, taken) = await offloading { [names, rewriter] in
      var names = names
      return (work.named(by: &names, rewriter), names)
    }
    names = taken
    return named
  }

  /// Changes the photos. What becomes of those of the group before is told now, that of these later.
  mutating func commit(_ report: (Outcome) -> Void) async {
    let staged = works.flatMap(\.staged)
    let last = settling
    let results = await offloading { [rewriter] in
      let commit = staged.isEmpty ? nil : rewriter?.change(staged)
      // They go to the disk one after the other; while this one does, the one before is told of.
      last?.results.wait()
      return Future { commit.flatMap { rewriter?.settle($0) } ?? [] }
    }
    settling = (works, results)
    (works, count, bytes, begun) = ([], 0, 0, nil)
    if let last { announce(last, report) }
  }

  /// Whether what became of the photos of the last group is known.
  var isSettled: Bool { settling?.results.isThere ?? false }

  /// Waits until it is, and tells of them.
  mutating func finish(_ report: (Outcome) -> Void) async {
    guard let last = settling else { return }
    settling = nil
    await offloading { last.results.wait() }
    announce(last, report)
  }

  private func announce(_ last: Settling, _ report: (Outcome) -> Void) {
    var results = last.results.value[...]
    for work in last.works {
      var outcome = work.outcome
      let errors = results.prefix(work.staged.count).compactMap { result in
        if case .failure(let error) = result { error } else { nil }
      }
      results = results.dropFirst(work.staged.count)
      if let error = errors.first {
        outcome.status = .failed(error)
        outcome.after = nil
        outcome.keepNames()
      }
      rewriter?.rename(&outcome)
      report(outcome)
    }
  }
}
