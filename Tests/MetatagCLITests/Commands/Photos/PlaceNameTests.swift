import Foundation
import TestSupport
import Testing

/// Names that follow a location, and names that are written alone, checked by exiftool.
@Suite("Names of moved photos and names alone", .enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
struct PlaceNameTests {
  private let (tool, scratch): (Tool, Scratch)
  private let photo: String

  init() throws {
    (tool, scratch) = (try Tool(), try Scratch())
    photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/borealis-05-no-date.jpg")).path
  }

  /// Sublocation, city, state, country and code.
  private func names() throws -> String {
    let tags = ["-Location", "-City", "-State", "-Country", "-CountryCode"]
    let answer = try Oracle.run("exiftool", ["-s3", "-f"] + tags + [photo])
    return answer.text.split(separator: "\n").joined(separator: "|")
  }

  @Test(
    "Names of the old place are replaced in their language, and the row says so.",
    arguments: [
      ([], "-|Sydney|New South Wales|Australia|AU"), (["--language", "de"], "-|Sydney|New South Wales|Australien|AU"),
    ])
  func follow(language: [String], wanted: String) throws {
    let first = try tool.run(list: ["geotag", "--at=48.8584,2.2945", "--names"] + language + [photo])
    #expect(first.status == 0)
    #expect(try names().contains("Paris 07"))
    let moved = try tool("geotag", "--at=-33.8568,151.2153", "--overwrite", "replace", photo)
    #expect(moved.status == 0 && moved.text.contains("place names of the old location replaced"), "\(moved.text)")
    #expect(try names() == wanted)
    try tool("undo")
    #expect(try names().contains("Paris 07"))
  }

  @Test("Names are removed if the new place has none, and --keep-names keeps them with a note.")
  func removed() throws {
    try tool("set", "--city", "Paris", photo)
    try tool("geotag", "--at=48.8584,2.2945", photo)
    #expect(try names() == "-|Paris|-|-|-")
    let kept = try tool("geotag", "--at=-48.9,-123.4", "--overwrite", "replace", "--keep-names", photo)
    #expect(kept.text.contains("keeps the place names"))
    #expect(try names() == "-|Paris|-|-|-")
    try tool("geotag", "--at=48.8584,2.2945", "--overwrite", "replace", "--keep-names", photo)
    let gone = try tool("geotag", "--at=-48.9,-123.4", "--overwrite", "replace", photo)
    #expect(gone.text.contains("place names of the old location removed"), "\(gone.text)")
    #expect(try names() == "-|-|-|-|-")
  }

  @Test("Single names are written with the code of a known country, and an empty value removes one.")
  func set() throws {
    #expect(try tool("set", "--city", "Vornbach", "--state", "Bayern", "--country", "Deutschland", photo).status == 0)
    #expect(try names() == "-|Vornbach|Bayern|Deutschland|DE")
    #expect(try tool("set", "--sublocation", "Kloster", "--state", "", photo).status == 0)
    #expect(try names() == "Kloster|Vornbach|-|Deutschland|DE")
    #expect(try tool("set", "--country", "Narnia", photo).status == 0)
    #expect(try names() == "Kloster|Vornbach|-|Narnia|-")
    #expect(try tool("set", "--city", "", "--country", "", "--sublocation", "", photo).status == 0)
    #expect(try names() == "-|-|-|-|-")
    let many = try tool("set", "--city", String(repeating: "x", count: 201), photo)
    #expect(many.status == 64)
  }

  @Test("A place's names can be written without its location.")
  func namesOnly() throws {
    #expect(try tool("geotag", "--place", "Kyoto", "--names-only", photo).status == 0)
    #expect(try names() == "-|Kyoto|Kyoto|Japan|JP")
    #expect(try Oracle.run("exiftool", ["-s3", "-GPSPosition", photo]).text.isEmpty)
    #expect(try tool("geotag", "--place", "Japan", "--names-only", photo).text.contains("unchanged"))
    #expect(try tool("geotag", "--place", "Japan", "--names-only", "--overwrite", "replace", photo).status == 0)
    #expect(try names() == "-|-|-|Japan|JP")
    for words in [
      ["--track", "day.gpx", "--names-only"], ["--place", "Kyoto", "--names-only", "--keep-names"],
      ["--at", "35,135", "--language", "de"],
    ] {
      #expect(try tool.run(list: ["geotag"] + words + [photo]).status == 64)
    }
  }

  @Test(
    "A place's names are not written to a photo that was taken elsewhere.",
    arguments: [
      ("48.8606", "2.3376", "Kyoto", false), ("48.8606", "2.3376", "Japan", false),
      ("48.8606", "2.3376", "35.01,135.76", false), ("35.0394", "135.7292", "Kyoto", true),
      ("35.0394", "135.7292", "Japan", true), ("35.0394", "135.7292", "35.01,135.76", true),
    ])
  func elsewhere(latitude: String, longitude: String, place: String, isWritten: Bool) throws {
    try tool("geotag", "--at", "\(latitude),\(longitude)", photo)
    let way = place.contains(",") ? "--at" : "--place"
    let answer = try tool.run(list: ["geotag", way, place, "--names-only", "--overwrite", "replace", photo])
    #expect(answer.status == (isWritten ? 0 : 1), "\(answer.text)")
    #expect(answer.text.contains("Paris") == !isWritten, "\(answer.text)")
    #expect(try names().contains("Japan") == isWritten)
  }
}
