import ArgumentParser
import MetaTag
import SystemPackage

/// `metatag undo`: undoes a run; restores every photo to exactly the bytes it had.
struct UndoCommand: RunUndoing {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undo a run: restore every photo to exactly the bytes it had.",
    usage: "metatag undo [<run>] [<files> ...] [<options>]",
    discussion: """
      EXAMPLES:
        metatag undo                undo the last run that changed something
        metatag undo 7              undo run 7; see 'metatag log'
        metatag undo IMG_1.jpg      undo only the last change of this photo
        metatag undo 7 --in trip    undo run 7 only in this folder
        metatag undo --in moved     undo the last run that changed files in this
                                    folder, even if they were moved here since
        metatag undo 7 --moved-to /mnt/archive
                                    the photos have been moved there since
        metatag undo --dry-run
        metatag undo 7 --rows | parallel --pipe metatag worker undo --journal j
            undo run 7 with many workers; then: metatag runs adopt j

      A word of digits is a run; write ./7 for a file of that name. Without a run or
      files, metatag undoes the newest run that isn't undone yet, in any folder.

      A photo that was moved, or got another modification time, is still undone if
      its content is what the run left: its length, all bytes outside the picture,
      and the picture's length, beginning and end. If you name a file that was
      moved, the files changed together with it (a Live Photo's movie) are searched
      for in its folder; if one is missing, none is changed. A sidecar counts as
      part of its photo.

      A photo that something else changed is skipped, with the files changed
      together with it. A photo that a later run changed is skipped until that run
      is undone. Names are restored only if the files were renamed. Files that the
      run created are removed, unless they were changed since.

      'metatag redo' reverses an undo. The journal is
      ~/.local/state/metatag/journal.db; if XDG_STATE_HOME is set,
      $XDG_STATE_HOME/metatag/journal.db. If there is none under HOME, or HOME isn't
      an absolute path, the one in your account's home folder is used.
      """)

  @Argument(help: ArgumentHelp("Run number, and files to undo.", valueName: "run or files"))
  var words: [PathArgument] = []

  @Option(
    name: .customLong("in"), help: ArgumentHelp("Only files in this folder and its subfolders.", valueName: "folder"))
  var folder: PathArgument?

  @Option(
    help: ArgumentHelp(
      "Search this folder and its subfolders for files that are no longer where the run left them.", valueName: "folder"
    ))
  var movedTo: PathArgument?

  @Flag(name: [.customShort("n"), .long], help: "Show what would change, and change nothing.")
  var dryRun = false

  @Flag(help: "Change nothing; print a row for each photo, for 'metatag worker undo'.")
  var rows = false

  @Flag(name: [.customShort("y"), .long], help: "Don't ask (asked only in a terminal, if no run or file is named).")
  var yes = false

  @Flag(help: ArgumentHelp("Stop at the first failure; later files are reported as not done.", visibility: .shared))
  var failFast = false

  @OptionGroup var confinement: ConfinementOption
  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions
  @OptionGroup var unplanned: UnplannedOptions

  private var paths: [FilePath] { words.flatMap(\.paths) }
  private var runs: [FilePath] { paths.filter(\.isNumber) }
  private var files: [FilePath] { paths.filter { !$0.isNumber } }

  func validate() throws {
    if runs.count > 1 {
      throw ValidationError(
        "Give only one run, not \(runs.map(\.string).joined(separator: " and ")). A file named 7 is written ./7.")
    }
    if rows, runs.isEmpty || !files.isEmpty || movedTo != nil {
      throw ValidationError("--rows takes a run, and of the other options only --in.")
    }
    for (option, path) in [("--in", folder?.path), ("--moved-to", movedTo?.path)] {
      guard let path, !Walk.isFolder(path) else { continue }
      // With --moved-to, the folder may be gone.
      if option == "--in", movedTo != nil, path.resolved == nil { continue }
      throw ValidationError("\(option) requires a folder, and \(path.printable) is not one.")
    }
  }

  func run() async throws {
    let console = Console()
    // To print rows settles nothing.
    guard let journal = try rows ? Journal.read(console: console) : journal(console) else { throw UndoCommand.nothing }
    var selection = UndoSelection()
    selection.folder = folder?.path.located
    selection.movedTo = movedTo?.path.resolved
    let number = try runs.first?.runNumber
    var unknown = 0
    let id =
      try files.isEmpty
      ? run(number, in: &selection, in: journal) : run(number, of: &selection, &unknown, in: journal, console)
    guard let id else { throw UndoCommand.nothing }
    if rows { return try printRows(of: id, selection, in: journal, on: console) }
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

  /// Prints a row for each photo.
  private func printRows(
    of run: RunID, _ selection: UndoSelection, in journal: Journal, on console: Console
  ) throws {
    guard try journal.has(run) else { throw SetupError(noRun: run) }
    try journal.undoRows(of: run, selection, version: Console.version) { row in
      if !console.isClosed { console.write(try row.line + [0x0A]) }
    }
    try console.finish()
  }

  private static var nothing: SetupError {
    SetupError("there is no run to undo; 'metatag log' lists the runs. \(Journal.pathSentence)")
  }

  /// Returns the run to undo in a folder: the given one, the newest that changed something there, or the newest whose
  /// files were moved there.
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

  /// Returns the run to undo for files: the given one, or the newest that changed them. A photo's sidecars count as
  /// part of it.
  private func run(
    _ number: RunID?, of selection: inout UndoSelection, _ unknown: inout Int, in journal: Journal, _ console: Console
  ) throws -> RunID? {
    var newest: [(file: FilePath, run: RunID)] = []
    var meant: [RunID: Set<FilePath>] = [:]
    // Moved files, by their current path.
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
            // If the photo wasn't moved, its sidecars weren't either.
            continue
          }
          guard found.allSatisfy({ selection.places[$0.path] != nil }), path.resolved != nil else { continue }
          let known = moved[path]
          let others = Set(selection.places.keys)
          let change: (run: RunID, path: FilePath)? =
            if let known { known } else { try journal.newestChange(leaving: path, in: number, besides: others) }
          guard let change else { continue }
          // The file was moved: the journal finds it by its content.
          found.append(change)
          moved[path] = change
          selection.places[change.path] = path
        }
        guard let run = found.map(\.run).max() else {
          throw FileError(
            .noSuchRun,
            "\(number.map { "run \($0) did not change" } ?? "no run changed") this file, or "
              + "\(number == nil ? "all its changes are" : "its change is") undone. \(Journal.pathSentence)")
        }
        meant[run, default: []].formUnion(found.filter { $0.run == run }.map(\.path))
        newest.append((file, run))
      } catch {
        console.warn("metatag: \(file.printable): \(error.words)")
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
  /// Whether the word is a run number.
  var isNumber: Bool { !isEmpty && string.utf8.allSatisfy { (0x30...0x39).contains($0) } }

  /// The run with this number, which may be too large for any run.
  var runNumber: RunID {
    get throws {
      guard let number = Int64(string) else {
        throw SetupError("there is no run \(self); 'metatag log' lists the runs")
      }
      return RunID(number)
    }
  }

  /// The file's path with the links of its folder resolved. The file itself may be gone.
  var located: FilePath {
    if let resolved { return resolved }
    guard let name = lastComponent else { return self }
    let parent = removingLastComponent()
    let folder = parent.isEmpty ? FilePath(".").resolved ?? "." : parent.located
    return folder.appending(name)
  }
}
