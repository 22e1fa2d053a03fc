@testable import SafeWriting
import Foundation
import TestSupport
import Testing

@testable import MetaTag
@testable import metatag_cli

/// A shift is not repeated on photos that an interrupted run has already moved.
@Suite("Unfinished runs")
struct UnfinishedRunTests {
  private let tool: Tool
  private let photos: Scratch
  private let files: [URL]
  /// A file at which a run with --fail-fast and one job stops.
  private let broken: URL

  init() throws {
    let photos = try Scratch()
    (tool, self.photos) = (try Tool(), photos)
    let samples = Corpus.project.appending(path: "SampleImages")
    files = try ["aurora-01-jetty.jpg", "aurora-02-island.jpg", "cirrus-01-boat.heic", "cirrus-01-boat.mov"].map {
      try photos.copy(samples.appending(path: $0))
    }
    broken = try photos.write(Data([0xFF, 0xD8, 0xFF, 0xE1, 0x40]), as: "b.jpg")
  }

  /// Moves the first photo, and stops before the others.
  private func begin(_ words: [String] = ["date", "shift", "+1h"]) throws -> Oracle.Answer {
    try tool.run(
      list: words + ["--fail-fast", "--jobs", "1", files[0].path, broken.path, files[1].path, files[2].path])
  }

  private func hashes() throws -> [String] { try files.map(sha256) }

  @Test("The same command is refused for photos already moved, also as a dry run and plan.")
  func refused() throws {
    let first = try begin()
    let before = try hashes()
    try #require(first.status == 1 && first.errors.contains("Undo:   metatag undo 1"), "\(first.errors)")
    for words in [[], ["--dry-run"], ["--plan", photos.url.appending(path: "plan").path]] {
      let again = try tool.run(list: ["date", "shift", "-2h", photos.url.path] + words)
      #expect(again.status == 2 && again.output.isEmpty, "\(words)")
      let resume = "metatag date shift +1h --fail-fast --jobs 1 --retry-failed 1\n"
      #expect(again.errors.contains(resume), "\(again.errors)")
      #expect(again.errors.contains("metatag undo 1\n"), "\(again.errors)")
    }
    #expect(try hashes() == before)
    #expect(try tool("date", "shift", "-n", "+1h", files[1].path).status == 0)
    // Another command uses the photo's current date.
    #expect(try tool("date", "zone", "-n", "+09:00", "--keep-instant", files[0].path).status == 0)
    #expect(try tool("date", "set", "-n", "2020-01-01T10:00", files[0].path).status == 0)
  }

  @Test("The command is accepted once the run was undone, completed, or its photos restored.")
  func ended() throws {
    let old = try Data(contentsOf: files[0])
    _ = try begin()
    #expect(try tool("undo", "1").status == 0)
    #expect(try tool("date", "shift", "-n", "+1h", files[0].path).status == 0)

    _ = try begin()
    let copy = try Data(contentsOf: files[0])
    try old.write(to: files[0])
    #expect(try tool("date", "shift", "-n", "+1h", files[0].path).status == 0)
    try copy.write(to: files[0])
    #expect(try tool("date", "shift", "-n", "+1h", files[0].path).status == 2)

    // A photo that fails again was reached.
    #expect(try tool("date", "shift", "+1h", "--retry-failed", "3").status == 1)
    #expect(try tool("date", "shift", "-n", "+1h", files[0].path).status == 0)
  }

  @Test("An interrupted retry must be resumed or undone together with its run.")
  func chain() throws {
    _ = try begin()
    let second = try tool("date", "shift", "+1h", "--retry-failed", "1", "--fail-fast", "--jobs", "1")
    try #require(second.errors.contains("--retry-failed 2\n"), "\(second.errors)")
    let again = try tool("date", "shift", "+1h", photos.url.path)
    #expect(again.status == 2, "\(again.errors)")
    #expect(try tool("undo", "1").status == 0)
    #expect(try tool("date", "shift", "-n", "+1h", photos.url.path).status == 1)
  }

  @Test("Repeating geotag --fix-dates completes the rest and counts finished photos.")
  func continued() throws {
    let lake = Corpus.project.appending(path: "SampleImages/borealis-01-lake.jpg")
    let card = try Scratch()
    let names = ["IMG_0001.JPG", "IMG_0002.JPG", "IMG_0004.JPG"]
    for (name, time) in zip(names, ["09:14:20", "09:16:20", "09:26:48"]) {
      let photo = try card.write(Data(contentsOf: lake), as: name)
      #expect(try tool("date", "set", "2024-05-18T\(time)", photo.path).status == 0)
    }
    let broken = try card.write(Data([0xFF, 0xD8, 0xFF, 0xE1, 0x40]), as: "IMG_0003.JPG")
    let first = card.url.appending(path: names[0]).path
    let words = [
      "geotag", "--track", Corpus.project.appending(path: "SampleImages/day.gpx").path, "--sync",
      "\(first)=2024-05-18T08:14:20Z", "--fix-dates", "--jobs", "1", "--fail-fast", card.url.path,
    ]
    let begun = try tool.run(list: words)
    let run = try #require(begun.errors.firstMatch(of: /--despite-run (\d+)/)?.1)
    let refused = try tool.run(list: words)
    #expect(refused.status == 2 && !refused.errors.contains("change them anyway"), "\(refused.errors)")
    try FileManager.default.removeItem(at: broken)
    let rest = try tool.run(list: words + ["--despite-run", "\(run)"])
    #expect(rest.status == 0 && rest.text.contains("1 file: 1 changed"), "\(rest.text)\(rest.errors)")
    #expect(rest.errors.contains("2 photos were done before.\n"), "\(rest.errors)")
    let dates = try exiftool(["-DateTimeOriginal"], card.url).values
      .compactMap { $0["ExifIFD:DateTimeOriginal"] as? String }.sorted()
    #expect(dates == ["10:14:20", "10:16:20", "10:26:48"].map { "2024:05:18 \($0)" })
  }

  @Test("Recovery reports one sentence for each interrupted run.")
  func recovered() {
    var report = RecoveryReport()
    report.completed = [RunID(3): 2]
    report.takenBack = [RunID(3): 1, RunID(5): 7]
    #expect(
      report.sentences == [
        "completed 2 changes and took back 1 unfinished change of interrupted run 3",
        "took back 7 unfinished changes of interrupted run 5",
      ])
  }

  @Test("A photo that was moved on its volume is recognised.")
  func moved() throws {
    _ = try begin()
    let new = photos.url.appending(path: "new name.jpg")
    try FileManager.default.moveItem(at: files[0], to: new)
    #expect(try tool("date", "shift", "+1h", new.path).status == 2)
  }

  @Test("zone --keep-instant and sequence are refused too.")
  func others() throws {
    _ = try begin(["date", "zone", "+09:00", "--keep-instant"])
    #expect(try tool("date", "zone", "+09:00", "--keep-instant", files[0].path).status == 2)
    #expect(try tool("undo").status == 0)
    _ = try begin(["date", "sequence", "--start", "2020-01-01T10:00"])
    let again = try tool("date", "sequence", "--start", "2020-01-01T10:00", photos.url.path)
    // Its dates depend on all photos, so the whole command resumes it.
    let run = try #require(again.errors.firstMatch(of: /--despite-run (\d+)/)?.1)
    #expect(again.status == 2 && !again.errors.contains("--retry-failed"), "\(again.errors)")
    let whole = ["date", "sequence", "--start", "2020-01-01T10:00", photos.url.path]
    #expect(try tool.run(list: whole + ["--despite-run", "\(run)"]).status == 1)
    #expect(try tool.run(list: whole + ["-n"]).status == 1)
  }

  @Test("--despite-run moves the photos again, and accepts only the run that prevents it.")
  func despite() throws {
    _ = try begin()
    let before = try hashes()
    for words in [
      ["date", "shift", "+1h", "--despite-run", "2", files[1].path],
      ["date", "set", "2020-01-01T10:00", "--despite-run", "1", files[0].path],
      ["date", "shift", "+1h", "--despite-run", "one", files[0].path],
    ] {
      let answer = try tool.run(list: words)
      #expect(answer.status == 64 && answer.output.isEmpty, "\(words)")
    }
    #expect(try hashes() == before)
    #expect(try tool("date", "shift", "+1h", "--despite-run", "1", files[0].path).status == 0)
    #expect(try hashes()[0] != before[0])
  }

  @Test(
    "The suggested retry keeps the options of the command and drops its files.",
    arguments: [
      (["date", "shift", "-1h", "a b.jpg", "-q", "c.jpg"], "metatag date shift -1h -q --retry-failed 7"),
      (["date", "shift", "--jobs", "2", "+1h", "--", "-x.jpg"], "metatag date shift --jobs 2 +1h --retry-failed 7"),
      (
        ["date", "shift", "+1 month", "--files-from", "l", "-0", "--retry-failed", "3", "-r"],
        "metatag date shift '+1 month' -r --retry-failed 7"
      ),
      (
        ["date", "shift", "+1h", "--where=title ~ \"it's\"", "a"],
        #"metatag date shift +1h '--where=title ~ "it'\''s"' --retry-failed 7"#
      ),
    ])
  func words(_ line: [String], _ resumed: String) throws {
    let words = try #require(CommandWords(["metatag"] + line, of: DateShiftCommand.self))
    #expect(words.retrying(RunID(7)) == resumed)
  }
}
