import ArgumentParser
import MetaTag

/// `metatag redo`: redoes what an undo took back.
struct RedoCommand: RunUndoing {
  static let configuration = CommandConfiguration(
    commandName: "redo",
    abstract: "Redo what an undo took back.",
    usage: "metatag redo [<undo>] [<options>]",
    discussion: """
      EXAMPLES:
        metatag redo                redo what the last undo took back
        metatag redo 8              redo what run 8 took back; see 'metatag log'
        metatag redo 8 --moved-to /mnt/archive
                                    the photos have been moved there since

      Photos that were moved, or got another modification time, are found as by
      'metatag undo'. Files that the undo removed can't be restored: run the command
      that created them again.
      """)

  @Argument(
    help: ArgumentHelp("Run number of the undo. (default: the newest that changed something)", valueName: "undo"))
  var number: Int?

  @Option(
    help: ArgumentHelp(
      "Search this folder and its subfolders for files that are no longer where the undo left them.",
      valueName: "folder"))
  var movedTo: PathArgument?

  @Flag(name: [.customShort("n"), .long], help: "Show what would change, and change nothing.")
  var dryRun = false

  @Flag(name: [.customShort("y"), .long], help: "Don't ask (asked only in a terminal, if no undo is named).")
  var yes = false

  @Flag(help: ArgumentHelp("Stop at the first failure; later files are reported as not done.", visibility: .shared))
  var failFast = false

  @OptionGroup var confinement: ConfinementOption
  @OptionGroup(title: "Report", visibility: .shared) var output: OutputOptions
  @OptionGroup var unplanned: UnplannedOptions

  func validate() throws {
    if let folder = movedTo?.path, !Walk.isFolder(folder) {
      throw ValidationError("--moved-to requires a folder, and \(folder.printable) is not one.")
    }
  }

  func run() async throws {
    let console = Console()
    let nothing = SetupError("there is no undo to redo; 'metatag log' lists the runs. \(Journal.pathSentence)")
    guard let journal = try journal(console),
      let id = try number.map({ RunID(Int64($0)) }) ?? journal.newestRunToRedo()
    else { throw nothing }
    if number != nil, let run = try journal.runs(limit: .max).first(where: { $0.id == id }), run.undoes == nil {
      throw SetupError("run \(id) is not an undo; to undo it: metatag undo \(id)")
    }
    var selection = UndoSelection()
    selection.movedTo = movedTo?.path.resolved
    let (_, status) = try takeBack(id, selection, in: journal, asks: number == nil, on: console)
    if status != .success { throw status }
  }
}
