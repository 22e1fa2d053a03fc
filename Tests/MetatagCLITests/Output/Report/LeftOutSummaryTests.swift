import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Skipped files of folders in summaries")
struct LeftOutSummaryTests {
  /// A folder with a photo, one without an extension, a link, a pipe and two sidecars without a photo.
  private static func folder() throws -> Scratch {
    let scratch = try Scratch()
    let photo = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    for name in ["a.jpg", "IMG_1"] { try scratch.write(photo, as: name) }
    for name in ["b.xmp", "c.xmp"] { try scratch.write("<x:xmpmeta/>".utf8, as: name) }
    try scratch.write("path,latitude,longitude\na.jpg,46.5,-14.5\n".utf8, as: "places.csv")
    try FileManager.default.createSymbolicLink(
      atPath: scratch.url.appending(path: "d.jpg").path, withDestinationPath: "none")
    #expect(mkfifo(scratch.url.appending(path: "e.jpg").path, 0o600) == 0)
    return scratch
  }

  private static let keys = [
    "symbolicLinks": 1, "specialFiles": 1, "photosWithoutExtension": 1, "sidecarsWithoutPhoto": 2,
  ]

  @Test(
    "The totals of every command with rows count the skipped files.",
    arguments: [
      "date shift +1h --dry-run DIR", "date check DIR", "fix-extension --dry-run DIR",
      "convert --to jpeg --dry-run DIR",
      "geotag --at 46,14 --dry-run DIR", "import-csv DIR/places.csv --dry-run DIR", "date sync-mtime --dry-run DIR",
      "date shift +1h --dry-run -r DIR",
    ])
  func totals(_ words: String) throws {
    let folder = try Self.folder()
    let arguments = words.split(separator: " ").map { String($0).replacing("DIR", with: folder.url.path) }
    let answer = try Tool().run(list: arguments + ["--json"])
    let document = try JSONSerialization.jsonObject(with: answer.output) as? [String: any Sendable]
    let totals = try #require(document?["totals"] as? [String: Int], "\(answer.text) \(answer.errors)")
    #expect(totals["files"] == 1)
    for (key, count) in Self.keys { #expect(totals[key] == count, "\(key)") }
    let text = try Tool().run(list: arguments).text
    #expect(
      text.contains("1 symbolic link, 1 special file, 1 photo without an extension and 2 sidecars without a photo"))
  }

  @Test(
    "A command without a summary reports skipped files on standard error.",
    arguments: ["show DIR", "show --json DIR", "export gpx DIR", "date shift +1h --dry-run --jsonl DIR"])
  func errors(_ words: String) throws {
    let folder = try Self.folder()
    let answer = try Tool().run(
      list: words.split(separator: " ").map { String($0).replacing("DIR", with: folder.url.path) })
    #expect(answer.errors.contains("1 photo without an extension and 2 sidecars without a photo"), "\(answer.errors)")
    #expect(!answer.text.contains("without an extension"))
  }

  @Test("takeout counts links and special files, and ignores files without a JSON file.")
  func takeout() throws {
    let folder = try Self.folder()
    let json = #"{"title": "a.jpg", "photoTakenTime": {"timestamp": "1589104800"}}"#
    try folder.write(json.utf8, as: "a.jpg.json")
    let answer = try Tool()("takeout", "--dry-run", "--json", folder.url.path)
    let document = try JSONSerialization.jsonObject(with: answer.output) as? [String: any Sendable]
    let totals = try #require(document?["totals"] as? [String: Int], "\(answer.text) \(answer.errors)")
    #expect(totals["symbolicLinks"] == 1 && totals["specialFiles"] == 1)
    #expect(totals["sidecarsWithoutPhoto"] == nil && totals["photosWithoutExtension"] == nil)
  }

  @Test("A folder with only photos has no such line and no such keys.")
  func nothing() throws {
    let scratch = try Scratch()
    try scratch.copy(Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let answer = try Tool()("date", "shift", "+1h", "--dry-run", "--json", scratch.url.path)
    #expect(Self.keys.keys.allSatisfy { !answer.text.contains($0) })
    #expect(answer.errors.isEmpty)
  }
}
