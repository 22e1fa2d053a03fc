import Foundation
import Glibc
import TestSupport
import Testing

/// The contract of every command with its user.
@Suite("Contract of the command line")
struct ContractTests {
  private let tool: Tool
  init() throws { tool = try Tool() }

  @Test("A folder that contains only folders gives a hint to --recursive.")
  func foldersOnly() throws {
    let scratch = try Scratch()
    let card = scratch.url.appending(path: "card/DCIM/100")
    try FileManager.default.createDirectory(at: card, withIntermediateDirectories: true)
    let sample = Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg")
    try FileManager.default.copyItem(at: sample, to: card.appending(path: "a.jpg"))
    let folder = scratch.url.appending(path: "card").path
    for words in [["show"], ["clear", "--location"], ["geotag", "--at", "46,14"]] {
      let answer = try tool.run(list: words + [folder + "/"])
      #expect(answer.status == 0 && answer.errors.contains("only 1 folder: use --recursive"), "\(answer.errors)")
      #expect(
        try !tool.run(list: words + ["--dry-run", "-r", folder].filter { words != ["show"] || $0 != "--dry-run" })
          .errors.contains("--recursive"))
    }
    #expect(try tool("show", card.path).errors.isEmpty)
  }

  @Test(
    "A plan whose photo has gained or lost its other half changes neither file.",
    arguments: [true, false])
  func otherHalf(arrives: Bool) throws {
    let scratch = try Scratch()
    let samples = Corpus.project.appending(path: "SampleImages")
    let still = try scratch.copy(samples.appending(path: "cirrus-01-boat.heic"))
    if !arrives { try scratch.copy(samples.appending(path: "cirrus-01-boat.mov")) }
    let plan = scratch.url.appending(path: "p.jsonl")
    #expect(try tool("geotag", "--at", "10,20", "--overwrite", "replace", "--plan", plan.path, still.path).status == 0)
    if arrives {
      try scratch.copy(samples.appending(path: "cirrus-01-boat.mov"))
    } else {
      var lines = try String(contentsOf: plan, encoding: .utf8).split(separator: "\n").map(String.init)
      var row = try #require(try JSONSerialization.jsonObject(with: Data(lines[1].utf8)) as? [String: Any])
      #expect(row.removeValue(forKey: "companions") != nil)
      lines[1] = String(decoding: try JSONSerialization.data(withJSONObject: row), as: UTF8.self)
      try scratch.write(lines.joined(separator: "\n").utf8, as: "p.jsonl")
    }
    let hash = try sha256(still)
    let answer = try tool("apply", plan.path)
    #expect(answer.status == 1 && answer.text.contains("cirrus-01-boat.mov is not in the plan"), "\(answer.text)")
    #expect(try sha256(still) == hash)
  }

  @Test("A plan made with --separately changes each file separately.")
  func separately() throws {
    let scratch = try Scratch()
    let samples = Corpus.project.appending(path: "SampleImages")
    let still = try scratch.copy(samples.appending(path: "cirrus-01-boat.heic"))
    try scratch.copy(samples.appending(path: "cirrus-01-boat.mov"))
    let plan = scratch.url.appending(path: "p.jsonl").path
    #expect(try tool("date", "shift", "+1h", "--separately", "--plan", plan, still.path).status == 0)
    #expect(try tool("apply", plan).text.contains("1 changed"))
  }

  @Test(
    "An interrupted read reports how many files are missing.",
    arguments: [["show", "--json"], ["export", "geojson"], ["date", "check", "--json"]])
  func interrupted(words: [String]) throws {
    let (photos, home) = (try Scratch(), try Scratch())
    let sample = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/borealis-04-viewpoint.jpg"))
    for index in 0..<1_500 { try photos.write(sample, as: "\(index).jpg") }
    let (out, err) = (try home.write(Data(), as: "out"), try home.write(Data(), as: "err"))
    let process = Process()
    process.executableURL = URL(filePath: Tool.program)
    process.arguments = words + ["--jobs", "1", photos.url.path]
    process.environment = ProcessInfo.processInfo.environment.merging(tool.environment()) { $1 }
    process.standardOutput = try FileHandle(forWritingTo: out)
    process.standardError = try FileHandle(forWritingTo: err)
    try process.run()
    // Output is written in large pieces: the first comes after some hundred files.
    while try Data(contentsOf: out).isEmpty, process.isRunning { usleep(2_000) }
    Glibc.kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    let errors = try String(contentsOf: err, encoding: .utf8)
    #expect(errors.contains("of 1500 files not done"), "\(errors)")
    guard words[0] == "date" else { return }
    let document = try JSONSerialization.jsonObject(with: Data(contentsOf: out)) as? [String: Any]
    let totals = try #require(document?["totals"] as? [String: Int])
    #expect(totals["files"] == 1_500 && (totals["notRun"] ?? 0) > 0)
    #expect(["agree", "disagree", "failed", "notRun"].compactMap { totals[$0] }.reduce(0, +) == 1_500)
  }

  @Test("The manual has every command.")
  func manual() throws {
    let answer = try Oracle.run(Corpus.project.appending(path: "Scripts/manual").path, [Tool.program])
    #expect(answer.status == 0, "\(answer.errors)")
    for command in [
      "show", "fix-extension", "import-csv", "date", "date from-name", "date from-mtime", "date from-gps",
      "date from-json", "date from-track", "date sync-mtime", "date shift", "place pick", "zone at", "undo",
    ] {
      #expect(answer.text.contains(".SS \"metatag \(command)\""), "\(command)")
    }
    // Once, though most commands have it.
    #expect(answer.text.split(separator: "\n").count { $0.hasPrefix("  \\-\\-keep\\-mtime") } == 1)
    for variable in [
      "METATAG_LIBEXEC", "NO_COLOR", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CACHE_HOME",
    ] {
      #expect(answer.text.contains(".B \(variable)"))
    }
  }

  @Test("The documents that the help names are installed.")
  func documents() throws {
    let help = try tool("help").text
    #expect(help.contains("share/doc/metatag"))
    let scripts = try String(contentsOf: Corpus.project.appending(path: "Scripts/install"), encoding: .utf8)
    #expect(scripts.contains("$prefix/share/doc/metatag") && scripts.contains("/Documentation/*"))
    for command in [["help", "apply"], ["help", "show"], ["help", "geotag"]] {
      let text = try tool.run(list: command).text
      for document in text.matches(of: /[A-Z]+\.md/).map({ String($0.output) }) {
        let path = Corpus.project.appending(path: "Documentation/\(document)").path
        #expect(FileManager.default.fileExists(atPath: path), "\(document)")
      }
    }
  }

  @Test("A tag set by name is shown with its old and new value, also in a dry run.")
  func setTag() throws {
    let scratch = try Scratch()
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let tag = "Exif.Photo.BodySerialNumber"
    #expect(try tool("set", "--set", "\(tag)=123", photo.path).status == 0)
    let dry = try tool("set", "--set", "\(tag)=124", "-n", photo.path)
    #expect(dry.text.contains(": \(tag) 123 → \(tag) 124"), "\(dry.text)")
    let row = try #require(try WorkflowTests.rows(tool("set", "--remove", tag, "-n", "--json", photo.path)).first)
    let (before, after) = (row["before"] as? [String: Any], row["after"] as? [String: Any])
    #expect(before?["tags"] as? [String: String] == [tag: "123"] && after?["tags"] == nil, "\(row)")
  }

  @Test("A file with its right name gets no hint to fix-extension.")
  func fixed() throws {
    let scratch = try Scratch()
    let sample = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let photo = try scratch.write(sample, as: "q.heic")
    let answer = try tool("fix-extension", photo.path)
    #expect(
      answer.text.contains("is named q.jpg") && !answer.text.contains("'metatag fix-extension'"), "\(answer.text)")
  }

  private static let hidesProc = "mount --make-rprivate / && umount -l /proc"
  /// Whether the tests may mount.
  private static let canHideProc = (try? Oracle.run("unshare", ["-m", "sh", "-c", hidesProc]).status) == 0

  @Test("Without /proc a command fails with a message.", .enabled(if: canHideProc && !hasSanitizer))
  func noProc() throws {
    for command in ["undo", "date shift +1h a.jpg", "--version"] {
      let words = ["-m", "sh", "-c", "\(Self.hidesProc) && exec \(Tool.program) \(command)"]
      let answer = try Oracle.run("unshare", words, environment: tool.environment())
      #expect(answer.status == 2 && answer.output.isEmpty && answer.errors.contains("/proc"), "\(answer.errors)")
    }
  }

  @Test("Skipped times, unknown languages and missing folders are reported.")
  func recorded() throws {
    let zone = try tool("zone", "at", "48.8566,2.3522", "--when", "2026-03-29T02:30:00")
    #expect(zone.status == 0 && zone.errors.contains("2026-03-29T02:30:00 never occurred in Europe/Paris"))
    let samples = Corpus.project.appending(path: "SampleImages")
    let sample = samples.appending(path: "borealis-01-lake.jpg").path
    let day = samples.appending(path: "day.gpx").path
    for words in [
      ["place", "search", "--in", "Atlantis", "Kyoto"],
      ["geotag", "--place", "Kyoto", "--language", "xx", "--dry-run", sample],
      ["clear", "--location", "--zone-around", "Japan:5km", "--dry-run", sample],
      ["geotag", "--track", day, "--sync", "\(sample)=@nowhere-at-all", "--dry-run", sample],
    ] {
      let answer = try tool.run(list: words)
      #expect(answer.status == 64 && answer.text.isEmpty, "\(words): \(answer.text)\(answer.errors)")
      #expect(!answer.errors.contains("metatag <subcommand>"))
    }
    let scratch = try Scratch()
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let folder = scratch.url.appending(path: "mail").path
    let convert = try tool("convert", "--to", "jpeg", "--output", folder, photo.path)
    #expect(convert.status == 2 && convert.errors.contains("create the folder first (mkdir -p)"), "\(convert.errors)")
  }
}
