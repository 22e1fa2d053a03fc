import ArgumentParser

struct PlaceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "place",
    abstract: "Look places up, offline.",
    discussion: """
      EXAMPLES:
        metatag place search kyoto
        metatag place at 35.0116,135.7681
        metatag place near 35.0116,135.7681 --radius 20km
      """,
    subcommands: [PlaceSearchCommand.self, PlaceAtCommand.self, PlaceNearCommand.self])
}
