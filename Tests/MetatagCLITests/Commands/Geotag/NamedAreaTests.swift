import Foundation
import TestSupport
import Testing

/// `geotag --place` with a country or region, checked by exiftool.
@Suite("Areas by name", .enabled(if: Oracle.has("exiftool"), "exiftool is missing"))
struct NamedAreaTests {
  private let (tool, scratch): (Tool, Scratch)
  private let photo: String

  init() throws {
    (tool, scratch) = (try Tool(), try Scratch())
    photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/borealis-05-no-date.jpg")).path
  }

  /// City, state, country; location in degrees and its error.
  private func state() throws -> String {
    let tags = [
      "-City", "-State", "-Country", "-Composite:GPSLatitude", "-Composite:GPSLongitude", "-GPSHPositioningError",
    ]
    let answer = try Oracle.run("exiftool", ["-s3", "-f", "-c", "%.2f"] + tags + [photo])
    return answer.text.split(separator: "\n").joined(separator: "|")
  }

  @Test("A photo with a location stays as it is.", arguments: [[], ["--overwrite", "replace"]])
  func located(options: [String]) throws {
    #expect(try tool("geotag", "--at=45.76,4.84", photo).status == 0)
    let hash = try sha256(URL(filePath: photo))
    let answer = try tool.run(list: ["geotag", "--place", "Japan", "--no-recent"] + options + [photo])
    #expect(answer.status == 0 && answer.text.contains("already has a location"), "\(answer.text)")
    #expect(try sha256(URL(filePath: photo)) == hash)
  }

  @Test("Other names stay and are reported, and --overwrite replace replaces all of them.")
  func named() throws {
    #expect(try tool("set", "--city", "Lyon", photo).status == 0)
    let kept = try tool("geotag", "--place", "Japan", "--no-recent", photo)
    #expect(kept.text.contains("unchanged") && kept.text.contains("Lyon"), "\(kept.text)")
    #expect(try state() == "Lyon|-|-|-|-|-")
    #expect(try tool("geotag", "--place", "Japan", "--no-recent", "--overwrite", "replace", photo).status == 0)
    #expect(try state() == "-|-|Japan|-|-|-")
    try tool("undo")
    #expect(try state() == "Lyon|-|-|-|-|-")
  }

  @Test("A photo without names gets the area's, and no location.")
  func bare() throws {
    #expect(try tool("geotag", "--place", "Sicily", "--no-recent", photo).status == 0)
    #expect(try state() == "-|Sicily|Italy|-|-|-")
  }

  @Test("--area-center writes the center, its reach as the error, and no smaller names.")
  func center() throws {
    #expect(try tool("geotag", "--place", "Japan", "--area-center", "--no-recent", photo).status == 0)
    let error = try Oracle.run("exiftool", ["-s3", "-n", "-GPSHPositioningError", photo]).text
    #expect((1_800_000...2_300_000).contains(Double(error.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0))
    for (condition, isMet) in [(#"place("Tokyo")"#, false), (#"place("Japan")"#, true)] {
      let shown = try tool("show", "--where", condition, photo)
      #expect(shown.text.contains(photo) == isMet, "\(condition): \(shown.text)")
    }
    #expect(try tool("name", photo).status == 0)
    #expect(try state().hasPrefix("-|-|Japan|36.11"))
  }

  @Test("--area-center is refused for a town and for coordinates.")
  func wrong() throws {
    #expect(try tool("geotag", "--place", "Kyoto", "--area-center", photo).status == 2)
    #expect(try tool("geotag", "--at=1,2", "--area-center", photo).status == 64)
    #expect(try state() == "-|-|-|-|-|-")
  }
}
