import ArgumentParser
import Foundation
import GeoIndex
import MetaTag

struct PlacePickCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pick",
    abstract: "Pick a place on the terminal, while typing its name.",
    discussion: """
      EXAMPLES:
        metatag place pick
        metatag geotag --place "$(metatag place pick)" *.JPG
        metatag place pick --near @home --language de --json

      Type a name; arrows choose, enter takes, escape leaves. With nothing typed, the places chosen lately and the pins are \
      offered. The place's coordinates are printed, with its altitude if you recorded one, which --place, --at and --near take. Exit status 1: nothing was picked; \
      2: there is no terminal.
      """)

  @Option(
    help: ArgumentHelp("Prefer places near these coordinates, or a pin.", valueName: "lat,lon"),
    transform: Coordinate.argument)
  var near: Coordinate?

  @Option(help: ArgumentHelp("Say names in this language: de, ja, zh-TW.", valueName: "language"))
  var language: String?

  @Flag(help: "Don't remember the place among the recent ones.")
  var noRecent = false

  @Flag(help: "Print the place as one JSON document.")
  var json = false

  func run() async throws {
    let environment = ProcessInfo.processInfo.environment
    let console = Console(environment: environment)
    let index = try Gazetteer.opened(console: console)
    let own = try UserPlaces.ifAny()
    let picker = PlacePicker(
      completion: PlaceCompletion(
        index, near: near.map { ($0.latitude, $0.longitude) }, language: language, limit: 30),
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
