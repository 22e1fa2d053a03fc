import ArgumentParser

struct PlaceSearchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Find a place by its name, or the beginning of it, in any script.",
    discussion: """
      EXAMPLES:
        metatag place search kyoto
        metatag place search 京都
        metatag place search --limit 3 san fran

      Case and accents don't matter. The likeliest place comes first. Exit status 1: nothing found.
      """)

  @Argument(help: ArgumentHelp("The name.", valueName: "name"))
  var words: [TextArgument]

  @Option(help: ArgumentHelp("Show so many places at most; 0 is all.", valueName: "count"))
  var limit = 10

  @Flag(help: "Answer as one JSON document.")
  var json = false

  /// The name that is looked for.
  var text: String { words.map(\.text).joined(separator: " ") }

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit takes 0 or more, not \(limit).") }
  }
}
