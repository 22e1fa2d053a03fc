import Foundation
import TestSupport
import Testing

/// Undo of some files, and of files that were moved.
@Suite("Undo of files")
struct UndoSelectionTests {
  private let tool: Tool
  private let photos: Scratch
  private let files: [URL]
  private let old: [String]

  init() throws {
    let photos = try Scratch()
    (tool, self.photos) = (try Tool(), photos)
    files = try ["aurora-01-jetty.jpg", "aurora-02-island.jpg", "cirrus-01-boat.heic", "cirrus-01-boat.mov"].map {
      try photos.copy(Corpus.project.appending(path: "SampleImages/\($0)"))
    }
    old = try files.map(sha256)
  }

  private func shift() throws {
    try #require(try tool("date", "shift", "+1h", photos.url.path).status == 0)
  }

  private func folder(_ name: String) throws -> URL {
    let folder = photos.url.appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  @Test("undo FILE undoes the file's newest change with its companions, and nothing else.")
  func file() throws {
    try shift()
    #expect(try tool("set", "--title", "Boat", files[0].path).status == 0)
    let undo = try tool("undo", files[3].path, "--json")
    #expect(undo.status == 0)
    #expect(try WorkflowTests.rows(undo).count == 2)
    #expect(try files.map(sha256)[2...3] == old[2...3] && sha256(files[1]) != old[1])
    // Its title first, then its date.
    #expect(try tool("undo", files[0].path).errors.contains("run 2 of"))
    #expect(try tool("undo", files[0].path).errors.contains("run 1 of"))
    #expect(try sha256(files[0]) == old[0])
    let nothing = try tool("undo", files[0].path)
    #expect(nothing.status == 1 && nothing.errors.contains("journal.db"), "\(nothing.errors)")
    #expect(try tool("undo", files[1].path, files[1].path).status == 0)
    #expect(try files.map(sha256) == old)
  }

  @Test("Files with different newest runs are refused with the commands to use.")
  func different() throws {
    try shift()
    #expect(try tool("set", "--title", "Boat", files[0].path).status == 0)
    let before = try files.map(sha256)
    let answer = try tool("undo", files[0].path, files[1].path)
    #expect(answer.status == 1 && answer.errors.contains("metatag undo 2 \(files[0].path)"), "\(answer.errors)")
    #expect(try files.map(sha256) == before)
    #expect(try tool("undo", "1", files[1].path).status == 0)
    #expect(try sha256(files[1]) == old[1])
  }

  @Test("Digits are a run, ./7 is a file, and wrong arguments change nothing.")
  func words() throws {
    try shift()
    let before = try files.map(sha256)
    for (words, status) in [
      (["1", "2"], 64), (["--in", "/no/such/folder"], 64), (["--moved-to", files[0].path], 64), (["./7"], 1),
      (["99999999999999999999"], 2), (["5"], 2),
    ] as [([String], Int32)] {
      let answer = try tool.run(list: ["undo"] + words)
      #expect(answer.status == status && answer.output.isEmpty, "\(words) \(answer.errors)")
    }
    #expect(try files.map(sha256) == before)
    let seven = try photos.write(try Data(contentsOf: files[0]), as: "7")
    #expect(try tool("set", "--title", "Seven", seven.path).status == 0)
    let script = "cd '\(photos.url.path)' && '\(Tool.program)' undo ./7"
    let answer = try Oracle.run("sh", ["-c", script], environment: tool.environment())
    #expect(answer.status == 0 && answer.errors.contains("run 2 of"), "\(answer.errors)")
  }

  @Test("--in is limited to a folder and finds its newest run.")
  func inFolder() throws {
    let other = try folder("trip")
    let photo = other.appending(path: "a.jpg")
    try FileManager.default.copyItem(at: files[0], to: photo)
    #expect(try tool("date", "shift", "+1h", photo.path, files[0].path).status == 0)
    #expect(try tool("set", "--title", "Isle", files[1].path).status == 0)
    let undo = try tool("undo", "--in", other.path)
    #expect(undo.status == 0 && undo.errors.contains("run 1 of"), "\(undo.errors)")
    #expect(try sha256(photo) == old[0] && sha256(files[0]) != old[0])
    #expect(try tool("undo", "2", "--in", other.path).status == 2)
    #expect(try tool("undo", "1").status == 0)
    #expect(try sha256(files[0]) == old[0])
  }

  @Test("A photo with another modification time or a renamed folder is undone.")
  func moved() throws {
    try shift()
    #expect(try Oracle.run("touch", ["-d", "2020-01-01", files[0].path]).status == 0)
    let other = photos.url.deletingLastPathComponent().appending(path: "\(photos.url.lastPathComponent)-moved")
    defer { try? FileManager.default.removeItem(at: other) }
    try FileManager.default.moveItem(at: photos.url, to: other)
    let lost = try tool("undo")
    #expect(lost.status == 1 && lost.errors.contains("metatag undo 1 --moved-to FOLDER"), "\(lost.errors)")
    let dry = try tool("undo", "1", "--moved-to", other.path, "--dry-run")
    #expect(dry.status == 0, "\(dry.text)")
    let undo = try tool("undo", "1", "--moved-to", other.path)
    #expect(undo.status == 0, "\(undo.text)")
    #expect(try files.map { try sha256(other.appending(path: $0.lastPathComponent)) } == old)
    // A change that was undone there is redone there.
    let undone = try #require(try tool("log").text.firstMatch(of: /(\d+) .*--moved-to/)?.1)
    #expect(try tool("redo", "\(undone)").status == 0)
    #expect(try sha256(other.appending(path: "aurora-01-jetty.jpg")) != old[0])
  }

  @Test("redo and its undo find photos in a renamed folder and with another modification time.")
  func movedRedo() throws {
    try shift()
    let new = try files.map(sha256)
    #expect(try tool("undo", "1").status == 0)
    let other = photos.url.deletingLastPathComponent().appending(path: "\(photos.url.lastPathComponent)-moved")
    defer { try? FileManager.default.removeItem(at: other) }
    try FileManager.default.moveItem(at: photos.url, to: other)
    func offloading() throws -> [String] { try files.map { try sha256(other.appending(path: $0.lastPathComponent)) } }
    for name in files.map(\.lastPathComponent) {
      #expect(try Oracle.run("touch", ["-d", "2020-01-01", other.appending(path: name).path]).status == 0)
    }
    let lost = try tool("redo")
    #expect(lost.status == 1 && lost.errors.contains("metatag redo 2 --moved-to FOLDER"), "\(lost.errors)")
    #expect(try tool("redo", "2", "--moved-to", files[0].path).status == 64)
    let dry = try tool("redo", "2", "--moved-to", other.path, "--dry-run")
    #expect(dry.status == 0, "\(dry.text)")
    #expect(try offloading() == old)
    let redo = try tool("redo", "2", "--moved-to", other.path)
    #expect(redo.status == 0, "\(redo.text)")
    #expect(try offloading() == new)
    // Redo, undo and redo again each lead back to the first run's result.
    for expected in [old, new] {
      for name in files.map(\.lastPathComponent) {
        #expect(try Oracle.run("touch", ["-d", "2021-01-01", other.appending(path: name).path]).status == 0)
      }
      let last = try #require(try tool("log").text.matches(of: #/(?m)^ *(\d+) /#).compactMap { Int($0.1) }.max())
      let answer = try tool("undo", "\(last)")
      #expect(answer.status == 0, "\(answer.text) \(answer.errors)")
      #expect(try offloading() == expected)
    }
  }

  @Test(
    "Bytes that another program changed are never overwritten by redo.",
    arguments: [200, -1])
  func foreignRedo(_ offset: Int) throws {
    try shift()
    #expect(try tool("undo", "1").status == 0)
    let reference = photos.url.appending(path: "time")
    #expect(try Oracle.run("cp", ["-p", files[0].path, reference.path]).status == 0)
    var bytes = try Data(contentsOf: files[0])
    bytes[offset < 0 ? bytes.count + offset : offset] ^= 0x55
    let handle = try FileHandle(forWritingTo: files[0])
    try handle.write(contentsOf: bytes)
    try handle.close()
    #expect(try Oracle.run("touch", ["-r", reference.path, files[0].path]).status == 0)
    #expect(try tool("redo", "2").status == 1)
    #expect(try Data(contentsOf: files[0]) == bytes)
    #expect(try files.dropFirst().map(sha256) != Array(old.dropFirst()))
  }

  @Test("A named photo is found by its content, but not a copy while the original exists.")
  func byContent() throws {
    try shift()
    let copy = photos.url.appending(path: "copy.jpg")
    try FileManager.default.copyItem(at: files[0], to: copy)
    #expect(try tool("undo", copy.path).status == 1)
    try FileManager.default.removeItem(at: files[0])
    #expect(try tool("undo", copy.path).status == 0)
    #expect(try sha256(copy) == old[0])
  }

  @Test(
    "Bytes that another program changed are never overwritten by undo.",
    arguments: [200, -1, 12_000])
  func foreign(_ offset: Int) throws {
    try shift()
    let reference = photos.url.appending(path: "time")
    #expect(try Oracle.run("cp", ["-p", files[0].path, reference.path]).status == 0)
    var bytes = try Data(contentsOf: files[0])
    // In the maker note or comment, at the end of the picture, and in the middle.
    let at = offset < 0 ? bytes.count + offset : offset
    bytes[at] ^= 0x55
    let handle = try FileHandle(forWritingTo: files[0])
    try handle.write(contentsOf: bytes)
    try handle.close()
    #expect(try Oracle.run("touch", ["-r", reference.path, files[0].path]).status == 0)
    let undo = try tool("undo", files[0].path, "--json")
    guard offset != 12_000 else {
      // The middle of the picture is neither compared nor written, so the foreign byte stays.
      #expect(undo.status == 0)
      var restored = try Data(contentsOf: files[0])
      #expect(restored[restored.count - (bytes.count - at)] == bytes[at])
      restored[restored.count - (bytes.count - at)] ^= 0x55
      try restored.write(to: files[0])
      #expect(try sha256(files[0]) == old[0])
      return
    }
    #expect(undo.status == 1)
    #expect(try Data(contentsOf: files[0]) == bytes)
  }

  @Test("A different photo at the path and one of several matches are not changed.")
  func swapped() throws {
    try shift()
    // Two photos swap their places.
    let spare = photos.url.appending(path: "spare")
    try FileManager.default.moveItem(at: files[0], to: spare)
    try FileManager.default.moveItem(at: files[1], to: files[0])
    try FileManager.default.moveItem(at: spare, to: files[1])
    let before = try files.map(sha256)
    #expect(try tool("undo", "1", files[0].path).status == 1)
    #expect(try tool("undo", "1", files[1].path, "--moved-to", photos.url.path).status == 1)
    #expect(try files.map(sha256) == before)
    // Gone from its path, and there twice.
    let offloading = try folder("away")
    try FileManager.default.moveItem(at: files[2], to: offloading.appending(path: "1.heic"))
    try FileManager.default.copyItem(at: offloading.appending(path: "1.heic"), to: offloading.appending(path: "2.heic"))
    let two = try tool("undo", "1", files[2].path, "--moved-to", offloading.path)
    #expect(two.status == 1 && two.text.contains("2 other files match it"), "\(two.text)")
    #expect(try sha256(offloading.appending(path: "1.heic")) == before[2] && sha256(files[3]) == before[3])
    // A copy at the old path is the file of the run.
    try FileManager.default.copyItem(at: offloading.appending(path: "1.heic"), to: files[2])
    #expect(try tool("undo", "1", files[2].path, "--moved-to", offloading.path).status == 0)
    #expect(try sha256(files[2]) == old[2] && sha256(offloading.appending(path: "1.heic")) == before[2])
  }

  @Test("redo reverts the newest undo, and fails without one.")
  func redo() throws {
    try shift()
    let new = try files.map(sha256)
    #expect(try tool("redo").status == 2)
    #expect(try tool("undo", "-q").status == 0)
    #expect(try tool("redo", "1").status == 2)
    #expect(try tool("redo", "-n").status == 0)
    #expect(try files.map(sha256) == old)
    #expect(try tool("redo").status == 0)
    #expect(try files.map(sha256) == new)
    #expect(try tool("redo").status == 2)
    #expect(try tool("undo").status == 0)
    #expect(try files.map(sha256) == old)
  }

  @Test("log RUN lists its files.")
  func log() throws {
    try shift()
    #expect(try tool("undo", files[0].path).status == 0)
    let rows = try JSONSerialization.jsonObject(with: try tool("log", "1", "--json").output) as? [[String: String]]
    let states = Dictionary((rows ?? []).map { ($0["path"] ?? "", $0["state"]) }) { first, _ in first }
    #expect(Set(states.values) == ["changed", "undone"] && states.count == 4)
    #expect(try tool("log", "1").text.contains("aurora-01-jetty.jpg: undone"))
    #expect(try tool("log", "9").status == 2)
  }

  @Test("On a terminal undo without a run asks, with folder, age and count.", arguments: ["n", "y"])
  func asks(_ answer: String) throws {
    try shift()
    let before = try files.map(sha256)
    let terminal = try Terminal(Tool.program, ["undo"], environment: tool.environment(), size: (300, 24))
    try terminal.wait(for: "Undo 4 files in")
    try terminal.wait(for: "\(photos.url.lastPathComponent), changed just now? [y/N]")
    try terminal.type("\(answer)\n")
    #expect(try terminal.end().status == (answer == "y" ? 0 : 2))
    #expect(try files.map(sha256) == (answer == "y" ? old : before))
  }

  @Test("With -y or a run's number undo doesn't ask.", arguments: [["-y"], ["1"]])
  func unasked(_ words: [String]) throws {
    try shift()
    let terminal = try Terminal(Tool.program, ["undo"] + words, environment: tool.environment())
    #expect(try terminal.end().status == 0)
    #expect(try files.map(sha256) == old)
  }
}
