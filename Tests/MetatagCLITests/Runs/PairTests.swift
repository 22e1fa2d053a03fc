import Foundation
import TestSupport
import Testing

/// Edits of a real Live Photo.
@Suite("Live Photos", .enabled(if: Corpus.isThere && Oracle.has("exiftool"), "\(Corpus.absence), or no exiftool"))
struct PairTests {
  /// A private copy of the pair, with adjustments next to it.
  private struct LivePhoto {
    let tool: Tool
    let scratch: Scratch
    let still: URL
    let movie: URL
    let adjustments: URL
    let hashes: [String]

    init() throws {
      tool = try Tool()
      scratch = try Scratch()
      still = try scratch.copy(Corpus.shared.appending(path: "corpus/heic/IMG_3853.HEIC"))
      movie = try scratch.copy(Corpus.shared.appending(path: "corpus/mov/IMG_3853.MOV"))
      adjustments = try scratch.write("<plist/>".utf8, as: "IMG_3853.AAE")
      hashes = try [still, movie, adjustments].map(sha256)
    }

    var current: [String] { get throws { try [still, movie, adjustments].map(sha256) } }

    func tag(_ name: String) throws -> [String] {
      try [still, movie].map { file in
        try Oracle.run("exiftool", ["-s3", "-n", "-api", "QuickTimeUTC=0", "-\(name)", file.path]).text
          .trimmingCharacters(in: .whitespacesAndNewlines)
      }
    }
  }

  @Test("One named half includes the other in one row, and undo restores both.", arguments: [0, 1, 2])
  func oneRow(named: Int) throws {
    let live = try LivePhoto()
    let path = [live.still.path, live.movie.path, live.scratch.url.path][named]
    let run = try live.tool("geotag", "--at", "47.6062,-122.3321", "--overwrite", "replace", "--json", path)
    #expect(run.status == 0, "\(run.text)\(run.errors)")
    let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
    let rows = try #require(report["rows"] as? [[String: Any]])
    #expect(rows.count == 1)
    #expect(rows.first?["path"] as? String == live.still.path)
    let companions = rows.first?["companions"] as? [[String: Any]] ?? []
    #expect(
      Set(companions.map { "\(($0["path"] as? String ?? "").split(separator: "/").last ?? "") \($0["role"] ?? "")" })
        == ["IMG_3853.MOV movie", "IMG_3853.AAE adjustments"])
    let totals = try #require(report["totals"] as? [String: Int])
    #expect(totals["files"] == 1 && totals["companions"] == 2 && totals["changed"] == 1)
    #expect(try live.tag("GPSLatitude").allSatisfy { abs((Double($0) ?? 0) - 47.6062) < 1e-4 })
    #expect(try live.tag("GPSLongitude").map { $0.prefix(1) } == ["-", "-"])
    #expect(try live.current[2] == live.hashes[2])
    #expect(try live.tool("undo").status == 0)
    #expect(try live.current == live.hashes)
  }

  @Test("A text report names all files of a photo in one line.")
  func text() throws {
    let live = try LivePhoto()
    let run = try live.tool("geotag", "--at", "47,-122", "--overwrite", "replace", "--dry-run", live.scratch.url.path)
    #expect(run.text.contains("IMG_3853.HEIC + IMG_3853.MOV + IMG_3853.AAE: would change: "), "\(run.text)")
    #expect(run.text.contains("1 file and 2 that belong to it: 1 would change"), "\(run.text)")
    #expect(try live.current == live.hashes)
  }

  @Test("A shift moves each half's date, and a date that is set is the same for both.")
  func dates() throws {
    let live = try LivePhoto()
    #expect(try live.tool("date", "shift", "+1h", live.still.path).status == 0)
    #expect(try live.tag("DateTimeOriginal")[0] == "2025:01:01 12:06:47")
    #expect(try live.tag("CreationDate")[1] == "2025:01:01 12:06:46+09:00")
    #expect(try live.tool("date", "zone", "Europe/Paris", "--keep-instant", live.still.path).status == 0)
    #expect(try live.tag("CreationDate")[1] == "2025:01:01 04:06:46+01:00")
    #expect(try live.tool("date", "set", "2020-02-02T03:04:05+09:00", live.movie.path).status == 0)
    #expect(try live.tag("DateTimeOriginal")[0] == "2020:02:02 03:04:05")
    #expect(try live.tag("CreationDate")[1] == "2020:02:02 03:04:05+09:00")
    for _ in 1...3 { #expect(try live.tool("undo").status == 0) }
    #expect(try live.current == live.hashes)
  }

  @Test("A shift below half a second doesn't change the movie, and the row says so.")
  func partOfSecond() throws {
    let live = try LivePhoto()
    let run = try live.tool("date", "shift", "+0.4s", live.still.path)
    #expect(run.status == 0, "\(run.text)")
    #expect(
      run.text.contains("IMG_3853.MOV keeps its date: the date is in whole seconds and already the closest"),
      "\(run.text)")
    #expect(try live.current[0] != live.hashes[0] && live.current[1] == live.hashes[1])
  }

  @Test(
    "--retry-failed changes each half of a photo once.", arguments: [[], ["--separately"]],
    [[], ["--separately"]])
  func retryHalves(words: [String], again: [String]) throws {
    let live = try LivePhoto()
    let still = try Data(contentsOf: live.still)
    try still.prefix(400).write(to: live.still)
    let change = ["date", "shift", "+1h"]
    #expect(try live.tool.run(list: change + words + [live.still.path, live.movie.path]).status == 1)
    try still.write(to: live.still)
    let before = try live.current
    let retry = try live.tool.run(list: change + ["--retry-failed", "1"] + again)
    guard words == again || again.isEmpty else {
      #expect(retry.status == 2 && retry.errors.contains("leave out --separately"), "\(retry.errors)")
      #expect(try live.current == before)
      return
    }
    #expect(retry.status == 0, "\(retry.errors)")
    #expect(try live.tag("CreationDate")[1] == "2025:01:01 12:06:46+09:00")
    #expect(try live.tag("DateTimeOriginal")[0] == "2025:01:01 12:06:47")
  }

  @Test(
    "--retry-failed of a movie changed separately doesn't repeat its still, also with a plan.",
    arguments: [false, true])
  func retryMovie(byPlan: Bool) throws {
    let live = try LivePhoto()
    let movie = try Data(contentsOf: live.movie)
    try movie.prefix(400).write(to: live.movie)
    let change = ["date", "shift", "+1h"]
    #expect(try live.tool.run(list: change + ["--separately", live.still.path, live.movie.path]).status == 1)
    try movie.write(to: live.movie)
    let plan = live.tool.home.url.appending(path: "plan.jsonl").path
    var retry = try live.tool.run(list: change + ["--retry-failed", "1"] + (byPlan ? ["--plan", plan] : []))
    if byPlan { retry = try live.tool("apply", plan) }
    #expect(retry.status == 0, "\(retry.text)\(retry.errors)")
    #expect(try live.tag("CreationDate")[1] == "2025:01:01 12:06:46+09:00")
    #expect(try live.tag("DateTimeOriginal")[0] == "2025:01:01 12:06:47")
  }

  @Test("A location is erased from every byte of both halves.")
  func clear() throws {
    let live = try LivePhoto()
    #expect(try live.tool("clear", "--location", live.still.path).status == 0)
    #expect(try live.tag("GPSLatitude") == ["", ""])
    // 139 deg 47' 46.88", the beginnings of Apple's rationals and of ISO 6709 text.
    let marks = [Data("+35.7143".utf8), Data("+139.7963".utf8), Data([0, 0, 0, 35, 0, 0, 0, 1, 0, 0, 0, 42])]
    for (file, isThere) in [(live.still, [false, false, true]), (live.movie, [true, true, false])] {
      let bytes = try Data(contentsOf: file)
      let old = Corpus.shared.appending(path: "corpus/\(file == live.still ? "heic" : "mov")/\(file.lastPathComponent)")
      #expect(try marks.map { try Data(contentsOf: old).range(of: $0) != nil } == isThere)
      #expect(marks.allSatisfy { bytes.range(of: $0) == nil }, "\(file.lastPathComponent)")
    }
    #expect(try live.tool("undo").status == 0)
    #expect(try live.current == live.hashes)
  }

  @Test("A movie that can't be changed is named and keeps its still unchanged.")
  func neither() throws {
    let live = try LivePhoto()
    // A location in a box next to moov, which can't be erased.
    let name = Array("com.apple.quicktime.location.ISO6709".utf8)
    let file = try FileHandle(forWritingTo: live.movie)
    try file.seekToEnd()
    try file.write(contentsOf: Data([0, 0, 0, UInt8(8 + name.count)]) + Data("udta".utf8) + Data(name))
    try file.close()
    let movie = try sha256(live.movie)
    let run = try live.tool("clear", "--location", live.still.path)
    #expect(run.status == 1)
    #expect(run.text.contains("skipped: its companion IMG_3853.MOV: "), "\(run.text)")
    #expect(try live.current[0] == live.hashes[0])
    #expect(try sha256(live.movie) == movie)
  }

  @Test("With --separately each file is changed alone.")
  func separately() throws {
    let live = try LivePhoto()
    let run = try live.tool("geotag", "--at", "1,2", "--overwrite", "replace", "--separately", live.still.path)
    #expect(run.status == 0)
    #expect(try live.current[1] == live.hashes[1])
    #expect(try live.current[0] != live.hashes[0])
  }

  @Test("A location in the movie alone is kept, and the still gets it.")
  func keeps() throws {
    let live = try LivePhoto()
    #expect(try live.tool("clear", "--location", "--separately", live.still.path).status == 0)
    let run = try live.tool("geotag", "--at", "1,2", live.still.path)
    #expect(run.status == 0, "\(run.text)")
    #expect(try live.tag("GPSLatitude").allSatisfy { abs((Double($0) ?? 0) - 35.7143) < 1e-4 })
    #expect(try live.current[1] == live.hashes[1])
    let again = try live.tool("geotag", "--at", "1,2", live.still.path)
    #expect(again.text.contains("unchanged: already has a location"), "\(again.text)")
  }
}
