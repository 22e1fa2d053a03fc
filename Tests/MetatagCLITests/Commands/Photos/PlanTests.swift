import Foundation
import TestSupport
import Testing

@Suite("Plans")
struct PlanTests {
  /// Commands that change the sample photos. DIR is their folder.
  static let commands = [
    "geotag --track DIR/day.gpx --camera-zone Europe/Ljubljana DIR",
    "geotag --at 46.36,14.09 --overwrite replace --names --keep-companions DIR",
    "geotag --at 46.36,14.09 --overwrite replace --fix-extension --keep-mtime DIR",
    "name --shown --iptc --language de DIR", "clear --location DIR", "date shift +1h23m4.5s DIR", "date shift +1mo DIR",
    "date sequence --start 2024-05-18T10:00:00 --step 1s DIR",
    "date set 2024-05-18T10:00:00.25 DIR", "date zone Asia/Tokyo --keep-instant --camera-zone +02:00 DIR",
    "date zone Europe/Ljubljana DIR", "date from-name --overwrite replace DIR",
    "date from-track --track DIR/day.gpx --overwrite replace DIR", "fix-extension DIR",
    "import-csv DIR/places.csv --signed --overwrite replace DIR", "date shift -1h --separately DIR",
    "set --artist Ada --aperture 2.8 --set Exif.Photo.SubjectDistance=10/3 --remove Exif.Image.Software DIR",
    "clear --date DIR", "clear --all --keep date DIR", "clear --location --coarsen 10km DIR",
    "date shift -1h --where type==\"heic\" DIR",
  ]

  static func run(_ tool: Tool, _ words: String, _ folder: SampleFolder, _ more: [String] = []) throws -> Oracle.Answer
  {
    let words = words.split(separator: " ").map { String($0).replacing("DIR", with: folder.path) }
    return try Oracle.run(Tool.program, words + more, environment: tool.environment())
  }

  @Test("A plan that names one file in two ways is refused.")
  func twoSpellings() throws {
    let (tool, folder, plans) = (try Tool(), try SampleFolder(), try Scratch())
    let before = try folder.files
    let plan = plans.url.appending(path: "plan.jsonl")
    let photo = folder.path + "/aurora-01-jetty.jpg"
    #expect(try tool("date", "shift", "+1h", "--plan", plan.path, photo).status == 0)
    let lines = try String(contentsOf: plan, encoding: .utf8).split(separator: "\n")
    let again = lines[1].replacing("aurora-01-jetty.jpg", with: "./aurora-01-jetty.jpg")
      .replacing("\\/aurora", with: "\\/.\\/aurora")
    try (lines + [Substring(again)]).joined(separator: "\n").write(to: plan, atomically: true, encoding: .utf8)
    let answer = try tool("apply", plan.path)
    #expect(answer.status == 2 && answer.errors.contains("twice"), "\(answer.errors)")
    #expect(try folder.files == before)
  }

  @Test(
    "Applying a plan writes the same bytes as the command, and undo restores them.",
    arguments: commands)
  func roundTrip(_ words: String) throws {
    let tool = try Tool()
    let (direct, planned, plans) = (try SampleFolder(), try SampleFolder(), try Scratch())
    for folder in [direct, planned] {
      let table = "path,latitude,longitude,taken\naurora-01-jetty.jpg,46.5,14.5,2024-05-18T11:12:13+02:00\n"
      try folder.scratch.write(table.utf8, as: "places.csv")
    }
    let before = try planned.files
    let plan = plans.url.appending(path: "plan.jsonl").path
    let ran = try Self.run(tool, words, direct, ["--json"])
    let wrote = try Self.run(tool, words, planned, ["--plan", plan, "--json"])
    #expect(wrote.status == ran.status, "\(wrote.errors)")
    #expect(try planned.files == before)
    let applied = try tool("apply", plan, "--json")
    #expect(applied.status == 0, "\(applied.errors)")
    #expect(try planned.files == direct.files)
    let changed = { (answer: Oracle.Answer) in
      try WorkflowTests.rows(answer).filter { ["changed", "fallback-jpeg"].contains($0["outcome"] as? String ?? "") }
        .count
    }
    #expect(try changed(applied) == changed(ran))
    #expect(try changed(ran) > 0)
    let again = try WorkflowTests.rows(try tool("apply", plan, "--json"))
    for (row, first) in zip(again, try WorkflowTests.rows(applied)) {
      let isSubstituted = first["outcome"] as? String == "fallback-jpeg"
      let expected = isSubstituted ? ["failed", "skipped"] : ["unchanged"]
      #expect(expected.contains(row["outcome"] as? String ?? ""), "\(row)")
    }
    #expect(try planned.files == direct.files)
    #expect(try tool("undo").status == 0)
    #expect(try planned.files == before)
  }

  /// A plan for three photos, and their paths.
  static func plan(_ tool: Tool) throws -> (Scratch, [URL], URL) {
    let (scratch, files) = try WorkflowTests.photos(3)
    let plan = scratch.url.appending(path: "plan.jsonl")
    let words = ["geotag", "--at", "46,7", "--overwrite", "replace", "--plan", plan.path] + files.map(\.path)
    let answer = try Oracle.run(Tool.program, words, environment: tool.environment())
    #expect(answer.status == 0 && answer.errors.contains("has the changes of 3 photos"), "\(answer.errors)")
    return (scratch, files, plan)
  }

  @Test("A plan of which a part was applied can be applied again, but not if it was edited.")
  func again() throws {
    let tool = try Tool()
    let (scratch, files, plan) = try Self.plan(tool)
    let lines = try String(contentsOf: plan, encoding: .utf8).split(separator: "\n")
    let part = try scratch.write(lines.prefix(2).joined(separator: "\n").utf8, as: "part.jsonl")
    #expect(try tool("apply", part.path).status == 0)
    let first = try sha256(files[0])
    let answer = try tool("apply", plan.path, "--json")
    let rows = try WorkflowTests.rows(answer)
    #expect(answer.status == 0 && rows.map { $0["outcome"] as? String } == ["unchanged", "changed", "changed"])
    #expect(rows.first?["code"] as? String == "appliedBefore")
    #expect(try sha256(files[0]) == first)
    let other = [lines[0], Substring(lines[1].replacing(#""latitude":46"#, with: #""latitude":45"#))]
    let edited = try scratch.write(other.joined(separator: "\n").utf8, as: "edited.jsonl")
    let refused = try tool("apply", edited.path)
    #expect(refused.status == 1 && refused.text.contains("has changed since the plan was made"), "\(refused.text)")
    #expect(try tool("apply", plan.path).status == 0)
    // Only the row of a photo that another program changed fails.
    try Data((try Data(contentsOf: files[1])) + Data([0])).write(to: files[1])
    let changed = try WorkflowTests.rows(try tool("apply", plan.path, "--json"))
    #expect(changed.map { $0["outcome"] as? String } == ["unchanged", "failed", "unchanged"])
  }

  @Test("Photos that got new names are recognized if a plan is applied again, and other files of these names aren't.")
  func againOfNewNames() throws {
    let (tool, plans) = (try Tool(), try Scratch())
    let samples = Corpus.project.appending(path: "SampleImages")
    let change = ["geotag", "--at", "46,7", "--overwrite", "replace", "--fix-extension"]
    for (number, words) in [change, ["fix-extension"], change + ["--sidecar", "always"]].enumerated() {
      let folder = try Scratch()
      for (name, wrong) in [("aurora-01-jetty.jpg", "a.png"), ("borealis-01-lake.jpg", "b.png")] {
        try FileManager.default.copyItem(at: samples.appending(path: name), to: folder.url.appending(path: wrong))
      }
      let plan = plans.url.appending(path: "\(number).jsonl").path
      #expect(try tool.run(list: words + ["--plan", plan, folder.url.path]).status == 0)
      #expect(try tool("apply", plan).status == 0)
      let again = try tool("apply", plan, "--json")
      #expect(again.status == 0, "\(again.text)")
      #expect(try WorkflowTests.rows(again).map { $0["code"] as? String } == ["appliedBefore", "appliedBefore"])
      // Something else has the name.
      try Data(contentsOf: samples.appending(path: "aurora-02-island.jpg")).write(
        to: folder.url.appending(path: "a.jpg"))
      let other = try tool("apply", plan, "--json")
      #expect(try WorkflowTests.rows(other).map { $0["outcome"] as? String } == ["failed", "unchanged"])
    }
  }

  @Test(
    "Photos that were changed, but not renamed before a kill, get their names if the plan is applied again.",
    arguments: [[], ["--sidecar", "always"]])
  func namesAgain(options: [String]) throws {
    let (tool, folder, plans) = (try Tool(), try Scratch(), try Scratch())
    let photo = folder.url.appending(path: "a.png")
    try FileManager.default.copyItem(at: Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"), to: photo)
    let first = try sha256(photo)
    let plan = plans.url.appending(path: "plan.jsonl").path
    let words = ["--at", "46,7", "--overwrite", "replace", "--fix-extension", "--plan", plan, folder.url.path]
    #expect(try tool.run(list: ["geotag"] + options + words).status == 0)
    #expect(try tool("apply", plan).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    for name in names {
      let old = name.replacing("a.jpg", with: "a.png")
      try FileManager.default.moveItem(at: folder.url.appending(path: name), to: folder.url.appending(path: old))
    }
    let again = try tool("apply", plan, "--json")
    let row = try #require(try WorkflowTests.rows(again).first)
    #expect(again.status == 0 && row["outcome"] as? String == "changed" && row["newName"] as? String == "a.jpg")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == names)
    #expect(try tool("undo").status == 0)
    // The test took its renaming back.
    #expect(try tool("undo", "1").status == 1)
    #expect(try sha256(photo) == first)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["a.png"])
  }

  @Test("New sidecars and both halves of a Live Photo are recognized if a plan is applied again.")
  func againOfSeveralFiles() throws {
    let (tool, folder, plans) = (try Tool(), try Scratch(), try Scratch())
    for name in ["cirrus-01-boat.heic", "cirrus-01-boat.mov", "raw/delta-01.nef"] {
      _ = try folder.copy(Corpus.project.appending(path: "SampleImages/\(name)"))
    }
    let plan = plans.url.appending(path: "plan.jsonl").path
    let words = ["--at", "46,7", "--overwrite", "replace", "--sidecar", "raw", "--plan", plan, folder.url.path]
    #expect(try tool.run(list: ["geotag"] + words).status == 0)
    #expect(try tool("apply", plan).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    let again = try tool("apply", plan, "--json")
    #expect(again.status == 0)
    #expect(try WorkflowTests.rows(again).allSatisfy { $0["code"] as? String == "appliedBefore" }, "\(again.text)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == names.count)
    #expect(try tool("undo").status == 0)
    #expect(try tool("apply", plan).status == 0)
  }

  @Test(
    "Real files with compressed metadata or a fallback sidecar are recognized if a plan is applied again.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"), arguments: ["png", "jxl", "heic"])
  func againOfRealFiles(format: String) throws {
    let (tool, folder, plans) = (try Tool(), try Scratch(), try Scratch())
    for file in Corpus.files("corpus/\(format)") where file.pathExtension == format {
      let copy = try folder.copy(file)
      #expect(chmod(copy.path, 0o644) == 0)
    }
    let plan = plans.url.appending(path: "plan.jsonl").path
    _ = try tool("geotag", "--at", "46,7", "--overwrite", "replace", "--plan", plan, folder.url.path)
    let first = try WorkflowTests.rows(try tool("apply", plan, "--json"))
    #expect(first.count > 3 && first.allSatisfy { $0["outcome"] as? String != "failed" }, "\(first)")
    let again = try WorkflowTests.rows(try tool("apply", plan, "--json"))
    #expect(again.map { $0["code"] as? String } == first.map { _ in "appliedBefore" }, "\(again)")
  }

  @Test("A photo that changed since is refused, even with equal size and time; others are changed.")
  func changedSince() throws {
    let tool = try Tool()
    let (scratch, files, plan) = try Self.plan(tool)
    // One byte of the second's EXIF with the time restored; the third is only touched.
    var bytes = try Data(contentsOf: files[1])
    let model = try #require(bytes.range(of: Data("Aurora".utf8)))
    bytes[model.lowerBound] = UInt8(ascii: "a")
    let time = try FileManager.default.attributesOfItem(atPath: files[1].path)[.modificationDate]
    #expect(try Oracle.run("touch", ["-r", files[1].path, scratch.url.appending(path: "time").path]).status == 0)
    try bytes.write(to: files[1])
    #expect(try Oracle.run("touch", ["-r", scratch.url.appending(path: "time").path, files[1].path]).status == 0)
    #expect(
      try FileManager.default.attributesOfItem(atPath: files[1].path)[.modificationDate] as? Date == time as? Date)
    #expect(try Oracle.run("touch", ["-d", "2020-01-01", files[2].path]).status == 0)
    let answer = try tool("apply", plan.path)
    #expect(answer.status == 1)
    #expect(
      answer.text.contains("01.jpg has changed since the plan was made (its metadata). Make the plan again."),
      "\(answer.text)")
    #expect(answer.text.contains("02.jpg has changed since the plan was made (its modification time)"))
    #expect(answer.text.contains("3 files: 1 changed, 2 failed"))
    #expect(try Data(contentsOf: files[1]) == bytes)
  }

  @Test("Rows of a plan may be removed and edited, and an invalid edit refuses the whole plan.")
  func edited() throws {
    let tool = try Tool()
    let (scratch, files, plan) = try Self.plan(tool)
    let lines = try String(contentsOf: plan, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 4 && lines[0].hasPrefix(#"{"metatagPlan":1,"version":"#))
    func apply(_ lines: [some StringProtocol]) throws -> Oracle.Answer {
      let file = try scratch.write(lines.joined(separator: "\n").utf8, as: "edited.jsonl")
      return try tool("apply", file.path)
    }
    let hashes = try files.map { try sha256($0) }
    for wrong in [
      lines[2].replacing(#""latitude":46"#, with: #""latitude":460"#),
      lines[2].replacing(#""change""#, with: #""chang""#),
      lines[2].dropLast(5) + "",
    ] {
      let answer = try apply([lines[0], lines[1], wrong[...]])
      #expect(
        answer.status == 2 && answer.errors.contains("row 2") || answer.errors.contains("JSON"), "\(answer.errors)")
    }
    #expect(try apply(Array(lines.dropFirst())).status == 2)
    #expect(try files.map { try sha256($0) } == hashes)
    let answer = try apply([lines[0], lines[3].replacing(#""longitude":7"#, with: #""longitude":8.5"#)[...]])
    #expect(answer.status == 0 && answer.text.contains("1 file: 1 changed"), "\(answer.errors)")
    #expect(try tool("show", files[2].path).text.contains("8.5"))
    #expect(try sha256(files[0]) == hashes[0])
  }

  @Test(
    "A shift edited in a plan moves a still and its movie by the same time.",
    .enabled(if: Corpus.isThere && Oracle.has("exiftool"), "\(Corpus.absence)"))
  func editedPair() throws {
    let (tool, photos) = (try Tool(), try Scratch())
    let still = try photos.copy(Corpus.shared.appending(path: "corpus/heic/IMG_3853.HEIC"))
    try photos.copy(Corpus.shared.appending(path: "corpus/mov/IMG_3853.MOV"))
    // In seconds, because each has its own zone.
    let dates = {
      try exiftool(["-d", "%s"], photos.url).filter { !$0.key.hasSuffix(".jsonl") }.sorted { $0.key < $1.key }
        .map { "\($0.value["ExifIFD:DateTimeOriginal"] ?? $0.value["Keys:CreationDate"] ?? "")" }.compactMap { Int($0) }
    }
    let before = try dates()
    let plan = photos.url.appending(path: "plan.jsonl")
    #expect(try tool("date", "shift", "+1h", still.path, "--plan", plan.path).status == 0)
    let edited = try String(contentsOf: plan, encoding: .utf8).replacing(#""shift":"+1h""#, with: #""shift":"+2h""#)
    try photos.write(edited.utf8, as: "plan.jsonl")
    #expect(try tool("apply", plan.path).text.contains("1 changed"))
    let after = try dates()
    #expect(before.count == 2 && after == before.map { $0 + 7_200 })
  }

  @Test("A plan is written only to a new file, and not together with --dry-run.")
  func newFile() throws {
    let tool = try Tool()
    let (scratch, files, plan) = try Self.plan(tool)
    let again = try tool("geotag", "--at", "1,2", "--plan", plan.path, files[0].path)
    #expect(again.status == 2 && again.errors.contains("already exists"), "\(again.errors)")
    let both = try tool("geotag", "--at", "1,2", "--dry-run", "--plan", "x", files[0].path)
    #expect(both.status == 64)
    #expect(try tool("apply", scratch.url.appending(path: "none").path).status == 2)
    #expect(try tool("log").text.isEmpty)
  }
}
