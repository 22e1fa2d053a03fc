import SystemPackage

/// A run over many photos: open, propose, patch, verify, write in groups, report. Photos are processed in parallel and
/// reported in the order of the inputs.
public struct Batch: Sendable {
  /// The options of a run.
  public struct Options: Sendable {
    /// The number of photos that are processed at once, at least 1. It affects the duration of a run only.
    public var jobs = 2
    /// Whether files keep their modification time, to the nanosecond.
    public var keepsModificationTime = false
    /// Whether every byte of a written file is read back from the disk, not only the spliced ones.
    public var verifiesWholeFile = false
    /// The substitute for HEIF and AVIF files that can't be changed themselves.
    public var fallback = Fallback(.fail)
    /// The rules by which changes go into sidecars.
    public var sidecars = SidecarPolicy()
    /// Whether a file whose extension doesn't match its content gets the right one. Skipped and failed files keep
    /// theirs.
    public var fixesExtensions = false
    /// Whether a JPEG XL file may lose the data for rebuilding its original JPEG, if the change would invalidate that
    /// data.
    public var endsReconstruction = false
    /// Whether the run ends at the first failure: no further photo is started, and photos in progress are not written.
    public var stopsAtFailure = false

    /// The copies to write instead of changing photos; nil to change the photos themselves. Photos that need no change
    /// are copied as they are; skipped and failed ones are not.
    public var copies: Copies?
    /// Whether outcomes record the state of the files, for a plan.
    public var recordsStates = false
    /// Whether files that have the planned bytes, but not their new names, are renamed. If not, they fail: the process that
    /// changed them may still be at work, or may have to be recovered first.
    package var finishesRenaming = true
    /// The programs that decode photos for the second reader and for JPEG copies.
    public var programs = CodecPrograms.installed

    /// The age at which a group of photos is written although more would fit into it.
    var oldAge = Duration.seconds(2)

    /// The time of the run: a date that is set or moved to more than a day after it causes a warning. Nil: no such
    /// warnings.
    public var now: Instant?

    /// Creates the default options: two jobs, new modification times, only spliced bytes read back, and nothing written
    /// instead of a photo.
    public init() {}
  }

  let rewriter: Rewriter?
  /// The checks by which a dry run finds writes that would be refused.
  private let preflight = Preflight()
  private var secondReader: SecondReader { SecondReader(pool: options.programs.metadata) }
  let options: Options
  /// The photos' metadata as far as known, for a forecast.
  let catalog: PhotoCatalog?
  /// The condition that photos must meet, in a forecast.
  let condition: Condition?

  /// Prewarms decoder processes for `jobs` workers. Call early, while other setup runs.
  public static func prepare(jobs: Int, programs: CodecPrograms = .installed) {
    programs.metadata.prepare(max(1, jobs))
  }

  /// Creates a run that writes, recorded under `run` in `journal`. A caller that gets its photos in portions may create
  /// several, one after the other or in parallel.
  public init(_ run: RunID, in journal: Journal, options: Options = Options()) {
    rewriter = Rewriter(
      journal: journal, run: run,
      options: Rewriter.Options(
        keepsModificationTime: options.keepsModificationTime, verifiesWholeFile: options.verifiesWholeFile))
    self.options = options
    catalog = nil
    condition = nil
  }

  /// Creates a dry run: all edits are computed and verified, including write permission, but nothing is written.
  public init(dryRun options: Options) {
    rewriter = nil
    self.options = options
    catalog = nil
    condition = nil
  }

  /// Creates a forecast: a dry run that doesn't open a photo that `catalog` keeps if its planner decides by what is
  /// kept. What only an attempt to write would find isn't foreseen for such photos.
  ///
  /// - Parameter condition: The condition of `catalog`; outcomes tell whether their photo meets it.
  package init(forecast options: Options, from catalog: PhotoCatalog, meeting condition: Condition? = nil) {
    rewriter = nil
    self.options = options
    self.catalog = catalog
    self.condition = condition
  }

  /// Throws if no new version of a photo fits on a disk where one would be written.
  ///
  /// - Parameter copies: The folder of the copies, if copies are written; the photos then stay as they are.
  package static func requireRoom(for photos: [Photo], copies: FilePath?) throws(FileError) {
    var devices: Set<UInt> = []
    let places = photos.filter { $0.input.id.map { devices.insert($0.device).inserted } ?? false }
    for folder in copies.map({ [$0] }) ?? places.map({ $0.input.path.removingLastComponent() }) {
      // Photos in a folder that can't be opened are reported one by one.
      try folder.requireRoom(leastFree)
    }
  }

  /// The number of free bytes with which a disk counts as full.
  package static let leastFree = 64 << 10

  /// Asks `planner` about every photo and applies its proposals, to all files of a photo or to none.
  ///
  /// `report` receives one outcome per photo, in order, and only after the change is durable. It is called in the
  /// caller's isolation, which stays free while the processor or the disk works. When the task is cancelled or `stop`
  /// returns true, photos in progress are finished and the others are reported as not run.
  public func run(
    _ photos: [Photo], planner: any Planner, until stop: @escaping @Sendable () -> Bool = { false },
    report: (Outcome) -> Void
  ) async {
    await run(photos, planning: { _ in planner }, until: stop, report: report)
  }

  /// Like `run(_:planner:until:report:)`, but with a planner for each photo.
  public func run(
    _ photos: [Photo], planning planner: @escaping @Sendable (Photo) -> any Planner,
    until stop: @escaping @Sendable () -> Bool = { false }, report: (Outcome) -> Void
  ) async {
    await run(photos, planning: planner, until: stop, noting: { _ in }, report: report)
  }

  /// A step of a photo before its outcome is final.
  enum Progress: Sendable {
    case begun(FilePath)
    case staged(FilePath)
  }

  /// Like `run(_:planning:until:report:)`, and passes the steps of each photo to `note`, from any thread.
  func run(
    _ photos: [Photo], planning planner: @escaping @Sendable (Photo) -> any Planner,
    until stop: @escaping @Sendable () -> Bool, noting note: @escaping @Sendable (Progress) -> Void,
    report: (Outcome) -> Void
  ) async {
    var portion: Portion? = Portion(photos: options.copies?.assigned(to: photos) ?? photos, planner: planner)
    await run({ portion.take() }, until: stop, noting: note, report: report)
  }

  /// Photos, and the planner of each.
  package struct Portion: Sendable {
    fileprivate let photos: [Photo]
    fileprivate let planner: @Sendable (Photo) -> any Planner

    /// Creates a portion of photos.
    package init(photos: [Photo], planner: @escaping @Sendable (Photo) -> any Planner) {
      (self.photos, self.planner) = (photos, planner)
    }
  }

  /// Like `run(_:planning:until:report:)` for photos that come in portions, without copies. No file may be in two
  /// portions.
  ///
  /// - Parameter next: Returns the next portion; nil if there is none. It is called when the photos before it are
  ///   prepared, but not all reported.
  package func run(
    portions next: () async -> Portion?, until stop: @escaping @Sendable () -> Bool, report: (Outcome) -> Void
  ) async {
    await run(next, until: stop, noting: { _ in }, report: report)
  }

  private func run(
    _ next: () async -> Portion?, until stop: @escaping @Sendable () -> Bool,
    noting note: @escaping @Sendable (Progress) -> Void, report: (Outcome) -> Void
  ) async {
    var group = WriteGroup(rewriter: rewriter, trash: options.copies?.trash, oldAge: options.oldAge)
    let failure = Signal()
    func announce(_ outcome: Outcome) {
      if options.stopsAtFailure, outcome.isFailure { failure.raise() }
      report(outcome)
    }
    while let portion = await next() {
      let photos = portion.photos
      let prepared = PreparedPhotos(rewriter: rewriter)
      var done = 0
      @Sendable func prepare(_ photo: Photo) -> Work {
        defer { note(.staged(photo.input.path)) }
        return work(on: photo, portion.planner(photo))
      }
      /// Prepares the next photo in its turn: once more, if it doesn't fit on its disk, when those before it are there,
      /// and what they needed is removed.
      func prepareNext() async -> Work {
        let photo = photos[done]
        let work = await offloading { prepare(photo) }
        guard work.lacksRoom else { return work }
        await group.commit(announce)
        await group.finish(announce)
        return await offloading {
          prepared.discard()
          return prepare(photo)
        }
      }
      _ = await orderedParallelMap(
        [Int](0..<photos.count), width: max(1, options.jobs), ahead: Rewriter.groupCount,
        until: { stop() || failure.isRaised }, weigh: { (place: PreparedPhotos.Place) in place.share }
      ) { index in
        note(.begun(photos[index].input.path))
        return prepared.prepare(index) { prepare(photos[index]) }
      } consume: { place in
        let index = place.index
        guard !failure.isRaised else {
          await offloading { prepared.take(index)?.withdraw(rewriter) }
          return
        }
        let work = if let work = prepared.take(index) { work } else { await prepareNext() }
        done += 1
        let isFailure = await group.add(work).isFailure
        let isUrgent = group.isOld || isFailure && options.stopsAtFailure
        if group.isFull || isUrgent { await group.commit(announce) }
        // Let this group go to the disk while the next one is prepared, unless its result decides whether there is a
        // next one.
        if group.isSettled || isUrgent || options.stopsAtFailure { await group.finish(announce) }
      }
      guard done < photos.count else { continue }
      await group.commit(announce)
      await group.finish(announce)
      for photo in photos.dropFirst(done) { report(Outcome(photo, .notRun)) }
    }
    await group.commit(announce)
    await group.finish(announce)
    await offloading { [rewriter] in rewriter?.finish() }
  }

  private func work(on photo: Photo, _ planner: any Planner) -> Work {
    if let outcome = leavingOut(photo) ?? forecast(photo, planner) { return Work(outcome: outcome) }
    do throws(FileError) {
      let opened = try OpenPhoto(photo)
      if let outcome = leavingOut(photo, opened) { return Work(outcome: outcome) }
      if let objection = photo.objection ?? photo.unreadNamesake { throw objection }
      var outcome = Outcome(photo, .changed)
      outcome.type = opened.primary.photo.image.type
      outcome.before = opened.primary.metadata
      if options.fixesExtensions {
        if photo.copies == nil {
          try outcome.name(opened.files, of: photo)
        } else {
          try outcome.nameCopies(of: opened.files, photo)
        }
      }
      if let planned = photo.planned {
        if try planned.areWritten(opened.files) {
          try planned.checkNames(outcome)
          guard planned.newNames.isEmpty || options.finishesRenaming else { throw FileError.changedMeanwhile }
          outcome.leave(.appliedBefore)
          return Work(outcome: outcome)
        }
        try planned.check(opened.files, outcome)
      }
      if options.recordsStates {
        try outcome.record(opened.files)
        outcome.record(namesakesOf: photo, fixingExtensions: options.fixesExtensions)
      }
      let targets = photo.copies?.renamed(as: outcome)
      if targets != nil { outcome.keepNames() }
      let proposal = planner.propose(for: planner.needsEveryPlace ? try opened.everyPlace : opened.metadata)
      // A plan lists every change already; don't add any.
      switch photo.planned == nil
        ? proposal.fillingGaps(among: opened.recorded, isAboutPlaces: planner.isAboutPlaces) : proposal
      {
      case .unchanged(let reason):
        outcome.leave(reason)
        return try copied(opened, of: photo, to: targets, outcome)
      case .skip(let reason):
        outcome.status = .skipped(checkingRemedy(of: reason, for: opened.primary, photo))
        outcome.keepNames()
        return Work(outcome: outcome)
      case .change(var edit, let explanation):
        edit.endsReconstruction = edit.endsReconstruction || options.endsReconstruction
        (outcome.edit, outcome.explanation) = (edit, explanation)
        outcome.warnings += explanation.warnings
        return try change(opened, of: photo, by: edit, planner, outcome, targets)
      }
    } catch {
      return Work(outcome: leavingOut(photo, isBroken: true) ?? Outcome(photo, .failed(error)))
    }
  }

  /// Returns the reason with a remedy that helps, or with none.
  private func checkingRemedy(of reason: Reason, for file: FileWithSidecar, _ photo: Photo) -> Reason {
    guard case .unreadPlace(let cause, _) = reason else { return reason }
    do throws(FileError) {
      _ = try change(of: file, by: .erasingLocation, photo)
      return reason
    } catch {
      return .unreadPlace(cause, remedy: error.remedy)
    }
  }

  private func change(
    _ opened: OpenPhoto, of photo: Photo, by whole: MetadataEdit, _ planner: any Planner, _ planned: Outcome,
    _ targets: CopyTargets?
  ) throws(FileError) -> Work {
    var edit = whole.own(for: opened.primary.metadata)
    if edit.erasesPlaces || edit.erasesDates || edit.erasure != nil { try photo.requireNothingStray(for: edit) }
    var outcome = planned
    var isBeside = options.sidecars.isBeside(opened.primary.photo)
    var cause: FileError?
    var own: FileEdit?
    if !isBeside {
      edit.dropPartialDate(for: opened.primary.photo, notes: &outcome.notes)
      do throws(FileError) {
        own = try FileEdit(of: opened.primary.photo, by: edit)
      } catch {
        guard options.sidecars.isBeside(opened.primary.photo, because: error) else {
          return try substitute(opened, of: photo, by: whole, planner, planned, targets, because: error)
        }
        (isBeside, cause) = (true, error)
        outcome.notes.append(Note(.inSidecar, "has no room for the change; the change goes into a sidecar"))
      }
    }
    let primary =
      isBeside
      ? try change(beside: opened.primary, by: edit, photo, because: cause)
      : try FileAndSidecarEdit(own, of: opened.primary, by: edit)
    (outcome.after, outcome.patch, outcome.tags) = (primary.metadata, primary.own?.patch, primary.own?.tags ?? [])
    outcome.note([primary.sidecar].compactMap(\.self))
    outcome.notes += primary.notes
    outcome.warnings += edit.namesShownStaying(in: primary.metadata)
    let changes = primary.all + (try self.changes(of: opened.others, photo, by: whole, planner, &outcome))
    guard !changes.isEmpty else {
      outcome.leave(try reason(toLeave: opened.primary.photo, by: edit))
      return try copied(opened, of: photo, to: targets, outcome)
    }
    try outcome.nameNewSidecars()
    outcome.notes += changes.flatMap(\.notes) + edit.staleNames(of: opened.metadata)
    outcome.notes += edit.staying(in: outcome.after)
    outcome.notes += [options.sidecars.note(of: opened.primary.photo)].compactMap(\.self)
    outcome.warnings += edit.warnings(before: opened.primary.metadata, after: outcome.after, now: options.now)
    try photo.planned?.check(new: outcome)
    if options.recordsStates { try outcome.record(resultsOf: changes) }
    var objection: FileError?
    do throws(FileError) {
      if let targets {
        return try copied(opened, of: photo, to: targets, with: changes, outcome, objection: &objection)
      }
      let atomicGroup = changes.count > 1 ? rewriter?.atomicGroup() : nil
      let staged = try stage(changes, of: opened.primary.photo, atomicGroup: atomicGroup, objection: &objection)
      return Work(outcome: outcome, staged: staged)
    } catch {
      guard let objection else { throw error }
      return try substitute(opened, of: photo, by: whole, planner, planned, targets, because: objection)
    }
  }

  /// Returns why an edit changes nothing in a file. Texts and maker notes may still hold what it erases.
  private func reason(toLeave file: OpenFile, by edit: MetadataEdit) throws(FileError) -> Reason {
    let remains = edit.erasesDates ? file.image.opaqueNotices : []
    guard remains.isEmpty else { return .noReadableDate(remains.map(\.description)) }
    if edit.location == .remove, let text = try Remaining.coordinates(in: file) { return .placeInText(text) }
    if edit.erasesDates, let text = try Remaining.date(in: file) { return .dateInText(text) }
    return .asWanted
  }

  /// Returns the edits of the companions.
  func changes(
    of companions: [FileWithSidecar], _ photo: Photo, by edit: MetadataEdit, _ planner: any Planner,
    _ outcome: inout Outcome
  ) throws(FileError) -> [FileEdit] {
    var changes: [FileEdit] = []
    for companion in companions {
      let own = try companion.photo.naming { () throws(FileError) in
        let own = try edit.own(for: companion, planner, beside: outcome.before, notes: &outcome.notes)
        outcome.setDates(own.dates, at: companion.photo.image.path)
        return try change(of: companion, by: own, photo)
      }
      let name = companion.photo.image.path.lastComponent?.string ?? ""
      outcome.notes += own.notes.map { $0.about(name) }
      if companion.metadata.isDatedByHeaders, let old = companion.metadata.captureTime,
        let new = own.metadata.captureTime, old != new
      {
        outcome.notes.append(
          Note(.headerDateChanged, "had the date \(old) in movie headers, now has \(new)", file: name))
      }
      outcome.note(own.all)
      changes += own.all
    }
    return changes
  }

  /// Writes the new files, all or none. `objection` receives the second reader's error about the photo's own file.
  func stage(
    _ changes: [FileEdit], of photo: OpenFile, atomicGroup: Int?, objection: inout FileError?
  ) throws(FileError) -> [StagedFile] {
    guard let rewriter else {
      for change in changes {
        if photo.isInMemory {
          try confirm(change, in: PatchedSource(old: change.photo.file, patch: change.patch))
          continue
        }
        func require() throws(FileError) { try requireStageable(change) }
        try change.photo.file === photo.file ? require() : change.photo.naming(require)
      }
      return []
    }
    var staged: [StagedFile] = []
    do throws(FileError) {
      for change in changes {
        let isOwn = change.photo.file === photo.file
        func stage() throws(FileError) -> StagedFile {
          try self.stage(change, rewriter, atomicGroup) { new throws(FileError) in
            do throws(FileError) {
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

  /// Throws the error that would keep the change from being written.
  private func requireStageable(_ change: FileEdit) throws(FileError) {
    if let newFile = change.photo.newFile { return try newFile.folder.requireWritable() }
    if options.keepsModificationTime { try preflight.requireOwner(of: change.photo.file) }
    try preflight.requireStageable(change.photo.file, at: change.photo.image.path, patch: change.patch)
  }

  private func stage(
    _ change: FileEdit, _ rewriter: Rewriter, _ atomicGroup: Int?, check: (any ByteSource) throws(FileError) -> Void
  ) throws(FileError) -> StagedFile {
    let photo = change.photo
    guard let newFile = photo.newFile else {
      return try rewriter.stage(
        photo.file, at: photo.image.path, patch: change.patch, pictures: change.after.layout.imageData,
        atomicGroup: atomicGroup,
        check: check)
    }
    // A sidecar has only one possible name, the one by which programs find it, so it needn't wait for its turn.
    let file = try rewriter.stage(
      new: try change.patch.applied(to: photo.file), as: newFile.name, in: newFile.folder,
      like: newFile.attributeSource,
      datedAlike: options.keepsModificationTime, atomicGroup: atomicGroup, check: check)
    return try file.named(newFile.name, besides: newFile.owner)
  }

  /// Checks the written bytes of a change with the second reader.
  func confirm(_ change: FileEdit, in new: any ByteSource) throws(FileError) {
    try change.confirm(in: new, by: secondReader)
  }
}
