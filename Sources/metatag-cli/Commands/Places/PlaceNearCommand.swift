import ArgumentParser
import GeoIndex
import Foundation
import MetaTag

/// `metatag place near`: lists the places near a location, nearest first.
struct PlaceNearCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "near",
    abstract: "List the places near a location, nearest first.",
    usage: "metatag place near <lat,lon> [<options>]",
    discussion: """
      EXAMPLES:
        metatag place near 35.0116,135.7681
        metatag place near 35.0116,135.7681 --radius 50km --kind airport
        metatag place near 48.2,16.4 --radius 80km --kind city,capital
        metatag place near 48.86,2.34 --radius 2km --kind museums
        metatag place near @home --kind own

      A lake, park or other area is as far away as its edge.

      Exit status: 1 if no place is found.

      Kinds of the groups settlement, region, nature, sight, transport, service and
      other:
        \(Place.Kind.lines("  "))
      """)

  @Argument(
    help: ArgumentHelp("Coordinates (WGS 84), or a pin.", valueName: "lat,lon"), transform: Coordinate.argument)
  var coordinate: Coordinate

  @Option(
    help: ArgumentHelp("Search radius: 500m, 20km, 5mi. (default: 20km)", valueName: "distance"),
    transform: Measure.metres)
  var radius = 20_000.0

  @Option(
    help: ArgumentHelp(
      "Only these kinds, or groups of kinds: museum, lakes, nature.", valueName: "kinds"),
    transform: Place.Kind.arguments)
  var kind: [Set<Place.Kind>] = []

  @Option(help: ArgumentHelp("Show at most this many places; 0 is all.", valueName: "count"))
  var limit = 20

  @Flag(help: "Print one JSON document.")
  var json = false

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit takes 0 or more, not \(limit).") }
  }

  func run() async throws {
    let console = Console(environment: ProcessInfo.processInfo.environment)
    let places = try Gazetteer.opened(console: console).near(
      latitude: coordinate.latitude, longitude: coordinate.longitude, within: radius,
      kinds: Set(kind.joined()), limit: limit == 0 ? .max : limit)
    if json {
      var writer = JSONWriter(.pretty)
      writer.object { writer in
        writer.key("results")
        writer.array { writer in
          for near in places { near.place.write(to: &writer, distance: near.distance, bearing: near.bearing) }
        }
      }
      writer.endLine()
      console.write(writer.take())
    } else if places.isEmpty {
      console.warn("no place is within \(radius / 1_000) km of \(coordinate)")
    } else {
      var table = Table([
        .init("KM", .right), .init("NAME", .left, .atEnd(10)), .init("KIND", .left, .atEnd(4)),
        .init("REGION", .left, .atEnd(6)), .init("COUNTRY", .left, .atEnd(6)), .init("POPULATION", .right),
      ])
      for near in places {
        table.add([
          "\((near.distance / 100).rounded() / 10)", near.place.name, near.place.kind.rawValue,
          near.place.admin1 ?? "", near.place.country,
          near.place.population == 0 ? "" : "\(near.place.population)",
        ])
      }
      console.print(table)
    }
    try console.finish()
    if places.isEmpty { throw ExitCode(1) }
  }
}
