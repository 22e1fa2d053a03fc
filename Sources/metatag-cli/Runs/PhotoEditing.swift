import ArgumentParser
import Foundation
import MetaTag
import SystemPackage

/// A command that changes photos, whichever these are: how it goes about it. All the rest is the same for every one.
protocol PhotoWriting: AsyncParsableCommand {
  var edit: EditOptions { get }
  var output: OutputOptions { get }
  /// What is done about photos that can't be changed themselves.
  var fallback: Fallback { get }
  /// Whether that is a failure of the run.
  var isStrict: Bool { get }

  /// Whether wrong endings of names are put right, too.
  var fixesExtensions: Bool { get }

  /// Whether the files' own times of last change stay as they are.
  var keepsMtime: Bool { get }
}

/// A command that does the same with all photos that are named: its options, and what it proposes.
protocol PhotoEditing: PhotoWriting {
  var input: InputOptions { get }

  /// What to do with each photo. Throws when that can't be known, before any photo is touched.
  func planner(_ console: Console) async throws -> any Planner
}

extension PhotoEditing {
  func run() async throws {
    let console = Console()
    let planner = try await planner(console)
    try await write(to: await shots(of: try input.photos()), on: console) { _ in planner }
  }
}

extension PhotoWriting {
  var fallback: Fallback { Fallback(.jpeg) }
  var isStrict: Bool { false }
  var fixesExtensions: Bool { edit.fixExtension }
  var keepsMtime: Bool { edit.keepMtime }

  /// What the inputs are as photos.
  func shots(of inputs: [Walk.Input]) async -> [Shot] {
    edit.separately ? inputs.map(Shot.init) : await Shot.pairing(inputs, jobs: edit.work.count)
  }

  /// Carries out what `planner` proposes for each photo, or only shows it, and reports every one.
  func write(
    to shots: [Shot], on console: Console, planner: @escaping @Sendable (Shot) -> any Planner
  ) async throws {
    let shots = await edit.condition.photos(among: shots, jobs: edit.work, telling: console)
    var report = Report(
      to: console, output.format, isDryRun: edit.dryRun, isQuiet: output.quiet, isStrict: isStrict,
      explains: edit.explain)
    var options = edit.batch
    options.fallback = fallback
    options.fixesExtensions = fixesExtensions
    options.keepsModificationTime = keepsMtime
    options.now = .now
    console.begin(Progress(total: shots.count))
    Interrupt.listen()
    if edit.dryRun {
      await Batch(dryRun: options).run(shots, planning: planner, until: { Interrupt.isWished }) { report.add($0) }
    } else {
      let journal = try Journal.opened(telling: console)
      let run = try journal.beginRun(
        arguments: Argv.typed, at: .now, version: MetatagCommand.configuration.version)
      await Batch(run, in: journal, options: options)
        .run(shots, planning: planner, until: { Interrupt.isWished }) { report.add($0) }
      journal.finish(run, telling: console)
    }
    let status = try report.finish(isInterrupted: Interrupt.isWished)
    if status != .success { throw status }
  }
}

extension EditOptions {
  /// What the library calls these options.
  var batch: Batch.Options {
    var options = Batch.Options()
    options.jobs = work.count
    options.keepsModificationTime = keepMtime
    options.verifiesWholeFile = verify == .full
    options.endsReconstruction = jxlJpeg == .drop
    return options
  }
}

extension JobsOption {
  /// As asked for, or one per processor.
  var count: Int { jobs ?? max(1, ProcessInfo.processInfo.activeProcessorCount) }
}

extension Instant {
  /// When the run begins, by this computer's clock: for the journal, and to doubt dates in the future; never for a photo.
  static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }
}
