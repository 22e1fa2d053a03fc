import Synchronization
import SystemPackage

/// One run over many photos: open, propose, patch, prove, write in groups, report. Photos are worked on side by side
/// and reported in the order of the inputs.
public struct Batch: Sendable {
  /// How a run goes about it.
  public struct Options: Sendable {
    /// How many photos are worked on at once, at least 1. It changes how long a run takes, nothing else.
    public var jobs = 2
    /// The files' times of last change stay as they were, to the nanosecond.
    public var keepsModificationTime = false
    /// Every byte is read back from the disk, not only what was spliced.
    public var verifiesWholeFile = false
    /// What is done about HEIF and AVIF files that can't be changed themselves.
    public var fallback = Fallback(.fail)
    /// Which changes go into sidecars.
    public var sidecars = SidecarPolicy()
    /// A file whose name's ending is not that of its content gets the right one, unless it is skipped or fails.
    public var fixesExtensions = false
    /// A JPEG XL file may lose what gives back the JPEG it was made from, where the change would make that wrong.
    public var endsReconstruction = false
    /// No further photo is begun after one that failed, and nothing is written of those that were.
    public var stopsAtFailure = false

    /// Outcomes tell how the files were, for a plan.
    public var recordsStates = false

    /// When the run is made: a date that is set or moved to more than a day later is warned of. Nil: none is.
    public var now: Instant?

    /// Two at once, files' times of last change new, what was spliced read back, nothing written instead of a photo.
    public init() {}
  }

  let rewriter: Rewriter?
  /// Asked by a dry run what would be refused.
  private let survey = Survey()
  private let secondReader = SecondReader(pool: .common)
  let options: Options

  /// Begins to start what a run of so many jobs will need: worth while where the caller has something else to do first.
  public static func prepare(jobs: Int) { CodecPool.common.prepare(max(1, jobs)) }

  /// A run that writes, under `run` of `journal`: who has photos in portions may make several, one after the other or
  /// side by side.
  public init(_ run: RunID, in journal: Journal, options: Options = Options()) {
    rewriter = Rewriter(
      journal: journal, run: run,
      options: Rewriter.Options(
        keepsModificationTime: options.keepsModificationTime, verifiesWholeFile: options.verifiesWholeFile))
    self.options = options
  }

  /// A dry run: everything is worked out and proved, also that it may be written, and nothing is.
  public init(dryRun options: Options) {
    rewriter = nil
    self.options = options
  }

  /// Asks `planner` about every photo and carries the proposals out, for all files of a photo or for none. `report`
  /// gets one outcome for each photo, in order, only once it is durable: where the caller stands, whose actor is free
  /// while there is work for processor or disk. When the task is cancelled or `stop` says so, begun photos are finished
  /// and the rest is reported as not run.
  public func run(
    _ shots: [Shot], planner: any Planner, until stop: @escaping @Sendable () -> Bool = { false },
    report: (Outcome) -> Void
  ) async {
    await run(shots, planning: { _ in planner }, until: stop, report: report)
  }

  /// The same with a planner for each photo.
  public func run(
    _ shots: [Shot], planning planner: @escaping @Sendable (Shot) -> any Planner,
    until stop: @escaping @Sendable () -> Bool = { false }, report: (Outcome) -> Void
  ) async {
    var group = WriteGroup(rewriter: rewriter)
    let failure = Flag()
    var done = 0
    func tell(_ outcome: Outcome) {
      if options.stopsAtFailure, outcome.isFailure { failure.raise() }
      report(outcome)
    }
    _ = await inOrder(
      shots, width: max(1, options.jobs), ahead: Rewriter.groupCount, until: { stop() || failure.isRaised },
      weigh: { $0.share }
    ) { shot in
      work(on: shot, planner(shot))
    } consume: { work in
      guard !failure.isRaised else {
        await away { work.withdraw(rewriter) }
        return
      }
      done += 1
      let isFailure = await group.add(work).isFailure
      let isUrgent = group.isOld || isFailure && options.stopsAtFailure
      if group.isFull || isUrgent { await group.commit(tell) }
      // One group goes to the disk while the next is made ready and changed, unless it decides whether there is one.
      if group.isSettled || isUrgent || options.stopsAtFailure { await group.finish(tell) }
    }
    await group.commit(tell)
    await group.finish(tell)
    await away { [rewriter] in rewriter?.finish() }
    for shot in shots.dropFirst(done) { report(Outcome(shot, .notRun)) }
  }

  private func work(on shot: Shot, _ planner: any Planner) -> Work {
    do throws(PhotoError) {
      let photo = try OpenShot(shot)
      if let objection = shot.objection { throw objection }
      var outcome = Outcome(shot, .changed)
      outcome.type = photo.lead.photo.image.type
      outcome.before = photo.lead.metadata
      if options.fixesExtensions { try outcome.name(photo.photos, of: shot) }
      if let planned = shot.planned { try planned.check(photo.photos, outcome) }
      if options.recordsStates { try outcome.record(photo.photos) }
      let proposal = planner.propose(for: planner.asksEveryPlace ? try photo.everyPlace : photo.metadata)
      // A plan says all that is to be done.
      switch shot.planned == nil ? proposal.fillingGaps(of: photo, isAboutPlaces: planner.isAboutPlaces) : proposal {
      case .unchanged(let reason):
        outcome.leave(reason)
        return Work(outcome: outcome)
      case .skip(let reason):
        outcome.status = .skipped(reason)
        outcome.keepNames()
        return Work(outcome: outcome)
      case .change(var edit, let explanation):
        edit.endsReconstruction = edit.endsReconstruction || options.endsReconstruction
        (outcome.edit, outcome.explanation) = (edit, explanation)
        outcome.warnings += [explanation.warning].compactMap(\.self)
        return try change(photo, of: shot, by: edit, planner, outcome)
      }
    } catch {
      return Work(outcome: Outcome(shot, .failed(error)))
    }
  }

  private func change(
    _ photo: OpenShot, of shot: Shot, by whole: MetadataEdit, _ planner: any Planner, _ planned: Outcome
  ) throws(PhotoError) -> Work {
    var edit = whole.own(for: photo.lead.metadata)
    if edit.erasesPlaces || edit.erasesDates || edit.erasure != nil { try shot.demandNothingStray(for: edit) }
    var outcome = planned
    var isBeside = options.sidecars.isBeside(photo.lead.photo)
    var cause: PhotoError?
    var own: PhotoChange?
    if !isBeside {
      edit.dropPartialDate(for: photo.lead.photo, telling: &outcome.notices)
      do throws(PhotoError) {
        own = try PhotoChange(of: photo.lead.photo, by: edit)
      } catch {
        guard options.sidecars.isBeside(photo.lead.photo, because: error) else {
          return try substitute(photo, of: shot, by: whole, planner, planned, because: error)
        }
        (isBeside, cause) = (true, error)
        outcome.notices.append("has no room for that in place: it goes into a sidecar")
      }
    }
    let lead =
      isBeside
      ? try change(beside: photo.lead, by: edit, shot, because: cause) : try FileChange(own, of: photo.lead, by: edit)
    (outcome.after, outcome.patch, outcome.tags) = (lead.metadata, lead.own?.patch, lead.own?.tags ?? [])
    outcome.note([lead.sidecar].compactMap(\.self))
    outcome.notices += lead.notices
    outcome.warnings += edit.namesShownStaying(in: lead.metadata)
    let changes = lead.all + (try self.changes(of: photo.others, shot, by: whole, planner, &outcome))
    guard !changes.isEmpty else {
      let remains = edit.erasesDates ? photo.lead.photo.image.opaqueNotices : []
      let text = edit.location == .remove ? try Remaining.coordinates(in: photo.lead.photo) : nil
      let date = edit.erasesDates && text == nil ? try Remaining.date(in: photo.lead.photo) : nil
      let reason = text.map { Reason.placeInText($0) } ?? date.map { .dateInText($0) } ?? .asWanted
      outcome.leave(remains.isEmpty ? reason : .noReadableDate(remains))
      return Work(outcome: outcome)
    }
    try outcome.nameNewSidecars()
    outcome.notices += changes.flatMap(\.notices) + edit.staleNames(of: photo.metadata)
    outcome.notices += edit.staying(in: outcome.after)
    outcome.notices += [options.sidecars.notice(of: photo.lead.photo)].compactMap(\.self)
    outcome.warnings += edit.warnings(before: photo.lead.metadata, after: outcome.after, now: options.now)
    try shot.planned?.check(new: outcome)
    var objection: PhotoError?
    do throws(PhotoError) {
      let bond = changes.count > 1 ? rewriter?.bond() : nil
      let staged = try stage(changes, of: photo.lead.photo, bond: bond, objection: &objection)
      return Work(outcome: outcome, staged: staged)
    } catch {
      guard let objection else { throw error }
      return try substitute(photo, of: shot, by: whole, planner, planned, because: objection)
    }
  }

  /// What is to be done to the companions.
  func changes(
    of companions: [OpenFile], _ shot: Shot, by edit: MetadataEdit, _ planner: any Planner, _ outcome: inout Outcome
  ) throws(PhotoError) -> [PhotoChange] {
    var changes: [PhotoChange] = []
    for companion in companions {
      let own = try companion.photo.naming { () throws(PhotoError) in
        let own = try edit.own(for: companion, planner, beside: outcome.before, telling: &outcome.notices)
        outcome.setDates(own.dates, at: companion.photo.image.path)
        return try change(of: companion, by: own, shot)
      }
      let name = companion.photo.image.path.lastComponent?.string ?? ""
      outcome.notices += own.notices.map { "\(name) \($0)" }
      if companion.metadata.isDatedByHeaders, let old = companion.metadata.captureTime,
        let new = own.metadata.captureTime, old != new
      {
        outcome.notices.append("\(name): its date was \(old) in movie headers and is \(new)")
      }
      outcome.note(own.all)
      changes += own.all
    }
    return changes
  }

  /// Writes the new files, all or none. `objection` is what the second reader had against the photo's own.
  func stage(
    _ changes: [PhotoChange], of photo: OpenPhoto, bond: Int?, objection: inout PhotoError?
  ) throws(PhotoError) -> [StagedFile] {
    guard let rewriter else {
      for change in changes {
        func demand() throws(PhotoError) { try demandStageable(change) }
        try change.photo.file === photo.file ? demand() : change.photo.naming(demand)
      }
      return []
    }
    var staged: [StagedFile] = []
    do throws(PhotoError) {
      for change in changes {
        let isOwn = change.photo.file === photo.file
        func stage() throws(PhotoError) -> StagedFile {
          try self.stage(change, rewriter, bond) { new throws(PhotoError) in
            do throws(PhotoError) {
              try confirm(change, in: new)
            } catch {
              if isOwn { objection = error }
              throw error
            }
          }
        }
        staged.append(isOwn ? try stage() : try change.photo.naming(stage))
      }
      return staged
    } catch {
      rewriter.withdraw(staged)
      throw error
    }
  }

  /// Throws what would keep the change from being written.
  private func demandStageable(_ change: PhotoChange) throws(PhotoError) {
    if let birth = change.photo.birth { return try birth.folder.demandWritable() }
    if options.keepsModificationTime { try survey.demandOwner(of: change.photo.file) }
    try survey.demandStageable(change.photo.file, at: change.photo.image.path, patch: change.patch)
  }

  private func stage(
    _ change: PhotoChange, _ rewriter: Rewriter, _ bond: Int?, check: (any ByteSource) throws(PhotoError) -> Void
  ) throws(PhotoError) -> StagedFile {
    let photo = change.photo
    guard let birth = photo.birth else {
      return try rewriter.stage(
        photo.file, at: photo.image.path, patch: change.patch, pictures: change.after.layout.imageData, bond: bond,
        check: check)
    }
    // A sidecar has the one name by which programs find it, so that nothing has to wait for its turn.
    let file = try rewriter.stage(
      new: try change.patch.applied(to: photo.file), as: birth.name, in: birth.folder, like: birth.likeness,
      datedAlike: options.keepsModificationTime, bond: bond, check: check)
    return try file.named(birth.name)
  }

  /// The second reader's word on the written bytes of a change.
  func confirm(_ change: PhotoChange, in new: any ByteSource) throws(PhotoError) {
    try confirm(
      try change.written, from: (change.photo.file, change.photo.image.layout), to: (new, change.after.layout))
  }

  /// The same by block. What it can't read, old or new, only `Expectation` vouches for.
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
    let (oldBytes, newBytes) = (old.layout.readable(old.source), new.layout.readable(new.source))
    for block in blocks {
      let before = try block.old.map { range throws(PhotoError) in
        try ReadableBlock(range, of: oldBytes, without: old.layout.imageData)
      }
      let after = try ReadableBlock(block.new, of: newBytes, without: new.layout.imageData)
      _ = try secondReader.check(old: before, new: after, changes: block.changes)
    }
  }
}

/// Once raised, seen by all.
final class Flag: Sendable {
  private let state = Atomic(false)

  var isRaised: Bool { state.load(ordering: .relaxed) }
  func raise() { state.store(true, ordering: .relaxed) }
}
