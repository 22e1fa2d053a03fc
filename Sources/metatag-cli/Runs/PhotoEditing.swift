import ArgumentParser
import Foundation
import MetaTag
import SystemPackage

/// A command that changes photos, whichever these are: how it goes about it. All the rest is the same for every one.
protocol PhotoWriting: AsyncParsableCommand {
  var running: RunOptions { get }
  var output: OutputOptions { get }
}

/// A command that finds out what to change, and may write it down as a plan instead.
protocol PhotoPlanning: PhotoWriting {
  var edit: EditOptions { get }
  /// What is done about photos that can't be changed themselves.
  var fallback: Fallback { get }
  /// Whether that is a failure of the run.
  var isStrict: Bool { get }

  /// Whether wrong endings of names are put right, too.
  var fixesExtensions: Bool { get }

  /// Whether the files' own times of last change stay as they are.
  var keepsMtime: Bool { get }

  /// Set where the command, done twice, moves photos twice: what an unfinished run of it has moved is refused then.
  var relativeChange: RelativeChange? { get }

  /// Whether photos are left that any run moved, unless `--despite-run` names it.
  var heedsFinishedRuns: Bool { get }
}

/// A command that does the same with all photos that are named: its options, and what it proposes.
protocol PhotoEditing: PhotoPlanning {
  var input: InputOptions { get }

  /// What to do with each photo. Throws when that can't be known, before any photo is touched.
  func planner(_ console: Console) async throws -> any Planner
}

extension PhotoEditing {
  func run() async throws {
    let console = Console()
    let planner = try await planner(console)
    try await write(to: await photos(of: try input.files(console: console, separately: edit.separately)), on: console) {
      _ in planner
    }
  }
}

extension PhotoPlanning {
  var running: RunOptions { edit.running }
  var fallback: Fallback { Fallback(.jpeg) }
  var isStrict: Bool { false }
  var fixesExtensions: Bool { edit.fixExtension }
  var keepsMtime: Bool { edit.keepMtime }

  /// What the files are as photos; what was done of one already is left out.
  func photos(of files: NamedFiles) async -> [Photo] {
    guard !files.isSeparate else { return Photo.separately(files.inputs) }
    let photos = await photos(of: files.inputs)
    return files.done.map { done in photos.flatMap { done.rest(of: $0, among: files.inputs) } } ?? photos
  }

  /// What the inputs are as photos.
  func photos(of inputs: [Walk.Input]) async -> [Photo] {
    edit.separately ? Photo.separately(inputs) : await Photo.pairing(inputs, jobs: edit.work.count)
  }

  /// Carries out what `planner` proposes for each photo, or only shows it, and reports every one.
  func write(
    to photos: [Photo], on console: Console, cameras: CameraSummary? = nil,
    planner: @escaping @Sendable (Photo) -> any Planner
  ) async throws {
    var options = running.batch
    options.fallback = fallback
    options.fixesExtensions = fixesExtensions
    options.keepsModificationTime = keepsMtime
    options.sidecars = edit.sidecars.policy
    try await write(
      to: photos, on: console, options: options, isStrict: isStrict,
      into: edit.plan.map { ($0.path, isSeparate: edit.separately) }, relative: relativeChange, cameras: cameras,
      choosing: { try notMovedBefore(among: $0, console: console) }, planner: planner)
  }
}

extension PhotoWriting {
  /// Carries out what `planner` proposes for each photo as these options say, or writes it into a new plan, or only
  /// shows it, and reports every one.
  /// - Parameters:
  ///   - retried: The run that it retries, where the command line doesn't tell.
  ///   - cameras: What is told of the cameras' clocks, where photos are read by them.
  ///   - choose: Returns those that are left to be changed; throws what speaks against that.
  func write(
    to photos: [Photo], on console: Console, options: Batch.Options, isStrict: Bool,
    into plan: (path: FilePath, isSeparate: Bool)? = nil, retrying retried: RunID? = nil,
    relative: RelativeChange? = nil, cameras: CameraSummary? = nil,
    choosing choose: ([Photo]) throws -> [Photo] = { $0 },
    planner: @escaping @Sendable (Photo) -> any Planner
  ) async throws {
    let isTrial = running.dryRun || plan != nil
    var options = options
    options.now = .now
    if !isTrial { Batch.prepare(jobs: min(options.jobs, photos.count)) }
    let photos = try choose(await running.condition.photos(among: photos, jobs: running.work, console: console))
    var report = Report(
      to: console, output.format, isDryRun: isTrial, isQuiet: output.quiet, isStrict: isStrict,
      explains: running.explain, sumsUp: output.summary, showsSplices: output.splices)
    report.cameras = cameras
    if !isTrial, !running.yes {
      try await Confirmation(console).require(to: photos, options: options, planner: planner)
    }
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
      let journal = try Journal.opened(console: console)
      let run = try journal.beginRun(
        arguments: Argv.typed, at: .now, version: Console.version, retrying: retried)
      await Batch(run, in: journal, options: options)
        .run(photos, planning: planner, until: { Interrupt.isWished }) { report.add($0) }
      journal.finish(run, reporting: report, console: console)
      report.ways = Ways(onFrom: run, of: Self.self, relative?.resumption)
    }
    let status = try report.finish(isInterrupted: Interrupt.isWished)
    if status != .success { throw status }
  }
}

extension PhotoWriting {
  /// Writes what would be done into a new file.
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
  /// What the library calls these options.
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
  /// As asked for, or one per processor.
  var count: Int { jobs ?? max(1, ProcessInfo.processInfo.activeProcessorCount) }

  /// As asked for, or two per processor: where photos are written, one waits for the disk while the other is worked on.
  var writing: Int { jobs ?? 2 * count }
}

/// A command whose change a copy can hold as well.
protocol PhotoCopying: PhotoPlanning {
  var instead: FallbackOptions { get }
}

extension PhotoCopying {
  var fallback: Fallback { Fallback(instead.fallback, quality: instead.jpegQuality) }
  var isStrict: Bool { instead.strict }
}
