import ArgumentParser
import CSys
import Foundation
import MetaTag
import SystemPackage

/// A command that changes photos.
protocol PhotoWriting: AsyncParsableCommand {
  var running: RunOptions { get }
  var output: OutputOptions { get }
}

/// A command that plans changes to photos, and can write them to a plan instead.
protocol PhotoPlanning: PhotoWriting {
  var edit: EditOptions { get }
  /// The treatment of photos that can't be changed.
  var fallback: Fallback { get }
  /// Whether using the fallback is a failure of the run.
  var isStrict: Bool { get }

  /// Whether to correct file extensions too.
  var fixesExtensions: Bool { get }

  /// Whether files keep their modification times.
  var keepsMtime: Bool { get }

  /// Set if running the command twice would move photos twice. Photos that an unfinished run moved are then refused.
  var relativeChange: RelativeChange? { get }

  /// Whether photos that any finished run moved are skipped too, unless `--despite-run` names it.
  var considersFinishedRuns: Bool { get }
}

/// A command that makes the same change to all photos it names.
protocol PhotoEditing: PhotoPlanning {
  var input: InputOptions { get }

  /// Returns the planner of the changes.
  /// - Throws: An error if it can't be created. No photo has been changed then.
  func planner(_ console: Console) async throws -> any Planner
}

extension PhotoEditing {
  func run() async throws {
    let console = input.console
    let catalog = edit.condition.catalog
    let photos = await photos(of: try input.files(console: console, separately: edit.separately), catalog)
    // Afterwards, because finding the files of each photo and the gazetteer both need much memory.
    let planner = try await planner(console)
    try await write(to: photos, on: console, catalog) { _ in planner }
  }
}

extension PhotoPlanning {
  var running: RunOptions { edit.running }
  var fallback: Fallback { Fallback(.jpeg) }
  var isStrict: Bool { false }
  var fixesExtensions: Bool { edit.fixExtension }
  var keepsMtime: Bool { edit.keepMtime }

  /// Returns the photos that the files make up, without what was already done.
  func photos(of files: NamedFiles, _ catalog: PhotoCatalog) async -> [Photo] {
    var files = files
    if edit.copying.copies != nil { files.inputs = Walk.withAllNames(files.inputs) }
    guard !files.isSeparate else { return Photo.separately(files.inputs) }
    let photos = await photos(of: files.inputs, catalog)
    return files.done.map { done in photos.flatMap { done.rest(of: $0, among: files.inputs) } } ?? photos
  }

  /// Returns the photos that the inputs make up.
  func photos(of inputs: [Walk.Input], _ catalog: PhotoCatalog) async -> [Photo] {
    // Finding the files of each photo needs more memory than the photos.
    defer { csys_return_memory() }
    return edit.separately ? Photo.separately(inputs) : await Photo.pairing(inputs, jobs: edit.work.count, catalog)
  }

  /// The options of the library that correspond to the command's.
  var batch: Batch.Options {
    var options = running.batch
    options.fallback = fallback
    options.fixesExtensions = fixesExtensions
    options.keepsModificationTime = keepsMtime
    options.sidecars = edit.sidecars.policy
    options.copies = edit.copying.copies
    return options
  }

  /// Makes the changes that `planner` proposes, or only shows them, and reports every photo.
  func write(
    to photos: [Photo], on console: Console, _ catalog: PhotoCatalog, cameras: CameraSummary? = nil,
    planner: @escaping @Sendable (Photo) -> any Planner
  ) async throws {
    try await write(
      to: photos, on: console, catalog, options: batch, isStrict: isStrict,
      into: edit.plan.map { ($0.path, isSeparate: edit.separately) }, relative: relativeChange, cameras: cameras,
      choosing: { try notMovedBefore(among: $0, console: console) }, planner: planner)
  }
}

extension PhotoWriting {
  /// Makes the changes that `planner` proposes, writes them to a plan, or only shows them, and reports every photo.
  /// - Parameters:
  ///   - retried: The run that is retried, if the command line doesn't name it.
  ///   - cameras: The summary of the cameras' clocks, if photos are placed by time.
  ///   - choose: Returns the photos to change; throws if the run must not start.
  func write(
    to photos: [Photo], on console: Console, _ catalog: PhotoCatalog, options: Batch.Options, isStrict: Bool,
    into plan: (path: FilePath, isSeparate: Bool)? = nil, retrying retried: RunID? = nil,
    relative: RelativeChange? = nil, cameras: CameraSummary? = nil,
    choosing choose: ([Photo]) throws -> [Photo] = { $0 },
    planner: @escaping @Sendable (Photo) -> any Planner
  ) async throws {
    if let photo = photos.first, photo.isInMemory {
      guard plan == nil, options.copies == nil else {
        throw ValidationError("--plan and --copy-to can't be used with -, the photo on standard input.")
      }
      return try await pass(photo, on: console, options: options, planner)
    }
    // The run that is retried recorded its files, but not the folders that were named.
    if options.copies != nil, RunID(retriedBy: Argv.typed) != nil, photos.contains(where: { $0.input.root == nil }) {
      throw ValidationError(
        "--copy-to with --retry-failed: name the folders again, or name the files without --retry-failed.")
    }
    if let folder = options.copies?.folder, !Walk.isFolder(folder), folder.resolved != nil {
      throw SetupError("--copy-to: \(folder.printable) is a file, not a folder")
    }
    let isTrial = running.dryRun || plan != nil
    var options = options
    options.now = .now
    if !isTrial { Batch.prepare(jobs: min(options.jobs, photos.count)) }
    let changesPhotos = options.copies == nil || options.copies?.trash != nil
    let confirmation = Confirmation(console, isWanted: !isTrial && !running.yes && changesPhotos)
    let (meant, forecast) = await meant(of: photos, confirmation, options, catalog, console, planner)
    let photos = try choose(meant)
    var report = Report(
      to: console, output.format, isDryRun: isTrial, isQuiet: output.quiet, isStrict: isStrict,
      explains: running.explain, sumsUp: output.summary, showsSplices: output.splices)
    report.cameras = cameras
    try await confirmation.require(to: photos, forecast, options: options, catalog, planner: planner)
    console.begin(Progress(total: photos.count))
    Interrupt.listen()
    if let plan {
      let header = PlanFile.Header(
        version: Console.version, command: Argv.typed, options: options, isStrict: isStrict,
        isSeparate: plan.isSeparate)
      try await write(header, of: photos, into: plan.path, on: console, options: options, planner) { report.add($0) }
    } else if isTrial {
      await Batch(dryRun: options).run(photos, planning: planner, until: { Interrupt.isWished }) { report.add($0) }
    } else {
      try Batch.requireRoom(for: photos, copies: options.copies?.folder)
      let run = try RecordedRun(on: console, of: photos.map(\.input.path), retrying: retried)
      await Batch(run.id, in: run.journal, options: options)
        .run(photos, planning: planner, until: { Interrupt.isWished }) { report.add($0) }
      run.end(&report, of: Self.self, relative?.resumption)
    }
    try report.end()
  }
}

extension PhotoWriting {
  /// Returns the photos that match --where; if the user will be asked, with their likely outcomes from the same reading.
  private func meant(
    of photos: [Photo], _ confirmation: Confirmation, _ options: Batch.Options, _ catalog: PhotoCatalog,
    _ console: Console, _ planner: @escaping @Sendable (Photo) -> any Planner
  ) async -> (photos: [Photo], Confirmation.Forecast?) {
    guard let condition = running.condition.condition,
      let (met, rows) = await confirmation.forecast(
        photos, meeting: condition, options: options, catalog, planner: planner)
    else { return (await running.condition.photos(among: photos, jobs: running.work, console: console, catalog), nil) }
    running.condition.report(met.count, unread: 0, of: photos, console)
    return (met, rows)
  }

  /// Writes the changes to a new plan.
  private func write(
    _ header: PlanFile.Header, of photos: [Photo], into path: FilePath, on console: Console, options: Batch.Options,
    _ planner: @escaping @Sendable (Photo) -> any Planner, report: (Outcome) -> Void
  ) async throws {
    var plan = try PlanWriting(path, header)
    var options = options
    options.recordsStates = true
    var failure: (any Error)?
    var isCut = false
    await Batch(dryRun: options).run(photos, planning: planner, until: { Interrupt.isWished }) { outcome in
      report(outcome)
      if case .notRun = outcome.status { isCut = Interrupt.isWished }
      do { if failure == nil { try plan.add(outcome) } } catch { failure = error }
    }
    console.endProgress()
    try plan.finish(isWhole: !isCut && failure == nil, console: console)
    if let failure { throw failure }
  }
}

extension RunOptions {
  /// The options of the library that correspond to these.
  var batch: Batch.Options {
    var options = Batch.Options()
    options.jobs = work.writing
    options.keepsModificationTime = keepMtime
    options.stopsAtFailure = failFast
    options.verifiesWholeFile = verify == .full
    options.endsReconstruction = jxlJpeg == .drop
    return options
  }
}

extension JobsOption {
  /// The number of photos to read at once: as given, or one per processor.
  var count: Int { jobs ?? max(1, ProcessInfo.processInfo.activeProcessorCount) }

  /// The number of photos to write at once: as given, or two per processor, because one waits for the disk while the
  /// other is prepared.
  var writing: Int { jobs ?? 2 * count }
}

/// A command whose changes can be written to a copy instead.
protocol PhotoCopying: PhotoPlanning {
  var instead: FallbackOptions { get }
}

extension PhotoCopying {
  var fallback: Fallback { Fallback(instead.fallback, quality: instead.jpegQuality) }
  var isStrict: Bool { instead.strict }
}
