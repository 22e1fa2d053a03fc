import ArgumentParser
import MetaTag

struct PlaceAtCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "at",
    abstract: "Say which town and country a position is in or near.",
    discussion: """
      EXAMPLES:
        metatag place at 35.0116,135.7681
        metatag place at -33.8568,151.2153
      """)

  @Argument(
    help: ArgumentHelp("Coordinates in WGS 84.", valueName: "lat,lon"), transform: Coordinate.argument)
  var coordinate: Coordinate

  @Flag(help: "Answer as one JSON document.")
  var json = false
}
