import ArgumentParser

struct PlaceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "place",
    abstract: "Look places up, offline; keep your own.",
    discussion: """
      EXAMPLES:
        metatag place search kyoto
        metatag place at 35.0116,135.7681
        metatag place near 35.0116,135.7681 --radius 20km
        metatag place pick
        metatag place import huts.csv
        metatag place pin home 31.2,121.4
      """,
    subcommands: [
      PlaceSearchCommand.self, PlaceAtCommand.self, PlaceNearCommand.self, PlacePickCommand.self,
      PlaceImportCommand.self, PlaceSourcesCommand.self, PlaceRemoveCommand.self, PlacePinCommand.self,
      PlacePinsCommand.self, PlaceUnpinCommand.self, PlaceRecentCommand.self,
    ])
}
