import SystemPackage

/// An outcome, and its files that are still to be committed.
struct Work: Sendable {
  var outcome: Outcome
  var staged: [StagedFile] = []
  /// A file without a name yet.
  var unnamed: Unnamed?
  /// The files to be moved to the trash once their copies are durable.
  var originals: [TrashedFile] = []

  /// The room it takes in a group, counted in files. While one group waits for the disk, one group's worth of files is
  /// prepared.
  var share: Int {
    let bytes = staged.reduce(0) { $0 + $1.writtenCount }
    return max(1, fileCount, bytes / (Rewriter.groupBytes / Rewriter.groupCount))
  }

  /// The number of files, as far as open descriptors are concerned: a copy also needs those of another folder and file.
  fileprivate var fileCount: Int {
    staged.reduce(0) { count, file in
      if case .copy = file.method { count + 2 } else { count + 1 }
    }
  }

  /// Whether the photo couldn't be prepared because the disk is full.
  var lacksRoom: Bool {
    if case .failed(let error) = outcome.status { error.code == .diskFull } else { false }
  }

  /// Discards all prepared files.
  func withdraw(_ rewriter: Rewriter?) {
    rewriter?.withdraw(staged)
    switch unnamed {
    case .copy(let file): file.discard()
    case .planned, nil: break
    }
  }
}

/// A group of photos that share the cost of becoming durable, with the outcomes between them.
struct WriteGroup {
  private typealias Settling = (works: [Work], results: Future<[Result<Void, FileError>]>)

  let rewriter: Rewriter?
  /// The user's trash, if originals are moved to the trash.
  let trash: FilePath?
  /// The age at which it is committed, so that progress is visible.
  private let oldAge: Duration
  private var works: [Work] = []
  /// The number of files, plus one for each outcome without files.
  private var count = 0
  private var bytes = 0
  private var begun: ContinuousClock.Instant?
  private var names = NewNames()
  /// The previous group, whose photos are changed and on their way to the disk.
  private var settling: Settling?

  init(rewriter: Rewriter?, trash: FilePath? = nil, oldAge: Duration) {
    (self.rewriter, self.trash, self.oldAge) = (rewriter, trash, oldAge)
  }

  var isFull: Bool { count >= Rewriter.groupCount || bytes >= Rewriter.groupBytes }

  /// Whether the group must be committed because of its age.
  var isOld: Bool { begun.map { $0.duration(to: .now) >= oldAge } ?? false }

  /// Adds a work and returns the outcome it will have if its files can be committed.
  mutating func add(_ work: Work) async -> Outcome {
    if begun == nil { begun = .now }
    let work = await work.unnamed == nil ? work : name(work)
    works.append(work)
    count += max(1, work.fileCount)
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

  /// Changes the photos of this group, and reports the outcomes of the previous one. Those of this group are reported
  /// later.
  mutating func commit(_ report: (Outcome) -> Void) async {
    let staged = works.flatMap(\.staged)
    let last = settling
    let results = await offloading { [rewriter] in
      let commit = staged.isEmpty ? nil : rewriter?.change(staged)
      // Groups go to the disk one after the other. While this one does, the previous one is reported.
      last?.results.wait()
      return Future { commit.flatMap { rewriter?.settle($0) } ?? [] }
    }
    settling = (works, results)
    (works, count, bytes, begun) = ([], 0, 0, nil)
    if let last { announce(last, report) }
  }

  /// Whether the results of the previous group are known.
  var isSettled: Bool { settling?.results.isThere ?? false }

  /// Waits for the results of the previous group and reports its outcomes.
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
        outcome.forgetCopies()
      } else {
        trash(work, &outcome)
      }
      rewriter?.rename(&outcome)
      report(outcome)
    }
  }
}

extension WriteGroup {
  /// Moves the originals of a photo to the trash, after its copies are on the disk.
  private func trash(_ work: Work, _ outcome: inout Outcome) {
    guard let trash, let rewriter, !work.originals.isEmpty else { return }
    do throws(FileError) {
      try rewriter.trash(work.originals, home: trash)
    } catch {
      outcome.isTrashed = false
      outcome.status = .failed(
        error.reworded("was copied, but could not be moved to the trash: \(error.description)"))
    }
  }
}

extension PlannedStates {
  /// Checks that exactly the planned sidecars are created.
  func check(new outcome: Outcome) throws(FileError) {
    let made = Set(outcome.companions.filter(\.isNew).map(\.path))
    guard let stray = made.symmetricDifference(newSidecars).first?.lastComponent else { return }
    throw FileError(
      .changedSincePlan, "the plan and the photo differ in whether \(stray) is to be created", remedy: .planAgain())
  }

  /// Whether all files are as the plan would make them, so that it was applied before.
  func areDone(_ files: [OpenFile]) throws(FileError) -> Bool {
    guard newNames.isEmpty else { return false }
    return try areWritten(files)
  }

  /// Whether all files have the bytes that the plan would give them. They may still have their old names, if the program
  /// was killed before it renamed them.
  func areWritten(_ files: [OpenFile]) throws(FileError) -> Bool {
    guard !results.isEmpty, newSidecars.isSubset(of: files.map(\.image.path)) else { return false }
    for file in files {
      let path = file.image.path
      guard let planned = results[path] ?? states[path]?.content, try file.content == planned else { return false }
    }
    return true
  }

  func check(_ files: [OpenFile], _ outcome: Outcome) throws(FileError) {
    for file in files {
      guard let was = states[file.image.path] else {
        let name = file.image.path.lastComponent?.string ?? "a sidecar"
        throw newSidecars.contains(file.image.path)
          ? FileError(
            .changedSincePlan, "has a sidecar, \(name), that did not exist when it was planned", remedy: .planAgain())
          : FileError(.changedSincePlan, "is not in the plan as one of the photo's files", remedy: .planAgain())
      }
      let now = try file.state
      let difference =
        was.content.size != now.content.size
        ? "size"
        : was.content.metadata != now.content.metadata
          ? "metadata" : was.modified != now.modified ? "modification time" : nil
      if let difference {
        throw FileError(
          .changedSincePlan,
          "\(file.image.path.lastComponent?.string ?? "it") has changed since the plan was made (its \(difference))",
          remedy: .planAgain())
      }
    }
    try checkNames(outcome)
  }

  /// Checks that the files get the planned names.
  func checkNames(_ outcome: Outcome) throws(FileError) {
    let names = [(outcome.path, outcome.newName)] + outcome.companions.map { ($0.path, $0.newName) }
    for (path, name) in names where name?.string != newNames[path] {
      throw FileError(
        .changedSincePlan, "would be named \(name?.string ?? "as it is"), unlike in the plan",
        remedy: .planAgain())
    }
  }
}
