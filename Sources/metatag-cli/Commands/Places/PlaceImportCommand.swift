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

      'place search', 'place pick', 'place near', 'place at' and 'geotag --place'
      then find these places together with those of the gazetteer, ranked by how
      well they match and how well known they are. A place that several have is
      found once. 'place pin' is for places that come first. Importing again under
      the same name replaces the earlier import; --source gives another name, and
      'place remove' removes an import. If one entry is invalid, nothing is
      imported, unless you give --skip-bad-rows.

      A table needs headings in its first row: name, latitude and longitude (or
      coordinates). Optional: id, alternate names, altitude, radius (in metres),
      country, region, category, population, time zone; name:de is the name in
      German. Angles are decimal or in degrees, minutes and seconds. From GPX, the
      waypoints are imported; from KML and GeoJSON, everything with a point, and
      lines and areas with a name. Tracks, routes and others are only counted. A
      country or time zone that the file doesn't give is determined by borders.

      Exit status: 2 if nothing was imported. Earlier imports then stay.
      """)

  @Argument(help: ArgumentHelp("File in UTF-8 or UTF-16; XML in any encoding that it declares.", valueName: "file"))
  var file: PathArgument

  @Option(
    help: ArgumentHelp("Name of the import. (default: the file name without its extension)", valueName: "name"),
    transform: TextArgument.argument)
  var source: TextArgument?

  @OptionGroup var options: PlaceImportOptions

  func run() async throws {
    let console = Console(environment: ProcessInfo.processInfo.environment)
    let importing = PlaceImporting(
      file: file.path, source: source?.text ?? file.path.stem ?? "", options: options)
    try importing.run(into: try UserPlaces.opened(), console)
    try console.finish()
  }
}

/// `metatag place update`: replaces an import by a newer file.
struct PlaceUpdateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Replace an import by the places of a newer file.",
    usage: "metatag place update <source> [<file>] [<options>]",
    discussion: """
      EXAMPLES:
        metatag place update alps alps-2026.osm.pbf
        metatag place update huts

      If the file can't be imported, the earlier import stays. Programs that are
      running keep the places that they have.

      Exit status: 2 if nothing was imported.
      """)

  @Argument(
    help: ArgumentHelp("Name of the import; see 'metatag place sources'.", valueName: "source"),
    transform: TextArgument.argument)
  var source: TextArgument

  @Argument(help: ArgumentHelp("The newer file. (default: the file that was imported)", valueName: "file"))
  var file: PathArgument?

  @OptionGroup var options: PlaceImportOptions

  func run() async throws {
    let console = Console(environment: ProcessInfo.processInfo.environment)
    guard let former = try UserPlaces.ifAny()?.sources().first(where: { $0.name == source.text }) else {
      throw SetupError("no import is named '\(source.text.printable)'; 'metatag place sources' lists them")
    }
    let importing = PlaceImporting(
      file: file?.path ?? FilePath(former.file), source: source.text, options: options)
    try importing.run(into: try UserPlaces.opened(), console)
    try console.finish()
  }
}

/// The options of `import` and `update`.
struct PlaceImportOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Kind of the places, if the file doesn't give one: hut, museum. (default: own, or the former kind)",
      valueName: "kind"),
    transform: Place.Kind.argument)
  var kind: Place.Kind?

  @Flag(help: "Skip invalid entries and import the rest.")
  var skipBadRows = false

  @Flag(help: "Print one JSON document.")
  var json = false
}

/// One import of a file, as the commands `import` and `update` do it.
private struct PlaceImporting {
  let file: FilePath
  let source: String
  let options: PlaceImportOptions

  func run(into own: UserPlaces, _ console: Console) throws {
    let index = try Gazetteer.opened(console: console)
    let former = try own.sources().first { $0.name == source }
    let report = try read(into: own, as: options.kind ?? former?.kind ?? .own, index, console)
    guard report.imported > 0 else {
      throw SetupError("\(file.printable): nothing was imported, and earlier imports stay: \(report.failure)")
    }
    if let former, former.file != URL(filePath: file.string).standardizedFileURL.path(percentEncoded: false) {
      console.warn("replaces \(former.count.pluralized("place")) of \(former.file.printable)")
    }
    for flaw in report.flaws { console.warn("skipped: \(flaw.printable)") }
    if report.bad > report.flaws.count { console.warn("skipped: \(report.bad - report.flaws.count) more") }
    if options.json { write(report, console) } else { print(report, console) }
  }

  private func write(_ report: PlaceImport.Report, _ console: Console) {
    var writer = JSONWriter(.pretty)
    writer.object { writer in
      writer.member("source", source)
      writer.member("format", report.format)
      writer.member("imported", report.imported)
      writer.member("known", report.known)
      writer.member("duplicates", report.duplicates)
      writer.member("shapes", report.shapes)
      writer.member("unplaced", report.unplaced)
      writer.member("bad", report.bad)
      if let terms = report.terms { terms.write(to: &writer) }
    }
    writer.endLine()
    console.write(writer.take())
  }

  private func print(_ report: PlaceImport.Report, _ console: Console) {
    let others = [
      (report.duplicates, "twice", "twice"), (report.shapes, "line or area", "lines and areas"),
      (report.unplaced, "not placeable", "not placeable"), (report.bad, "bad", "bad"),
    ]
    .filter { $0.0 > 0 }.map { $0.0.pluralized($0.1, $0.2) }
    console.print(
      "\(report.imported.pluralized("place")) imported as '\(source.printable)' (\(report.format))"
        + (others.isEmpty ? "" : "; left out: " + others.joined(separator: ", ")))
    if report.known > 0 {
      console.print("Also in the gazetteer or another import, and found once: \(report.known)")
    }
    if let terms = report.terms { console.print("Source: \(terms.attribution), \(terms.licence)") }
  }

  private func read(
    into own: UserPlaces, as kind: Place.Kind, _ index: Gazetteer, _ console: Console
  ) throws -> PlaceImport.Report {
    defer { console.endProgress() }
    var choices = PlaceImport(source: source)
    choices.kind = kind
    choices.skipsBadEntries = options.skipBadRows
    var (isReading, isIndexing) = (false, false)
    do {
      return try own.importPlaces(from: URL(filePath: file.string), choices, in: index, at: .now) { progress in
        switch progress {
        case .reading(let read, let size):
          guard size > 0 else { return }
          if !isReading { console.begin(Progress(total: (size + 1_023) / 1_024, unit: "KB")) }
          isReading = true
          console.advance(to: (read + 1_023) / 1_024)
        case .indexing(let share):
          if !isIndexing {
            console.endProgress()
            console.begin(Progress(total: 100, unit: "% of the index"))
          }
          isIndexing = true
          console.advance(to: Int(share * 100))
        }
      }
    } catch {
      throw SetupError(
        "\(file.printable): \(error.words.split(separator: "\n").map { String($0).printable }.joined(separator: "\n"))"
      )
    }
  }
}

extension PlaceTerms {
  func write(to writer: inout JSONWriter) {
    writer.member("licence", licence)
    writer.member("attribution", attribution)
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
