import Foundation
import TestSupport
import Testing

@Suite("Google Takeout")
struct TakeoutTests {
  let (tool, scratch): (Tool, Scratch)

  init() throws { (tool, scratch) = (try Tool(), try Scratch()) }

  private static let undated = Corpus.project.appending(path: "SampleImages/borealis-05-no-date.jpg")
  private static let dated = Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg")

  private func json(_ title: String, _ timestamp: Int, _ more: String = "") -> Data {
    Data(
      """
      {"title": "\(title.replacing("\"", with: "\\\""))", "description": "",
       "photoTakenTime": {"timestamp": "\(timestamp)", "formatted": "…"}\(more)}
      """.utf8)
  }

  private func rows(_ answer: Oracle.Answer) throws -> [String: [String: any Sendable]] {
    let lines = answer.text.split(separator: "\n").map { Data($0.utf8) }
    let rows = try lines.map { try JSONSerialization.jsonObject(with: $0) as? [String: any Sendable] ?? [:] }
    return Dictionary(
      uniqueKeysWithValues: rows.map { (URL(filePath: $0["path"] as? String ?? "").lastPathComponent, $0) })
  }

  @Test("Every photo of an export gets its JSON file's values, once, and undo reverts them.")
  func export() throws {
    let folder = scratch.url.appending(path: "Takeout/Photos from 2023")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let export = TakeoutExport(seed: 3, count: 120, isOld: false)
    let photo = try Data(contentsOf: Self.undated)
    var stills: [String: String?] = [:]
    for file in export.photos where file.name.lowercased().hasSuffix(".jpg") {
      try photo.write(to: folder.appending(path: file.name))
      stills[file.name] = file.description
    }
    let times = Dictionary(
      uniqueKeysWithValues: export.descriptions.enumerated().map { ($1.name, 1_700_000_000 + $0 * 61) })
    for file in export.descriptions {
      try json(file.title, times[file.name] ?? 0).write(to: folder.appending(path: file.name))
    }
    try Data(#"{"title": "Photos from 2023", "description": ""}"#.utf8).write(
      to: folder.appending(path: "metadata.json"))
    let root = scratch.url.appending(path: "Takeout").path
    let dry = try tool("takeout", "--dry-run", "--jsonl", root)
    #expect(try rows(dry).count == stills.count)
    #expect(try Data(contentsOf: folder.appending(path: stills.keys.sorted()[0])) == photo)
    let run = try tool("takeout", "--jsonl", root)
    for (name, row) in try rows(run) {
      guard let description = stills[name] ?? nil else {
        #expect(
          row["outcome"] as? String == "skipped" && (row["reason"] as? String)?.contains("JSON") == true, "\(name)")
        continue
      }
      let time = Date(timeIntervalSince1970: TimeInterval(times[description] ?? 0)).ISO8601Format()
      let taken = (row["after"] as? [String: any Sendable])?["taken"] as? String
      #expect(taken == time.replacing("Z", with: "+00:00"), "\(name) \(description)")
      #expect((row["explanation"] as? String) == "from \(description)")
    }
    #expect(run.errors.contains("for photos that are not in the same folder; --explain lists them"))
    #expect(try tool("takeout", root).text.contains("\(stills.values.count { $0 != nil }) unchanged"))
    try tool("undo")
    #expect(try Data(contentsOf: folder.appending(path: stills.keys.sorted()[0])) == photo)
  }

  @Test("A rejected favourite keeps its rating, an unrated one gets five stars, and rows report both.")
  func favorites() throws {
    let photo = try Data(contentsOf: Self.undated)
    for (name, rating) in [("no.jpg", -1), ("yes.jpg", 0)] {
      let file = try scratch.write(photo, as: name)
      _ = try Oracle.run("exiftool", ["-q", "-overwrite_original", "-XMP:Rating=\(rating)", file.path])
      try scratch.write(json(name, 1_716_457_121, #", "favorited": true"#), as: "\(name).json")
    }
    func ratings() throws -> [String] {
      let tags = ["-s3", "-f", "-XMP:Rating"]
      return try ["no.jpg", "yes.jpg"].map { name in
        try Oracle.run("exiftool", tags + [scratch.url.appending(path: name).path]).text
          .trimmingCharacters(in: .whitespacesAndNewlines)
      }
    }
    let answer = try tool("takeout", "--favorites", "rating", scratch.url.path)
    #expect(try ratings() == ["-1", "5"])
    #expect(answer.text.contains("(rejected) is kept"), "\(answer.text)")
    try tool("takeout", "--favorites", "rating", "--overwrite", "replace", scratch.url.path)
    #expect(try ratings() == ["5", "5"])
  }

  @Test("Location and zone are imported, a better date stays, and each photo has one row.")
  func rows() throws {
    let place = #", "geoData": {"latitude": 35.0116, "longitude": 135.7681, "altitude": 56.0}"#
    let (undated, dated) = (try Data(contentsOf: Self.undated), try Data(contentsOf: Self.dated))
    for (name, bytes) in [
      ("a.jpg", undated), ("a-edited.jpg", undated), ("b.jpg", dated), ("c.png", undated.prefix(0) + "PNG?".utf8),
      ("d.jpg", undated),
      ("e.jpg", undated), ("notes.txt", Data()),
      ("a.jpg.supplemental-metadata.json", json("a.jpg", 1_716_457_121, place)),
      ("b.jpg.json", json("b.jpg", 1)), ("c.png.json", json("c.png", 2)), ("d.jpg.json", Data("{".utf8)),
      ("gone.jpg.json", json("gone.jpg", 3)),
    ] { try scratch.write(bytes, as: name) }
    let answer = try tool("takeout", "--jsonl", "--explain", scratch.url.path)
    let rows = try rows(answer)
    #expect(answer.status == 1 && rows.count == 6)
    for name in ["a.jpg", "a-edited.jpg"] {
      let after = rows[name]?["after"] as? [String: any Sendable]
      #expect(after?["taken"] as? String == "2024-05-23T18:38:41+09:00")
      #expect((after?["location"] as? [String: any Sendable])?["latitude"] as? Double == 35.0116)
    }
    #expect(rows["b.jpg"]?["outcome"] as? String == "unchanged")
    #expect(rows["c.png"]?["outcome"] as? String == "failed")
    #expect((rows["d.jpg"]?["reason"] as? String)?.hasPrefix("has a JSON file that can't be read: d.jpg.json") == true)
    #expect(rows["e.jpg"]?["reason"] as? String == "has no JSON file in its folder")
    #expect(answer.errors.contains("gone.jpg.json: its photo is not in the same folder"))
    #expect(answer.errors.contains("1 JSON file is for photos that are not in the same folder"))
  }

  @Test("date from-json imports only the time, and only of the named files.")
  func fromJSON() throws {
    let place = #", "geoData": {"latitude": 35.0116, "longitude": 135.7681, "altitude": 56.0}"#
    let photo = try scratch.write(try Data(contentsOf: Self.undated), as: "a.jpg")
    try scratch.write(try Data(contentsOf: Self.undated), as: "b.jpg")
    try scratch.write(json("a.jpg", 1_716_457_121, place), as: "a.jpg.json")
    let answer = try tool("date", "from-json", "--jsonl", photo.path)
    let rows = try rows(answer)
    #expect(answer.status == 0 && rows.count == 1)
    let after = rows["a.jpg"]?["after"] as? [String: any Sendable]
    #expect(after?["taken"] as? String == "2024-05-23T18:38:41+09:00")
    let before = rows["a.jpg"]?["before"] as? [String: any Sendable]
    #expect(
      after?["location"] == nil && before?["location"] == nil || after?["location"] != nil && before?["location"] != nil
    )
    try tool("undo")
    #expect(
      try tool("date", "from-json", "--zone", "Europe/Vienna", "--dry-run", photo.path).text.contains("11:38:41+02:00"))
  }
}
