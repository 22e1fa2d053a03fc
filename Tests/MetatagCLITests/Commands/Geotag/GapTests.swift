import Foundation
import MetaTag
import SystemPackage
import TestSupport
import Testing

/// Photos of several files, one of which has the value and the others don't.
@Suite("Values that a photo's other file has")
struct GapTests {
  private let tool: Tool
  private let photos: Scratch
  private let day = Corpus.project.appending(path: "SampleImages/day.gpx").path

  init() throws { (tool, photos) = (try Tool(), try Scratch()) }

  /// A copy of a sample photo.
  @discardableResult
  private func copy(_ sample: String, as name: String) throws -> URL {
    let data = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/\(sample)"))
    return try photos.write(data, as: name)
  }

  private func metadata(_ file: URL) throws -> Metadata { try ImageSource(FilePath(file.path)).metadata() }

  private func place(_ file: URL) throws -> [Double]? {
    try metadata(file).location.map { location in
      [location.coordinate.latitude, location.coordinate.longitude].map { ($0 * 1e5).rounded() / 1e5 }
    }
  }

  @Test("A file gets the location of the photo's other file, which stays; dry run and plan agree.")
  func place() throws {
    let still = try copy("cirrus-01-boat.heic", as: "b.heic")
    let movie = try copy("cirrus-01-boat.mov", as: "b.mov")
    #expect(try tool("geotag", "--separately", "--at", "46.5,14.5", movie.path).status == 0)
    let kept = try sha256(movie)
    let old = try sha256(still)
    let trial = try tool("geotag", "--track", day, "--explain", "--dry-run", photos.url.path)
    #expect(trial.text.contains("copied from b.mov"), "\(trial.text)\(trial.errors)")
    #expect(trial.text.contains("no place → 46.5, 14.5"), "\(trial.text)")
    #expect(try sha256(still) == old)
    let plan = photos.url.appending(path: "p.jsonl").path
    #expect(try tool("geotag", "--track", day, "--plan", plan, still.path).status == 0)
    let run = try tool("geotag", "--track", day, photos.url.path)
    #expect(run.status == 0 && run.text.contains("no place → 46.5, 14.5"), "\(run.text)")
    #expect(try place(still) == [46.5, 14.5] && sha256(movie) == kept)
    let new = try sha256(still)
    #expect(try tool("undo").status == 0)
    #expect(try sha256(still) == old)
    let applied = try tool("apply", plan)
    #expect(try applied.status == 0 && sha256(still) == new && sha256(movie) == kept, "\(applied.text)")
    let again = try tool("geotag", "--track", day, photos.url.path)
    #expect(again.status == 0 && again.text.contains("already has a location"), "\(again.text)")
  }

  @Test("An edited copy gets its original's location and names, and the reverse.")
  func names() throws {
    let original = try copy("borealis-01-lake.jpg", as: "IMG_3.JPG")
    let edited = try copy("borealis-01-lake.jpg", as: "IMG_E3.JPG")
    #expect(try tool("geotag", "--separately", "--at", "46.3625,14.0937", edited.path).status == 0)
    #expect(try tool("geotag", "--at", "1,2", photos.url.path).status == 0)
    #expect(try place(original) == [46.3625, 14.0937])
    #expect(try tool("name", "--separately", edited.path).status == 0)
    let city = try #require(try metadata(edited).placeNames.first?.value)
    let kept = try sha256(edited)
    let run = try tool("name", "--explain", photos.url.path)
    #expect(run.status == 0 && run.text.contains("copied from IMG_E3.JPG"), "\(run.text)")
    #expect(try metadata(original).placeNames.first?.value == city && sha256(edited) == kept)
    #expect(try tool("name", photos.url.path).text.contains("already has place names"))
  }

  @Test("import-csv and takeout also copy a location between a photo's files.")
  func recorded() throws {
    let original = try copy("borealis-01-lake.jpg", as: "IMG_3.JPG")
    let edited = try copy("borealis-01-lake.jpg", as: "IMG_E3.JPG")
    #expect(try tool("geotag", "--separately", "--at", "46.3625,14.0937", original.path).status == 0)
    let kept = try sha256(original)
    let table = try photos.write(
      Data("SourceFile,GPSLatitude,GPSLongitude\nIMG_3.JPG,+46.3625,+14.0937\n".utf8), as: "t.csv")
    try photos.write(
      Data(
        """
        {"title": "IMG_3.JPG", "photoTakenTime": {"timestamp": "1716022080"},
         "geoData": {"latitude": 46.3625, "longitude": 14.0937, "altitude": 0.0}}
        """.utf8), as: "IMG_3.JPG.json")
    for command in [["import-csv", table.path], ["takeout", photos.url.path]] {
      let run = try tool.run(list: command + ["--explain"])
      #expect(run.status == 0 && run.text.contains("copied from IMG_3.JPG"), "\(run.text)")
      #expect(try place(edited) == [46.3625, 14.0937] && sha256(original) == kept)
      #expect(try tool.run(list: command).text.contains("1 unchanged"))
      #expect(try tool("undo").status == 0)
      #expect(try place(edited) == nil)
    }
    // A set date goes to all files, the location to those without one.
    #expect(try tool("clear", "--date", original.path).status == 0)
    let dated = try tool("takeout", photos.url.path)
    #expect(dated.status == 0, "\(dated.text)")
    for file in [original, edited] {
      #expect(try place(file) == [46.3625, 14.0937] && metadata(file).captureTime != nil)
    }
  }

  @Test("With --names, located photos get their names, and other files get both.")
  func placeAndNames() throws {
    let alone = try copy("borealis-04-viewpoint.jpg", as: "n.jpg")
    let old = try place(alone)
    let run = try tool("geotag", "--track", day, "--names", alone.path)
    #expect(run.status == 0, "\(run.text)")
    #expect(try place(alone) == old && metadata(alone).placeNames.first?.value.city == "Bohinjska Bela", "\(run.text)")
    let again = try tool("geotag", "--track", day, "--names", alone.path)
    #expect(again.status == 0 && again.text.contains("already has a location and place names"))
    let original = try copy("borealis-01-lake.jpg", as: "IMG_3.JPG")
    let edited = try copy("borealis-01-lake.jpg", as: "IMG_E3.JPG")
    #expect(try tool("geotag", "--separately", "--at", "46.3625,14.0937", edited.path).status == 0)
    #expect(try tool("geotag", "--track", day, "--names", original.path).status == 0)
    #expect(try place(original) == [46.3625, 14.0937])
    for file in [original, edited] { #expect(try metadata(file).placeNames.first?.value.city == "Bled") }
  }
}
