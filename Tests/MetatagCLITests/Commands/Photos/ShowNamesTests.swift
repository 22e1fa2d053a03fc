import Foundation
import TestSupport
import Testing

@Suite("Place names derived from locations")
struct ShowNamesTests {
  let tool: Tool
  /// One with only a location, one with names too, one with neither.
  let photos: [URL]

  init() throws {
    tool = try Tool()
    let bytes = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/borealis-01-lake.jpg"))
    let home = tool.home
    photos = try ["bare.jpg", "named.jpg", "plain.jpg"].map { try home.write(bytes, as: $0) }
    #expect(try tool("geotag", "--at", "46.3569,14.0806", photos[0].path, photos[1].path).status == 0)
    #expect(try tool("set", "--city", "Veldes", "--country", "", photos[1].path).status == 0)
  }

  private var paths: [String] { photos.map(\.path) }

  private func rows(_ words: [String]) throws -> [[String: any Sendable]] {
    let answer = try tool.run(list: ["show", "--json"] + words + paths)
    #expect(answer.status == 0, "\(answer.errors)")
    return try #require(try JSONSerialization.jsonObject(with: answer.output) as? [[String: any Sendable]])
  }

  @Test("The table shows the names that 'metatag name' would write to photos without names.")
  func table() throws {
    let before = try photos.map(sha256)
    let lines = try tool.run(list: ["show", "--names"] + paths).text.split(separator: "\n").dropFirst().map(String.init)
    #expect(lines[0].contains("(Bohinjska Bela, Bled, Slovenia)"))
    #expect(lines[1].contains("  Veldes  ") && !lines[1].contains("Bled"))
    #expect(!lines[2].contains("("))
    #expect(!(try tool.run(list: ["show"] + paths).text.contains("Slovenia")))
    #expect(try photos.map(sha256) == before)
    #expect(try tool("name", paths[0]).status == 0)
    #expect(try tool("show", paths[0]).text.contains("  Bohinjska Bela, Bled, Slovenia  "))
  }

  @Test("Derived names are as precise as the location.")
  func error() throws {
    let area = ["geotag", "--place", "Japan", "--area-center", "--overwrite", "replace", photos[2].path]
    #expect(try tool.run(list: area).status == 0)
    #expect(try rows(["--names"])[2]["derivedPlace"] as? [String: String] == ["country": "Japan", "countryCode": "JP"])
  }

  @Test("JSON has derived names separately, in the requested language.")
  func json() throws {
    let shown = try rows(["--names"])
    #expect(shown.map { ($0["derivedPlace"] as? [String: String])?["state"] } == ["Bled", "Bled", nil])
    #expect(shown.map { ($0["place"] as? [String: String])?["city"] } == [nil, "Veldes", nil])
    let german = try rows(["--names", "--language", "de"])
    #expect((german[0]["derivedPlace"] as? [String: String])?["country"] == "Slowenien")
    #expect(try rows([]).allSatisfy { $0["derivedPlace"] == nil })
  }

  @Test("CSV has columns for derived names, and can be imported.")
  func csv() throws {
    let answer = try tool.run(list: ["show", "--names", "--csv"] + paths)
    let lines = answer.text.split(separator: "\r\n")
    #expect(lines[0].hasSuffix(",derivedSublocation,derivedCity,derivedState,derivedCountry,derivedCountryCode"))
    #expect(lines[1].hasSuffix(",Bled,Slovenia,SI"))
    let table = try tool.home.write(answer.output, as: "shown.csv")
    #expect(try tool("import-csv", table.path, "--dry-run", paths[0]).status == 0)
  }

  @Test("An unknown language or unusable gazetteer is one line before any output.")
  func nothingToLookUp() throws {
    let blocked = try tool.home.write(Data(), as: "file")
    let broken = try tool(
      "show", "--names", paths[0], environment: ["XDG_CACHE_HOME": blocked.appending(path: "below").path])
    let tongue = try tool("show", "--names", "--language", "xx", paths[0])
    for (answer, status) in [(broken, 2), (tongue, 64)] {
      #expect(answer.status == status && answer.text.isEmpty)
      #expect(answer.errors.split(separator: "\n").count == 1, "\(answer.errors)")
    }
  }

  @Test("On a terminal the table is as wide as the terminal or COLUMNS.", arguments: [(60, nil), (100, "60")])
  func terminal(_ columns: Int, _ wanted: String?) throws {
    let terminal = try Terminal(
      Tool.program, ["show", "--names"] + paths,
      environment: tool.environment(["COLUMNS": wanted ?? "", "TERM": "xterm"]), size: (columns, 24))
    #expect(try terminal.end().status == 0)
    let lines = terminal.shown.replacing("\r\n", with: "\n").split(separator: "\n")
    #expect(lines.count == 4 && lines.allSatisfy { $0.count <= 60 }, "\(terminal.shown)")
    #expect(terminal.shown.contains("bare.jpg") && terminal.shown.contains("…"))
  }
}
