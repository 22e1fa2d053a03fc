import Foundation
import TestSupport
import Testing

/// JSON files and pairs between one command and the next.
@Suite("Google Takeout: new names and plans")
struct TakeoutNewNamesTests {
  private let (tool, scratch): (Tool, Scratch)

  init() throws { (tool, scratch) = (try Tool(), try Scratch()) }

  private static let samples = Corpus.project.appending(path: "SampleImages")
  private static let undated = samples.appending(path: "borealis-05-no-date.jpg")

  private func json(_ title: String, _ timestamp: Int, at latitude: Double? = nil) -> Data {
    let place = latitude.map { #", "geoData": {"latitude": \#($0), "longitude": 11.0, "altitude": 0.0}"# } ?? ""
    return Data(#"{"title": "\#(title)", "photoTakenTime": {"timestamp": "\#(timestamp)"}\#(place)}"#.utf8)
  }

  /// A folder with these files.
  private func folder(_ name: String, _ files: [String: Data]) throws -> URL {
    let folder = scratch.url.appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, content) in files { try content.write(to: folder.appending(path: name)) }
    return folder
  }

  /// The files of a folder with their content.
  private func content(_ folder: URL) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
  }

  /// The dates that `takeout` would set, by file name.
  private func dates(_ folder: URL) throws -> [String: String] {
    let rows = try WorkflowTests.rows(try tool("takeout", "--dry-run", "--json", folder.path))
    return Dictionary(
      uniqueKeysWithValues: rows.map { row in
        let after = row["after"] as? [String: any Sendable]
        return (URL(filePath: row["path"] as? String ?? "").lastPathComponent, after?["taken"] as? String ?? "")
      })
  }

  @Test("A JSON file is renamed with its photo, also by a plan, and undo restores both names.", arguments: [0, 1])
  func newName(way: Int) throws {
    let photo = try Data(contentsOf: Self.undated)
    let folder = try folder(
      "Takeout",
      [
        "IMG_1.HEIC": photo, "IMG_1(1).HEIC": photo, "IMG_1-edited.HEIC": photo, "a.HEIC": photo, "a.jpg.txt": Data(),
        "IMG_1.HEIC.supplemental-metadata.json": json("IMG_1.HEIC", 1_547_200_000),
        "IMG_1.HEIC.supplemental-metadata(1).json": json("IMG_1.HEIC", 1_564_660_800),
        "a.HEIC.json": json("a.HEIC", 1_500_000_000), "b.HEIC.json": json("b.HEIC", 1),
      ])
    let before = try content(folder)
    let wanted = ["IMG_1": "2019-01-11", "IMG_1(1)": "2019-08-01", "IMG_1-edited": "2019-01-11", "a": "2017-07-14"]
    for (name, date) in try dates(folder) {
      #expect(date.hasPrefix(wanted[name.replacing(".HEIC", with: "")] ?? "?"), "\(name)")
    }
    let run: Oracle.Answer
    if way == 0 {
      run = try tool("fix-extension", "--json", folder.path)
    } else {
      let plan = scratch.url.appending(path: "plan.jsonl").path
      #expect(try tool("fix-extension", "--plan", plan, folder.path).status == 0)
      #expect(try content(folder) == before)
      run = try tool("apply", "--json", plan)
    }
    #expect(run.status == 0 && run.text.contains(#""role": "takeout""#), "\(run.text)\(run.errors)")
    #expect(
      try content(folder).keys.sorted() == [
        "IMG_1(1).JPG", "IMG_1-edited.JPG", "IMG_1.JPG", "IMG_1.JPG.supplemental-metadata(1).json",
        "IMG_1.JPG.supplemental-metadata.json", "a.JPG", "a.JPG.json", "a.jpg.txt", "b.HEIC.json",
      ])
    let after = try dates(folder)
    #expect(after.count == 4)
    for (name, date) in after {
      #expect(date.hasPrefix(wanted[name.replacing(".JPG", with: "")] ?? "?"), "\(name)")
    }
    #expect(try tool("undo").status == 0)
    #expect(try content(folder) == before)
  }

  @Test("No photo or JSON file takes a name that belongs to another's.")
  func takenName() throws {
    let photo = try Data(contentsOf: Self.undated)
    let folder = try folder(
      "Takeout",
      [
        "IMG_2.HEIC": photo, "IMG_2.JPG.supplemental-metadata.json": json("IMG_2.JPG", 1),
        "a.heic": photo, "a.heif": photo, "a.heif.json": json("a.heif", 2),
      ])
    let run = try tool("fix-extension", "--separately", folder.path)
    #expect(run.status == 1)
    #expect(
      run.text.contains("skipped: can't be renamed to IMG_2.JPG: IMG_2.JPG.supplemental-metadata.json exists"),
      "\(run.text)")
    #expect(
      try content(folder).keys.sorted() == [
        "IMG_2.HEIC", "IMG_2.JPG.supplemental-metadata.json", "a.heif", "a.heif.json", "a.jpg",
      ], "\(run.text)")
  }

  @Test("A plan of pairs with two JSON files writes the same files as the command.")
  func planOfPairs() throws {
    let undated = try Data(contentsOf: Self.undated)
    let dated = try Data(contentsOf: Self.samples.appending(path: "aurora-01-jetty.jpg"))
    let movie = try scratch.write(
      try Data(contentsOf: Self.samples.appending(path: "borealis-07-swans.mp4")), as: "movie.mp4")
    #expect(try tool("clear", "--all", "--yes", movie.path).status == 0)
    let bare = try Data(contentsOf: movie)
    // The first pair's movie keeps its date and location.
    #expect(try tool("date", "set", "2024-05-18T07:42:12+02:00", movie.path).status == 0)
    #expect(try tool("geotag", "--at", "1,2", movie.path).status == 0)
    let files = [
      "IMG_7.JPG": dated, "IMG_7.MP4": try Data(contentsOf: movie), "IMG_8.JPG": undated, "IMG_8.MP4": bare,
      "IMG_7.JPG.json": json("IMG_7.JPG", 1_716_010_932, at: 47),
      "IMG_7.MP4.json": json("IMG_7.MP4", 1_716_010_932, at: 39),
      "IMG_8.JPG.json": json("IMG_8.JPG", 1_547_300_000), "IMG_8.MP4.json": json("IMG_8.MP4", 1_564_760_800),
    ]
    let (direct, planned) = (try folder("direct", files), try folder("planned", files))
    let ran = try tool("takeout", "--json", direct.path)
    let plan = scratch.url.appending(path: "plan.jsonl")
    #expect(try tool("takeout", "--plan", plan.path, planned.path).status == ran.status)
    #expect(try content(planned) == files)
    #expect(try String(contentsOf: plan, encoding: .utf8).contains(#""separately":true"#))
    let applied = try tool("apply", "--json", plan.path)
    #expect(applied.status == 0, "\(applied.text)")
    #expect(try content(planned) == content(direct))
    #expect(try content(direct).filter { $1 != files[$0] }.keys.sorted() == ["IMG_7.JPG", "IMG_8.JPG", "IMG_8.MP4"])
  }
}
