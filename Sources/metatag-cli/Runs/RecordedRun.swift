import ArgumentParser
import Foundation
import MetaTag
import SystemPackage

/// A run of a command that the journal records, so that it can be undone and continued.
struct RecordedRun {
  let id: RunID
  let journal: Journal
  private let console: Console

  /// Begins a run of the typed command line. Removes what earlier runs left next to the photos, as far as it isn't needed.
  /// - Parameters:
  ///   - paths: The photos.
  ///   - retried: The run that is retried, if the command line doesn't name it.
  init(on console: Console, of paths: some Sequence<FilePath>, retrying retried: RunID? = nil) throws {
    journal = try Journal.opened(console: console)
    id = try journal.beginRun(
      arguments: Argv.typed, at: .now, version: Console.version, retrying: retried,
      after: try journal.removeLeftovers(beside: paths, console))
    self.console = console
  }

  /// Records the end of the run, and adds to the report how to undo or continue it.
  func end(
    _ report: inout Report, of command: any ParsableCommand.Type,
    _ resumption: RelativeChange.Resumption? = nil
  ) {
    journal.finish(id, reporting: report, console: console)
    report.kept = journal.warnOfKeptFiles(of: id, console)
    report.ways = ResumeCommands(onFrom: id, of: command, resumption)
  }
}

extension Report {
  /// Prints the totals of a run that may have been interrupted, and throws the exit status unless all is well.
  mutating func end() throws {
    let status = try finish(isInterrupted: Interrupt.isWished)
    if status != .success { throw status }
  }
}

extension Journal {
  /// Removes what earlier runs left next to photos, as far as it isn't needed, and names the rest.
  /// - Returns: The newest run that left something, also if the journal has lost it: the next run needs a higher number.
  func removeLeftovers(beside paths: some Sequence<FilePath>, _ console: Console) throws -> RunID? {
    let left = try Leftover.all(in: Set(paths.map { $0.removingLastComponent() }), of: self, removing: true)
    console.warn(ofUnknown: left.filter { $0.use == .unknown }.map(\.path))
    console.warn(ofForeign: left.filter { $0.use == .foreign }.map(\.path))
    return left.compactMap(\.run).max()
  }

  /// Names the files that other programs wrote to during a run, and returns them.
  func warnOfKeptFiles(of run: RunID, _ console: Console) -> [(path: FilePath, kept: FilePath)] {
    let kept = (try? keptFiles(of: run)) ?? []
    for (path, kept) in kept {
      console.warn(
        "metatag: \(path.printable): another program wrote to it, or has it open for writing. Its version is kept as "
          + "\(kept.printable). Compare the two.")
    }
    return kept
  }

  /// Records that a run ended, and which inputs are left for `--retry-failed`. A failure to record isn't a failure of
  /// the run, whose photos are done.
  func finish(_ run: RunID, reporting report: Report, isUndo: Bool = false, console: Console) {
    let folder = FilePath(FileManager.default.currentDirectoryPath)
    do throws(FileError) {
      try finishRun(
        run, leaving: isUndo ? nil : report.unfinished.map { folder.pushing($0) }, failed: report.totals[.failed],
        isInterrupted: Interrupt.isWished && report.totals[.notRun] > 0)
    } catch {
      console.warn("metatag: the journal still lists run \(run) as interrupted: \(error.words)")
    }
  }
}
