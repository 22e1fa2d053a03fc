import Foundation
import TestSupport
import Testing

@Suite("Check and repair of dates", .enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
struct DateCheckCommandTests {
  let (tool, scratch): (Tool, Scratch)

  init() throws { (tool, scratch) = (try Tool(), try Scratch()) }

  private func photo(_ name: String, _ tags: String...) throws -> String {
    let source = Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg")
    let file = try scratch.write(try Data(contentsOf: source), as: name)
    let answer = try Oracle.run("exiftool", ["-q", "-n", "-overwrite_original"] + tags + [file.path])
    try #require(answer.status == 0, "\(answer.errors)")
    return file.path
  }

  private static let taken = [
    "-AllDates=2024:05:23 18:38:41", "-OffsetTimeOriginal=+09:00", "-OffsetTimeDigitized=+09:00",
    "-SubSecTimeOriginal=",
    "-SubSecTimeDigitized=", "-GPS:all=",
  ]

  private func agreeing(_ name: String, _ more: String...) throws -> String {
    let path = try photo(name)
    let answer = try Oracle.run("exiftool", ["-q", "-n", "-overwrite_original"] + Self.taken + more + [path])
    try #require(answer.status == 0, "\(answer.errors)")
    return path
  }

  @Test("check exits with 0 without findings, and with 1 and both values otherwise.")
  func check() throws {
    let good = try agreeing("IMG_20240523_183841.jpg", "-XMP-photoshop:DateCreated=2024:05:23 18:38:41+09:00")
    #expect(try tool("date", "check", good).text == "1 file: 1 agrees\n")
    #expect(try tool("date", "check", good).status == 0)
    let bad = try agreeing("b.jpg", "-XMP-photoshop:DateCreated=2024:05:23 17:38:41+09:00")
    let text = try tool("date", "check", good, bad)
    #expect(text.status == 1)
    #expect(
      text.text == """
        \(bad):
          capture-time: photoshop:DateCreated (xmp) is 2024-05-23T17:38:41+09:00, 60 min earlier than \
        DateTimeOriginal (exif), 2024-05-23T18:38:41+09:00
        2 files: 1 agrees, 1 disagrees (1 capture-time)

        """)
    let lines = try tool("date", "check", "--jsonl", good, bad, "/nowhere.jpg").text.split(separator: "\n")
    #expect(lines.count == 3 && lines[0].hasSuffix(#""findings":[]}"#) && lines[2].contains(#""outcome":"failed""#))
    #expect(
      lines[1].hasSuffix(
        #""findings":[{"kind":"capture-time","value":"2024-05-23T17:38:41+09:00","source":"xmp","tag":"photoshop:DateCreated","#
          + #""seconds":-3600,"believed":{"value":"2024-05-23T18:38:41+09:00","source":"exif","tag":"DateTimeOriginal"}}]}"#
      ))
    let json = try JSONSerialization.jsonObject(with: try tool("date", "check", "--json", good, bad).output)
    let totals = (json as? [String: any Sendable])?["totals"] as? [String: Int]
    #expect(totals?["files"] == 2 && totals?["agree"] == 1 && totals?["disagree"] == 1 && totals?["capture-time"] == 1)
  }

  @Test("repair changes nothing without --apply, then check finds nothing, and undo restores the file.")
  func repair() throws {
    let stale = try agreeing("IMG_20240523_183841.jpg", "-XMP-photoshop:DateCreated=2024:05:23 17:38:41+09:00")
    let before = try Data(contentsOf: URL(filePath: stale))
    let shown = try tool("date", "repair", stale)
    #expect(shown.status == 0 && shown.text.contains("would change") && shown.text.contains("the file's name"))
    #expect(try tool("date", "repair", "--apply", "--dry-run", stale).text.contains("would change"))
    #expect(try Data(contentsOf: URL(filePath: stale)) == before)
    let run = try tool("date", "repair", "--apply", stale)
    #expect(run.status == 0 && run.text.contains("1 changed"), "\(run.text)\(run.errors)")
    #expect(try tool("date", "check", stale).status == 0)
    #expect(try tool("date", "repair", "--apply", stale).text.contains("unchanged"))
    try tool("undo")
    #expect(try Data(contentsOf: URL(filePath: stale)) == before)
  }

  @Test("A date in an irregular form is found and rewritten.", arguments: [false, true])
  func irregular(isIsolated: Bool) throws {
    let path = try agreeing("a.jpg")
    // Nineteen characters, like the existing one.
    var bytes = try Data(contentsOf: URL(filePath: path))
    var count = 0
    while let range = bytes.range(of: Data("2024:05:23 18:38:41".utf8)) {
      bytes.replaceSubrange(range, with: Data((isIsolated ? "2024:05:23  8:38:41" : "2024-05-23 18:38:41").utf8))
      count += 1
    }
    try #require(count >= 2)
    try bytes.write(to: URL(filePath: path))
    let kind = isIsolated ? "irregular" : "malformed"
    #expect(try tool("date", "check", path).text.contains("\(kind): DateTimeOriginal (exif) is 2024"))
    #expect(try tool("date", "repair", "--apply", path).status == 0)
    let date = try Oracle.run("exiftool", ["-s3", "-DateTimeOriginal", path]).text
    #expect(date == (isIsolated ? "2024:05:23 08:38:41\n" : "2024:05:23 18:38:41\n"))
    #expect(!(try tool("date", "check", path).text.contains("DateTimeOriginal (exif) is")))
  }
}
