import Basics
import Foundation
import TestSupport
import Testing

@testable import metatag_cli

@Suite("Workers")
struct WorkerCommandTests {
  private static let samples = Corpus.project.appending(path: "SampleImages")
  private static let names = [
    "aurora-01-jetty.jpg", "borealis-01-lake.jpg", "cirrus-01-boat.heic", "cirrus-01-boat.mov",
    "cirrus-04-signpost.png",
  ]

  /// Photos with a plan that gives each a location.
  private struct Job {
    let tool: Tool
    let scratch: Scratch
    /// The options of the plan, and its rows.
    let header: String
    let rows: [String]
    var folder: String { scratch.url.path }
    var journals: String { scratch.url.appending(path: "journals").path }

    /// Plans copies of one photo, or one copy of each.
    init(
      copies: Int? = nil, named ending: String = "jpg",
      _ command: [String] = ["geotag", "--at", "46.05,14.5", "--overwrite", "replace"]
    ) throws {
      (tool, scratch) = (try Tool(), try Scratch())
      try FileManager.default.createDirectory(at: scratch.url.appending(path: "p"), withIntermediateDirectories: true)
      let files = copies.map { (1...$0).map { (names[0], "\($0).\(ending)") } } ?? names.map { ($0, $0) }
      for (name, copy) in files {
        try FileManager.default.copyItem(
          at: samples.appending(path: name), to: scratch.url.appending(path: "p/\(copy)"))
      }
      let plan = scratch.url.appending(path: "plan.jsonl")
      let answer = try tool.run(list: command + ["--plan", plan.path, scratch.url.appending(path: "p").path])
      #expect(answer.status == 0, "\(answer.errors)")
      let lines = try String(contentsOf: plan, encoding: .utf8).split(separator: "\n").map(String.init)
      (header, rows) = (lines[0], Array(lines.dropFirst()))
    }

    /// The row with the options of the plan.
    func whole(_ row: String) throws -> String {
      var plan = try object(header)
      plan["command"] = nil
      var row = try object(row)
      row["plan"] = plan
      return String(decoding: try JSONSerialization.data(withJSONObject: row), as: UTF8.self)
    }

    /// Runs a worker with its own journal; returns its answers without the first line, and its status.
    func work(
      _ words: [String], _ lines: [String], plan: Bool = true, journals: String? = nil
    ) throws -> (answers: [[String: Any]], status: Int32, errors: String) {
      let options = plan ? ["--plan", scratch.url.appending(path: "plan.jsonl").path] : []
      let answer = try Oracle.run(
        Tool.program, ["worker"] + words + options + ["--journal", journals ?? self.journals],
        environment: tool.environment(), input: Data(lines.map { $0 + "\n" }.joined().utf8))
      let rows = try answer.text.split(separator: "\n").map { try object(String($0)) }
      #expect(rows.first?["metatagWorker"] as? Int == 1, "\(answer.errors)")
      // Apart from what only workers say, an answer is a row of a report.
      let schema = try JSONSchema(Corpus.project.appending(path: "Documentation/report.schema.json"))
      for row in rows where row["id"] is String {
        let own: Set = ["id", "retry", "kept", "keptBytes"]
        #expect(try schema.errors(in: row.filter { !own.contains($0.key) }) == [], "\(row)")
      }
      return (Array(rows.dropFirst()), answer.status, answer.errors)
    }

    func times() throws -> [String: Date] {
      let folder = scratch.url.appending(path: "p")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      return try Dictionary(
        uniqueKeysWithValues: names.map { name in
          let values = try FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)
          return (name, try #require(values[.modificationDate] as? Date))
        })
    }

    func state() throws -> [String: Data] {
      let folder = scratch.url.appending(path: "p")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      return try Dictionary(uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
    }
  }

  private static func object(_ line: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }

  private static func outcomes(_ answers: [[String: Any]]) -> [String] {
    answers.map { "\($0["outcome"] ?? $0["metatagPlan"] ?? "")" }
  }

  @Test("A worker gives photos the same bytes as apply, answers each row, and nothing changes if the rows come again.")
  func apply() throws {
    let (one, other) = (try Job(), try Job())
    #expect(try other.tool("apply", other.folder + "/plan.jsonl").status == 0)
    let first = try one.work(["apply"], one.rows)
    #expect(first.status == 0 && Set(Self.outcomes(first.answers)) == ["changed"], "\(first.errors)")
    #expect(
      try first.answers.compactMap { $0["id"] as? String } == one.rows.map { try Self.object($0)["path"] as? String })
    #expect(try one.state() == other.state())
    // Twice in one portion, too.
    let again = try one.work(["apply"], one.rows + one.rows.reversed())
    #expect(again.status == 0 && Set(Self.outcomes(again.answers)) == ["unchanged"])
    #expect(again.answers.allSatisfy { $0["code"] as? String == "appliedBefore" && $0["retry"] == nil })
    #expect(try one.state() == other.state())
  }

  @Test("Rows that repeat the plan's options need no plan, and keep their own identifiers.")
  func whole() throws {
    let job = try Job()
    var row = try Self.object(try job.whole(job.rows[0]))
    row["id"] = "seven"
    let line = String(decoding: try JSONSerialization.data(withJSONObject: row), as: UTF8.self)
    let done = try job.work(["apply"], [line] + job.rows.dropFirst().map(job.whole), plan: false)
    #expect(done.status == 0 && Set(Self.outcomes(done.answers)) == ["changed"], "\(done.answers)")
    #expect(done.answers.first?["id"] as? String == "seven")
  }

  @Test("A whole plan can be sent: its first line is answered, and applies to the rows after it.")
  func wholePlan() throws {
    let job = try Job()
    let done = try job.work(["apply"], [job.header] + job.rows, plan: false)
    #expect(done.status == 0 && Self.outcomes(done.answers) == ["1"] + job.rows.map { _ in "changed" })
    #expect(done.answers.first?["id"] is NSNull && done.answers.first?["line"] as? Int == 1)
  }

  @Test("A line that isn't a row is answered with its number and why, and the other rows are done.")
  func malformed() throws {
    let job = try Job()
    var other = try Self.object(try job.whole(job.rows[0]))
    var plan = try #require(other["plan"] as? [String: Any])
    plan["version"] = "0.1.0"
    other["plan"] = plan
    let foreign = String(decoding: try JSONSerialization.data(withJSONObject: other), as: UTF8.self)
    var unknown = try Self.object(job.rows[0])
    unknown["colour"] = "red"
    let strange = String(decoding: try JSONSerialization.data(withJSONObject: unknown), as: UTF8.self)
    let bad = ["", "x", "[]", "{}", "{\"id\":7}", foreign, strange, job.rows[0] + job.rows[0]]
    let done = try job.work(["apply"], bad + [job.rows[0]])
    #expect(done.status == 0 && Self.outcomes(done.answers) == bad.map { _ in "failed" } + ["changed"])
    for (number, answer) in done.answers.dropLast().enumerated() {
      #expect(answer["id"] is NSNull && answer["line"] as? Int == number + 1 && answer["retry"] as? Bool == false)
      #expect(answer["code"] as? String == (bad[number] == foreign ? "otherVersion" : "malformedRequest"))
      #expect((answer["reason"] as? String)?.isEmpty == false)
    }
    let alone = try job.work(["apply"], [job.rows[1]], plan: false)
    #expect(Self.outcomes(alone.answers) == ["failed"])
    #expect((alone.answers.first?["reason"] as? String)?.contains("--plan") == true)
  }

  @Test("A photo that changed since the plan is left, and the engine needn't try again.")
  func changed() throws {
    let job = try Job()
    let photo = job.scratch.url.appending(path: "p/\(Self.names[0])")
    let bytes = try Data(contentsOf: photo) + Data("more".utf8)
    try bytes.write(to: photo)
    let done = try job.work(["apply"], job.rows)
    #expect(Self.outcomes(done.answers) == ["failed"] + job.rows.dropFirst().map { _ in "changed" })
    #expect(
      done.answers.first?["retry"] as? Bool == false && done.answers.first?["code"] as? String == "changedSincePlan")
    #expect(try Data(contentsOf: photo) == bytes)
  }

  @Test("More rows than are changed at once are answered in their order, also if photos changed or rows come twice.")
  func many() throws {
    let (one, other) = (try Job(copies: 520), try Job(copies: 520))
    for job in [one, other] {
      for name in ["1.jpg", "515.jpg"] {
        let photo = job.scratch.url.appending(path: "p/\(name)")
        try (try Data(contentsOf: photo) + Data("more".utf8)).write(to: photo)
      }
    }
    #expect(try other.tool("apply", other.folder + "/plan.jsonl").status == 1)
    let rows = one.rows + one.rows.suffix(10)
    let done = try one.work(["apply"], rows)
    #expect(try done.answers.map { $0["id"] as? String } == rows.map { try Self.object($0)["path"] as? String })
    let outcomes = Self.outcomes(done.answers)
    #expect(outcomes.count { $0 == "changed" } == 518 && outcomes.count { $0 == "failed" } == 2)
    #expect(outcomes.suffix(10).allSatisfy { $0 == "unchanged" })
    #expect(try one.state() == other.state())
  }

  @Test("Of two workers that rename the same photos at once, each says that a photo is renamed.")
  func renamedTwice() throws {
    let job = try Job(copies: 60, named: "png", ["fix-extension"])
    let one = Future { (try? Self.outcomes(job.work(["apply"], job.rows).answers)) ?? [] }
    let both = try Self.outcomes(job.work(["apply"], job.rows).answers) + one.value
    #expect(both.count == 120 && Set(both).isSubset(of: ["changed", "unchanged"]))
    #expect(both.count { $0 == "changed" } == 60)
  }

  @Test("A row is done before also if its files are named in another way, companions too.")
  func otherPaths() throws {
    let job = try Job()
    let rows = try job.rows.map { row in
      let other = Self.inFolder(job.folder, try Self.object(row))
      return String(decoding: try JSONSerialization.data(withJSONObject: other), as: UTF8.self)
    }
    #expect(rows.allSatisfy { $0.contains("..") })
    for outcome in ["changed", "unchanged"] {
      #expect(Set(Self.outcomes(try job.work(["apply"], rows).answers)) == [outcome])
    }
  }

  /// The row with `p/../` in its paths.
  private static func inFolder(_ folder: String, _ row: [String: Any]) -> [String: Any] {
    var row = row
    row["path"] = (row["path"] as? String)?.replacing(folder + "/p/", with: folder + "/p/../p/")
    row["companions"] = (row["companions"] as? [[String: Any]])?.map { inFolder(folder, $0) }
    return row
  }

  @Test("An engine may send all rows before it reads the first answer.", .timeLimit(.minutes(2)))
  func patient() throws {
    let job = try Job()
    let process = Process()
    process.executableURL = URL(filePath: Tool.program)
    process.arguments = ["worker", "apply", "--journal", job.journals]
    process.environment = ProcessInfo.processInfo.environment.merging(job.tool.environment()) { $1 }
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (input, output, FileHandle.nullDevice)
    try process.run()
    let count = 30_000
    input.fileHandleForWriting.write(Data(String(repeating: "not a row\n", count: count).utf8))
    try input.fileHandleForWriting.close()
    // By now all of it was read, although no answer was.
    let answers = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(answers.count { $0 == 0x0A } == count + 1)
  }

  @Test(
    "A run of workers is one run of the journal once it is taken over, and is undone by workers or by undo.",
    arguments: [true, false])
  func adoption(byWorkers: Bool) throws {
    let job = try Job()
    let first = try job.state()
    for row in job.rows { #expect(try job.work(["apply"], [row]).status == 0) }
    let adopted = try job.tool("runs", "adopt", job.journals, "--name", "test")
    #expect(adopted.status == 0, "\(adopted.errors)")
    #expect(adopted.text == "run 1: 5 changed (\(job.rows.count) journals)\n")
    #expect(try job.tool("runs", "adopt", job.journals).status == 2)
    #expect(try job.tool("verify", "1").status == 0)
    guard byWorkers else {
      #expect(try job.tool("undo", "1").status == 0)
      #expect(try job.state() == first)
      return
    }
    let rows = try job.tool("undo", "1", "--rows").text.split(separator: "\n").map(String.init)
    #expect(rows.count == job.rows.count)
    for row in rows {
      let done = try job.work(["undo"], [row], plan: false)
      #expect(done.status == 0 && Self.outcomes(done.answers) == ["changed"], "\(done.answers)")
    }
    #expect(try job.state() == first)
    let again = try job.work(["undo"], rows + rows, plan: false)
    #expect(again.answers.count == 2 * rows.count && Set(Self.outcomes(again.answers)) == ["unchanged"])
    #expect(
      try job.tool("runs", "adopt", job.journals).text
        == "run 2, which undoes run 1: 5 changed (\(rows.count + 1) journals)\n")
    #expect(try job.tool("undo").status == 2)
    #expect(try job.tool("redo", "-q").status == 0)
    #expect(try job.state() != first)
  }

  @Test("If the taking over is interrupted, the same command continues its run; another one begins a new one.")
  func continued() throws {
    let job = try Job(copies: 5)
    for row in job.rows { #expect(try job.work(["apply"], [row]).status == 0) }
    let all = job.journals
    let names = try FileManager.default.contentsOfDirectory(atPath: all).filter { !$0.hasPrefix(".") }.sorted()
    let away = try Scratch()
    func move(_ names: some Sequence<String>, from: String, to: String) throws {
      for name in names { try FileManager.default.moveItem(atPath: "\(from)/\(name)", toPath: "\(to)/\(name)") }
    }
    try move(names.dropFirst(), from: all, to: away.url.path)
    func adopt() throws -> String {
      let adopted = try job.tool("runs", "adopt", all)
      return adopted.text + adopted.errors
    }
    #expect(try adopt() == "run 1: 1 changed (1 journal)\n")
    // As if it had been killed now.
    let journal = job.tool.home.url.appending(path: "state/metatag/journal.db").path
    #expect(try Oracle.run("sqlite3", [journal, "UPDATE run SET state = 'running'"]).status == 0)
    try move(names[1...2], from: away.url.path, to: all)
    let copy = away.url.appending(path: "copy").path
    try FileManager.default.copyItem(atPath: "\(all)/\(names[1])", toPath: copy)
    #expect(try adopt() == "run 1: 3 changed (2 journals)\n")
    // As if it had been killed before it removed the journal.
    try FileManager.default.moveItem(atPath: copy, toPath: "\(all)/\(names[1])")
    #expect(try adopt() == "run 1: 3 changed (1 journal)\n")
    try move(names[3...], from: away.url.path, to: all)
    #expect(try adopt().hasPrefix("run 2: 2 changed"))
    #expect(try job.tool("undo", "2").status == 0 && job.tool("undo", "1").status == 0)
  }

  /// Photos that one worker changed and another one renamed, because the first was killed in between. The run takes over
  /// the journal of the second one first.
  private static func renamedByAnother() throws -> (
    job: Job, first: [String: Data], times: [String: Date], last: [String: Data]
  ) {
    let command = ["geotag", "--at", "46.05,14.5", "--overwrite", "replace", "--fix-extension"]
    let job = try Job(copies: 3, named: "png", command)
    let first = try job.state()
    let times = try job.times()
    let unnamed = try job.rows.map { row in
      var row = try object(row)
      row["newName"] = nil
      return String(decoding: try JSONSerialization.data(withJSONObject: row), as: UTF8.self)
    }
    let plan = job.scratch.url.appending(path: "plan.jsonl")
    let options = try String(contentsOf: plan, encoding: .utf8)
    try Data(options.replacing("\"fixExtension\":true", with: "\"fixExtension\":false").utf8).write(to: plan)
    let journals = ["z", "a"].map { job.journals + "/" + $0 }
    let done = ["changed", "changed", "changed"]
    #expect(try outcomes(job.work(["apply"], unnamed, journals: journals[0]).answers) == done)
    try Data(options.utf8).write(to: plan)
    #expect(Set(try job.state().keys) == Set(first.keys))
    #expect(try outcomes(job.work(["apply"], job.rows, journals: journals[1]).answers) == done)
    let names = Set((1...3).map { "\($0).jpg" })
    #expect(Set(try job.state().keys) == names)
    let adopted = try job.tool.run(list: ["runs", "adopt"] + journals.reversed())
    #expect(adopted.status == 0, "\(adopted.errors)")
    return (job, first, times, try job.state())
  }

  @Test(
    "Photos that one worker changed and another renamed get their names, bytes and times back, and can be done again.",
    arguments: [true, false])
  func renamedByAnother(byWorkers: Bool) throws {
    let (job, first, times, last) = try Self.renamedByAnother()
    #expect(try job.tool("verify", "1").status == 0)
    if byWorkers {
      let rows = try job.tool("undo", "1", "--rows").text.split(separator: "\n").map(String.init)
      let answers = try job.work(["undo"], rows, plan: false).answers
      #expect(answers.map { $0["code"] as? String } == ["restored", "restored", "restored"])
      #expect(try job.tool("runs", "adopt", job.journals).status == 0)
    } else {
      #expect(try job.tool("undo", "1").status == 0)
    }
    #expect(try job.state() == first)
    #expect(try job.times() == times)
    #expect(try job.tool("redo").status == 0)
    #expect(try job.state() == last)
  }

  @Test("A photo that got its old name from a worker that was killed then gets its bytes back.")
  func halfUndone() throws {
    let (job, first, times, _) = try Self.renamedByAnother()
    let rows = try job.tool("undo", "1", "--rows").text.split(separator: "\n").map(String.init)
    let folder = job.scratch.url.appending(path: "p")
    try FileManager.default.moveItem(at: folder.appending(path: "2.jpg"), to: folder.appending(path: "2.png"))
    let done = try job.work(["undo"], rows, plan: false)
    #expect(done.status == 0 && done.answers.allSatisfy { $0["outcome"] as? String != "failed" }, "\(done.answers)")
    #expect(try job.state() == first)
    #expect(try job.times() == times)
  }

  @Test("If another program changed a renamed photo, the undo says so.")
  func renamedAndChangedSince() throws {
    let command = ["geotag", "--at", "46.05,14.5", "--overwrite", "replace", "--fix-extension"]
    let job = try Job(copies: 1, named: "png", command)
    #expect(try Self.outcomes(job.work(["apply"], job.rows).answers) == ["changed"])
    #expect(try job.tool("runs", "adopt", job.journals).status == 0)
    let photo = job.scratch.url.appending(path: "p/1.jpg")
    let before = job.scratch.url.appending(path: "before").path
    #expect(try Oracle.run("cp", ["-p", photo.path, before]).status == 0)
    var bytes = try Data(contentsOf: photo)
    for index in bytes.indices.dropFirst(40).prefix(400) { bytes[index] ^= 0xFF }
    let handle = try FileHandle(forWritingTo: photo)
    try handle.write(contentsOf: bytes)
    try handle.close()
    #expect(try Oracle.run("touch", ["-r", before, photo.path]).status == 0)
    let rows = try job.tool("undo", "1", "--rows").text.split(separator: "\n").map(String.init)
    let answer = try #require(try job.work(["undo"], rows, plan: false).answers.first)
    #expect(answer["code"] as? String == "modifiedAfterRun", "\(answer)")
  }

  @Test("Renamed photos with new sidecars are unchanged if their undo comes again.")
  func undoneAgain() throws {
    let command = ["geotag", "--at", "46.05,14.5", "--overwrite", "replace", "--fix-extension", "--sidecar", "always"]
    let job = try Job(copies: 2, named: "png", command)
    let first = try job.state()
    #expect(try Self.outcomes(job.work(["apply"], job.rows).answers) == ["changed", "changed"])
    #expect(try Self.outcomes(job.work(["apply"], job.rows).answers) == ["unchanged", "unchanged"])
    #expect(try job.tool("runs", "adopt", job.journals).status == 0)
    let rows = try job.tool("undo", "1", "--rows").text.split(separator: "\n").map(String.init)
    #expect(try Self.outcomes(job.work(["undo"], rows, plan: false).answers) == ["changed", "changed"])
    #expect(try job.state() == first)
    #expect(try Self.outcomes(job.work(["undo"], rows, plan: false).answers) == ["unchanged", "unchanged"])
  }

  @Test("A run of workers can be forgotten, whether it was undone or not.", arguments: [true, false])
  func forgotten(isUndone: Bool) throws {
    let job = try Job()
    #expect(try job.work(["apply"], job.rows).status == 0)
    #expect(try job.tool("runs", "adopt", job.journals).status == 0)
    if isUndone { #expect(try job.tool("undo", "1").status == 0) }
    let forgotten = try job.tool("forget", "1")
    #expect(forgotten.status == 0, "\(forgotten.errors)")
    #expect(try job.tool("undo", "1").status == 2)
  }

  @Test("If the reader goes away, the exit status says that not every line was answered.", .timeLimit(.minutes(2)))
  func readerIsGone() throws {
    let job = try Job()
    let input = try job.scratch.write(Data(String(repeating: "not a row\n", count: 30_000).utf8), as: "rows")
    let script = "(\"$0\" worker apply --journal \"$1\" < \"$2\"; echo $? > \"$3\") | head -n 1"
    let status = job.scratch.url.appending(path: "status")
    _ = try Oracle.run(
      "sh", ["-c", script, Tool.program, job.journals, input.path, status.path], environment: job.tool.environment())
    #expect(try String(contentsOf: status, encoding: .utf8) == "70\n")
  }

  @Test("A worker without rows leaves no journal, and options that are wrong are usage errors.")
  func nothing() throws {
    let job = try Job()
    #expect(try job.work(["apply"], []).status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: job.journals).filter { !$0.hasPrefix(".") } == [])
    #expect(try job.tool("worker", "undo").status == 64)
    #expect(try job.tool("worker").status == 64)
    #expect(try job.tool("worker", "apply", "--plan", "missing").status == 2)
    #expect(try job.tool("undo", "--rows").status == 64)
    #expect(try job.tool("runs", "adopt", "missing").status == 1)
  }
}
