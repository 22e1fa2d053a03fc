import Foundation
import Glibc
import TestSupport
import Testing

@testable import metatag_cli

/// Facts, clocks, plan and apply, as engines run them.
@Suite("A job in three passes")
struct ThreePassesTests {
  /// The sample photos, and a tool that knows nothing else.
  private struct Job {
    let tool: Tool
    let scratch: Scratch

    init() throws {
      (tool, scratch) = (try Tool(), try Scratch())
      try FileManager.default.copyItem(
        at: Corpus.project.appending(path: "SampleImages"), to: scratch.url.appending(path: "p"))
    }

    var track: String { scratch.url.appending(path: "p/day.gpx").path }
    func path(_ name: String) -> String { scratch.url.appending(path: name).path }

    /// The names of all files that may be photos, relative to the scratch folder.
    func names() throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: path("p")).filter { name in
        !["md", "gpx"].contains((name as NSString).pathExtension)
          && (name as NSString).pathExtension != ""
      }.map { "p/\($0)" }.sorted()
    }

    /// Runs a command in the scratch folder; returns the lines of its output.
    @discardableResult
    func run(_ words: [String], _ lines: [String] = [], status: Int32 = 0) throws -> [String] {
      let answer = try Oracle.run(
        Tool.program, words, environment: tool.environment(), input: Data(lines.map { $0 + "\n" }.joined().utf8),
        in: scratch.url)
      #expect(answer.status == status, "\(words): \(answer.errors)")
      return answer.text.split(separator: "\n").map(String.init)
    }

    func write(_ lines: [String], _ name: String) throws {
      try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: scratch.url.appending(path: name))
    }

    func state() throws -> [String: Data] {
      try Dictionary(
        uniqueKeysWithValues: names().map { ($0, try Data(contentsOf: scratch.url.appending(path: $0))) })
    }
  }

  private static func object(_ line: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  private static func text(_ object: [String: Any]) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
  }

  /// Divides lines into parts, in another order, with some of them twice.
  private static func parts(_ lines: [String], seed: UInt64) -> [[String]] {
    var random = SeededGenerator(seed: seed)
    var parts = [[String]](repeating: [], count: Int.random(in: 1...4, using: &random))
    for line in (lines + lines.prefix(3)).shuffled(using: &random) {
      parts[Int.random(in: parts.indices, using: &random)].append(line)
    }
    return parts
  }

  /// Checks lines by a schema.
  private static func check(_ lines: some Sequence<String>, _ name: String) throws {
    let schema = try JSONSchema(Corpus.project.appending(path: "Documentation/\(name).schema.json"))
    for line in lines { #expect(try schema.errors(in: try object(line)) == [], "\(line)") }
  }

  /// Runs facts and clocks; returns the lines of the photos.
  private func clocks(_ job: Job, _ command: [String], seed: UInt64) throws -> [String] {
    var files: [String] = []
    for (index, part) in Self.parts(try job.names(), seed: seed).enumerated() {
      let facts = try job.run(["worker", "facts"], part)
      try Self.check(facts.dropFirst(), "facts")
      try job.write(facts, "facts-\(index)")
      files.append("facts-\(index)")
    }
    let photos = try job.run(["clocks", "--facts"] + files + ["--output", "clocks.json", "--"] + command)
    try Self.check(photos, "photo")
    return photos
  }

  private static let commands: [[String]] = [
    ["geotag", "--track", "p/day.gpx"],
    ["geotag", "--track", "p/day.gpx", "--offset", "auto", "--overwrite", "replace", "--names"],
    [
      "geotag", "--track", "p/day.gpx", "--sync", "p/aurora-01-jetty.jpg=2024-05-18T07:12:00Z", "--fix-dates",
      "--separately",
    ],
    [
      "geotag", "--from-photos", "p", "--overwrite", "if-better", "--where",
      "camera ~ '*C3*' || taken > 2024-05-18T12:00",
    ],
    ["geotag", "--at", "46.36,14.09", "--raw", "in-place"],
    ["date", "shift", "+1h"],
    ["set", "--title=", "--add-keyword", "lake"],
  ]

  @Test(
    "Photos get the same bytes as from one command, whatever the parts and their order, and are undone.",
    arguments: commands.indices)
  func same(index: Int) throws {
    let command = Self.commands[index]
    let (one, three) = (try Job(), try Job())
    let before = try one.state()
    try one.run(command + ["--plan", "plan.jsonl", "--recursive", "p"], status: index == 4 ? 0 : 1)
    try one.run(["apply", "plan.jsonl", "--yes"])
    let photos = try clocks(three, command, seed: UInt64(index))
    // Workers need no tracks.
    try FileManager.default.removeItem(atPath: three.track)
    var (rows, answers): ([String], [String]) = ([], [])
    for part in Self.parts(photos, seed: UInt64(index) + 100) {
      rows += try three.run(["worker", "plan", "--no-hello", "--clocks", "clocks.json"], part)
    }
    for part in Self.parts(rows, seed: UInt64(index) + 200) {
      answers += try three.run(["worker", "apply", "--no-hello", "--journal", "journals"], part)
    }
    let after = try three.state()
    let same = try one.state() == after
    #expect(same)
    #expect(after != before)
    // Every photo has an answer, and the plan is the same.
    try three.write(photos, "photos.jsonl")
    try three.write(answers, "answers")
    let sum = try three.run(
      ["report", "join", "--rows", "photos.jsonl", "answers", "--json"], status: index == 4 ? 0 : 1)
    let joined = try Self.object(sum.joined(separator: "\n"))
    #expect((joined["missing"] as? [Any])?.isEmpty ?? (joined["missing"] as? Int == 0), "\(sum)")
    let planned = try String(contentsOf: one.scratch.url.appending(path: "plan.jsonl"), encoding: .utf8)
      .split(separator: "\n").dropFirst().map { line in
        try Self.text(try Self.object(String(line)).filter { $0.key != "was" && $0.key != "companions" })
      }
    let own = try Set(rows).map(Self.object).filter { $0["plan"] != nil }.map { row in
      try Self.text(row.filter { !["was", "companions", "id", "plan"].contains($0.key) })
    }
    #expect(Set(planned) == Set(own))
    try three.run(["runs", "adopt", "journals"])
    try three.run(["undo", "1"])
    let undone = try three.state() == before
    #expect(undone)
  }

  @Test(
    "Dates that workers moved aren't corrected again, as those that 'date shift' moved.",
    arguments: [
      ["date", "shift", "+1h"], ["geotag", "--track", "p/day.gpx", "--offset", "+10m", "--fix-dates"],
      ["set", "--title", "Lake"],
    ])
  func datedBefore(command: [String]) throws {
    let (one, three) = (try Job(), try Job())
    if command[0] == "set" {
      try one.run(command + ["--plan", "plan.jsonl", "--recursive", "p"], status: 1)
      try one.run(["apply", "plan.jsonl", "--yes"])
    } else {
      try one.run(command + ["--yes", "--recursive", "p"], status: 1)
    }
    let rows = try three.run(
      ["worker", "plan", "--no-hello", "--clocks", "clocks.json"], try clocks(three, command, seed: 3))
    try three.run(["worker", "apply", "--no-hello", "--journal", "journals"], rows)
    try three.run(["runs", "adopt", "journals"])
    let again = [
      "geotag", "--track", "p/day.gpx", "--offset", "+20m", "--fix-dates", "--dry-run", "--jsonl", "--recursive", "p",
    ]
    let outcomes = try [one, three].map { job in
      let lines = try job.run(again, status: 1).map(Self.object)
      return Dictionary(
        lines.compactMap { row in (row["path"] as? String).map { ($0, "\(row["outcome"] ?? "") \(row["code"] ?? "")") }
        }
      ) { first, _ in first }
    }
    #expect(outcomes[0].count > 20)
    #expect(outcomes[0] == outcomes[1])
    if command[0] != "geotag" {
      #expect(outcomes[0].values.contains { $0.hasPrefix("changed") } == (command[0] == "set"))
    }
  }

  @Test("Clocks are the same file, whatever the parts of the facts, and however they are joined.")
  func partial() throws {
    let job = try Job()
    let photos = try clocks(job, Self.commands[1], seed: 7)
    let clocks = try Data(contentsOf: job.scratch.url.appending(path: "clocks.json"))
    var files: [String] = []
    for (index, part) in Self.parts(try job.names(), seed: 8).enumerated() {
      try job.write(try job.run(["worker", "facts", "--no-hello"], part), "part-\(index)")
      files.append("part-\(index)")
    }
    try job.run(["clocks", "--facts"] + files.prefix(2) + ["--output", "a", "--partial"])
    try job.run(["clocks", "--facts", "a"] + files.suffix(3) + ["a", "--output", "b", "--partial"])
    try FileManager.default.removeItem(atPath: job.path("clocks.json"))
    let again = try job.run(["clocks", "--facts", "b", "--output", "clocks.json", "--"] + Self.commands[1])
    #expect(again == photos)
    let sameClocks = try Data(contentsOf: job.scratch.url.appending(path: "clocks.json")) == clocks
    #expect(sameClocks)
    // Joined facts stay as they are.
    try job.run(["clocks", "--facts", "b", "--output", "c", "--partial"])
    #expect(
      try Data(contentsOf: job.scratch.url.appending(path: "c"))
        == Data(contentsOf: job.scratch.url.appending(path: "b")))
  }

  @Test("Files that can't be read are answered in each pass, and the others are done.")
  func unreadable() throws {
    let job = try Job()
    try Data("no photo".utf8).write(to: job.scratch.url.appending(path: "p/broken.jpg"))
    let facts = try job.run(
      ["worker", "facts", "--no-hello"], ["p/broken.jpg", "p/none.jpg", "p", "p/aurora-01-jetty.jpg"])
    #expect(
      try facts.map { try Self.object($0)["outcome"] as? String ?? "facts" }.sorted() == [
        "facts", "failed", "failed", "failed",
      ])
    try job.write(facts, "facts")
    let photos = try job.run(["clocks", "--facts", "facts", "--output", "clocks.json", "--", "geotag", "--at", "1,2"])
    let rows = try job.run(["worker", "plan", "--no-hello", "--clocks", "clocks.json"], photos)
    let answers = try job.run(["worker", "apply", "--no-hello", "--journal", "j"], rows)
    let outcomes = try answers.map { line in
      let answer = try Self.object(line)
      return "\(answer["id"] ?? "") \(answer["outcome"] ?? "")"
    }
    #expect(
      outcomes.sorted() == ["p failed", "p/aurora-01-jetty.jpg changed", "p/broken.jpg failed", "p/none.jpg failed"])
  }

  @Test("A photo whose files have changed since the clocks were learned isn't planned.")
  func changedFiles() throws {
    let job = try Job()
    let photos = try clocks(job, Self.commands[0], seed: 1).filter { $0.contains("cirrus-01-boat") }
    #expect(photos.count == 1)
    try FileManager.default.removeItem(atPath: job.path("p/cirrus-01-boat.mov"))
    let answer = try Self.object(try job.run(["worker", "plan", "--no-hello", "--clocks", "clocks.json"], photos)[0])
    #expect(answer["outcome"] as? String == "failed" && answer["retry"] as? Bool == false)
    #expect(answer["id"] as? String == "p/cirrus-01-boat.heic")
  }

  @Test("Commands whose changes depend on no other photo are planned from paths.")
  func paths() throws {
    let job = try Job()
    let rows = try job.run(
      ["worker", "plan", "--no-hello", "--", "date", "set", "2024-05-18T06:12:12+02:00"],
      ["p/aurora-01-jetty.jpg", "p/cirrus-01-boat.mov"])
    let answers = try job.run(["worker", "apply", "--no-hello", "--journal", "j"], rows)
    #expect(try answers.map { try Self.object($0)["outcome"] as? String } == ["changed", "changed"])
    let shown = try job.run(["show", "--jsonl", "p/aurora-01-jetty.jpg"])
    #expect(try Self.object(shown[0])["taken"] as? String == "2024-05-18T06:12:12+02:00", "\(shown)")
  }

  @Test(
    "What workers can't do is refused before they start.",
    arguments: [
      ["worker", "plan"], ["worker", "plan", "--", "date", "shift", "+1h"],
      ["worker", "plan", "--", "geotag", "--track", "p/day.gpx"],
      ["worker", "plan", "--", "takeout", "p"],
      ["worker", "plan", "--", "set", "--title", "a", "p/aurora-01-jetty.jpg"],
      ["worker", "plan", "--", "set", "--title", "a", "--recursive"], ["worker", "plan", "--", "nonsense"],
      ["worker", "plan", "--", "set", "--title", "a", "--plan", "x"], ["worker", "plan", "--clocks", "p/day.gpx"],
      ["worker", "plan", "--clocks", "p/day.gpx", "--", "set", "--title", "a"],
      ["clocks", "--facts", "p/day.gpx", "--output", "c", "--", "geotag", "--track", "p/day.gpx"],
      ["clocks", "--facts", "none", "--output", "c", "--partial"], ["clocks", "--facts", "none", "--output", "c"],
      ["clocks", "--facts", "p/day.gpx", "--output", "p/day.gpx", "--partial"],
    ])
  func refused(words: [String]) throws {
    let job = try Job()
    let answer = try Oracle.run(
      Tool.program, words, environment: job.tool.environment(), input: Data("p/aurora-01-jetty.jpg\n".utf8),
      in: job.scratch.url)
    #expect([2, 64].contains(answer.status) && answer.output.isEmpty && !answer.errors.isEmpty, "\(answer.text)")
    #expect(!FileManager.default.fileExists(atPath: job.path("c")))
  }

  @Test("Facts, photos and clocks of another version are refused.")
  func otherVersion() throws {
    let job = try Job()
    let facts = try job.run(["worker", "facts", "--no-hello"], ["p/aurora-01-jetty.jpg"])
    try job.write(facts, "facts")
    let photos = try job.run(["clocks", "--facts", "facts", "--output", "c", "--", "set", "--title", "a"])
    func other(_ line: String) -> String {
      line.replacing("\"version\":\"\(Console.version)\"", with: "\"version\":\"0.1.0\"")
    }
    try job.write(facts.map(other), "facts")
    try job.run(["clocks", "--facts", "facts", "--output", "d", "--partial"], status: 2)
    let answer = try Self.object(try job.run(["worker", "plan", "--no-hello", "--clocks", "c"], photos.map(other))[0])
    #expect(answer["code"] as? String == "otherVersion")
    try job.write([other(try String(contentsOf: job.scratch.url.appending(path: "c"), encoding: .utf8))], "e")
    try job.run(["worker", "plan", "--clocks", "e"], photos, status: 2)
  }

  @Test("A clocks file that is cut off, longer, or of something else is refused.")
  func damagedClocks() throws {
    let job = try Job()
    let photos = try clocks(job, Self.commands[0], seed: 2)
    let whole = try Data(contentsOf: job.scratch.url.appending(path: "clocks.json"))
    #expect(whole.count > 10_000)
    var backwards = whole
    backwards.replaceSubrange(whole.count - 40..<whole.count - 33, with: Data(count: 7))
    for damaged in [whole.prefix(100), whole.dropLast(), whole + Data([0]), Data(), backwards, Data("{}\n".utf8)] {
      try damaged.write(to: job.scratch.url.appending(path: "damaged"))
      #expect(try job.run(["worker", "plan", "--clocks", "damaged"], photos, status: 2).isEmpty)
    }
  }

  @Test("Lines that name no file, and lines about the protocol, are left out of the facts.")
  func otherLines() throws {
    let job = try Job()
    let facts = try job.run(["worker", "facts"], ["p/aurora-01-jetty.jpg", String(repeating: "a", count: 1_100_000)])
    #expect(facts.count == 3)
    try job.write(facts + facts, "facts")
    let photos = try job.run(["clocks", "--facts", "facts", "--output", "c", "--", "set", "--title", "a"])
    #expect(photos.count == 1)
  }

  @Test("A killed clocks leaves no file under the name of the output.")
  func killedClocks() throws {
    let job = try Job()
    try job.write(try job.run(["worker", "facts"], try job.names()), "facts")
    try job.write(["of the user"], "c.part")
    let process = Process()
    process.executableURL = URL(filePath: Tool.program)
    process.arguments = ["clocks", "--facts", "facts", "-", "--output", "c", "--", "set", "--title", "a"]
    process.currentDirectoryURL = job.scratch.url
    process.environment = ProcessInfo.processInfo.environment.merging(job.tool.environment()) { $1 }
    process.standardInput = Pipe()
    try process.run()
    let part = job.path("c.\(process.processIdentifier).part")
    while !FileManager.default.fileExists(atPath: part) { usleep(1_000) }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(!FileManager.default.fileExists(atPath: job.path("c")))
    #expect(try job.run(["clocks", "--facts", "facts", "--output", "c", "--", "set", "--title", "a"]).count > 20)
    #expect(try String(contentsOfFile: job.path("c.part"), encoding: .utf8) == "of the user\n")
  }

  @Test("A renamed Live Photo is unchanged when its row comes again.")
  func renamedAgain() throws {
    let job = try Job()
    try FileManager.default.moveItem(atPath: job.path("p/cirrus-01-boat.heic"), toPath: job.path("p/IMG_5.JPG"))
    try FileManager.default.moveItem(atPath: job.path("p/cirrus-01-boat.mov"), toPath: job.path("p/IMG_5.MP4"))
    let rows = try job.run(
      ["worker", "plan", "--no-hello", "--", "geotag", "--at", "46,14", "--fix-extension"], ["p/IMG_5.JPG"])
    for outcome in ["changed", "unchanged"] {
      let answers = try job.run(["worker", "apply", "--no-hello", "--journal", "j"], rows)
      #expect(try answers.map { try Self.object($0)["outcome"] as? String } == [outcome], "\(answers)")
    }
  }

  @Test("Photos that don't match the condition are no failures of a job, but damaged lines are.")
  func notMatching() throws {
    let job = try Job()
    let rows = try job.run(
      ["worker", "plan", "--no-hello", "--", "geotag", "--at", "46,14", "--where", "camera == 'nope'"],
      ["p/aurora-01-jetty.jpg"])
    try job.write(rows, "rows")
    try job.run(["report", "join", "rows"])
    try job.write(rows + ["{\"id\":\"a\",\"outco"], "rows")
    let sum = try job.run(["report", "join", "rows", "--json"], status: 1)
    #expect(try Self.object(sum.joined())["refused"] as? Int == 1)
  }

  @Test("A journal that is a file, and an input that can't be read, keep a worker from starting.")
  func journalFile() throws {
    let job = try Job()
    try job.run(["worker", "apply", "--journal", "p/day.gpx"], status: 2)
    let answer = try Oracle.run(
      "sh", ["-c", "'\(Tool.program)' worker apply --journal j < ."], environment: job.tool.environment(),
      in: job.scratch.url)
    #expect(answer.status == 2 && answer.errors.contains("standard input"), "\(answer.errors)")
  }
}
