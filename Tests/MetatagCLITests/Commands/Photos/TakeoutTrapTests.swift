import Foundation
import TestSupport
import Testing

/// Difficulties of real exports: pairs with two JSON files, parts, albums, corrected extensions.
@Suite("Google Takeout: difficult cases")
struct TakeoutTrapTests {
  let (tool, scratch): (Tool, Scratch)

  init() throws { (tool, scratch) = (try Tool(), try Scratch()) }

  private typealias Row = [String: any Sendable]

  private static let samples = Corpus.project.appending(path: "SampleImages")
  private static let undated = samples.appending(path: "borealis-05-no-date.jpg")
  private static let dated = samples.appending(path: "aurora-01-jetty.jpg")

  private func json(_ title: String, _ timestamp: Int, at place: (Double, Double)? = nil) -> Data {
    let data = place.map { #", "geoData": {"latitude": \#($0.0), "longitude": \#($0.1), "altitude": 0.0}"# } ?? ""
    return Data(#"{"title": "\#(title)", "photoTakenTime": {"timestamp": "\#(timestamp)"}\#(data)}"#.utf8)
  }

  @discardableResult
  private func put(_ content: Data, _ name: String) throws -> URL {
    let file = scratch.url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try content.write(to: file)
    return file
  }

  @discardableResult
  private func copy(_ file: URL, _ name: String) throws -> URL { try put(try Data(contentsOf: file), name) }

  /// A movie without a date and a location.
  @discardableResult
  private func movie(_ name: String) throws -> URL {
    let file = try copy(Self.samples.appending(path: "borealis-07-swans.mp4"), "bare.mp4")
    #expect(try tool("clear", "--all", "--yes", file.path).status == 0)
    let moved = scratch.url.appending(path: name)
    try FileManager.default.moveItem(at: file, to: moved)
    return moved
  }

  /// Rows by file name.
  private func rows(_ answer: Oracle.Answer) throws -> [String: Row] {
    let lines = answer.text.split(separator: "\n").map { Data($0.utf8) }
    let rows = try lines.map { try JSONSerialization.jsonObject(with: $0) as? Row ?? [:] }
    let names = rows.map { URL(filePath: $0["path"] as? String ?? "").lastPathComponent }
    return Dictionary(uniqueKeysWithValues: zip(names, rows))
  }

  private func taken(_ row: Row?) -> String? { (row?["after"] as? Row)?["taken"] as? String }
  private func latitude(_ row: Row?) -> Double? {
    ((row?["after"] as? Row)?["location"] as? Row)?["latitude"] as? Double
  }
  private func notes(_ row: Row?) -> String { (row?["notes"] as? [String] ?? []).joined(separator: "\n") }

  @Test("A movie with another time or location than its still is changed separately.")
  func pair() throws {
    try copy(Self.undated, "IMG_8.JPG")
    let clip = try movie("IMG_8.MP4")
    let still = try put(json("IMG_8.JPG", 1_547_200_000, at: (47.1, 11.3)), "IMG_8.JPG.json")
    try put(json("IMG_8.MP4", 1_564_660_800, at: (39.57, 2.65)), "IMG_8.MP4.json")
    let both = try rows(try tool("takeout", "--dry-run", "--jsonl", scratch.url.path))
    #expect(both.count == 2)
    #expect(taken(both["IMG_8.JPG"])?.hasPrefix("2019-01-11") == true && latitude(both["IMG_8.JPG"]) == 47.1)
    #expect(taken(both["IMG_8.MP4"])?.hasPrefix("2019-08-01") == true && latitude(both["IMG_8.MP4"]) == 39.57)
    #expect(notes(both["IMG_8.JPG"]).contains("IMG_8.MP4"))
    let dates = try rows(try tool("date", "from-json", "--dry-run", "--jsonl", clip.path))
    #expect(taken(dates["IMG_8.MP4"])?.hasPrefix("2019-08-01") == true)
    #expect(taken(dates["IMG_8.JPG"])?.hasPrefix("2019-01-11") == true)
    let plan = scratch.url.appending(path: "plan").path
    #expect(try tool("takeout", "--plan", plan, scratch.url.path).status == 0)
    #expect(try tool("apply", plan).text.contains("2 files: 2 changed"))
    #expect(try tool("undo").status == 0)
    try json("IMG_8.JPG", 1_564_660_799, at: (39.57002, 2.65)).write(to: still)
    #expect(try rows(try tool("takeout", "--dry-run", "--jsonl", scratch.url.path)).count == 1)
  }

  @Test("A Pixel's .MP movie belongs to its still for every command.", arguments: ["MP", "MP~2"])
  func pixel(ending: String) throws {
    try copy(Self.undated, "PXL_1.\(ending).jpg")
    try movie("PXL_1.\(ending)")
    try put(json("PXL_1.\(ending).jpg", 1_564_660_800, at: (39.57, 2.65)), "PXL_1.\(ending).jpg.json")
    let run = try tool("takeout", scratch.url.path)
    #expect(run.status == 0 && run.text.contains("1 file and 1 that belongs to it: 1 changed"), "\(run.text)")
    #expect(try tool("show", scratch.url.path).text.contains("PXL_1.\(ending) "))
    #expect(try tool("clear", "--location", "-r", scratch.url.path).status == 0)
    for name in ["PXL_1.\(ending)", "PXL_1.\(ending).jpg"] {
      let file = scratch.url.appending(path: name).path
      #expect(!(try tool("show", "--json", file).text.contains("39.57")), "\(name)")
    }
  }

  @Test("An album's JSON file may have a location, and Google's default names are no keywords.")
  func albums() throws {
    for folder in ["Wien", "Untitled(3)", "Gesperrter Ordner"] {
      try copy(Self.dated, "\(folder)/a.jpg")
      try put(json("a.jpg", 1_564_660_800), "\(folder)/a.jpg.json")
    }
    try put(
      Data(
        #"""
        {"title": "Tom &amp; Jerry&#39;s\nParty", "description": "", "access": "protected", "date": {"timestamp": "1"},
         "location": "", "geoData": {"latitude": 1.0, "longitude": 2.0}}
        """#.utf8), "Wien/metadata.json")
    try put(Data(#"{"title": "", "date": {"timestamp": "1"}}"#.utf8), "Untitled(3)/metadata.json")
    let answer = try tool("takeout", "--dry-run", "--jsonl", "--albums", "keywords", scratch.url.path)
    let lines = answer.text.split(separator: "\n").map(String.init)
    #expect(lines.filter { $0.contains("Wien") }.allSatisfy { $0.contains("Tom & Jerry's Party") }, "\(answer.text)")
    #expect(lines.filter { !$0.contains("Wien") }.allSatisfy { $0.contains("unchanged") }, "\(answer.text)")
    #expect(!answer.errors.contains("not in the same folder"), "\(answer.errors)")
  }

  @Test("A keyword doesn't hide a missing or unreadable JSON file.")
  func lackBesideKeyword() throws {
    for name in ["a.jpg", "b.jpg", "c.jpg"] { try copy(Self.undated, "Wien/\(name)") }
    try put(json("a.jpg", 1_564_660_800), "Wien/a.jpg.json")
    try put(Data("{".utf8), "Wien/b.jpg.json")
    for _ in 0..<2 {
      let answer = try tool("takeout", "--jsonl", "--albums", "keywords", scratch.url.path)
      let rows = try rows(answer)
      #expect(answer.status == 1)
      for (name, failure) in [("b.jpg", "has a JSON file that can't be read"), ("c.jpg", "has no JSON file")] {
        #expect(notes(rows[name]).contains(failure) || (rows[name]?["reason"] as? String)?.contains(failure) == true)
      }
    }
    #expect(try tool("show", "--json", scratch.url.appending(path: "Wien/c.jpg").path).text.contains("Wien"))
  }

  @Test("Parts of an export in separate folders are joined, unless a name is in both.")
  func parts() throws {
    try copy(Self.undated, "t1/Takeout/Google Photos/Photos from 2019/a.jpg")
    try put(json("a.jpg", 1_564_660_800), "t2/Takeout/Google Photos/Photos from 2019/a.jpg.json")
    let (one, two) = (scratch.url.appending(path: "t1/Takeout").path, scratch.url.appending(path: "t2").path)
    let run = try tool("takeout", "--dry-run", one, two)
    #expect(run.status == 0 && run.text.contains("2019-08-01"), "\(run.text)\(run.errors)")
    // They may belong to two people.
    #expect(
      run.errors.contains("\(one) and \(two)/Takeout are treated as parts of one export: 1 photo in the first has its")
        && run.errors.contains("in two runs"), "\(run.errors)")
    #expect(try tool("takeout", "--dry-run", "--explain", one, two).text.contains("\(two)/Takeout/Google Photos"))
    #expect(try tool("takeout", "--dry-run", one).status == 1)
    for part in ["t1", "t2"] {
      try copy(Self.undated, "\(part)/Takeout/Google Photos/Photos from 2019/b.jpg")
    }
    let apart = try tool("takeout", "--dry-run", one, two)
    #expect(apart.status == 1 && apart.text.contains("3 skipped: has no JSON file"), "\(apart.text)")
  }

  @Test("Parts named after one export are joined without a message.")
  func namedParts() throws {
    let folder = "Takeout/Google Photos/Photos from 2019"
    try copy(Self.undated, "takeout-20240518T101112Z-1-001/\(folder)/a.jpg")
    try put(json("a.jpg", 1_564_660_800), "takeout-20240518T101112Z-1-002/\(folder)/a.jpg.json")
    let run = try tool("takeout", "--dry-run", scratch.url.path)
    #expect(run.status == 0 && run.text.contains("2019-08-01") && run.errors.isEmpty, "\(run.text)\(run.errors)")
  }

  @Test("An imported location doesn't hide that Takeout has another date.")
  func otherDate() throws {
    let photo = try copy(Self.dated, "a.jpg")
    #expect(try tool("clear", "--location", photo.path).status == 0)
    try put(json("a.jpg", 1_564_660_800, at: (39.57, 2.65)), "a.jpg.json")
    let row = try rows(try tool("takeout", "--dry-run", "--jsonl", scratch.url.path))["a.jpg"]
    let recorded = row?["reason"] as? String
    #expect(
      latitude(row) == 39.57 && recorded?.contains("a.jpg.json has another date (2019-08-01") == true,
      "\(recorded ?? "")")
  }

  @Test("A file instead of a folder is refused with a remedy.")
  func file() throws {
    let photo = try copy(Self.undated, "IMG_8.JPG")
    let answer = try tool("takeout", photo.path)
    #expect(answer.status == 2 && answer.errors.contains("IMG_8.JPG is a file: name the folder that it is in"))
    let parcel = try put(Data("x".utf8), "takeout.tgz")
    #expect(try tool("takeout", parcel.path).errors.contains("takeout.tgz is a file: unpack it first"))
  }
}
