import ArgumentParser

struct LogCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "List the runs that changed photos, the last one first.",
    discussion: """
      EXAMPLES:
        metatag log
        metatag log --limit 0 --json
      """)

  @Option(help: ArgumentHelp("Show so many runs at most; 0 is all.", valueName: "count"))
  var limit = 20

  @Flag(help: "Answer as one JSON document.")
  var json = false

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit takes 0 or more, not \(limit).") }
  }
}
