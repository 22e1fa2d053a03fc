import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import metatag_cli

@Suite("Import of tables")
struct ImportCSVTests {
  let (tool, scratch): (Tool, Scratch)

  init() throws { (tool, scratch) = (try Tool(), try Scratch()) }

  /// Copies of the sample photos.
  func photos() throws -> [String] {
    let folder = Corpus.project.appending(path: "SampleImages")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.lowercased().hasSuffix(".jpg") || $0.lowercased().hasSuffix(".heic") || $0.hasSuffix(".tif") }
      .map { try scratch.copy(folder.appending(path: $0)).path }
  }

  @Test("An exported table is imported exactly, and can be undone.")
  func roundTrip() throws {
    let photos = try photos()
    let day = Corpus.project.appending(path: "SampleImages/day.gpx").path
    let options = ["geotag", "--track", day, "--nearest-within", "12h"]
    _ = try Oracle.run(Tool.program, options + photos, environment: tool.environment())
    let export = { try Oracle.run(Tool.program, ["export", "csv"] + photos, environment: tool.environment()).output }
    let table = try export()
    let file = try scratch.write(table, as: "places.csv")
    let shown = try Oracle.run(Tool.program, ["show", "--csv"] + photos, environment: tool.environment()).output
    let show = try scratch.write(shown, as: "shown.csv")
    let located = String(decoding: table, as: UTF8.self).split(separator: "\r\n").count - 1
    try #require(located > 3)
    #expect(try tool("import-csv", file.path, "--overwrite", "replace").text.contains("\(located) unchanged"))
    try #require(
      try Oracle.run(Tool.program, ["clear", "--location"] + photos, environment: tool.environment()).status == 0)
    #expect(try export() != table)
    let dry = try tool("import-csv", file.path, "--dry-run", "--jsonl")
    #expect(dry.text.split(separator: "\n").count == located && dry.text.contains("line 2 of the table"))
    #expect(try export() != table)
    let run = try tool("import-csv", file.path)
    #expect(run.status == 0 && run.text.contains("\(located) changed"), "\(run.text)\(run.errors)")
    #expect(try export() == table)
    try tool("undo")
    #expect(try export() != table)
    // The output of show can be imported too.
    #expect(try tool("import-csv", show.path, "--dry-run").text.contains("\(located) would change"))
  }

  @Test(
    "exiftool's tables are read, however they write degrees.", .enabled(if: Oracle.has("exiftool")),
    arguments: [
      ["-GPSLatitude", "-GPSLongitude", "-GPSAltitude"],
      ["-c", "%+.8f", "-GPSLatitude", "-GPSLongitude", "-GPSAltitude"],
      ["-a", "-gps:all"], ["-n", "-GPSPosition", "-GPSAltitude"],
      ["-G1", "-a", "-GPSLatitude", "-GPSLongitude", "-GPSAltitude"],
      [
        "-n", "-GPSLatitude", "-GPSLatitudeRef", "-GPSLongitude", "-GPSLongitudeRef", "-GPSAltitude", "-GPSAltitudeRef",
      ],
      [
        "-n", "-EXIF:GPSLatitude", "-GPSLatitudeRef", "-EXIF:GPSLongitude", "-GPSLongitudeRef", "-EXIF:GPSAltitude",
        "-GPSAltitudeRef",
      ],
      [],
    ])
  func exiftool(options: [String]) throws {
    let source = Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg")
    let photo = try scratch.copy(source).path
    try #require(try tool("geotag", "--at", "geo:-33.5,151.25,-3", "--overwrite", "replace", photo).status == 0)
    let answer = try Oracle.run("exiftool", ["-q", "-csv"] + options + [photo])
    let table = try scratch.write(answer.output, as: "places.csv")
    try #require(try tool("clear", "--location", photo).status == 0)
    let run = try tool("import-csv", table.path, photo, "--json")
    #expect(run.status == 0, "\(answer.text)\(run.text)\(run.errors)")
    let found = try tool("export", "csv", photo).text.split(separator: "\r\n").last?.split(separator: ",")
    #expect(found?[1...3] == ["-33.5", "151.25", "-3.0"], "\(answer.text)")
  }

  @Test("A lost hemisphere stops the run before any photo changes.")
  func lost() throws {
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let before = try Data(contentsOf: photo)
    let table = try scratch.write(
      "SourceFile,GPSLatitude,GPSLongitude\n\(photo.lastPathComponent),33.5,151.25\n".utf8, as: "t.csv")
    let answer = try tool("import-csv", table.path, "--overwrite", "replace")
    #expect(answer.status == 2 && answer.errors.contains("--signed"))
    #expect(try Data(contentsOf: photo) == before)
    #expect(try tool("import-csv", table.path, "--overwrite", "replace", "--signed").status == 0)
  }

  @Test("Rows without photos and photos without rows are reported.")
  func counterparts() throws {
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg")).path
    let table = try scratch.write("file,lat,lon\nelsewhere.jpg,-1,2\n".utf8, as: "t.csv")
    let answer = try tool("import-csv", table.path, photo)
    #expect(answer.status == 1)
    #expect(answer.errors.contains("line 2: elsewhere.jpg is not one of the photos"))
    #expect(answer.text.contains("skipped: is not in the table"))
    let alone = try tool("import-csv", table.path)
    #expect(alone.status == 1 && alone.text.contains("elsewhere.jpg: failed: could not find it"))
  }
}
