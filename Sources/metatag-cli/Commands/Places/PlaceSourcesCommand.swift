import ArgumentParser
import Foundation
import GeoIndex
import MetaTag

/// `metatag place sources`: lists the imports of own places.
struct PlaceSourcesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sources",
    abstract: "List the imports of places, with their licences.",
    discussion: """
      EXAMPLES:
        metatag place sources
        metatag place sources --json
      """)

  @Flag(help: "Print one JSON document.")
  var json = false

  func run() async throws {
    let console = Console()
    let own = try UserPlaces.ifAny()
    let sources = try own?.sources() ?? []
    let damaged = try own?.damagedImports() ?? []
    if json {
      var writer = JSONWriter(.pretty)
      writer.array { writer in sources.forEach { $0.write(to: &writer, isDamaged: damaged.contains($0.name)) } }
      writer.endLine()
      console.write(writer.take())
    } else if sources.isEmpty {
      console.warn("no imports yet; use 'metatag place import FILE' to add one")
    } else {
      var table = Table([
        .init("NAME", .left, .atEnd(10)), .init("PLACES", .right), .init("IMPORTED (UTC)", .left, .atEnd(10)),
        .init("FORMAT"), .init("FILE", .left, .atStart(12)),
      ])
      for source in sources {
        table.add([
          source.name, "\(source.count)", source.time.replacing("T", with: " "), source.format, source.file,
        ])
      }
      console.print(table)
      for source in damaged { console.warn("metatag: \(UserPlaces.error(ofDamagedImport: source).words)") }
      for source in sources {
        guard let terms = source.terms else { continue }
        console.print("\(source.name.printable): \(terms.attribution), \(terms.licence)")
      }
    }
    try console.finish()
  }
}

extension UserPlaceSource {
  fileprivate var time: String {
    CivilTime(secondsSince1970: Int64(imported.timeIntervalSince1970)).map { "\($0)" } ?? ""
  }

  fileprivate func write(to writer: inout JSONWriter, isDamaged: Bool) {
    writer.object { writer in
      writer.member("name", name)
      writer.member("count", count)
      writer.member("imported", time + "Z")
      writer.member("format", format)
      writer.member("file", file)
      if isDamaged { writer.member("damaged", true) }
      terms?.write(to: &writer)
    }
  }
}
