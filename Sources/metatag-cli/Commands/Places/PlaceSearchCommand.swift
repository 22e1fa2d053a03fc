import ArgumentParser
import GeoIndex
import Foundation
import MetaTag

/// `metatag place search`: searches places by name, in any script and spelling.
struct PlaceSearchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Search places by name, in any script and spelling.",
    usage: "metatag place search [<name> ...] [<options>]",
    discussion: """
      EXAMPLES:
        metatag place search kyoto
        metatag place search 京都
        metatag place search --limit 3 san franc
        metatag place search "Springfield, Illinois"
        metatag place search --near 43.65,-79.38 --language de london
        metatag place search museums in Berlin
        metatag place search Blue Mosque Istanbul
        metatag place search --near 48.86,2.34 --kind sight tower
        metatag place search --kind airport NRT
        metatag place search @home
        metatag place search 35°00′41.8″N 135°46′05″E
        metatag place search "9G8F+6X Zürich"

      A name may be in any language, slightly misspelled or incomplete, and followed
      by its town, region or country. A kind of places lists them. Codes of airports
      and countries, coordinates, Plus Codes, geo: URIs and map links work too. The
      most likely place comes first, and pins ('metatag place pin') before others of
      the same name. Imported places ('metatag place import') are ranked with the
      gazetteer's; their import, category or region can follow the name. If no place
      has that name, at most five similar names are listed. The gazetteer has no
      street addresses: use coordinates or a map link.

      With --jsonl -, each line of standard input is a request such as {"query":
      "kyoto", "near": [35.0, 135.7], "in": ["JP"], "kinds": ["city"], "language":
      "en", "limit": 5, "offset": 0, "prefix": true}; everything except the query is
      optional, and a limit of 0 means all. One line is printed for each, in the
      same order: {"matchKind":…,"results":[…]} or {"error":…}. "matchKind" is
      "exact", "likely", "similar" (no place has the name, or several may be
      meant) or "none".

      If there are no names in the language, names in a related one (en for en@shaw)
      or the usual ones are shown. A warning says so, and in JSON
      "languageFallback":true.

      Exit status: 1 if no place has the name.
      """)

  @Argument(help: ArgumentHelp("Name to search for.", valueName: "name"), transform: TextArgument.argument)
  var words: [TextArgument] = []

  @Option(help: ArgumentHelp("Show at most this many places; 0 is all.", valueName: "count"))
  var limit = 10

  @Option(
    help: ArgumentHelp("Prefer places near these coordinates, or near a pin.", valueName: "lat,lon"),
    transform: Coordinate.argument)
  var near: Coordinate?

  @Option(
    name: .customLong("in"), help: ArgumentHelp("Only in these countries: JP,South Korea.", valueName: "countries"))
  var countries: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only these kinds, or groups of kinds: museum, lakes, nature.", valueName: "kinds"),
    transform: Place.Kind.searched)
  var kind: [Set<Place.Kind>] = []

  @Option(help: ArgumentHelp("Preferred language of names: de, ja, zh-TW.", valueName: "language"))
  var language: String?

  @Flag(help: "Print one JSON document.")
  var json = false

  @Option(help: ArgumentHelp("Answer requests from standard input, one JSON object per line.", valueName: "-"))
  var jsonl: String?

  /// The name to search for.
  var text: String { words.map(\.text).joined(separator: " ") }

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit takes 0 or more, not \(limit).") }
    if let jsonl, jsonl != "-" { throw ValidationError("--jsonl takes - (standard input), not \(jsonl).") }
    if (jsonl == nil) == words.isEmpty { throw ValidationError("Give a name, or --jsonl - for requests.") }
  }

  func run() async throws {
    let console = Console(environment: ProcessInfo.processInfo.environment)
    let index = try Gazetteer.opened(console: console)
    var languages = DisplayLanguages(index)
    if jsonl != nil {
      return try RequestLines().answer(on: console) { line, bytes, writer in
        PlaceRequest.answer(line, in: bytes, index: index, &languages, to: &writer)
      }
    }
    let shown = try languages(language)
    if let warning = shown.warning(wanted: language) { console.warn("metatag: \(warning)") }
    let results = try results(index, shown.tag)
    let match = MatchKind(of: results)
    let mayBeMeant = results.first.map { $0.matchKind != .similar } ?? false
    if json {
      var writer = JSONWriter(.pretty)
      results.write(to: &writer, match, shown)
      console.write(writer.take())
    } else if results.isEmpty {
      console.warn(Gazetteer.unknown(text))
    } else {
      if match == .similar { console.warn(mayBeMeant ? "Several places may be meant." : "No match. Similar names:") }
      console.print(table(of: results))
    }
    try console.finish()
    if match == .none || match == .similar && !mayBeMeant { throw ExitCode(1) }
  }

  private func results(_ index: Gazetteer, _ language: String?) throws -> [SearchResult] {
    do {
      return try index.search(
        text, near: near.map { ($0.latitude, $0.longitude) },
        in: Set(countries.flatMap { $0.split(separator: ",") }.map { $0.trimmingCharacters(in: .whitespaces) }),
        kinds: Set(kind.joined()), language: language,
        limit: limit == 0 ? .max : limit)
    } catch {
      throw SetupError(error.words, isUsage: error.code == .unknownCountry)
    }
  }

  private func table(of results: [SearchResult]) -> Table {
    var table = Table([
      .init("NAME", .left, .atEnd(10)), .init("KIND", .left, .atEnd(4)), .init("MATCH", .left),
      .init("REGION", .left, .atEnd(6)),
      .init("COUNTRY", .left, .atEnd(6)), .init("POPULATION", .right), .init("LATITUDE", .right),
      .init("LONGITUDE", .right), .init("ZONE", .left, .atEnd(6)),
    ])
    for result in results {
      let place = result.place
      let alias = place.matchedName == result.name ? "" : " (\(place.matchedName.printable))"
      table.add([
        result.name + alias, place.kind.rawValue, result.matchKind.rawValue, result.admin1 ?? "", result.country,
        place.population == 0 ? "" : "\(place.population)", "\(place.latitude)", "\(place.longitude)", place.timeZone,
      ])
    }
    return table
  }
}
