import Foundation
import MetaTag
import SystemPackage
import TestSupport
import Testing

/// Photos at 0, 0, which devices write without a fix.
@Suite("Photos without a fix")
struct NoFixTests {
  private let tool: Tool
  private let photos: Scratch

  init() throws { (tool, photos) = (try Tool(), try Scratch()) }

  /// A copy of a sample photo at 0, 0.
  private func sample(_ sample: String = "borealis-05-no-date.jpg", as name: String = "n.jpg") throws -> URL {
    let data = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/\(sample)"))
    let photo = try photos.write(data, as: name)
    #expect(try tool("geotag", "--separately", "--at", "0,0", photo.path).status == 0)
    return photo
  }

  private func place(_ file: URL) throws -> String? {
    try ImageSource(FilePath(file.path)).metadata().location.map { "\($0.coordinate)" }
  }

  @Test("A photo at 0, 0 gets a location like one without, and the row says so.")
  func geotag() throws {
    let photo = try sample()
    let run = try tool("geotag", "--at", "35,135", photo.path)
    #expect(run.status == 0 && run.text.contains("no place → 35.0, 135.0"), "\(run.text)")
    #expect(run.text.contains("ignoring position 0,0"), "\(run.text)")
    #expect(try place(photo) == "35.0, 135.0")
    #expect(try tool("geotag", "--at", "36,136", photo.path).text.contains("already has a location"))
  }

  @Test(
    "A location that can't be read stays by default and is reported.",
    .enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
  func unreadable() throws {
    let data = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/aurora-01-jetty.jpg"))
    let photo = try photos.write(data, as: "u.jpg")
    let gps = ["-n", "-GPSLatitude=48.2", "-GPSLongitude=16.3", "-GPSLatitudeRef=", "-GPSLongitudeRef="]
    #expect(try Oracle.run("exiftool", ["-q", "-overwrite_original"] + gps + [photo.path]).status == 0)
    let bytes = try Data(contentsOf: photo)
    #expect(try tool("show", photo.path, "--json").text.contains("has no hemisphere reference"))
    for arguments in [["geotag", "--at", "1,2"], ["geotag", "--names", "--at", "1,2"], ["name"]] {
      let run = try tool.run(list: arguments + [photo.path])
      #expect(run.status == 1 && run.text.contains("has a position that can't be read"), "\(run.text)")
    }
    #expect(try Data(contentsOf: photo) == bytes)
    let run = try tool("geotag", "--at", "1,2", "--overwrite", "replace", photo.path)
    #expect(run.status == 0 && run.text.contains("has no hemisphere reference"), "\(run.text)")
    #expect(try place(photo) == "1.0, 2.0")
  }

  @Test("Commands that need a location skip 0, 0 with the reason, and clear removes it.")
  func others() throws {
    let photo = try sample()
    let bytes = try Data(contentsOf: photo)
    for arguments in [["name"], ["clear", "--location", "--coarsen", "10km"]] {
      let run = try tool.run(list: arguments + [photo.path])
      #expect(run.status == 1 && run.text.contains("0,0 (no GPS fix)"), "\(run.text)")
      #expect(try Data(contentsOf: photo) == bytes)
    }
    let shown = try tool("show", photo.path).text
    #expect(shown.contains("ignoring position 0,0"), "\(shown)")
    let json = try tool("show", "--json", photo.path).text
    #expect(json.contains("\"locations\":") && !json.contains("\"location\":"), "\(json)")
    #expect(try tool("clear", "--location", photo.path).status == 0)
    #expect(try ImageSource(FilePath(photo.path)).metadata().locations.isEmpty)
  }

  @Test("A file at 0, 0 gets the location of the photo's other file.")
  func pair() throws {
    let movie = try photos.write(
      try Data(contentsOf: Corpus.project.appending(path: "SampleImages/cirrus-01-boat.mov")), as: "b.mov")
    #expect(try tool("geotag", "--separately", "--at", "46.5,14.5", movie.path).status == 0)
    let still = try sample("cirrus-01-boat.heic", as: "b.heic")
    let run = try tool("geotag", "--at", "35,135", "--explain", still.path)
    #expect(run.status == 0 && run.text.contains("copied from b.mov"), "\(run.text)")
    #expect(try place(still) == "46.5, 14.5")
  }
}
