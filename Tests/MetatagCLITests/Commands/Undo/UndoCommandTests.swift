import Foundation
import TestSupport
import Testing

/// The output of `metatag undo` before and during its work.
@Suite("metatag undo")
struct UndoCommandTests {
  private let tool: Tool
  init() throws { tool = try Tool() }

  /// Outcome and reason of each row, without the difference between a dry run and the run itself.
  private func rows(_ answer: Oracle.Answer) throws -> [[String]] {
    try WorkflowTests.rows(answer).map { row in
      let outcome = row["outcome"] as? String ?? ""
      return [row["path"] as? String ?? "", outcome, outcome == "skipped" ? row["reason"] as? String ?? "" : ""]
    }
  }

  @Test("A dry run has the rows and status of the undo and writes nothing.")
  func dryRun() throws {
    let (scratch, files) = try WorkflowTests.photos(4)
    #expect(try tool.run(list: ["date", "shift", "+1h"] + files.map(\.path)).status == 0)
    try (try Data(contentsOf: files[0]) + [0]).write(to: files[0])
    try FileManager.default.removeItem(at: files[1])
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: files[2].path)
    let hashes = try [0, 2, 3].map { try sha256(files[$0]) }
    let dry = try tool("undo", "--dry-run", "--json")
    #expect(try [0, 2, 3].map { try sha256(files[$0]) } == hashes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).count == 3)
    let real = try tool("undo", "--json")
    #expect(try rows(dry) == rows(real) && dry.status == 1 && real.status == 1, "\(dry.text)")
    #expect(try rows(dry).last?[1] == "changed")
  }

  @Test("A dry run handles renamed files and undone undos.")
  func renamed() throws {
    let scratch = try Scratch()
    let sample = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let photo = try scratch.write(sample, as: "a.heic")
    #expect(try tool("date", "shift", "+1h", "--fix-extension", photo.path).status == 0)
    for undo in [["undo"], ["undo", "2"]] {
      let dry = try tool.run(list: undo + ["--dry-run", "--json"])
      let real = try tool.run(list: undo + ["--json"])
      #expect(try rows(dry) == rows(real) && dry.status == 0, "\(dry.text) \(real.text)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.url.path) == ["a.jpg"])
  }

  @Test("An earlier run isn't undone for only one half of a Live Photo or without a sidecar.")
  func together() throws {
    let scratch = try Scratch()
    let files = try ["cirrus-01-boat.heic", "cirrus-01-boat.mov", "borealis-06-ferns.tif", "borealis-06-ferns.xmp"].map
    {
      try scratch.copy(Corpus.project.appending(path: "SampleImages/\($0)"))
    }
    let originals = try files.map(sha256)
    #expect(try tool("date", "shift", "+1h", scratch.url.path).status == 0)
    #expect(try tool("set", "--add-keyword", "Oma", scratch.url.path).status == 0)
    let hashes = try files.map(sha256)
    let dry = try tool("undo", "1", "--dry-run", "--json")
    let real = try tool("undo", "1", "--json")
    #expect(try rows(dry) == rows(real) && dry.status == 1 && real.status == 1, "\(dry.text) \(real.text)")
    #expect(try rows(real).count == 4 && rows(real).allSatisfy { $0[1] == "skipped" })
    #expect(
      real.text.contains("because cirrus-01-boat.heic can't be undone: modified after this run"), "\(real.text)")
    #expect(try files.map(sha256) == hashes)
    #expect(try tool("undo").status == 0)
    #expect(try tool("undo").status == 0)
    #expect(try files.map(sha256) == originals)
  }

  @Test("A dry run reports that an edited new file stays.")
  func created() throws {
    let scratch = try Scratch()
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/cirrus-02-meadow.heic"))
    #expect(try tool("convert", "--to", "jpeg", photo.path).status == 0)
    let new = try #require(
      try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).first { $0 != photo.lastPathComponent })
    try (try Data(contentsOf: scratch.url.appending(path: new)) + [0]).write(to: scratch.url.appending(path: new))
    #expect(try tool("undo", "--dry-run").status == 1)
    #expect(try tool("undo").status == 1)
  }

  @Test("A dry run of a renamed pair equals its undo, and undoing that restores every byte.")
  func renamedPair() throws {
    let scratch = try Scratch()
    let samples = GeotagTrackTests.samples
    try scratch.write(try Data(contentsOf: samples.appending(path: "cirrus-01-boat.heic")), as: "IMG_1.JPG")
    try scratch.write(try Data(contentsOf: samples.appending(path: "cirrus-01-boat.mov")), as: "IMG_1.MOV")
    func files() throws -> [String: String] {
      let names = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
      return try Dictionary(uniqueKeysWithValues: names.map { ($0, try sha256(scratch.url.appending(path: $0))) })
    }
    let before = try files()
    #expect(try tool("date", "shift", "+1h", "--fix-extension", scratch.url.path).status == 0)
    let after = try files()
    #expect(Set(after.keys) == ["IMG_1.HEIC", "IMG_1.MOV"])
    for (run, state) in [("1", before), ("2", after)] {
      let trial = try tool("undo", run, "--dry-run", "--json")
      let undo = try tool("undo", run, "--json")
      #expect(trial.status == 0 && undo.status == 0)
      #expect(try rows(trial) == rows(undo), "\(trial.text)")
      #expect(try files() == state)
    }
  }

  @Test(
    "undo names its run, suggests the earlier one, and refuses unknown runs.")
  func whichRun() throws {
    let (scratch, files) = try WorkflowTests.photos(2)
    #expect(try tool("date", "shift", "+1h", files[0].path).status == 0)
    #expect(try tool("date", "shift", "+2h", files[1].path).status == 0)
    #expect(try tool("date", "shift", "+0s", files[0].path).status == 0)
    try FileManager.default.removeItem(at: files[1])
    let undo = try tool("undo", "--json")
    #expect(undo.status == 1 && undo.errors.hasPrefix("run 2 of 20"), "\(undo.errors)")
    #expect(undo.errors.contains(" (UTC): metatag date shift +2h \(scratch.url.path)"))
    #expect(undo.errors.contains("Undo the run before it: metatag undo 1"))
    let document = try #require(try JSONSerialization.jsonObject(with: undo.output) as? [String: Any])
    let undone = try #require(document["undoes"] as? [String: Any])
    #expect(undone["run"] as? Int == 2 && (undone["arguments"] as? [String])?.contains("+2h") == true)
    for number in ["9999", "0"] {
      let answer = try tool("undo", number)
      #expect(answer.status == 2 && answer.errors.contains("there is no run \(number)"), "\(answer.errors)")
    }
    #expect(try tool("undo", "3").errors.contains("nothing left to undo"))
  }
}
