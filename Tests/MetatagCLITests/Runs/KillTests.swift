import Foundation
import Glibc
import TestSupport
import Testing

/// A run that is killed leaves every photo old or new.
@Suite("Killed runs", .serialized)
struct KillTests {
  static let count = 300

  @Test(
    "A run killed ten times leaves whole files, undo restores them, and a second run finishes."
  )
  func kill() throws {
    let tool = try Tool()
    let photos = try Scratch()
    let sample = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let files = try (0..<Self.count).map { try photos.write(sample + Data("\($0)".utf8), as: "\($0).jpg") }
    let old = try files.map { try Data(contentsOf: $0) }
    let change = ["geotag", "--at", "46.05,14.5", "--overwrite", "replace", "-q", photos.url.path]

    let start = ContinuousClock.now
    #expect(try Oracle.run(Tool.program, change, environment: tool.environment()).status == 0)
    let whole = start.duration(to: .now) / .seconds(1)
    let new = try files.map { try Data(contentsOf: $0) }
    #expect(zip(old, new).allSatisfy { $0 != $1 })
    #expect(try tool("undo").status == 0)

    var random = SeededGenerator(seed: 20_261_121)
    var midway = 0
    for round in 1...10 {
      if round <= 5 {
        try tool.run(change, killedAfter: whole * .random(in: 0.1...0.95, using: &random))
      } else {
        // The first group is being changed now, however long that takes on a busy machine.
        try tool.run(change, killedAfter: .random(in: 0...0.005, using: &random)) {
          try Data(contentsOf: files[0]) != old[0]
        }
      }
      let now = try files.map { try Data(contentsOf: $0) }
      let changed = zip(now, new).count { $0 == $1 }
      #expect(zip(now, zip(old, new)).allSatisfy { $0 == $1.0 || $0 == $1.1 }, "round \(round): a file is neither")
      if (1..<Self.count).contains(changed) { midway += 1 }

      if round.isMultiple(of: 2) {
        _ = try tool("undo", "--dry-run")
        #expect(try files.map { try Data(contentsOf: $0) } == now, "round \(round): a dry run changed something")
        #expect([0, 2].contains(try tool("undo").status))
        #expect(try files.map { try Data(contentsOf: $0) } == old, "round \(round): undo")
      } else {
        #expect(try Oracle.run(Tool.program, change, environment: tool.environment()).status == 0)
        #expect(try files.map { try Data(contentsOf: $0) } == new, "round \(round): second run")
        while try tool("undo", "-q").status == 0 {}
        #expect(try files.map { try Data(contentsOf: $0) } == old, "round \(round): undo of both runs")
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: photos.url.path)
      #expect(names.count == Self.count, "round \(round): \(names.filter { $0.hasPrefix(".") })")
    }
    #expect(midway > 0, "no kill hit the middle of a run")
  }
}

@Suite("Retry after a kill", .serialized)
struct KilledRetryTests {
  @Test(
    "--retry-failed after a kill moves each date once, and needs the files named again.")
  func retry() throws {
    let (tool, photos) = (try Tool(), try Scratch())
    let sample = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let files = try (0..<600).map { try photos.write(sample, as: "\($0).jpg") }
    let change = ["date", "shift", "+1h", "-q", photos.url.path]
    try tool.run(change, killedAfter: 0.002) { try Data(contentsOf: files[0]) != sample }
    let done = try files.filter { try Data(contentsOf: $0) != sample }.count
    try #require((1..<files.count).contains(done), "the kill hit no middle: \(done)")
    let log = try tool("log", "--json").text
    #expect(log.contains(#""state": "interrupted""#) && log.contains(#""changed": \#(done),"#), "\(log)")
    // Repeating the command would move them twice.
    let repeated = try tool.run(list: change)
    #expect(repeated.status == 2 && repeated.errors.contains("run 1 is unfinished"), "\(repeated.errors)")
    #expect(repeated.errors.contains("metatag date shift +1h -q --retry-failed 1 \(photos.url.path)\n"))
    #expect(try files.filter { try Data(contentsOf: $0) != sample }.count == done)
    let settled = try tool("log", "--json").text
    #expect(settled.contains(#""changed": \#(done),"#) && settled.contains(#""failed": 0,"#), "\(settled)")

    let unnamed = try tool("date", "shift", "+1h", "--retry-failed", "1")
    #expect(unnamed.status == 2 && unnamed.errors.contains("Name its files again"), "\(unnamed.errors)")
    let again = try Oracle.run(Tool.program, change + ["--retry-failed", "1"], environment: tool.environment())
    #expect(again.status == 0 && again.errors.contains("were done by or since run 1"), "\(again.errors)")
    let moved = try Data(contentsOf: files[0])
    #expect(try files.allSatisfy { try Data(contentsOf: $0) == moved })
    // Nothing is left to do, neither of the run nor of its retry.
    for _ in 0..<2 {
      #expect(
        try Oracle.run(Tool.program, change + ["--retry-failed", "1"], environment: tool.environment()).status == 0)
    }
    #expect(try files.allSatisfy { try Data(contentsOf: $0) == moved })
    // A run that was undone has changed nothing.
    #expect(try tool("undo", "1", "-q").status == 0)
    #expect(
      try Oracle.run(Tool.program, change + ["--retry-failed", "1"], environment: tool.environment()).status == 0)
    #expect(try files.allSatisfy { try Data(contentsOf: $0) == moved })
  }
}

/// Acceptance case C.7: Ctrl-C after some files of many.
@Suite("Interrupted runs", .serialized)
struct InterruptTests {
  @Test("An interrupt before the first photo reports that nothing was changed.")
  func early() throws {
    let tool = try Tool()
    let fifo = tool.home.url.appending(path: "names")
    #expect(mkfifo(fifo.path, 0o600) == 0)
    let errors = try tool.home.write(Data(), as: "err")
    let process = Process()
    process.executableURL = URL(filePath: Tool.program)
    // It waits for names that don't come.
    process.arguments = ["date", "shift", "+1h", "--files-from", fifo.path]
    process.environment = ProcessInfo.processInfo.environment.merging(tool.environment()) { $1 }
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    // Opened once the tool has opened it.
    let end = open(fifo.path, O_WRONLY)
    defer { close(end) }
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGINT)
    #expect(try String(contentsOf: errors, encoding: .utf8) == "metatag: interrupted\n")
  }

  @Test("An interrupt while the gazetteer is prepared leaves no files behind.")
  func preparing() throws {
    let tool = try Tool()
    let folder = tool.home.url.appending(path: "cache/metatag")
    let files = { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }
    let errors = try tool.home.write(Data(), as: "err")
    let process = Process()
    process.executableURL = URL(filePath: Tool.program)
    process.arguments = ["place", "search", "kyoto"]
    let environment = tool.environment(["XDG_CACHE_HOME": tool.home.url.appending(path: "cache").path])
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    while process.isRunning, !files().contains(where: { $0.hasPrefix("gazetteer.partial") }) { usleep(1_000) }
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGINT)
    #expect(files() == ["gazetteer.lock"])
    let lines = try String(contentsOf: errors, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasPrefix("Preparing the gazetteer") && lines[1] == "metatag: interrupted")
  }

  @Test("An interrupt keeps finished changes, reports the rest as not run, and exits with 130.")
  func interrupt() throws {
    let (tool, photos, home) = (try Tool(), try Scratch(), try Scratch())
    let sample = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let names = (0..<1_200).map { "\($0).jpg" }
    for name in names { try photos.write(sample, as: name) }
    let (out, err) = (try home.write(Data(), as: "out"), try home.write(Data(), as: "err"))
    let process = Process()
    process.executableURL = URL(filePath: Tool.program)
    process.arguments = ["date", "shift", "+1h", "--json", photos.url.path]
    process.environment = ProcessInfo.processInfo.environment.merging(tool.environment()) { $1 }
    (process.standardOutput, process.standardError) = (
      try FileHandle(forWritingTo: out), try FileHandle(forWritingTo: err)
    )
    try process.run()
    // As soon as a photo has changed, the first group is on the disk.
    let last = photos.url.appending(path: "0.jpg")
    while try Data(contentsOf: last) == sample, process.isRunning { usleep(2_000) }
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    let report = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: out)) as? [String: any Sendable])
    let rows = try #require(report["rows"] as? [[String: any Sendable]])
    let totals = try #require(report["totals"] as? [String: Int])
    #expect(rows.count == names.count && totals["files"] == names.count)
    #expect(totals.filter { $0.key != "files" }.values.reduce(0, +) == names.count, "\(totals)")
    let changed = totals["changed"] ?? 0
    #expect((1..<names.count).contains(changed), "the signal hit the middle of the run: \(changed)")
    #expect(totals["notRun"] == names.count - changed)
    for row in rows {
      let file = URL(filePath: try #require(row["path"] as? String))
      let isSame = try Data(contentsOf: file) == sample
      switch row["outcome"] as? String {
      case "changed": #expect(!isSame, "\(file.lastPathComponent)")
      case "notRun": #expect(isSame, "\(file.lastPathComponent)")
      default: Issue.record("\(row)")
      }
    }
    let errors = try String(contentsOf: err, encoding: .utf8)
    #expect(
      errors.hasSuffix(
        """
        metatag: interrupted: \(changed) of \(names.count) files done, \(names.count - changed) not done
          Resume: metatag date shift +1h --json --retry-failed 1
          Undo:   metatag undo 1

        """), "\(errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: photos.url.path).count == names.count)
    let rest = try tool("date", "shift", "+1h", "--retry-failed", "1", "--json")
    let finished = try JSONSerialization.jsonObject(with: rest.output) as? [String: any Sendable]
    #expect((finished?["totals"] as? [String: Int])?["changed"] == names.count - changed)
    #expect(try tool("undo", "-q").status == 0)
    #expect(try tool("undo", "-q").status == 0)
    for name in names { #expect(try Data(contentsOf: photos.url.appending(path: name)) == sample, "\(name)") }
  }
}
