import ArgumentParser
import MetaTag

struct RedoCommand: RunUndoing {
  static let configuration = CommandConfiguration(
    commandName: "redo",
    abstract: "Undo an undo: photos get back what a run had changed.",
    usage: "metatag redo [<undo>] [<options>]",
    discussion: """
      EXAMPLES:
        metatag redo                the last undo is undone
        metatag redo 8              the undo that 'metatag log' lists as run 8
        metatag redo 8 --moved-to /mnt/archive
                                    its photos were moved there since

      A photo that was moved or got another time since is found as 'metatag undo'
      finds it. Files that an undo removed don't come again: run the command that made
      them.
      """)

  @Argument(help: ArgumentHelp("Which undo; without it, the newest that changed something.", valueName: "undo"))
  var number: Int?

  @Option(
    help: ArgumentHelp(
      "Look in this folder, and below it, for files that are gone from where the undo left them.", valueName: "folder"))
  var movedTo: PathArgument?

  @Flag(name: [.customShort("n"), .long], help: "Only show what would change.")
  var dryRun = false

  @Flag(name: [.customShort("y"), .long], help: "Don't ask (asked only in a terminal, without an undo's number).")
  var yes = false

  @Flag(help: "Stop at the first file that can't be changed: those after it are reported as not done.")
  var failFast = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var unplanned: UnplannedOptions

  func validate() throws {
    if let folder = movedTo?.path, !Walk.isFolder(folder) {
      throw ValidationError("--moved-to takes a folder, and \(folder.printable) is none.")
    }
  }

  func run() async throws {
    let console = Console()
    let nothing = SetupError("there is no undo to redo; 'metatag log' lists the runs. \(Journal.whereabouts)")
    guard let journal = try journal(console),
      let id = try number.map({ RunID(Int64($0)) }) ?? journal.newestRunToRedo()
    else { throw nothing }
    if number != nil, let run = try journal.runs(limit: .max).first(where: { $0.id == id }), run.undoes == nil {
      throw SetupError("run \(id) is no undo; to undo it: metatag undo \(id)")
    }
    var selection = UndoSelection()
    selection.movedTo = movedTo?.path.resolved
    let (_, status) = try takeBack(id, selection, in: journal, asks: number == nil, on: console)
    if status != .success { throw status }
  }
}
