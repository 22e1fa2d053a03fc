import Foundation
import TestSupport
import Testing

/// Undo of photos that were moved since: it follows them, with all their files.
@Suite("Undo of moved files")
struct MovedUndoTests {
  private let tool: Tool
  private let photos: Scratch
  /// The folder of the run, and the one to which its files are moved.
  private let trip: URL
  private let moved: URL

  init() throws {
    (tool, photos) = (try Tool(), try Scratch())
    (trip, moved) = (photos.url.appending(path: "trip"), photos.url.appending(path: "moved"))
    try FileManager.default.createDirectory(at: trip, withIntermediateDirectories: true)
  }

  private static let live = ["cirrus-01-boat.heic", "cirrus-01-boat.mov"]

  /// Copies samples under these names into the trip and changes them in run 1. Returns their old hashes.
  private func change(_ samples: [String: String]) throws -> [String: String] {
    for (name, sample) in samples {
      let source = Corpus.project.appending(path: "SampleImages/\(sample)")
      try FileManager.default.copyItem(at: source, to: trip.appending(path: name))
    }
    let old = try hashes(in: trip)
    try #require(try tool("geotag", "--at=10,20", trip.path).status == 0)
    return old
  }

  private func changeLive() throws -> [String: String] {
    try change(Dictionary(uniqueKeysWithValues: (Self.live + ["aurora-01-jetty.jpg"]).map { ($0, $0) }))
  }

  private func hashes(in folder: URL) throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return Dictionary(uniqueKeysWithValues: try names.map { ($0, try sha256(folder.appending(path: $0))) })
  }

  private func move() throws { try FileManager.default.moveItem(at: trip, to: moved) }

  @Test(
    "Undo of one file restores the photo's other file too, wherever both were moved.",
    arguments: live, [["undo"], ["undo", "1"], ["undo", "1", "--moved-to"]])
  func group(_ name: String, _ words: [String]) throws {
    let old = try changeLive()
    try move()
    let words = words.last == "--moved-to" ? words + [moved.path] : words
    let file = moved.appending(path: name).path
    let dry = try tool.run(list: words + [file, "--dry-run", "--json"])
    let undo = try tool.run(list: words + [file, "--json"])
    #expect(dry.status == 0 && undo.status == 0, "\(undo.errors)")
    for answer in [dry, undo] {
      let paths = Set(try WorkflowTests.rows(answer).compactMap { $0["path"] as? String })
      #expect(paths == Set(Self.live.map { moved.appending(path: $0).path }))
    }
    let now = try hashes(in: moved)
    #expect(Self.live.allSatisfy { now[$0] == old[$0] } && now["aurora-01-jetty.jpg"] != old["aurora-01-jetty.jpg"])
    let redo = try tool("redo", "--json")
    #expect(redo.status == 0)
    #expect(try WorkflowTests.rows(redo).allSatisfy { ($0["path"] as? String)?.hasPrefix(moved.path) == true })
    // Once more: this restores the run's change.
    #expect(try tool("undo", file).status == 0)
    #expect(try Self.live.allSatisfy { try hashes(in: moved)[$0] == old[$0] })
  }

  @Test("The dry run finds both of two equal photos, of which one was renamed.")
  func equal() throws {
    let old = try change(["a.jpg": "aurora-01-jetty.jpg", "b.jpg": "aurora-01-jetty.jpg"])
    try move()
    try FileManager.default.moveItem(at: moved.appending(path: "b.jpg"), to: moved.appending(path: "c.jpg"))
    for words in [["--dry-run"], []] {
      let undo = try tool.run(list: ["undo", "1", "--moved-to", moved.path, "--json"] + words)
      let paths = Set(try WorkflowTests.rows(undo).compactMap { $0["path"] as? String })
      let all = Set(["a.jpg", "c.jpg"].map { moved.appending(path: $0).path })
      #expect(undo.status == 0 && paths == all, "\(undo.text)")
    }
    #expect(try hashes(in: moved) == ["a.jpg": old["a.jpg"], "c.jpg": old["b.jpg"]])
  }

  @Test("A named file stays if its other file is missing, and undo of the run restores what it finds.")
  func missing() throws {
    let old = try changeLive()
    try move()
    try FileManager.default.removeItem(at: moved.appending(path: Self.live[1]))
    let before = try hashes(in: moved)
    let still = moved.appending(path: Self.live[0]).path
    for words in [["undo", still], ["undo", "-n", still], ["undo", "1", still]] {
      #expect(try tool.run(list: words).status == 1)
      #expect(try hashes(in: moved) == before)
    }
    let rest = try tool("undo", "1", "--moved-to", moved.path)
    #expect(rest.status == 1 && !rest.errors.contains("--moved-to FOLDER"), "\(rest.errors)")
    #expect(try hashes(in: moved)[Self.live[0]] == old[Self.live[0]])
  }

  @Test("--in finds the run of files that were moved into a folder, and accepts a missing folder.")
  func folders() throws {
    let old = try changeLive()
    let copy = photos.url.appending(path: "copy")
    try FileManager.default.copyItem(at: trip, to: copy)
    #expect(try tool("undo", "--in", copy.path).status == 2)
    try FileManager.default.removeItem(at: copy)
    try move()
    let new = try hashes(in: moved)
    #expect(try tool("undo", "--in", trip.path).status == 64)
    for words in [
      ["--in", moved.path], ["1", "--in", moved.path], ["--in", trip.path, "--moved-to", moved.path],
      ["1", "--in", trip.path, "--moved-to", moved.path],
    ] {
      let undo = try tool.run(list: ["undo"] + words)
      #expect(undo.status == 0, "\(words) \(undo.errors)")
      #expect(try hashes(in: moved) == old)
      #expect(try tool("redo").status == 0)
      #expect(try hashes(in: moved) == new)
    }
  }

  @Test("A photo's sidecar is undone with it, in its place or moved.", arguments: [false, true])
  func sidecar(isMoved: Bool) throws {
    let old = try change(["a.nef": "raw/delta-01.nef"])
    try #require(try hashes(in: trip).keys.sorted() == ["a.nef", "a.nef.xmp"])
    if isMoved { try move() }
    let folder = isMoved ? moved : trip
    #expect(try tool("undo", folder.appending(path: "a.nef").path).status == 0)
    #expect(try hashes(in: folder) == old)
    #expect(try tool("undo", folder.appending(path: "a.nef").path).status == 1)
  }

  @Test("Equal files are distinguished by name, however they were moved.", arguments: 0...2)
  func alike(_ way: Int) throws {
    let old = try change(["a.jpg": "aurora-01-jetty.jpg", "b.jpg": "aurora-01-jetty.jpg"])
    try FileManager.default.copyItem(at: trip, to: moved)
    try FileManager.default.removeItem(at: trip)
    let words = [
      ["1", "--moved-to", moved.path], ["--in", moved.path], ["b.jpg", "a.jpg"].map { moved.appending(path: $0).path },
    ][way]
    // Their copies also have other modification times.
    let undo = try tool.run(list: ["undo"] + words)
    #expect(undo.status == 0, "\(undo.text) \(undo.errors)")
    #expect(try hashes(in: moved) == old)
  }

  @Test("The row of a picture that another program changed claims only its old metadata.")
  func picture() throws {
    _ = try change(["a.jpg": "aurora-01-jetty.jpg", "b.jpg": "aurora-02-island.jpg"])
    let file = trip.appending(path: "a.jpg")
    var bytes = try Data(contentsOf: file)
    // In the middle of compressed data, which no checksum covers.
    let middle = bytes.count - 5_000
    bytes[middle] ^= 0x55
    try bytes.write(to: file)
    for words in [["undo", "-n"], ["undo", "1"]] {
      let undo = try tool.run(list: words)
      let rows = undo.text.split(separator: "\n")
      #expect(undo.status == 0, "\(undo.text)\(undo.errors)")
      #expect(rows.count { $0.contains("a.jpg") && $0.contains(/metadata (would be )?restored;/) } == 1, "\(undo.text)")
      #expect(rows.count { $0.contains("b.jpg") && $0.contains(/: (would be )?restored$/) } == 1, "\(undo.text)")
    }
  }

  @Test("Files without a change and folders are reported, and don't prevent other undos.")
  func unknown() throws {
    let old = try change(["a.jpg": "aurora-01-jetty.jpg"])
    let other = trip.appending(path: "b.jpg")
    try FileManager.default.copyItem(at: Corpus.project.appending(path: "SampleImages/aurora-02-island.jpg"), to: other)
    let undo = try tool("undo", trip.appending(path: "a.jpg").path, other.path, trip.path)
    #expect(undo.status == 1 && undo.errors.contains("b.jpg: no run changed this file"), "\(undo.errors)")
    #expect(undo.errors.contains("trip is a folder: metatag undo --in \(trip.path)"), "\(undo.errors)")
    #expect(try hashes(in: trip)["a.jpg"] == old["a.jpg"])
    #expect(try tool("undo", trip.path).status == 1)
  }

  @Test("Undo renames files where they are, and its message has no useless advice.")
  func names() throws {
    let source = Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg")
    try FileManager.default.copyItem(at: source, to: trip.appending(path: "a.png"))
    try #require(try tool("fix-extension", trip.path).status == 0)
    try move()
    let undo = try tool("undo", "1", "--moved-to", moved.path)
    #expect(undo.status == 1 && !undo.errors.contains("--moved-to"), "\(undo.errors)")
    try FileManager.default.moveItem(at: moved, to: trip)
    // A later run's change is undone first.
    let title = try tool("set", "--title", "Jetty", trip.path)
    #expect(title.status == 0)
    let early = try tool("undo", "1")
    let run = try #require(early.text.firstMatch(of: #/Undo run (\d+) first/#)?.1)
    #expect(early.status == 1)
    #expect(try tool("undo", String(run)).status == 0)
    #expect(try tool("undo", "1").status == 0)
    #expect(try hashes(in: trip).keys.sorted() == ["a.png"])
  }
}
