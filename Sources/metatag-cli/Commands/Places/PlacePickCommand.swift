import ArgumentParser
import Foundation
import GeoIndex
import MetaTag

/// `metatag place pick`: picks a place in the terminal while typing its name.
struct PlacePickCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pick",
    abstract: "Pick a place in the terminal while typing its name.",
    discussion: """
      EXAMPLES:
        metatag place pick
        metatag geotag --place "$(metatag place pick)" *.JPG
        metatag place pick --near @home --language de --json

      Type a name, choose with the arrow keys, accept with Enter, leave with Escape.
      Before you type, your recent places and pins are offered. metatag prints the
      coordinates, and the altitude if you recorded one, for use with --place, --at
      and --near.

      Exit status: 1 if nothing was picked, 2 without a terminal.
      """)

  @Option(
    help: ArgumentHelp("Prefer places near these coordinates, or near a pin.", valueName: "lat,lon"),
    transform: Coordinate.argument)
  var near: Coordinate?

  @Option(help: ArgumentHelp("Preferred language of names: de, ja, zh-TW.", valueName: "language"))
  var language: String?

  @Flag(help: "Don't add the place to the recent places.")
  var noRecent = false

  @Flag(help: "Print the place as one JSON document.")
  var json = false

  func run() async throws {
    let environment = ProcessInfo.processInfo.environment
    let console = Console(environment: environment)
    let index = try Gazetteer.opened(console: console)
    let own = try UserPlaces.ifAny()
    var query = PlaceQuery("")
    query.near = near.map { PlaceQuery.Position($0) }
    (query.language, query.limit) = (language, 30)
    let picker = PlacePicker(
      completion: PlaceCompletion(index, query),
      recents: try own?.recents() ?? [], pins: try own?.pins() ?? [], environment: environment)
    guard let place = try await picker.pick() else { throw ExitCode(1) }
    if !noRecent { UserPlaces.remember(place, console: console) }
    if json {
      var writer = JSONWriter(.pretty)
      place.write(to: &writer)
      writer.endLine()
      console.write(writer.take())
    } else {
      let altitude = place.own?.altitude.map { ",\($0)" } ?? ""
      console.print("\(place.latitude),\(place.longitude)\(altitude)")
    }
    try console.finish()
  }
}
