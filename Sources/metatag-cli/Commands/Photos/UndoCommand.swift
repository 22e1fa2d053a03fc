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
        metatag undo --in moved     the last run that changed what is in it, also
                                    where that was moved there since
        metatag undo 7 --moved-to /mnt/archive
                                    its photos were moved there since
        metatag undo --dry-run

      A word of digits alone is a run; a file of such a name is ./7. Without a run and
      files, it is the newest run that is not undone, in whatever folder it was.

      A photo that was moved or got another time since is undone when its content is
      still what the run left: its length, all bytes outside the picture, and the
      picture's length, beginning and end. Where a file is named that was moved, what
      was changed together with it (a Live Photo's movie) is looked for in its
      folder, and if it isn't found, neither is changed. A photo's sidecar counts as
      the photo. A photo that something else changed is left alone and reported, with
      what the run changed together with it; one that a later run changed, until that
      is undone. Names are given back only where the files were renamed. Files that
      the run created are removed, unless they were changed since.

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
      // The folder that was moved is no longer there.
      if option == "--in", movedTo != nil, path.resolved == nil { continue }
      throw ValidationError("\(option) takes a folder, and \(path.printable) is none.")
    }
  }

  func run() async throws {
    let console = Console()
    guard let journal = try journal(console) else { throw UndoCommand.nothing }
    var selection = UndoSelection()
    selection.folder = folder?.path.located
    selection.movedTo = movedTo?.path.resolved
    let number = try runs.first.map { run in
      guard let id = Int64(run.string) else { throw SetupError("there is no run \(run); 'metatag log' lists the runs") }
      return RunID(id)
    }
    var unknown = 0
    let id =
      try files.isEmpty
      ? run(number, in: &selection, in: journal) : run(number, of: &selection, &unknown, in: journal, console)
    guard let id else { throw UndoCommand.nothing }
    let isUnnamed = number == nil && files.isEmpty
    let (totals, status) = try takeBack(id, selection, in: journal, asks: isUnnamed, on: console)
    if isUnnamed, totals[.skipped] > 0, let earlier = try journal.newestRunToUndo(before: id, in: folder?.path.located)
    {
      console.warn(
        "metatag: run \(id) is not fully undone. Retry: metatag undo \(id). Undo the run before it: metatag undo \(earlier)"
      )
    }
    if status != .success { throw status }
    if unknown > 0 { throw ExitCode.failure }
  }

  private static var nothing: SetupError {
    SetupError("there is no run to undo; 'metatag log' lists the runs. \(Journal.whereabouts)")
  }

  /// The run that is named, or the newest that changed something in the folder; else that of files that were moved there.
  private func run(
    _ number: RunID?, in selection: inout UndoSelection, in journal: Journal
  ) throws -> RunID? {
    guard let folder = selection.folder else { return try number ?? journal.newestRunToUndo() }
    if let run = try journal.newestRunToUndo(in: folder, only: number) { return run }
    guard selection.movedTo == nil, let found = try journal.newestChange(leavingFilesIn: folder, in: number) else {
      return number
    }
    selection = found.selection
    return found.run
  }

  /// The run that the files are taken back from: the one that is named, or the newest that changed them. A photo's
  /// sidecars count as it.
  private func run(
    _ number: RunID?, of selection: inout UndoSelection, _ unknown: inout Int, in journal: Journal, _ console: Console
  ) throws -> RunID? {
    var newest: [(file: FilePath, run: RunID)] = []
    var meant: [RunID: Set<FilePath>] = [:]
    // By where files are now, if they were moved.
    var moved: [FilePath: (run: RunID, path: FilePath)] = [:]
    let sidecars = Walk.sidecars(of: files.map(\.located))
    for file in files {
      if Walk.isFolder(file) {
        let command = ["metatag", "undo"] + [number?.description].compactMap(\.self) + ["--in", file.string]
        console.warn("metatag: \(file.printable) is a folder: \(command.inShell)")
        unknown += 1
        continue
      }
      do throws(FileError) {
        let path = file.located
        var found: [(run: RunID, path: FilePath)] = []
        for path in [path] + sidecars[path, default: []] {
          if let run = try journal.newestRunToUndo(of: path, in: number) {
            found.append((run, path))
            // Sidecars of photos that are where they were are there, too.
            continue
          }
          guard found.allSatisfy({ selection.places[$0.path] != nil }), path.resolved != nil else { continue }
          let known = moved[path]
          let others = Set(selection.places.keys)
          let change: (run: RunID, path: FilePath)? =
            if let known { known } else { try journal.newestChange(leaving: path, in: number, besides: others) }
          guard let change else { continue }
          // It was moved: the journal knows it by its content.
          found.append(change)
          moved[path] = change
          selection.places[change.path] = path
        }
        guard let run = found.map(\.run).max() else {
          throw FileError(
            .refused,
            "\(number.map { "run \($0) did not change" } ?? "no run changed") this file, or "
              + "\(number == nil ? "all its changes are" : "its change is") undone. \(Journal.whereabouts)")
        }
        meant[run, default: []].formUnion(found.filter { $0.run == run }.map(\.path))
        newest.append((file, run))
      } catch {
        console.warn("metatag: \(file.printable): \(error.sentence)")
        unknown += 1
      }
    }
    guard !newest.isEmpty else { throw ExitCode.failure }
    selection.isStrict = true
    selection.files = meant.values.reduce([]) { $0.union($1) }
    let runs = Set(newest.map(\.run)).sorted(by: >)
    guard runs.count > 1 else { return runs.first }
    let commands = runs.map { run in
      (["metatag", "undo", "\(run)"] + newest.filter { $0.run == run }.map(\.file.string)).inShell
    }
    console.warn(
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
    let folder = parent.isEmpty ? FilePath(".").resolved ?? "." : parent.located
    return folder.appending(name)
  }
}
