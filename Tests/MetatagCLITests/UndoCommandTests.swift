import Foundation
import TestSupport
import Testing

/// What `metatag undo` says before and while it does it.
@Suite("metatag undo")
struct UndoCommandTests {
  private let tool: Tool
  init() throws { tool = try Tool() }

  /// Outcome and reason of each row, without what differs between a dry run and the run itself.
  private func rows(_ answer: Oracle.Answer) throws -> [[String]] {
    try WorkflowTests.rows(answer).map { row in
      let outcome = row["outcome"] as? String ?? ""
      return [row["path"] as? String ?? "", outcome, outcome == "skipped" ? row["reason"] as? String ?? "" : ""]
    }
  }

  @Test("a dry run looks at every file, has the rows and the status of the undo itself, and writes nothing")
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

  @Test("a dry run knows of files that were renamed, and of undone undos")
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

  @Test("an earlier run isn't taken back of one half of a Live Photo, nor of a photo without its sidecar")
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
      real.text.contains("because cirrus-01-boat.heic can't be taken back: modified after this run"), "\(real.text)")
    #expect(try files.map(sha256) == hashes)
    #expect(try tool("undo").status == 0)
    #expect(try tool("undo").status == 0)
    #expect(try files.map(sha256) == originals)
  }

  @Test("a dry run leaves a file alone that was created, and edited since")
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

  @Test("a dry run tells of a pair with a wrong ending what the undo does, and the undo of that, to the last byte")
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
    "which run it is, is told first; where it can't be taken back whole, how the one before is; runs that never were")
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
