import Foundation
import TestSupport
import Testing

/// Files whose extension doesn't match their content.
@Suite("Wrong extensions", .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
struct FixExtensionTests {
  private let tool: Tool
  private let scratch: Scratch

  init() throws { (tool, scratch) = (try Tool(), try Scratch()) }

  private func copy(_ file: String, as name: String) throws -> URL {
    let bytes = try Data(contentsOf: Corpus.shared.appending(path: "corpus/\(file)"))
    return try scratch.write(bytes, as: name)
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).sorted() }
  }

  @Test("A HEIC named .JPG is changed, reported, renamed on request, and undone.")
  func wholeWay() throws {
    let file = try copy("heic/IMG_3853.HEIC", as: "IMG_3853.JPG")
    try scratch.write(
      try Data(contentsOf: Corpus.shared.appending(path: "corpus/mov/IMG_3853.MOV")), as: "IMG_3853.MOV")
    try scratch.write([1], as: "IMG_3853.AAE")
    let hash = try sha256(file)
    #expect(try tool("show", file.path).text.contains("is HEIC, which doesn't match its extension"))
    let geotag = ["geotag", "--at", "1,2", "--overwrite", "replace", file.path]
    let plain = try Oracle.run(Tool.program, geotag, environment: tool.environment())
    #expect(plain.status == 0 && plain.text.contains("note on 1 changed: is HEIC"), "\(plain.text)")
    #expect(try names == ["IMG_3853.AAE", "IMG_3853.JPG", "IMG_3853.MOV"])
    #expect(try tool("undo").status == 0)

    let dry = try Oracle.run(
      Tool.program, geotag + ["--fix-extension", "--dry-run"], environment: tool.environment())
    #expect(dry.text.contains("; would be named IMG_3853.HEIC"), "\(dry.text)")
    #expect(try names == ["IMG_3853.AAE", "IMG_3853.JPG", "IMG_3853.MOV"])

    let fixed = try Oracle.run(
      Tool.program, geotag + ["--fix-extension", "--json"], environment: tool.environment())
    #expect(fixed.status == 0 && fixed.text.contains(#""newName": "IMG_3853.HEIC""#), "\(fixed.text)")
    #expect(try names == ["IMG_3853.AAE", "IMG_3853.HEIC", "IMG_3853.MOV"])
    let again = try tool("date", "shift", "+1s", "--dry-run", scratch.url.path)
    #expect(again.text.contains("IMG_3853.HEIC + IMG_3853.MOV + IMG_3853.AAE: would change"), "\(again.text)")
    #expect(try tool("undo").status == 0)
    #expect(try names == ["IMG_3853.AAE", "IMG_3853.JPG", "IMG_3853.MOV"])
    #expect(try sha256(file) == hash)
  }

  @Test("fix-extension changes only names, and never replaces another file.")
  func command() throws {
    let (wrong, taken) = (try copy("heic/IMG_3853.HEIC", as: "a.jpg"), try copy("heic/IMG_3853.HEIC", as: "b.jpg"))
    try scratch.write([1, 2, 3], as: "b.heic")
    let hashes = try [wrong, taken].map(sha256)
    let run = try tool("fix-extension", "--separately", wrong.path, taken.path)
    #expect(run.status == 1)
    #expect(run.text.contains("a.jpg: changed; is named a.heic"), "\(run.text)")
    #expect(run.text.contains("b.jpg: skipped: can't be renamed to b.heic: that file exists"), "\(run.text)")
    #expect(try names == ["a.heic", "b.heic", "b.jpg"])
    #expect(try sha256(scratch.url.appending(path: "a.heic")) == hashes[0])
    #expect(try tool("undo").status == 0)
    #expect(try sha256(wrong) == hashes[0])
    #expect(try tool("fix-extension", Corpus.shared.appending(path: "corpus/heic/IMG_3853.HEIC").path).status == 0)
  }
}

/// A raw file with another type's extension, which gets its first sidecar.
@Suite("Wrong extensions of raw files")
struct FixRawExtensionTests {
  private let tool: Tool
  private let scratch: Scratch

  init() throws {
    (tool, scratch) = (try Tool(), try Scratch())
    let raw = Corpus.project.appending(path: "SampleImages/raw/delta-01.nef")
    try scratch.write(try Data(contentsOf: raw), as: "a.jpg")
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).sorted() }
  }

  @Test("A new sidecar is renamed with its photo, and undo reverts both.")
  func newSidecar() throws {
    let run = try tool("geotag", "--fix-extension", "--at", "46.05,14.5", "--json", scratch.url.path)
    #expect(run.status == 0 && run.text.contains("/a.jpg.xmp\""), "\(run.text)")
    #expect(run.text.contains(#""newName": "a.nef""#) && run.text.contains(#""newName": "a.nef.xmp""#), "\(run.text)")
    #expect(try names == ["a.nef", "a.nef.xmp"])
    let again = try tool("geotag", "--fix-extension", "--at", "46.05,14.5", scratch.url.path)
    #expect(again.status == 0 && again.text.contains("a.nef + "), "\(again.text)")
    #expect(try tool("undo").status == 0)
    #expect(try names == ["a.jpg"])
  }

  @Test("A file may have the longest name that the file system allows.")
  func longName() throws {
    let stem = String(repeating: "b", count: 251)
    let photo = Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg")
    try scratch.write(try Data(contentsOf: photo), as: "\(stem).png")
    #expect(try tool("fix-extension", scratch.url.appending(path: "\(stem).png").path).status == 0)
    #expect(try names == ["a.jpg", "\(stem).jpg"])
    #expect(try tool("undo").status == 0)
    #expect(try names == ["a.jpg", "\(stem).png"])
  }

  @Test("A file with the sidecar's new name is reported before any change.")
  func taken() throws {
    try scratch.write([1], as: "a.nef.xmp")
    for options in [["--dry-run"], []] {
      let run = try tool.run(
        list: ["geotag", "--fix-extension", "--at", "46.05,14.5", scratch.url.path + "/a.jpg"] + options)
      #expect(run.status == 1 && run.text.contains("can't be renamed to a.nef.xmp: that file exists"), "\(run.text)")
      #expect(try names == ["a.jpg", "a.nef.xmp"])
    }
  }
}

/// Several files of one type whose names differ only in their wrong extensions.
@Suite("Files with the same right name")
struct SameRightNameTests {
  @Test(
    "The first file by its name gets the right name, in whatever order they are given; a dry run says so.",
    arguments: [["x", "x.heic", "x.png", "x.tif"], ["x.tif", "x", "x.png", "x.heic"]])
  func first(order: [String]) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    for name in order { try scratch.write(photo, as: name) }
    let files = order.map { scratch.url.appending(path: $0).path }
    for command in [["fix-extension"], ["geotag", "--at", "1,2", "--fix-extension", "--jobs", "3"]] {
      for trial in [["--dry-run"], []] {
        let run = try tool.run(list: command + trial + ["--json", "--"] + files)
        #expect(run.status == 1)
        let reason = "can't be renamed to x.jpg: x.heic should get this name too. Rename it by hand."
        #expect(run.text.components(separatedBy: reason).count == 4, "\(run.text)")
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).sorted()
      #expect(names == ["x", "x.jpg", "x.png", "x.tif"])
      #expect(try tool("undo").status == 0)
    }
    let copies = scratch.url.appending(path: "copies").path
    for trial in [["--dry-run"], []] {
      let run = try tool.run(
        list: ["geotag", "--at", "1,2", "--fix-extension", "--copy-to", copies] + trial + ["--"] + files)
      #expect(
        run.status == 1 && run.text.contains(trial.isEmpty ? "1 created, 3 skipped" : "1 would create, 3 skipped"),
        "\(run.text)")
    }
  }
}

/// Photos that another program changed after a run renamed them, without a trace in their sizes and times.
@Suite("Undoing new names")
struct UndoneNameTests {
  private let tool: Tool
  private let scratch: Scratch

  init() throws { (tool, scratch) = (try Tool(), try Scratch()) }

  private func sample(_ name: String) throws -> Data {
    try Data(contentsOf: Corpus.project.appending(path: "SampleImages/\(name)"))
  }

  private var files: [String: String] {
    get throws {
      let names = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
      return Dictionary(
        uniqueKeysWithValues: try names.map { ($0, try sha256(scratch.url.appending(path: $0))) })
    }
  }

  /// Changes one of the bytes that a run wrote; the file keeps its size and time.
  private func damage(_ name: String, from old: Data) throws {
    let file = scratch.url.appending(path: name)
    let other = try Scratch()
    let time = try other.write([], as: "time")
    #expect(try Oracle.run("touch", ["-r", file.path, time.path]).status == 0)
    var bytes = try Data(contentsOf: file)
    let last = bytes.indices.last { $0 >= old.count || bytes[$0] != old[$0] }
    bytes[try #require(last) - 2] ^= 1
    let handle = try FileHandle(forWritingTo: file)
    try handle.write(contentsOf: bytes)
    try handle.close()
    #expect(try Oracle.run("touch", ["-r", time.path, file.path]).status == 0)
  }

  private static let boat = ["cirrus-01-boat.heic": "a.JPG", "cirrus-01-boat.mov": "a.MOV"]

  @Test(
    "A photo is undone as a whole, or keeps its new name and all of its bytes.",
    arguments: [
      (["aurora-01-jetty.jpg": "a.png"], "a.jpg", "aurora-01-jetty.jpg"),
      (["raw/delta-01.nef": "a.jpg"], "a.nef.xmp", nil),
      (boat, "a.MOV", "cirrus-01-boat.mov"), (boat, "a.HEIC", "cirrus-01-boat.heic"),
    ])
  func whole(samples: [String: String], changed: String, from old: String?) throws {
    for (name, copy) in samples { try scratch.write(try sample(name), as: copy) }
    #expect(try tool("geotag", "--fix-extension", "--at", "46.05,14.5", scratch.url.path).status == 0)
    try damage(changed, from: try old.map(sample) ?? Data())
    let left = try files
    for command in [["undo", "--dry-run"], ["undo"], ["undo", "1"]] {
      let undo = try tool.run(list: command)
      #expect(undo.status == 1 && undo.text.contains("modified after this run"), "\(command): \(undo.text)")
      #expect(try files == left, "\(command): \(undo.text)")
    }
  }
}
