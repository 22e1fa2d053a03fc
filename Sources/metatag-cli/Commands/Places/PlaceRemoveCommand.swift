import ArgumentParser
import GeoIndex

struct PlaceRemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove an import of your own places.",
    discussion: """
      EXAMPLES:
        metatag place remove huts
      """)

  @Argument(
    help: ArgumentHelp("The import's name; see 'metatag place sources'.", valueName: "source"),
    transform: TextArgument.argument)
  var source: TextArgument

  func run() async throws {
    let console = Console()
    guard try UserPlaces.ifAny() != nil, let count = try UserPlaces.opened().remove(source: source.text) else {
      throw SetupError("no import is called '\(source.text.printable)'; 'metatag place sources' lists them")
    }
    console.print("\(count.pluralized("place")) of '\(source.text.printable)' removed")
    try console.finish()
  }
}
