import Foundation
import Glibc
import TestSupport
import Testing

/// Changed copies, as a user makes them from a read-only card.
@Suite("--copy-to")
struct CopyToTests {
  /// A card with folders of photos, and a folder for copies that doesn't exist yet.
  private struct Card {
    let tool: Tool
    let scratch: Scratch
    var card: String { scratch.url.appending(path: "card").path }
    var out: String { scratch.url.appending(path: "out").path }

    init(_ files: [String: [String]] = ["DCIM/100A": samples]) throws {
      (tool, scratch) = (try Tool(), try Scratch())
      for (folder, names) in files {
        let url = scratch.url.appending(path: "card/" + folder)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for name in names {
          try FileManager.default.copyItem(
            at: Corpus.project.appending(path: "SampleImages/" + name), to: url.appending(path: name))
        }
      }
    }

    static let samples = [
      "aurora-01-jetty.jpg", "aurora-07-church.avif", "borealis-06-ferns.tif", "borealis-06-ferns.xmp",
      "borealis-07-swans.mp4", "borealis-09-moss.jxl", "cirrus-01-boat.heic", "cirrus-01-boat.mov",
      "cirrus-04-signpost.png", "cirrus-05-rapids.webp", "cirrus-06-ducks.gif",
    ]

    /// The names of the files below a folder, with their bytes.
    func files(_ folder: String) throws -> [String: Data] {
      let paths = FileManager.default.subpaths(atPath: folder) ?? []
      return try Dictionary(
        uniqueKeysWithValues: paths.compactMap { path in
          let url = URL(filePath: folder).appending(path: path)
          guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { return nil }
          return (path, try Data(contentsOf: url))
        })
    }

    /// The times, mode, size and inode of each file of the card.
    func states() throws -> String {
      try Oracle.run("find", [card, "-printf", "%p %A@ %T@ %C@ %m %s %i\\n"]).text
    }

    func rows(_ arguments: String...) throws -> [[String: Any]] {
      let answer = try tool.run(list: arguments + ["--jsonl"])
      return try answer.text.split(separator: "\n").compactMap {
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
    }
  }

  private static let place = ["geotag", "--at", "46.05,14.5", "--overwrite", "replace"]

  @Test("A new sidecar of a copy is reported where it is.")
  func newSidecar() throws {
    let card = try Card(["DCIM": ["aurora-01-jetty.jpg"]])
    let rows = try card.rows("set", "--rating", "4", "--sidecar", "always", card.card, "-r", "--copy-to", card.out)
    let companions = try #require(rows.first?["companions"] as? [[String: Any]])
    let sidecar = card.out + "/DCIM/aurora-01-jetty.jpg.xmp"
    #expect(companions.map { $0["path"] as? String } == [sidecar] && companions[0]["created"] as? Bool == true)
    #expect(FileManager.default.fileExists(atPath: sidecar))
    #expect(try card.files(card.card).keys.sorted() == ["DCIM/aurora-01-jetty.jpg"])
  }

  @Test("Every name of a file with several becomes a copy of its own.")
  func hardLinks() throws {
    let card = try Card(["DCIM": ["aurora-01-jetty.jpg"]])
    #expect(link(card.card + "/DCIM/aurora-01-jetty.jpg", card.card + "/DCIM/zweite.jpg") == 0)
    let rows = try card.rows("set", "--rating", "4", card.card + "/DCIM", "--copy-to", card.out)
    #expect(rows.map { $0["outcome"] as? String } == ["created", "created"])
    let copies = try card.files(card.out)
    #expect(copies.keys.sorted() == ["aurora-01-jetty.jpg", "zweite.jpg"] && Set(copies.values).count == 1)
    // In place, the file is changed once.
    #expect(try card.rows("set", "--rating", "4", card.card + "/DCIM").count == 1)
  }

  @Test(
    "If only a sidecar can have the change, the row of the copy says so, and names it.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func fallback() throws {
    let card = try Card([:])
    let photo = Corpus.shared.appending(path: "corpus/heic/C026.heic").path
    for dry in [["--dry-run"], []] {
      let answer = try card.tool.run(
        list: ["geotag", "--at", "1,2", photo, "--copy-to", card.out, "--jsonl", "--strict"] + dry)
      #expect(answer.status == 1, "\(answer.errors)")
      let row = try #require(
        try JSONSerialization.jsonObject(with: Data(answer.text.split(separator: "\n")[0].utf8)) as? [String: Any])
      #expect(row["outcome"] as? String == "fallback-sidecar")
      #expect(row["created"] as? String == card.out + "/C026.heic.xmp")
      #expect(row["copy"] as? String == card.out + "/C026.heic")
    }
    #expect(try card.files(card.out).keys.sorted() == ["C026.heic", "C026.heic.xmp"])
  }

  @Test("Copies equal edited originals byte for byte; the originals are untouched; undo removes the copies.")
  func equal() throws {
    let card = try Card(["DCIM/100A": Card.samples, "DCIM/101B": ["aurora-02-island.jpg"]])
    let (before, states) = (try card.files(card.card), try card.states())
    let dry = try card.tool.run(list: Self.place + ["-n", "-r", card.card, "--copy-to", card.out])
    #expect(dry.status == 0 && !FileManager.default.fileExists(atPath: card.out), "\(dry.text)\(dry.errors)")
    let run = try card.tool.run(list: Self.place + ["-r", card.card, "--copy-to", card.out])
    #expect(run.status == 0, "\(run.text)\(run.errors)")
    #expect(try card.states() == states)
    #expect(try card.files(card.card) == before)
    let copies = try card.files(card.out)
    #expect(try card.tool.run(list: Self.place + ["-r", card.card]).status == 0)
    let edited = try card.files(card.card)
    #expect(Set(copies.keys) == Set(edited.keys))
    for (name, bytes) in edited { #expect(copies[name] == bytes, "\(name)") }
    #expect(try card.tool("undo").status == 0)
    #expect(try card.files(card.card) == before)
    #expect(try card.tool("undo").status == 0)
    #expect(try card.files(card.out).isEmpty)
  }

  @Test("An existing name is an error for that photo alone, and is never overwritten.")
  func taken() throws {
    let card = try Card(["": ["aurora-01-jetty.jpg", "aurora-02-island.jpg"]])
    try FileManager.default.createDirectory(atPath: card.out, withIntermediateDirectories: true)
    try Data([1]).write(to: URL(filePath: card.out + "/aurora-01-jetty.jpg"))
    let rows = try card.rows("set", "--title", "T", card.card, "--copy-to", card.out)
    #expect(rows.map { $0["outcome"] as? String } == ["failed", "created"])
    #expect(rows.map { $0["code"] as? String } == ["alreadyExists", nil])
    #expect(try card.files(card.out)["aurora-01-jetty.jpg"] == Data([1]))
  }

  @Test("Two photos of a run with one name for their copies: the second is skipped.")
  func sameName() throws {
    let card = try Card(["a": ["aurora-01-jetty.jpg"], "b": ["aurora-01-jetty.jpg"]])
    for jobs in ["1", "4"] {
      let rows = try card.rows(
        "set", "--title", "T", card.card + "/a", card.card + "/b", "--copy-to", card.out + jobs, "--jobs", jobs)
      #expect(rows.map { $0["outcome"] as? String } == ["created", "skipped"])
      #expect(rows.map { $0["code"] as? String } == [nil, "nameTaken"])
    }
  }

  @Test("A photo that needs no change is copied as it is; a skipped one is not.")
  func unchanged() throws {
    let card = try Card(["": ["aurora-01-jetty.jpg", "cirrus-03-falls.mov"]])
    #expect(try card.tool("set", "--title", "T", card.card + "/aurora-01-jetty.jpg").status == 0)
    let before = try card.files(card.card)
    let rows = try card.rows("set", "--title", "T", card.card, "--copy-to", card.out)
    #expect(rows.map { $0["outcome"] as? String } == ["created", "skipped"])
    #expect(rows[0]["code"] as? String == "asWanted")
    #expect(try card.files(card.out) == before.filter { $0.key.hasPrefix("aurora") })
  }

  @Test("Copies of an earlier run in a folder below are not copied once more.")
  func below() throws {
    let card = try Card(["": ["aurora-01-jetty.jpg"]])
    let out = card.card + "/out"
    #expect(try card.tool("set", "--title", "T", "-r", card.card, "--copy-to", out).status == 0)
    let rows = try card.rows("set", "--title", "T", "-r", card.card, "--copy-to", out)
    #expect(Set(rows.compactMap { $0["code"] as? String }) == ["alreadyExists", "copiesOntoItself"])
    #expect(try card.files(out).count == 1)
  }

  @Test("A raw file's new sidecar is created next to the copy, and a plan is applied to copies.")
  func sidecarAndPlan() throws {
    let card = try Card(["a/b": ["aurora-01-jetty.jpg"], "a/c": ["aurora-02-island.jpg"]])
    let plan = card.scratch.url.appending(path: "plan").path
    let planned = try card.tool.run(
      list: Self.place + ["--sidecar", "always", "--plan", plan, "-r", card.card, "-q"])
    #expect(planned.status == 0, "\(planned.errors)")
    #expect(try card.tool("apply", plan, "--copy-to", card.out).status == 0)
    #expect(
      try card.files(card.out).keys.sorted() == [
        "b/aurora-01-jetty.jpg", "b/aurora-01-jetty.jpg.xmp", "c/aurora-02-island.jpg", "c/aurora-02-island.jpg.xmp",
      ])
    #expect(try card.files(card.card).count == 2)
    #expect(try card.tool("set", "--title", "T", "--plan", plan + "2", "--copy-to", card.out, card.card).status == 64)
  }

  @Test("--fix-extension names only the copies.")
  func names() throws {
    let card = try Card(["": ["aurora-01-jetty.jpg"]])
    let (old, wrong) = (card.card + "/aurora-01-jetty.jpg", card.card + "/a.png")
    try FileManager.default.moveItem(atPath: old, toPath: wrong)
    let run = try card.tool.run(list: Self.place + ["--fix-extension", wrong, "--copy-to", card.out])
    #expect(run.status == 0, "\(run.text)\(run.errors)")
    #expect(try card.files(card.out).keys.sorted() == ["a.jpg"])
    #expect(try card.files(card.card).keys.sorted() == ["a.png"])
  }

  @Test("--trash-original moves photos with all their files to the trash, and undo restores all.")
  func trash() throws {
    let card = try Card()
    let before = try card.files(card.card)
    let arguments = ["-r", card.card, "--copy-to", card.out, "--trash-original"]
    #expect(try card.tool.run(list: Self.place + arguments + ["-n", "-q"]).status == 0)
    let trash = card.tool.home.url.appending(path: "data/Trash").path
    #expect(!FileManager.default.fileExists(atPath: trash))
    let run = try card.tool.run(list: Self.place + arguments + ["--json"])
    #expect(run.status == 0 && run.text.contains(#""originalTrashed": true"#), "\(run.text)\(run.errors)")
    #expect(try card.files(card.card).isEmpty)
    #expect(try card.files(trash + "/files").values.sorted { $0.count < $1.count }.count == before.count)
    #expect(try card.files(trash + "/info").count == before.count)
    #expect(try card.files(card.out).count == before.count)
    #expect(try card.tool("undo", "-n").status == 0)
    let undo = try card.tool("undo")
    #expect(undo.status == 0, "\(undo.text)\(undo.errors)")
    #expect(try card.files(card.card) == before)
    #expect(try card.files(card.out).isEmpty && card.files(trash).isEmpty)
    #expect(try card.tool("set", "--title", "T", card.card, "--trash-original").status == 64)
  }

  @Test(
    "Sources are never opened for writing.",
    .enabled(if: Oracle.has("strace") && !hasSanitizer, "strace is missing, or there is a sanitizer"))
  func readOnly() throws {
    let card = try Card()
    let log = card.scratch.url.appending(path: "log")
    let run = try Oracle.run(
      "strace",
      ["-f", "-o", log.path, "-e", "trace=%file,%desc", Tool.program] + Self.place
        + ["-r", card.card, "--copy-to", card.out],
      environment: card.tool.environment())
    #expect(run.status == 0, "\(run.errors)")
    let calls = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
    let touching = calls.filter { $0.contains("\"\(card.card)") }
    #expect(!touching.isEmpty)
    let writing = touching.filter {
      $0.contains("O_WRONLY") || $0.contains("O_RDWR") || $0.contains("unlink") || $0.contains("rename")
        || $0.contains("chmod") || $0.contains("utimens") || $0.contains("setxattr")
    }
    #expect(writing == [])
  }

  @Test("A run killed while it copies leaves whole copies; a second run finishes; undo removes all.")
  func killed() throws {
    let card = try Card(["": []])
    let sample = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    for number in 0..<300 {
      try (sample + Data("\(number)".utf8)).write(to: URL(filePath: card.card + "/\(number).jpg"))
    }
    let before = try card.files(card.card)
    let change = Self.place + ["-q", card.card, "--copy-to", card.out]
    let whole = card.out + "-whole"
    #expect(try card.tool.run(list: Self.place + ["-q", card.card, "--copy-to", whole]).status == 0)
    let expected = try card.files(whole)
    try card.tool.run(change, killedAfter: 0.01) { FileManager.default.fileExists(atPath: card.out + "/0.jpg") }
    // Recovery runs first.
    let log = try card.tool("log", "--json").text
    let copies = try card.files(card.out).filter { !$0.key.hasPrefix(".metatag") }
    #expect(copies.allSatisfy { expected[$0.key] == $0.value })
    let again = try card.tool.run(list: change + ["--retry-failed", "2"])
    #expect(again.status == 0, "\(log)\(again.errors)\(again.text.prefix(2_000))")
    #expect(try card.files(card.out) == expected)
    #expect(try card.files(card.card) == before)
    while try card.tool("undo", "-q").status == 0 {}
    #expect(try card.files(card.out).isEmpty && card.files(whole).isEmpty)
    #expect(try card.files(card.card) == before)
  }
}
