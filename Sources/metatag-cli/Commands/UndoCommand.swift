import ArgumentParser

struct UndoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Take a run back: every photo gets exactly the bytes it had.",
    discussion: """
      EXAMPLES:
        metatag undo                           the last run
        metatag undo 7                         run 7, as 'metatag log' counts them
        metatag undo --dry-run

      A photo that something else changed after the run is left alone and named.
      """)

  @Argument(help: ArgumentHelp("Which run; without it, the last one.", valueName: "run"))
  var number: Int?

  @Flag(name: [.customShort("n"), .long], help: "Only show what would change.")
  var dryRun = false

  @OptionGroup var output: OutputOptions
}
