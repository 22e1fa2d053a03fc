import ArgumentParser
import GeoIndex

/// `metatag place`: searches places offline; manages own places.
struct PlaceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "place",
    abstract: "Search places offline; manage your own.",
    discussion: """
      EXAMPLES:
        metatag place search kyoto
        metatag place at 35.0116,135.7681
        metatag place near 35.0116,135.7681 --radius 20km
        metatag place pick
        metatag place import huts.csv
        metatag place pin home 31.2,121.4
        metatag place prepare /usr/local/share
      """,
    subcommands: [
      PlaceSearchCommand.self, PlaceAtCommand.self, PlaceNearCommand.self, PlacePickCommand.self,
      PlaceImportCommand.self, PlaceUpdateCommand.self, PlaceSourcesCommand.self, PlaceRemoveCommand.self,
      PlacePinCommand.self, PlacePinsCommand.self, PlaceUnpinCommand.self, PlaceRecentCommand.self,
      PlacePrepareCommand.self,
    ])
}

/// `metatag place remove`: removes an import of own places.
struct PlaceRemoveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove an import of your own places.",
    discussion: """
      EXAMPLES:
        metatag place remove huts

      Exit status: 2 if there is no such import.
      """)

  @Argument(
    help: ArgumentHelp("Name of the import; see 'metatag place sources'.", valueName: "source"),
    transform: TextArgument.argument)
  var source: TextArgument

  func run() async throws {
    let console = Console()
    guard try UserPlaces.ifAny() != nil, let count = try UserPlaces.opened().remove(source: source.text) else {
      throw SetupError("no import is named '\(source.text.printable)'; 'metatag place sources' lists them")
    }
    console.print("\(count.pluralized("place")) of '\(source.text.printable)' removed")
    try console.finish()
  }
}
