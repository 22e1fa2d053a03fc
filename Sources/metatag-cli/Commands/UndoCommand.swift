import ArgumentParser
import MetaTag
import SystemPackage

struct UndoCommand: RunUndoing {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undo a run: every photo gets back exactly the bytes it had.",
    usage: "metatag undo [<run>] [<files> ...] [<options>]",
    discussion: """
      EXAMPLES:
        metatag undo                the last run that changed something
        metatag undo 7              run 7, as 'metatag log' counts them
        metatag undo IMG_1.jpg      the last change of this photo alone
        metatag undo 7 --in trip    of run 7, only what is in this folder
        metatag undo 7 --moved-to /mnt/archive
                                    its photos were moved there since
        metatag undo --dry-run

      A word of digits alone is a run; a file of such a name is ./7. Without a run and
      files, it is the newest run that is not undone, in whatever folder it was.

      A photo that was moved or got another time since is undone when its content is
      still what the run left: its length, all bytes outside the picture, and the
      picture's length, beginning and end. A photo that something else changed is left
      alone and reported, with what the run changed together with it. Files that the
      run created are removed, unless they were changed since.

      'metatag redo' takes an undo back. All this is kept in a journal,
      ~/.local/state/metatag/journal.db, or $XDG_STATE_HOME/metatag/journal.db.
      """)

  @Argument(help: ArgumentHelp("Which run, and which of its files.", valueName: "run or files"))
  var words: [PathArgument] = []

  @Option(name: .customLong("in"), help: ArgumentHelp("Only files in this folder and below it.", valueName: "folder"))
  var folder: PathArgument?

  @Option(
    help: ArgumentHelp(
      "Look in this folder, and below it, for files that are gone from where the run left them.", valueName: "folder"))
  var movedTo: PathArgument?

  @Flag(name: [.customShort("n"), .long], help: "Only show what would change.")
  var dryRun = false

  @Flag(name: [.customShort("y"), .long], help: "Don't ask (asked only in a terminal, without a run or files).")
  var yes = false

  @Flag(help: "Stop at the first file that can't be undone: those after it are reported as not done.")
  var failFast = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var unplanned: UnplannedOptions

  private var paths: [FilePath] { words.flatMap(\.paths) }
  private var runs: [FilePath] { paths.filter(\.isNumber) }
  private var files: [FilePath] { paths.filter { !$0.isNumber } }

  func validate() throws {
    if runs.count > 1 {
      throw ValidationError("Give one run: \(runs.map(\.string).joined(separator: " and ")) are two. A file is ./7.")
    }
    for (option, path) in [("--in", folder?.path), ("--moved-to", movedTo?.path)] {
      guard let path, !Walk.isFolder(path) else { continue }
      throw ValidationError("\(option) takes a folder, and \(path.printable) is none.")
    }
  }

  func run() async throws {
    let console = Console()
    guard let journal = try journal(console) else { throw UndoCommand.nothing }
    var selection = UndoSelection()
    selection.folder = folder?.path.resolved
    selection.movedTo = movedTo?.path.resolved
    let number = try runs.first.map { run in
      guard let id = Int64(run.string) else { throw StartError("there is no run \(run); 'metatag log' lists the runs") }
      return RunID(id)
    }
    let id =
      try files.isEmpty
      ? number ?? journal.newestRunToUndo(in: selection.folder) : run(of: number, &selection, in: journal, console)
    guard let id else { throw UndoCommand.nothing }
    let isUnnamed = number == nil && files.isEmpty
    let (totals, status) = try takeBack(id, selection, in: journal, asks: isUnnamed, on: console)
    if isUnnamed, totals[.skipped] > 0, let earlier = try journal.newestRunToUndo(before: id, in: selection.folder) {
      console.complain(
        "metatag: run \(id) is not fully undone. Retry: metatag undo \(id). Undo the run before it: metatag undo \(earlier)"
      )
    }
    if status != .success { throw status }
  }

  private static var nothing: StartError {
    StartError("there is no run to undo; 'metatag log' lists the runs. \(Journal.whereabouts)")
  }

  /// The run that the files are taken back from: the one that is named, or the newest that changed them.
  private func run(
    of number: RunID?, _ selection: inout UndoSelection, in journal: Journal, _ console: Console
  ) throws -> RunID? {
    var newest: [(file: FilePath, run: RunID)] = []
    var meant: Set<FilePath> = []
    for file in files {
      let path = file.located
      var run = try number ?? journal.newestRunToUndo(of: path)
      if run == nil, let change = try? journal.newestChange(leaving: path) {
        // It was moved: the journal knows it by its content.
        run = change.run
        meant.insert(change.path)
        selection.places[change.path] = path
      } else {
        meant.insert(path)
      }
      guard let run else {
        console.complain(
          "metatag: \(file.printable): no run changed this file, or all its changes are undone. \(Journal.whereabouts)")
        throw ExitCode.failure
      }
      newest.append((file, run))
    }
    selection.files = meant
    let runs = Set(newest.map(\.run)).sorted(by: >)
    guard runs.count > 1 else { return runs.first }
    let commands = runs.map { run in
      (["metatag", "undo", "\(run)"] + newest.filter { $0.run == run }.map(\.file.string)).inShell
    }
    console.complain(
      "metatag: different runs changed these files last; undo them one by one:"
        + commands.map { "\n  \($0.shortened(to: 200))" }.joined())
    throw ExitCode.failure
  }
}

extension FilePath {
  /// Whether it means a run.
  fileprivate var isNumber: Bool { !isEmpty && string.utf8.allSatisfy { (0x30...0x39).contains($0) } }

  /// Where a file is or was: its folder's links resolved; it need not be there any more.
  fileprivate var located: FilePath {
    if let resolved { return resolved }
    guard let name = lastComponent else { return self }
    let parent = removingLastComponent()
    return ((parent.isEmpty ? "." : parent).resolved ?? parent).appending(name)
  }
}
