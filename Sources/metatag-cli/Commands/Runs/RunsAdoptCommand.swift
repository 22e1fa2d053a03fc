import ArgumentParser
import Foundation
import MetaTag
import SystemPackage

/// `metatag runs adopt`: takes over the journals that the workers of a job made, as one run.
struct RunsAdoptCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adopt",
    abstract: "Take over the journals of workers, as one run.",
    usage: "metatag runs adopt <folders> ... [<options>]",
    discussion: """
      EXAMPLES:
        metatag runs adopt /scratch/journals --name '2024 archive'

      Run it after the job, where the photos have the same paths as for the workers.
      It first finishes or takes back what a killed worker left. Then the changes in
      all journals become one run of your journal, which 'metatag log' lists and
      'metatag undo' undoes, and the journals are removed. A journal that is in use,
      damaged, or not settled stays where it is, and the exit status is 1. If it was
      interrupted, the same command takes over the rest into the same run.

      What 'metatag worker undo' did is taken over in the same way, and counts as an
      undo of that run.

      Every run of metatag checks the whole journal before it begins. If a job has
      changed many millions of photos, give it a journal of its own: set
      XDG_STATE_HOME for this command and for those that undo the run.
      """)

  @Argument(help: ArgumentHelp("Folders given to the workers with --journal.", valueName: "folders"))
  var folders: [PathArgument]

  @Option(help: ArgumentHelp("Name of the run, shown by 'metatag log'.", valueName: "text"))
  var name: String?

  func run() async throws {
    let console = Console()
    let journal = try Journal.opened(console: console)
    var adoption = RunAdoption(into: journal, console)
    let parts = folders.flatMap(\.paths).flatMap { adoption.journals(in: $0) }
    if parts.isEmpty, adoption.problems == 0 {
      throw SetupError(
        "no journal of a worker is in these folders; 'metatag log' lists the runs that took over such journals")
    }
    Interrupt.listen()
    console.begin(Progress(total: parts.count))
    for part in parts where !Interrupt.isWished {
      adoption.add(part)
      console.advance()
    }
    try adoption.end()
    try console.finish()
    if Interrupt.isWished { throw ExitCode(130) }
    if adoption.problems > 0 { throw ExitCode.failure }
  }
}

/// The runs into which the journals of workers are taken over: one for their changes, and one for each run that they undid.
struct RunAdoption {
  private let journal: Journal
  private let console: Console
  /// The runs that have begun, by the run that they undo; nil for changes.
  private var runs: [RunID?: RunID] = [:]
  private var edited: [RunID?: Set<AdoptedEdit>] = [:]
  /// The runs that an earlier command began, and into which it had taken over some of the journals.
  private var earlier: Set<RunID> = []
  private var count = 0
  /// The number of journals that could not be taken over.
  private(set) var problems = 0

  init(into journal: Journal, _ console: Console) { (self.journal, self.console) = (journal, console) }

  /// Returns the folders of journals in a folder, which may be one itself, in the order of their names.
  mutating func journals(in folder: FilePath) -> [FilePath] {
    func isJournal(_ path: FilePath) -> Bool { path.appending("journal.db").status(followingLinks: false) != nil }
    let folder = folder.located
    if isJournal(folder) { return [folder] }
    do {
      let names = try Directory(folder).names().sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
      return names.map { folder.appending($0) }.filter(isJournal)
    } catch {
      report(folder, error)
      return []
    }
  }

  /// Takes over a journal, and removes it.
  mutating func add(_ path: FilePath) {
    do {
      let part = try Journal(directory: path)
      console.announce(try part.recover())
      switch try journal.adoptable(in: part) {
      case .changes(let run): try adopt(run, of: part, undoing: nil)
      case .undo(let run, let undone): try adopt(run, of: part, undoing: undone)
      case .adopted(let run): earlier.insert(run)
      case .nothing: break
      }
      count += 1
      try part.finish()
      try FileManager.default.removeItem(atPath: path.string)
    } catch {
      report(path, error)
    }
  }

  private mutating func adopt(_ run: RunID, of part: Journal, undoing undone: RunID?) throws {
    let own = try self.run(undoing: undone)
    try journal.adopt(run, of: part, as: own, edited: &edited[undone, default: []])
  }

  private mutating func report(_ path: FilePath, _ error: any Error) {
    problems += 1
    console.warn("\(path.printable): not taken over: \(error.words.printable)")
  }

  private mutating func run(undoing undone: RunID?) throws -> RunID {
    if let run = runs[undone] { return run }
    if let begun = try journal.interruptedAdoption(Argv.typed, undoing: undone) {
      (runs[undone], edited[undone]) = (begun.run, begun.edited)
      return begun.run
    }
    let run = try journal.beginRun(arguments: Argv.typed, at: .now, version: Console.version, undoing: undone)
    runs[undone] = run
    return run
  }

  /// Ends the runs and prints what they changed.
  func end() throws {
    let journals = count.pluralized("journal")
    for run in earlier.union(runs.values).sorted() {
      if runs.values.contains(run) { try journal.finishRun(run, isInterrupted: Interrupt.isWished) }
      guard let summary = try journal.runs(limit: .max).first(where: { $0.id == run }) else { continue }
      let counts = [(summary.changed, "changed"), (summary.created, "created")]
      let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      let undone = summary.undoes.map { ", which undoes run \($0)" } ?? ""
      console.print(
        "run \(run)\(undone): \(parts.isEmpty ? "nothing changed" : parts.joined(separator: ", ")) (\(journals))")
    }
    if runs.isEmpty, earlier.isEmpty, count > 0 { console.print("nothing was changed (\(journals))") }
  }
}
