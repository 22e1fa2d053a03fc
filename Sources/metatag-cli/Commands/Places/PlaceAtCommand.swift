import ArgumentParser
import GeoIndex
import Foundation
import MetaTag

/// `metatag place at`: shows the country, region and town at a location.
struct PlaceAtCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "at",
    abstract: "Show the country, region and town at a location.",
    discussion: """
      EXAMPLES:
        metatag place at 35.0116,135.7681
        metatag place at --json -33.8568,151.2153

      Country and time zone are determined by borders, never by the nearest town.
      One of your own places is named if the location is within its radius (250 m
      unless its file says otherwise).

      With --jsonl -, each line of standard input is a request such as
      {"latitude":35.0,"longitude":135.7}; one line is printed for each, in the same
      order. With "areas":true, the answer has the parks, islands, lakes and other
      areas that the position lies in, the smallest first.

      Exit status: 1 if nothing is known about the location.
      """)

  @Argument(
    help: ArgumentHelp("Coordinates (WGS 84), or a pin.", valueName: "lat,lon"), transform: Coordinate.argument)
  var coordinate: Coordinate?

  @Flag(help: "Print one JSON document.")
  var json = false

  @Option(help: ArgumentHelp("Answer requests from standard input, one JSON object per line.", valueName: "-"))
  var jsonl: String?

  func validate() throws { try Self.check(coordinate, jsonl: jsonl) }

  /// Checks that there is either a position or `--jsonl -`.
  static func check(_ coordinate: Coordinate?, jsonl: String?) throws {
    if let jsonl, jsonl != "-" { throw ValidationError("--jsonl takes - (standard input), not \(jsonl).") }
    if (jsonl == nil) == (coordinate == nil) { throw ValidationError("Give a position, or --jsonl - for requests.") }
  }

  func run() async throws {
    let console = Console(environment: ProcessInfo.processInfo.environment)
    let index = try Gazetteer.opened(console: console)
    guard let coordinate else { return try answer(index, console) }
    let place = try index.reverse(latitude: coordinate.latitude, longitude: coordinate.longitude)
    let own = try index.ownPlace(latitude: coordinate.latitude, longitude: coordinate.longitude)
    let areas = try index.areasOfInterest(latitude: coordinate.latitude, longitude: coordinate.longitude)
    let isKnown = own != nil || place.countryCode != nil || place.seaName != nil || place.offCoastOf != nil
    if json {
      var writer = JSONWriter(.pretty)
      place.write(to: &writer, own: own, areas: areas)
      writer.endLine()
      console.write(writer.take())
    } else if isKnown {
      if let own { console.print("own   \(own.place.name.printable)") }
      console.print(place.line)
      if let city = place.city, city.id != place.locality?.id { console.print("city  \(city.name)") }
      if let county = place.county { console.print("county  \(county)") }
      if !areas.isEmpty { console.print("in    \(areas.map(\.name).joined(separator: ", "))") }
      if !place.zones.isEmpty { console.print("zone  \(place.zones.joined(separator: ", "))") }
    } else {
      console.warn("nothing is known about \(coordinate)")
    }
    try console.finish()
    if !isKnown { throw ExitCode(1) }
  }

  private func answer(_ index: Gazetteer, _ console: Console) throws {
    var (requests, mayBeOwn) = (PositionRequests(), true)
    try RequestLines().answer(on: console) { lines, bytes in
      requests = PositionRequests(lines, in: bytes)
      mayBeOwn = index.mayHaveOwnPlaces
    } _: { line, bytes, writer in
      let usual = requests.take(line, prefetchingFrom: index)
      PositionRequest.answer(line, in: bytes, usual, to: &writer) { request in
        let own = try mayBeOwn ? index.ownPlace(latitude: request.latitude, longitude: request.longitude) : nil
        let areas =
          try request.areas == true
          ? index.areasOfInterest(latitude: request.latitude, longitude: request.longitude) : nil
        return (
          place: try index.reverse(latitude: request.latitude, longitude: request.longitude), own: own, areas: areas
        )
      } write: { found, writer in
        found.place.write(to: &writer, own: found.own, areas: found.areas)
      }
    }
  }
}
