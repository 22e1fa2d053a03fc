import ArgumentParser
import GeoIndex
import Foundation
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

  func run() async throws {
    let console = Console(environment: ProcessInfo.processInfo.environment)
    let nearest = try GeoIndex.opened(telling: console)
      .nearest(latitude: coordinate.latitude, longitude: coordinate.longitude)
    if json {
      var writer = JSONWriter(.pretty)
      writer.object { writer in
        writer.member("country", nearest?.place.countryCode)
        if let nearest {
          writer.key("locality")
          nearest.place.write(to: &writer, distance: nearest.distance, bearing: nearest.bearing)
        }
      }
      writer.endLine()
      console.write(writer.take())
    } else if let nearest {
      console.print("\(nearest.words) \(nearest.place.line)")
    } else {
      console.complain("no place within 200 km of \(coordinate)")
    }
    try console.finish()
    if nearest == nil { throw ExitCode(1) }
  }
}
