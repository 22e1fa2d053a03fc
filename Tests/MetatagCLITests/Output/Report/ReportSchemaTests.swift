import Foundation
import TestSupport
import Testing

/// The sample photos, and unreadable files, in a folder of their own.
struct SampleFolder {
  let scratch: Scratch
  var path: String { scratch.url.path }

  init() throws {
    scratch = try Scratch()
    let samples = Corpus.project.appending(path: "SampleImages")
    for name in try FileManager.default.contentsOfDirectory(atPath: samples.path)
    where !["README.md", "raw"].contains(name) {
      try scratch.copy(samples.appending(path: name))
    }
    try scratch.write("not a photo".utf8, as: "broken.jpg")
    let plain = try Data(contentsOf: samples.appending(path: "aurora-01-jetty.jpg"))
    try scratch.write(plain, as: "IMG_20240523_183841.jpg")
    let heic = try Data(contentsOf: samples.appending(path: "cirrus-02-meadow.heic"))
    try scratch.write(heic, as: "named-wrongly.jpg")
  }

  var files: [String: Data] {
    get throws {
      let names = try FileManager.default.contentsOfDirectory(atPath: path)
      return try Dictionary(
        uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: scratch.url.appending(path: $0))) })
    }
  }
}

@Suite("Schema of reports")
struct ReportSchemaTests {
  /// Every command that reports rows, on the sample photos. DIR is their folder.
  static let commands = [
    "geotag --track DIR/day.gpx --camera-zone Europe/Ljubljana --explain DIR",
    "geotag --track DIR/day.gpx --offset auto --camera-zone Europe/Ljubljana --overwrite replace --dry-run DIR",
    "geotag --at 46.36,14.09 --overwrite replace --names DIR",
    "geotag --at 46.36,14.09 --overwrite replace --fix-extension --dry-run DIR",
    "name --shown --iptc DIR", "clear --location DIR", "set --title A --keywords b,c --iso 400 DIR",
    "date shift +1h23m DIR", "date set 2024-05-18T10:00:00 DIR",
    "date zone Europe/Ljubljana DIR", "date from-name DIR", "date from-track --track DIR/day.gpx DIR",
    "fix-extension DIR", "convert --to jpeg --dry-run DIR", "import-csv DIR/places.csv --signed DIR",
    "geotag --at 1,2 --fail-fast DIR",
  ]

  @Test("Every row of every command follows the schema, in JSON Lines and in one document.", arguments: commands)
  func rows(_ words: String) throws {
    let schema = try JSONSchema(Corpus.project.appending(path: "Documentation/report.schema.json"))
    let folder = try SampleFolder()
    let tool = try Tool()
    try folder.scratch.write("path,latitude,longitude\naurora-01-jetty.jpg,46.5,14.5\n".utf8, as: "places.csv")
    let arguments = words.split(separator: " ").map { String($0).replacing("DIR", with: folder.path) }
    let lines = try Oracle.run(
      Tool.program, arguments + ["--jsonl"], environment: tool.environment()
    ).text.split(separator: "\n")
    #expect(!lines.isEmpty)
    for line in lines {
      let row = try JSONSerialization.jsonObject(with: Data(line.utf8))
      #expect(try schema.errors(in: row) == [], "\(line)")
    }
    // Not all of them have something to change here.
    guard lines.contains(where: { $0.contains(#""outcome":"changed""#) }), !words.contains("--dry-run") else { return }
    for row in try WorkflowTests.rows(try tool("undo", "--json")) { #expect(try schema.errors(in: row) == []) }
  }

  @Test("Every photo that is shown follows its schema.", arguments: ["", " --all", " --names"])
  func shown(options: String) throws {
    let schema = try JSONSchema(Corpus.project.appending(path: "Documentation/show.schema.json"))
    let folder = try SampleFolder()
    let tool = try Tool()
    let arguments = ["show", "--jsonl", folder.path] + options.split(separator: " ").map(String.init)
    let lines = try Oracle.run(Tool.program, arguments, environment: tool.environment()).text.split(separator: "\n")
    #expect(lines.count > 25)
    for line in lines {
      #expect(try schema.errors(in: try JSONSerialization.jsonObject(with: Data(line.utf8))) == [], "\(line)")
    }
  }

  @Test("A row that doesn't follow the schema is found.")
  func strict() throws {
    let schema = try JSONSchema(Corpus.project.appending(path: "Documentation/report.schema.json"))
    let wrong: [[String: Any]] = [
      ["path": "a"], ["path": "a", "outcome": "done"], ["path": "a", "outcome": "changed", "more": 1],
      ["path": 1, "outcome": "changed"], ["path": "a", "outcome": "changed", "splices": [["offset": 0.5]]],
    ]
    for row in wrong { #expect(try !schema.errors(in: row).isEmpty, "\(row)") }
  }
}
