import ArgumentParser
import Foundation
import Glibc
import MetaTag
import SystemPackage

/// `metatag forget`: removes runs or files from the journal.
struct ForgetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Remove runs or files from the journal, with the locations and dates that were erased.",
    usage: "metatag forget [<runs> ...] [<files> ...] [--older-than <age>]",
    discussion: """
      EXAMPLES:
        metatag forget 7
        metatag forget --older-than 90d
        metatag forget IMG_1.jpg IMG_2.jpg

      'undo' needs the old bytes of every change, so the journal keeps locations and
      dates that were erased from the photos. Forgetting removes them from the
      journal's files. The photos stay as they are, and what is forgotten can't be
      undone. What a run wrote stays in the record of that run: to remove a location
      that geotag wrote and clear erased, forget both runs. A damaged journal that
      'doctor --repair' kept isn't changed: remove it.

      A word of digits is a run; write ./7 for a file of that name. The undos of a
      run are forgotten with it. For files, all their changes are forgotten, also
      those under earlier names, of copies, and of the files that were changed
      together with them; the command lines of the runs stay.
      """)

  @Argument(help: ArgumentHelp("Runs, and files whose changes to forget.", valueName: "runs or files"))
  var words: [PathArgument] = []

  @Option(
    help: ArgumentHelp("Forget runs that began longer ago than this: 90d, 12h.", valueName: "age"),
    transform: ForgetCommand.age)
  var olderThan: TimeShift?

  @Flag(name: [.customShort("n"), .long], help: "Show what would be forgotten, and change nothing.")
  var dryRun = false

  @Flag(name: [.customShort("y"), .long], help: "Don't ask (asked only in a terminal).")
  var yes = false

  private var paths: [FilePath] { words.flatMap(\.paths) }

  private static func age(_ word: String) throws -> TimeShift {
    let age = try TimeShift(parsing: Argv.text(of: word))
    guard age.seconds >= 0 else { throw ValidationError("--older-than takes an age such as 90d, not \(word).") }
    return age
  }

  func validate() throws {
    if words.isEmpty, olderThan == nil { throw ValidationError("Name runs or files, or give --older-than.") }
  }

  func run() async throws {
    let console = Console()
    guard let found = try Journal.ifAny() else { throw SetupError("there is no journal. \(Journal.pathSentence)") }
    let wasInterrupted = try found.isForgetting
    // A dry run doesn't settle an interrupted run.
    let journal = try dryRun ? found : Journal.opened(console: console)
    if wasInterrupted {
      guard try dryRun || !journal.isForgetting else {
        throw SetupError(
          "could not finish an interrupted 'metatag forget'. Free space on the journal's disk, and try again.")
      }
      console.print("\(dryRun ? "would finish" : "finished") an interrupted 'metatag forget'")
    }
    let known = try journal.runs(limit: .max)
    var numbers = try paths.filter(\.isNumber).map { try $0.runNumber }
    // The interrupted command may have removed runs and changes.
    if wasInterrupted { numbers.removeAll { number in !known.contains { $0.id == number } } }
    for number in numbers where !known.contains(where: { $0.id == number }) {
      throw SetupError(noRun: number)
    }
    let limit = olderThan.map { Instant.now.seconds - $0.seconds }
    let old = known.filter { run in limit.map { run.started.seconds < $0 } ?? false }.map(\.id)
    let runs = try journal.withUndos(Set(numbers + old))
    let named = Set(paths.filter { !$0.isNumber }.map { $0.located })
    let unknown = wasInterrupted ? [] : try journal.unknown(among: named)
    let files = named.subtracting(unknown)
    for path in unknown {
      console.warn(
        "\(path.printable): the journal knows no change of a file with this path. If it was moved or renamed, name the path "
          + "that it had; 'metatag log RUN' lists the paths of a run.")
    }
    func finish() throws {
      try console.finish()
      if !unknown.isEmpty { throw ExitCode.failure }
    }
    guard !runs.isEmpty || !files.isEmpty else {
      if wasInterrupted { return try finish() }
      console.warn("\(unknown.isEmpty ? "no run is that old; " : "")nothing was forgotten")
      return try finish()
    }
    let what = [
      runs.isEmpty ? nil : runs.count.pluralized("run"),
      files.isEmpty ? nil : "all changes of \(files.count.pluralized("file"))",
    ].compactMap(\.self).joined(separator: " and ")
    for folder in try journal.unreachable(of: runs, files) {
      console.warn(
        "\(folder.printable) can't be reached, and hidden files of an interrupted run may be in it. Once the run is forgotten, "
          + "only 'metatag doctor \(folder.printable)' finds them.")
    }
    if dryRun {
      console.print("would forget \(what)")
      return try finish()
    }
    if !yes, console.isTerminal, isatty(STDIN_FILENO) == 1,
      !console.asks("Forget \(what)? This can't be undone. [y/N] ")
    {
      throw SetupError("Cancelled. Nothing was forgotten.")
    }
    if !files.isEmpty { try journal.forget(changesOf: files) }
    if !runs.isEmpty { try journal.forget(runs) }
    console.print("forgot \(what)")
    try finish()
  }
}

extension Journal {
  /// Returns the folders of these runs and files that may hold files of interrupted runs, and can't be reached.
  fileprivate func unreachable(of runs: Set<RunID>, _ files: Set<FilePath>) throws -> [FilePath] {
    let parents = Set(files.map { $0.removingLastComponent() })
    let folders = try folders().filter { runs.contains($0) || parents.contains($1) }.map(\.1)
    return Set(folders).filter { $0.status(followingLinks: true) == nil }.sorted { $0.description < $1.description }
  }
}
