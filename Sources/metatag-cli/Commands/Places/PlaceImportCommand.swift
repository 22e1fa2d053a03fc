import ArgumentParser
import Foundation
import GeoIndex
import SystemPackage

struct PlaceImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import your own places from CSV, TSV, GeoJSON, KML or GPX.",
    usage: "metatag place import <file> [<options>]",
    discussion: """
      EXAMPLES:
        metatag place import huts.csv
        metatag place import --source alps --kind locality huts.geojson
        metatag place import --skip-bad-rows waypoints.gpx

      From then on they come before the gazetteer's places wherever a place is looked for: 'place search', 'place pick', \
      'place near', 'place at', 'geotag --place'. Importing under the same name again replaces what was there, which is told if \
      it came from another file (--source gives another name); 'place remove' takes it away. All of a file is imported or, if one entry can't be a place, nothing, unless --skip-bad-rows is given.

      A table has headings in its first row: name, latitude and longitude (or coordinates), and perhaps id, alternate names, \
      altitude, radius (in metres), country, region, category, population, time zone; name:de is one more name. Angles are \
      decimal or have minutes and seconds. Of GPX the waypoints are taken, of KML and GeoJSON what has a point; tracks, routes, lines and areas \
      are counted. A file without a place is refused. Countries and time zones that a file doesn't tell come from the gazetteer's borders.
      """)

  @Argument(help: ArgumentHelp("The file, in UTF-8 or UTF-16; XML also in what it declares.", valueName: "file"))
  var file: PathArgument

  @Option(
    help: ArgumentHelp("What to call the import. (default: the file's name without its ending)", valueName: "name"),
    transform: TextArgument.argument)
  var source: TextArgument?

  @Option(
    help: ArgumentHelp(
      "What the places are, if the file doesn't say: \(Place.Kind.list(Place.Kind.lasting)). (default: own)",
      valueName: "kind"),
    transform: Place.Kind.argument)
  var kind = Place.Kind.own

  @Flag(help: "Leave out what can't be a place, and import the rest.")
  var skipBadRows = false

  @Flag(help: "Answer as one JSON document.")
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
      throw SetupError("\(file.path.printable): nothing is imported, and what was stays: \(report.lack)")
    }
    if let former, former.file != URL(filePath: file.path.string).standardizedFileURL.path(percentEncoded: false) {
      console.warn("replaces \(former.count.pluralized("place")) of \(former.file.printable)")
    }
    for flaw in report.flaws { console.warn("left out: \(flaw.printable)") }
    if report.bad > report.flaws.count { console.warn("left out: \(report.bad - report.flaws.count) more") }
    if json {
      var writer = JSONWriter(.pretty)
      writer.object { writer in
        writer.member("source", name)
        writer.member("format", report.format)
        writer.member("imported", report.imported)
        writer.member("duplicates", report.duplicates)
        writer.member("shapes", report.shapes)
        writer.member("bad", report.bad)
      }
      writer.endLine()
      console.write(writer.take())
    } else {
      let others = [
        (report.duplicates, "twice", "twice"), (report.shapes, "line or area", "lines and areas"),
        (report.bad, "bad", "bad"),
      ]
      .filter { $0.0 > 0 }.map { $0.0.pluralized($0.1, $0.2) }
      console.print(
        "\(report.imported.pluralized("place")) imported as '\(name.printable)' (\(report.format))"
          + (others.isEmpty ? "" : "; left out: " + others.joined(separator: ", ")))
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
        "\(file.path.printable): \(error.description.split(separator: "\n").map { String($0).printable }.joined(separator: "\n"))"
      )
    }
  }
}

extension PlaceImport.Report {
  /// Why there is no place.
  fileprivate var lack: String {
    if bad > 0 { return "none of its entries can be a place:" + flaws.map { "\n  \($0.printable)" }.joined() }
    return shapes > 0 ? "it has only tracks, routes, lines or areas" : "it has no entries"
  }
}
