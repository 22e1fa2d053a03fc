import Foundation
import TestSupport
import Testing

/// Stopping, retrying and confirming runs.
struct WorkflowTests {
  /// Copies of a sample, `00.jpg` and so on. Those in `broken` are not photos.
  static func photos(_ count: Int, broken: Set<Int> = []) throws -> (Scratch, [URL]) {
    let scratch = try Scratch()
    let sample = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let files = try (0..<count).map { index in
      let name = (index < 10 ? "0" : "") + "\(index).jpg"
      return try scratch.write(broken.contains(index) ? Data("not a photo".utf8) : sample, as: name)
    }
    return (scratch, files)
  }

  static func rows(_ answer: Oracle.Answer) throws -> [[String: Any]] {
    let document = try JSONSerialization.jsonObject(with: answer.output) as? [String: Any]
    let rows = document?["rows"] as? [[String: Any]] ?? []
    let totals = document?["totals"] as? [String: Int] ?? [:]
    let parts = totals.filter { $0.key != "files" && $0.key != "companions" }.values.reduce(0, +)
    #expect(totals["files"] == rows.count && parts == rows.count, "\(totals)")
    return rows
  }

  @Test("A low limit of open files doesn't prevent changing a group of photos.")
  func manyFiles() throws {
    let tool = try Tool()
    let (scratch, _) = try Self.photos(90)
    let script = #"ulimit -Sn 128 && exec "$0" "$@""#
    let answer = try Oracle.run(
      "sh", ["-c", script, Tool.program, "date", "shift", "+1h", "--json", scratch.url.path],
      environment: tool.environment())
    #expect(answer.status == 0, "\(answer.errors)")
    #expect(try Self.rows(answer).count { $0["outcome"] as? String == "changed" } == 90)
  }

  @Test(
    "--fail-fast stops at the first failure, and --retry-failed continues with the rest.",
    arguments: [1, 8])
  func failFast(jobs: Int) throws {
    let tool = try Tool()
    let (scratch, files) = try Self.photos(12, broken: [5, 9])
    let hashes = try files.map { try sha256($0) }
    let first = try tool(
      "date", "shift", "+1h", "--fail-fast", "--json", "--jobs", "\(jobs)", scratch.url.path)
    #expect(first.status == 1)
    #expect(first.errors.contains("stopped at the first failure: 6 of 12 files not done"), "\(first.errors)")
    let outcomes = try Self.rows(first).map { $0["outcome"] as? String ?? "" }
    #expect(outcomes == Array(repeating: "changed", count: 5) + ["failed"] + Array(repeating: "notRun", count: 6))
    for (file, hash) in zip(files, hashes).dropFirst(5) { #expect(try sha256(file) == hash) }

    let again = try tool("date", "shift", "+1h", "--retry-failed", "1", "--json")
    #expect(try Self.rows(again).map { $0["outcome"] as? String ?? "" }.filter { $0 == "changed" }.count == 5)
    #expect(try Self.rows(again).count == 7 && again.status == 1)
    let last = try tool("date", "shift", "+1h", "--retry-failed", "2", "--json")
    #expect(try Self.rows(last).compactMap { $0["path"] as? String } == [files[5].path, files[9].path])
  }

  @Test("A retry skips files that another retry has changed, unless that was undone.")
  func retryChain() throws {
    let tool = try Tool()
    let (scratch, files) = try Self.photos(3, broken: [0])
    let change = ["date", "shift", "+1h"]
    try tool.run(list: change + ["--fail-fast", scratch.url.path])
    try tool.run(list: change + ["--fail-fast", "--retry-failed", "1"])
    try tool.run(list: change + ["--fail-fast", "--retry-failed=2"])
    try tool.run(list: change + ["--retry-failed", "1"])
    let moved = try Data(contentsOf: files[1])
    for run in 1...4 {
      for named in [[], [scratch.url.path]] {
        try tool.run(list: change + ["--retry-failed", "\(run)"] + named)
        #expect(try Data(contentsOf: files[1]) == moved && Data(contentsOf: files[2]) == moved, "\(run) \(named)")
      }
    }
    // One of two stays as it is, because another program wrote to it.
    try (moved + [0]).write(to: files[2])
    let touched = try Data(contentsOf: files[2])
    #expect(try tool("undo", "4").status == 1)
    #expect(try Data(contentsOf: files[1]) != moved)
    for run in [3, 1, 2] {
      try tool.run(list: change + ["--retry-failed", "\(run)"])
      #expect(try Data(contentsOf: files[1]) == moved && Data(contentsOf: files[2]) == touched, "\(run)")
    }
  }

  @Test("A retry skips files that a retry's plan has changed, and takes those left out of the plan.")
  func retryByPlan() throws {
    let tool = try Tool()
    let (scratch, files) = try Self.photos(3, broken: [0])
    let change = ["date", "shift", "+1h"]
    let plan = tool.home.url.appending(path: "plan.jsonl")
    try tool.run(list: change + ["--fail-fast", scratch.url.path])
    try tool.run(list: change + ["--retry-failed", "1", "--plan", plan.path])
    let lines = try String(contentsOf: plan, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 3)
    let old = try Data(contentsOf: files[2])
    try lines.dropLast().joined(separator: "\n").write(to: plan, atomically: true, encoding: .utf8)
    #expect(try tool("apply", plan.path).status == 0)
    let moved = try Data(contentsOf: files[1])
    #expect(try moved != old && Data(contentsOf: files[2]) == old)
    for run in [2, 1, 3, 1, 2] {
      try tool.run(list: change + ["--retry-failed", "\(run)"])
      #expect(try Data(contentsOf: files[1]) == moved, "\(run)")
    }
    #expect(try Data(contentsOf: files[2]) != old)
  }

  @Test("Files named with --retry-failed are not repeated, and new ones are changed.")
  func retryNamed() throws {
    let tool = try Tool()
    let (scratch, files) = try Self.photos(3, broken: [1])
    #expect(try tool("date", "shift", "+1h", files[0].path, files[1].path).status == 1)
    let moved = try Data(contentsOf: files[0])
    for _ in 0..<2 {
      let again = try tool("date", "shift", "+1h", "--retry-failed", "1", "-r", scratch.url.path, "--json")
      #expect(
        again.status == 1 && again.errors.contains("were done by or since run 1 and are left out"), "\(again.errors)")
      #expect(try Self.rows(again).compactMap { $0["path"] as? String }.first == files[1].path)
    }
    #expect(try Data(contentsOf: files[0]) == moved && Data(contentsOf: files[2]) == moved)
  }

  @Test("A journal folder that can't be created is an error with a remedy.")
  func journalFolder() throws {
    let (scratch, files) = try Self.photos(1, broken: [])
    let answer = try Tool()(
      "date", "shift", "+1h", scratch.url.path, environment: ["XDG_STATE_HOME": files[0].path])
    #expect(
      answer.status == 2 && answer.errors.contains("set XDG_STATE_HOME to use another folder"), "\(answer.errors)")
  }

  @Test("A photo that the calling shell has open for writing is left as it is.")
  func openInShell() throws {
    let tool = try Tool()
    let (scratch, files) = try Self.photos(1)
    let before = try sha256(files[0])
    let answer = try Oracle.run(
      "/bin/sh", ["-c", "exec 7>>\"$1\"; \"$2\" date shift +1h \"$1\"", "sh", files[0].path, Tool.program],
      environment: tool.environment())
    #expect(answer.status == 1 && answer.text.contains("is open for writing"), "\(answer.text)\(answer.errors)")
    #expect(try sha256(files[0]) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).count == 1)
  }

  @Test("An inaccessible journal is not taken for a missing one.")
  func closedJournal() throws {
    let tool = try Tool()
    let (scratch, files) = try Self.photos(1)
    #expect(try tool("date", "shift", "+1h", files[0].path).status == 0)
    let folder = tool.home.url.appending(path: "state/metatag").path
    // SQLite writes a file next to the database even to read it.
    for (mode, remedy) in [(0o000, "set XDG_STATE_HOME to use another folder"), (0o500, "copy the folder metatag")] {
      #expect(chmod(folder, mode_t(mode)) == 0)
      for command in [["log"], ["show", "--retry-failed", "1"], ["undo", "--dry-run"]] {
        let answer = try tool.bound(command)
        #expect(answer.status == 2 && answer.errors.contains("the journal in \(folder): "), "\(answer.errors)")
        #expect(answer.errors.contains(remedy), "\(answer.errors)")
      }
    }
    #expect(chmod(folder, 0o700) == 0)
    #expect(FileManager.default.fileExists(atPath: scratch.url.path))
  }

  @Test("Folders too deep for a path have a failed row.")
  func tooDeep() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let sample = Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg")
    try scratch.copy(sample)
    var folder = open(scratch.url.path, O_RDONLY | O_DIRECTORY)
    for _ in 0..<45 {
      let name = String(repeating: "d", count: 100)
      #expect(mkdirat(folder, name, 0o700) == 0)
      let next = openat(folder, name, O_RDONLY | O_DIRECTORY)
      close(folder)
      folder = next
    }
    close(openat(folder, "a.jpg", O_WRONLY | O_CREAT, 0o600))
    close(folder)
    defer { _ = try? Oracle.run("rm", ["-rf", scratch.url.path]) }
    let answer = try tool("date", "shift", "+1h", "-r", "--json", scratch.url.path)
    #expect(answer.status == 1)
    #expect(try Self.rows(answer).map { $0["outcome"] as? String } == ["changed", "failed"])
    #expect(answer.text.contains("File name too long"), "\(answer.text.suffix(300))")
  }

  @Test("Finished, unknown and unrecorded runs have different messages.")
  func retry() throws {
    let tool = try Tool()
    let (scratch, files) = try Self.photos(1, broken: [0])
    let none = try tool("show", "--retry-failed", "1")
    #expect(none.status == 2 && none.errors.contains("there is no run 1"), "\(none.errors)")
    #expect(try tool("date", "shift", "+1h", files[0].path).status == 1)
    let missing = try tool("show", "--retry-failed", "7")
    #expect(missing.status == 2 && missing.errors.contains("there is no run 7"), "\(missing.errors)")
    #expect(FileManager.default.fileExists(atPath: scratch.url.path))
    let left = try tool("show", "--retry-failed", "1")
    #expect(left.status == 1 && left.errors.contains(files[0].path), "\(left.errors)")
    #expect(try tool("undo").status == 2)
  }

  @Test(
    "Every file has a row, and the totals add up, however many are unreadable (C.7).", arguments: [0, 7, 20])
  func totals(broken: Int) throws {
    let tool = try Tool()
    let (scratch, files) = try Self.photos(20, broken: Set(0..<broken))
    let answer = try tool("geotag", "--at", "46,7", "--overwrite", "replace", "--json", scratch.url.path, files[0].path)
    let rows = try Self.rows(answer)
    #expect(rows.filter { $0["outcome"] as? String == "failed" && $0["reason"] != nil }.count == broken)
    #expect(rows.filter { $0["outcome"] as? String == "changed" }.count == 20 - broken)
    #expect(answer.status == (broken == 0 ? 0 : 1))
  }

  @Test("A file named twice and through a link is edited and counted once (C.7).")
  func twice() throws {
    let tool = try Tool()
    let (scratch, files) = try Self.photos(1)
    let link = scratch.url.appending(path: "link.jpg")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: files[0])
    let answer = try tool("date", "shift", "+1h", "--json", files[0].path, link.path, files[0].path, scratch.url.path)
    #expect(try Self.rows(answer).count == 1)
  }

  @Test("On a terminal many changes are summarised and confirmed, and --yes skips the question.")
  func question() throws {
    let tool = try Tool()
    let (scratch, files) = try Self.photos(60)
    let hashes = try files.map { try sha256($0) }
    func terminal(_ extra: [String]) throws -> Terminal {
      try Terminal(
        Tool.program, ["date", "shift", "+1h23m"] + extra + [scratch.url.path], environment: tool.environment())
    }
    let refused = try terminal([])
    try refused.wait(for: "60 would change: moved by +1h23m")
    try refused.wait(for: "Go ahead? [y/N] ")
    try refused.type("\n")
    try refused.wait(for: "Nothing was changed")
    #expect(try refused.end().status == 2)
    #expect(try files.map { try sha256($0) } == hashes)
    let agreed = try terminal([])
    try agreed.wait(for: "Go ahead? [y/N] ")
    try agreed.type("y\n")
    try agreed.wait(for: "60 files: 60 changed")
    try agreed.wait(for: "60 changed: moved by +1h23m")
    #expect(try agreed.end().status == 0)
    let silent = try terminal(["--yes"])
    try silent.wait(for: "60 files: 60 changed")
    #expect(try silent.end().status == 0)
    #expect(!silent.shown.contains("Go ahead?"))
  }

  @Test("undo --dry-run says what would be restored: bytes, a name, a time or nothing.")
  func undoProspect() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let wrong = scratch.url.appending(path: "a.png")
    for (commands, words) in [
      (["date", "shift", "+1h", photo.path], "would be restored"),
      (["date", "sync-mtime", photo.path], "old modification time would be restored"),
      (["convert", "--to", "heic", photo.path], "would be removed (was created by this run)"),
    ] {
      #expect(try tool.run(list: commands).status == 0, "\(commands)")
      let prospect = try tool("undo", "--dry-run")
      #expect(prospect.text.contains(words), "\(commands) \(prospect.text)")
    }
    try FileManager.default.copyItem(at: photo, to: wrong)
    #expect(try tool("fix-extension", wrong.path).status == 0)
    #expect(try tool("undo", "--dry-run").text.contains("old name would be restored"))
  }

  @Test("undo --fail-fast stops at the first changed photo, and a second undo restores the rest.")
  func undoFailFast() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let sample = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let files = try ["a.jpg", "b.jpg", "c.jpg"].map { try scratch.write(sample, as: $0) }
    #expect(try tool.run(list: ["date", "shift", "+1h"] + files.map(\.path)).status == 0)
    let changed = try Data(contentsOf: files[1])
    try scratch.write(changed + [0], as: "b.jpg")
    let run = try tool("undo", "--fail-fast", "--jsonl")
    let outcomes = run.text.split(separator: "\n").compactMap { line in
      ["skipped", "notRun", "changed"].first { line.contains("\"outcome\":\"\($0)\"") }
    }
    #expect(run.status == 1 && outcomes.sorted() == ["changed", "notRun", "skipped"], "\(run.text)")
    #expect(try Data(contentsOf: files[0]) == sample && Data(contentsOf: files[2]) == changed)
    #expect(try tool("undo", "--fail-fast").status == 1)
    #expect(try tool("undo").text.contains("c.jpg: changed: restored"))
    for file in [files[0], files[2]] { #expect(try Data(contentsOf: file) == sample) }
  }

  @Test(
    "sync-mtime and convert accept --fail-fast and refuse --plan with the reason."
  )
  func failFastElsewhere() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let sample = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let files = try ["a.jpg", "b.jpg", "c.jpg"].map {
      try scratch.write($0 == "b.jpg" ? Data("no".utf8) : sample, as: $0)
    }
    for commands in [["date", "sync-mtime"], ["convert", "--to", "heic"]] {
      let run = try tool.run(list: commands + ["--fail-fast", "--jsonl"] + files.map(\.path))
      let outcomes = run.text.split(separator: "\n").map { line in
        ["failed", "notRun", "changed", "created"].first { line.contains("\"outcome\":\"\($0)\"") } ?? "?"
      }
      #expect(outcomes.dropFirst() == ["failed", "notRun"], "\(run.text)")
      let plan = try tool.run(list: commands + ["--plan", scratch.url.appending(path: "p").path, files[0].path])
      #expect(plan.status == 64 && plan.errors.contains("Use --dry-run"), "\(plan.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: scratch.url.appending(path: "c.HEIC").path))
    #expect(try tool("undo", "--plan", "p").status == 64)
  }
}
