import ArgumentParser
import GeoIndex
import Foundation

struct PlaceSearchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Find a place by its name, or the beginning of it, in any script.",
    discussion: """
      EXAMPLES:
        metatag place search kyoto
        metatag place search 京都
        metatag place search --limit 3 san fran

      Case and accents don't matter. The likeliest place comes first. Exit status 1: nothing found.
      """)

  @Argument(help: ArgumentHelp("The name.", valueName: "name"))
  var words: [TextArgument]

  @Option(help: ArgumentHelp("Show so many places at most; 0 is all.", valueName: "count"))
  var limit = 10

  @Flag(help: "Answer as one JSON document.")
  var json = false

  /// The name that is looked for.
  var text: String { words.map(\.text).joined(separator: " ") }

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit takes 0 or more, not \(limit).") }
  }

  func run() async throws {
    let console = Console(environment: ProcessInfo.processInfo.environment)
    let places = try GeoIndex.opened(telling: console).search(text, limit: limit == 0 ? .max : limit)
    if json {
      var writer = JSONWriter(.pretty)
      writer.object { writer in
        writer.key("results")
        writer.array { writer in places.forEach { $0.write(to: &writer) } }
      }
      writer.endLine()
      console.write(writer.take())
    } else {
      var table = Table([
        .init("NAME"), .init("REGION"), .init("COUNTRY"), .init("POPULATION", .right), .init("LATITUDE", .right),
        .init("LONGITUDE", .right), .init("ZONE"),
      ])
      for place in places {
        let alias = place.matchedName == place.name ? "" : " (\(place.matchedName))"
        table.add([
          place.name + alias, place.admin1 ?? "", place.country, "\(place.population)", "\(place.latitude)",
          "\(place.longitude)", place.timeZone,
        ])
      }
      if places.isEmpty {
        console.complain("no place is called '\(text.printable)'")
      } else {
        table.lines.forEach { console.print($0) }
      }
    }
    try console.finish()
    if places.isEmpty { throw ExitCode(1) }
  }
}
