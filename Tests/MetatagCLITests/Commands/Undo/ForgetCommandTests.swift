import Foundation
import TestSupport
import Testing

@Suite("metatag forget")
struct ForgetCommandTests {
  private let tool: Tool
  private let photos: Scratch
  private let files: [URL]

  init() throws {
    let photos = try Scratch()
    (tool, self.photos) = (try Tool(), photos)
    files = try ["aurora-01-jetty.jpg", "aurora-02-island.jpg"].map {
      try photos.copy(Corpus.project.appending(path: "SampleImages/\($0)"))
    }
  }

  /// Whether the journal's files hold these bytes.
  private func journalHolds(_ text: String) throws -> Bool {
    let folder = tool.home.url.appending(path: "state/metatag")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let bytes = [UInt8](try Data(contentsOf: folder.appending(path: name)))
      if bytes.firstRange(of: Array(text.utf8)) != nil { return true }
    }
    return false
  }

  /// Sets a title, and another over it, so that the journal holds the first.
  private func title(_ file: URL, _ title: String) throws {
    for title in [title, "Other"] { #expect(try tool("set", "--title", title, file.path).status == 0) }
  }

  @Test("The old bytes of a forgotten run are gone from the journal's files, and other runs can be undone.")
  func run() throws {
    try title(files[0], "SecretPlace")
    let kept = try sha256(files[1])
    #expect(try tool("date", "shift", "+1h", files[1].path).status == 0)
    #expect(try journalHolds("SecretPlace"))
    #expect(try tool("forget", "1", "2", "--dry-run").text == "would forget 2 runs\n")
    #expect(try journalHolds("SecretPlace"))
    let photo = try sha256(files[0])
    let forget = try tool("forget", "1", "2")
    #expect(forget.status == 0 && forget.text == "forgot 2 runs\n", "\(forget.errors)")
    #expect(try !journalHolds("SecretPlace"))
    #expect(try sha256(files[0]) == photo)
    #expect(try tool("undo", "1").status == 2)
    #expect(try tool("undo", "3").status == 0)
    #expect(try sha256(files[1]) == kept)
    #expect(try tool("forget", "1").status == 2)
  }

  @Test(
    "If forget is killed, doctor says that bytes may be left, and the next forget removes them.",
    .enabled(if: Oracle.has("strace") && !hasSanitizer, "strace is missing, or there is a sanitizer"))
  func killed() throws {
    var interrupted = 0
    for number in 1...12 {
      try title(files[0], "SecretPlace")
      // The run that wrote it and the one that replaced it.
      let wrote = try #require(try runs().first { $0.arguments.contains("SecretPlace") }).number
      let words = ["forget", String(wrote), String(wrote + 1)]
      let kill =
        ["-f", "-o", "/dev/null", "-e", "trace=fdatasync", "-e"]
        + ["inject=fdatasync:signal=KILL:when=\(number)", Tool.program] + words
      _ = try Oracle.run("strace", kill, environment: tool.environment())
      let isListed = try runs().contains { $0.number == wrote }
      let doctor = try tool("doctor", "--json")
      let isUnfinished = doctor.status == 1 && doctor.text.contains("\"unfinishedForget\"")
      if !isListed, try journalHolds("SecretPlace") {
        interrupted += 1
        #expect(isUnfinished, "\(doctor.text)")
      }
      let again = try tool.run(list: words)
      #expect(again.status == (isListed || isUnfinished ? 0 : 2), "\(again.text)\(again.errors)")
      #expect(try !journalHolds("SecretPlace"), "killed at call \(number)")
      #expect(try !tool("doctor", "--json").text.contains("unfinishedForget"))
    }
    #expect(interrupted > 0)
  }

  private func runs() throws -> [(number: Int, arguments: [String])] {
    let log = try tool("log", "--limit", "0", "--json").output
    let runs = try #require(try JSONSerialization.jsonObject(with: log) as? [[String: Any]])
    return try runs.map { run in
      (try #require(run["run"] as? Int), try #require(run["arguments"] as? [String]))
    }
  }

  @Test("An undo is forgotten with its run.")
  func undo() throws {
    try title(files[0], "SecretPlace")
    #expect(try tool("undo", "2").status == 0)
    #expect(try tool("forget", "2").text == "forgot 2 runs\n")
    #expect(try tool("log", "--json").text.contains("\"run\": 1"))
    #expect(try tool("undo", "1").status == 0)
  }

  @Test("A folder that can't be reached, with what an interrupted run may have left in it, is named.")
  func unreachable() throws {
    try title(files[0], "SecretPlace")
    let journal = tool.home.url.appending(path: "state/metatag/journal.db").path
    let (gone, there) = ("/nowhere/trip", photos.url.path)
    let insert = "INSERT INTO folder (run, path) VALUES"
    for folder in [gone, there] {
      let change = "\(insert) (1, CAST('\(folder)' AS BLOB)); UPDATE run SET state = 'interrupted'"
      #expect(try Oracle.run("sqlite3", [journal, change]).status == 0)
    }
    #expect(try tool("forget", "2").errors == "")
    let forget = try tool("forget", "1")
    #expect(forget.status == 0 && forget.text == "forgot 1 run\n", "\(forget.errors)")
    #expect(forget.errors.hasPrefix("/nowhere/trip can't be reached"), "\(forget.errors)")
    #expect(!forget.errors.contains(there), "\(forget.errors)")
  }

  @Test("The changes of a file are forgotten in all runs, and those of others stay.")
  func file() throws {
    try title(files[0], "SecretPlace")
    let kept = try sha256(files[1])
    #expect(try tool("date", "shift", "+1h", photos.url.path).status == 0)
    #expect(try tool("forget", files[0].path).text == "forgot all changes of 1 file\n")
    #expect(try tool("undo", "3").status == 0)
    #expect(try sha256(files[1]) == kept)
    #expect(try tool("forget", files[0].path).status == 1)
    let unknown = photos.url.appending(path: "nothing.jpg").path
    let forget = try tool("forget", files[1].path, unknown)
    #expect(forget.status == 1 && forget.text == "forgot all changes of 1 file\n", "\(forget.text)")
    #expect(forget.errors.contains("nothing.jpg: the journal knows no change"), "\(forget.errors)")
  }

  @Test("A file that was renamed is forgotten under its earlier names, too.")
  func renamed() throws {
    let wrong = files[0].deletingPathExtension().appendingPathExtension("png")
    try FileManager.default.moveItem(at: files[0], to: wrong)
    try title(wrong, "SecretPlace")
    #expect(try tool("fix-extension", wrong.path).status == 0)
    #expect(try tool("log", "1", "--json").text.contains(wrong.lastPathComponent))
    #expect(try tool("forget", files[0].path).status == 0)
    for run in 1...3 { #expect(try tool("log", "\(run)", "--json").text == "[]\n") }
  }

  @Test("The files of one photo are forgotten together, so that none is undone alone.")
  func pair() throws {
    let pair = try ["cirrus-01-boat.heic", "cirrus-01-boat.mov"].map {
      try photos.copy(Corpus.project.appending(path: "SampleImages/\($0)"))
    }
    #expect(try tool("date", "shift", "+1h", photos.url.path).status == 0)
    let changed = try pair.map(sha256)
    #expect(try tool("forget", pair[1].path).status == 0)
    #expect(try tool("undo").status == 0)
    #expect(try pair.map(sha256) == changed)
  }

  @Test("Runs are forgotten by their age.")
  func age() throws {
    #expect(try tool("date", "shift", "+1h", files[0].path).status == 0)
    #expect(try tool("forget", "--older-than", "1d").status == 0)
    #expect(try tool("forget", "--older-than", "90").status == 64)
    usleep(2_200_000)
    #expect(try tool("forget", "--older-than", "1s").text == "forgot 1 run\n")
    #expect(try tool("log", "--json").text == "[]\n")
  }

  @Test("A number that no run can have is an error.")
  func hugeNumber() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    #expect(try tool("date", "shift", "+1h", photo.path).status == 0)
    for command in ["forget", "undo"] {
      let answer = try tool(command, "99999999999999999999")
      #expect(answer.status == 2 && answer.errors.contains("there is no run 99999999999999999999"), "\(answer.errors)")
    }
  }
}
