import ArgumentParser
import Foundation
import GeoIndex
import SystemPackage

/// `metatag place import`: imports places from a file.
struct PlaceImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import places from a file: your own, or OpenStreetMap's, GeoNames' or others.",
    usage: "metatag place import <file> [<options>]",
    discussion: """
      EXAMPLES:
        metatag place import huts.csv
        metatag place import --source alps --kind locality huts.geojson
        metatag place import --skip-bad-rows waypoints.gpx
        metatag place import liechtenstein-latest.osm.pbf

      FORMATS:
        CSV, TSV                  a table with headings
        GeoJSON, GeoJSONSeq       also as Overture Maps writes it
        KML, KMZ, GPX             placemarks and waypoints
        OSM PBF                   OpenStreetMap: what has a name and a known tag
        GeoNames                  allCountries.txt, cities500.txt, postal codes
        Wikidata                  results of its query service in CSV, TSV or JSON

      The format is detected by the content. A zip archive is read directly.
      Documentation/PLACES.md describes what is read, and how kinds are found.

      Imported places are preferred to those of the gazetteer in 'place search',
      'place pick', 'place near', 'place at' and 'geotag --place'. Importing again
      under the same name replaces the earlier import; --source gives another name,
      and 'place remove' removes an import. If one entry is invalid, nothing is
      imported, unless you give --skip-bad-rows.

      A table needs headings in its first row: name, latitude and longitude (or
      coordinates). Optional: id, alternate names, altitude, radius (in metres),
      country, region, category, population, time zone; name:de is the name in
      German. Angles are decimal or in degrees, minutes and seconds. From GPX, the
      waypoints are imported; from KML and GeoJSON, everything with a point, and
      lines and areas with a name. Tracks, routes and others are only counted. A
      country or time zone that the file doesn't give is determined by borders.
      """)

  @Argument(help: ArgumentHelp("File in UTF-8 or UTF-16; XML in any encoding that it declares.", valueName: "file"))
  var file: PathArgument

  @Option(
    help: ArgumentHelp("Name of the import. (default: the file name without its extension)", valueName: "name"),
    transform: TextArgument.argument)
  var source: TextArgument?

  @Option(
    help: ArgumentHelp(
      "Kind of the places, if the file doesn't give one: hut, museum. (default: own)",
      valueName: "kind"),
    transform: Place.Kind.argument)
  var kind = Place.Kind.own

  @Flag(help: "Skip invalid entries and import the rest.")
  var skipBadRows = false

  @Flag(help: "Print one JSON document.")
  var json = false

  func run() async throws {
    let console = Console(environment: ProcessInfo.processInfo.environment)
    let name = source?.text ?? file.path.stem ?? ""
    var options = PlaceImport(source: name)
    options.kind = kind
    options.skipsBadEntries = skipBadRows
    let index = try Gazetteer.opened(console: console)
    let own = try UserPlaces.opened()
    let former = try own.sources().first { $0.name == name }
    let report = try read(into: own, options, index, console)
    guard report.imported > 0 else {
      throw SetupError("\(file.path.printable): nothing was imported, and earlier imports stay: \(report.failure)")
    }
    if let former, former.file != URL(filePath: file.path.string).standardizedFileURL.path(percentEncoded: false) {
      console.warn("replaces \(former.count.pluralized("place")) of \(former.file.printable)")
    }
    for flaw in report.flaws { console.warn("skipped: \(flaw.printable)") }
    if report.bad > report.flaws.count { console.warn("skipped: \(report.bad - report.flaws.count) more") }
    if json {
      var writer = JSONWriter(.pretty)
      writer.object { writer in
        writer.member("source", name)
        writer.member("format", report.format)
        writer.member("imported", report.imported)
        writer.member("duplicates", report.duplicates)
        writer.member("shapes", report.shapes)
        writer.member("unplaced", report.unplaced)
        writer.member("bad", report.bad)
      }
      writer.endLine()
      console.write(writer.take())
    } else {
      let others = [
        (report.duplicates, "twice", "twice"), (report.shapes, "line or area", "lines and areas"),
        (report.unplaced, "not placeable", "not placeable"), (report.bad, "bad", "bad"),
      ]
      .filter { $0.0 > 0 }.map { $0.0.pluralized($0.1, $0.2) }
      console.print(
        "\(report.imported.pluralized("place")) imported as '\(name.printable)' (\(report.format))"
          + (others.isEmpty ? "" : "; left out: " + others.joined(separator: ", ")))
      if let terms = report.terms { console.print("Source: \(terms.attribution), \(terms.licence)") }
    }
    try console.finish()
  }

  private func read(
    into own: UserPlaces, _ options: PlaceImport, _ index: Gazetteer, _ console: Console
  ) throws -> PlaceImport.Report {
    defer { console.endProgress() }
    var hasBegun = false
    do {
      return try own.importPlaces(from: URL(filePath: file.path.string), options, in: index, at: .now) { read, size in
        guard size > 0 else { return }
        if !hasBegun { console.begin(Progress(total: (size + 1_023) / 1_024, unit: "KB")) }
        hasBegun = true
        console.advance(to: (read + 1_023) / 1_024)
      }
    } catch {
      throw SetupError(
        "\(file.path.printable): \(error.words.split(separator: "\n").map { String($0).printable }.joined(separator: "\n"))"
      )
    }
  }
}

extension PlaceImport.Report {
  /// The reason why no place was imported.
  fileprivate var failure: String {
    if bad > 0 { return "none of its entries is a valid place:" + flaws.map { "\n  \($0.printable)" }.joined() }
    if unplaced > 0 { return "nothing in it has a name and a position" }
    return shapes > 0 ? "it has only tracks, routes, lines or areas" : "it has no entries"
  }
}
