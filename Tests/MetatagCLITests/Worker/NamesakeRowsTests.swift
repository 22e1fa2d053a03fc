import Foundation
import TestSupport
import Testing

/// Photos with the same name that a plan changes one by one. After the change of one, the files would be grouped in
/// another way.
@Suite("Rows of photos with the same name")
struct NamesakeRowsTests {
  private let tool: Tool
  private let scratch: Scratch

  init() throws { (tool, scratch) = (try Tool(), try Scratch()) }

  private func folder(_ name: String) -> URL { scratch.url.appending(path: name) }

  /// Fills a folder with samples under other names.
  private func fill(_ name: String, _ files: [String: String]) throws {
    try FileManager.default.createDirectory(at: folder(name), withIntermediateDirectories: true)
    for (file, sample) in files {
      try FileManager.default.copyItem(
        at: Corpus.project.appending(path: "SampleImages/\(sample)"), to: folder(name).appending(path: file))
    }
  }

  /// Copies the folder "old" with the times of its files.
  private func copy(to name: String) throws {
    #expect(try Oracle.run("cp", ["-a", folder("old").path, folder(name).path]).status == 0)
  }

  private func state(_ name: String) throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder(name).path)
    return Dictionary(uniqueKeysWithValues: try names.map { ($0, try sha256(folder(name).appending(path: $0))) })
  }

  /// Runs the command in a folder, on all of its files.
  @discardableResult
  private func run(_ words: [String], in name: String, on files: Bool = true, input: String? = nil) throws -> String {
    let names = files ? try FileManager.default.contentsOfDirectory(atPath: folder(name).path).sorted() : []
    let command = ([Tool.program] + words + names).map { "'\($0)'" }.joined(separator: " ")
    let shell = "cd '\(folder(name).path)' && printf %s \"$1\" | \(command)"
    return try Oracle.run("sh", ["-c", shell, "sh", input ?? ""], environment: tool.environment()).text
  }

  private static func orders(_ items: [String]) -> [[String]] {
    guard items.count > 1 else { return [items] }
    return items.indices.flatMap { index in
      var rest = items
      let first = rest.remove(at: index)
      return orders(rest).map { [first] + $0 }
    }
  }

  static let track = [
    "geotag", "--track", Corpus.project.appending(path: "SampleImages/day.gpx").path, "--camera-zone", "+02:00",
  ]
  private static let days = ["x.jpg": "2024-05-14T23:30:00", "x.nef": "2024-05-18T00:30:00"]

  @Test(
    "Each worker that gets one row, in any order and twice, makes the change of the whole command.",
    arguments: [
      (
        ["a.HEIC": "cirrus-04-signpost.png", "a.png": "cirrus-02-meadow.heic", "a.mov": "cirrus-01-boat.mov"],
        track + ["--fix-extension"], 3
      ),
      (["x.jpg": "aurora-02-island.jpg", "x.nef": "raw/delta-01.nef"], ["date", "set", "2024-05-20"], 2),
      (["x.jpg": "aurora-02-island.jpg", "x.nef": "raw/delta-01.nef"], ["clear", "--date"], 1),
      (["a": "cirrus-02-meadow.heic", "a.mov": "cirrus-01-boat.mov", "a.xmp": "borealis-06-ferns.xmp"], track, 1),
      (
        ["a": "cirrus-02-meadow.heic", "a.mov": "cirrus-01-boat.mov", "a.xmp": "borealis-06-ferns.xmp"],
        track + ["--fix-extension"], 2
      ),
      (["a": "cirrus-01-boat.heic", "a.nef": "raw/delta-01.nef", "a.xmp": "borealis-06-ferns.xmp"], track, 1),
    ])
  func independent(files: [String: String], command: [String], count: Int) throws {
    try fill("old", files)
    if files["x.nef"] != nil {
      let camera = ["--set", "Exif.Image.Make=Delta", "--set", "Exif.Image.Model=D4"]
      try run(["set"] + camera + ["--separately", "x.jpg"], in: "old", on: false)
      for (file, date) in Self.days { try run(["date", "set", date, "--separately", file], in: "old", on: false) }
    }
    try copy(to: "direct")
    let plan = scratch.url.appending(path: "plan.jsonl").path
    try run(command + ["--plan", plan], in: "old")
    try run(command, in: "direct")
    let rows = try String(contentsOfFile: plan, encoding: .utf8).split(separator: "\n").dropFirst().map { "\($0)\n" }
    #expect(rows.count == count)
    for (number, order) in Self.orders(rows).enumerated() {
      let name = "order\(number)"
      try copy(to: name)
      for outcome in ["changed", "unchanged"] {
        for row in order {
          let answer = try run(["worker", "apply", "--no-hello", "--plan", plan], in: name, on: false, input: row)
          #expect(answer.contains("\"outcome\":\"\(outcome)\""), "\(answer)")
        }
      }
      #expect(try state(name) == state("direct"))
    }
  }

  @Test(
    "Three passes plan the sidecar and the movie of a file's other name as one command does.",
    arguments: [
      (["b.jpg": "aurora-02-island.jpg", "b.xmp": "borealis-06-ferns.xmp"], "b.jpg", 0),
      (
        ["b.jpg": "aurora-02-island.jpg", "b.xmp": "borealis-06-ferns.xmp", "a.xmp": "borealis-06-ferns.xmp"], "b.jpg",
        1
      ),
      (["b.heic": "cirrus-01-boat.heic", "b.mov": "cirrus-01-boat.mov"], "b.heic", 1),
      (["b.heic": "cirrus-02-meadow.heic", "b.mov": "cirrus-01-boat.mov"], "b.heic", 1),
      (["b.jpg": "aurora-02-island.jpg", "b.nef": "raw/delta-01.nef"], "b.nef", 2),
    ])
  func otherName(files: [String: String], linked: String, count: Int) throws {
    try fill("old", files)
    let other = folder("old").appending(path: "a.\(linked.split(separator: ".")[1])").path
    try FileManager.default.linkItem(atPath: folder("old").appending(path: linked).path, toPath: other)
    let command = ["geotag", "--at", "46.5,14.1", "--overwrite", "replace"]
    let plan = scratch.url.appending(path: "plan.jsonl").path
    try run(command + ["--plan", plan], in: "old")
    let expected = try String(contentsOfFile: plan, encoding: .utf8).split(separator: "\n").dropFirst()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder("old").path)
    let facts = scratch.url.appending(path: "facts").path
    try Data(
      try run(["worker", "facts", "--no-hello"], in: "old", on: false, input: names.joined(separator: "\n") + "\n").utf8
    ).write(to: URL(filePath: facts))
    let clocks = scratch.url.appending(path: "clocks").path
    let photos = try run(["clocks", "--facts", facts, "--output", clocks, "--"] + command, in: "old", on: false)
      .split(separator: "\n")
    let rows = try photos.map { photo in
      try run(["worker", "plan", "--no-hello", "--clocks", clocks], in: "old", on: false, input: photo + "\n")
    }
    let changes = rows.filter { !$0.contains("\"outcome\"") }
    #expect(!rows.contains { $0.contains("\"failed\"") }, "\(rows)")
    try #require(changes.count == count && expected.count == count)
    for (row, line) in zip(changes, expected) {
      let own = try JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any]
      let whole = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      for key in try #require(whole).keys where key != "id" {
        #expect((own?[key] as? NSObject) == (whole?[key] as? NSObject), "\(key)")
      }
      let answer = try run(["worker", "apply", "--no-hello"], in: "old", on: false, input: row)
      #expect(answer.contains("\"outcome\":\"changed\""), "\(answer)")
    }
  }

  @Test("A plan is applied to a photo whose link to another photo's sidecar was ignored.")
  func link() throws {
    try fill(
      "old", ["a.jpg": "aurora-01-jetty.jpg", "a.jpg.xmp": "borealis-06-ferns.xmp", "c.jpg": "aurora-02-island.jpg"])
    try FileManager.default.createSymbolicLink(
      atPath: folder("old").appending(path: "c.jpg.xmp").path, withDestinationPath: "a.jpg.xmp")
    let plan = scratch.url.appending(path: "plan.jsonl").path
    try run(["geotag", "--at", "1,2", "--overwrite", "replace", "--plan", plan], in: "old")
    let applied = try run(["apply", plan], in: "old", on: false)
    #expect(applied.contains("2 changed"), "\(applied)")
  }

  @Test(
    "A file that looks like the photo's and came after planning stops the row.", arguments: ["x.mov", "x.heic.xmp"])
  func new(name: String) throws {
    try fill("old", ["x.heic": "cirrus-01-boat.heic", "x.png": "cirrus-04-signpost.png"])
    let plan = scratch.url.appending(path: "plan.jsonl").path
    try run(["set", "--title", "Island", "--plan", plan], in: "old")
    try fill("old", [name: name.hasSuffix("xmp") ? "borealis-06-ferns.xmp" : "cirrus-01-boat.mov"])
    let before = try state("old")
    let applied = try run(["apply", plan], in: "old", on: false)
    #expect(applied.contains("1 changed, 1 failed"), "\(applied)")
    #expect(try state("old")["x.heic"] == before["x.heic"])
  }
}
