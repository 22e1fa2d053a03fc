import Foundation
import TestSupport
import Testing

/// The script that makes photos for measurements.
@Suite("Photos for measurements")
struct FillerTests {
  private static let script = Corpus.project.appending(path: "Scripts/filler").path

  /// The files that the script makes, by their paths in its folder.
  private static func files(seed: Int, in scratch: Scratch) throws -> [String: Data] {
    let root = scratch.url.appending(path: "photos")
    let answer = try Oracle.run(script, ["400", root.path, "--seed", "\(seed)"])
    #expect(answer.status == 0 && answer.text.hasPrefix("400 files ("), "\(answer.errors)")
    var files: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) where path.contains(".") {
      files[path] = try Data(contentsOf: root.appending(path: path))
    }
    return files
  }

  @Test("A seed makes the same files each time: small ones, of every kind.")
  func seed() throws {
    let files = try Self.files(seed: 7, in: Scratch())
    let photos = files.filter { !$0.key.hasPrefix("Tracks/") }
    #expect(photos.count == 400 && photos.values.allSatisfy { $0.count <= 20_000 })
    let kinds = Set(photos.keys.map { URL(filePath: $0).pathExtension })
    #expect(kinds.isSuperset(of: ["JPG", "DNG", "HEIC", "MOV", "PNG", "xmp"]), "\(kinds)")
    #expect(try Self.files(seed: 7, in: Scratch()) == files)
    #expect(try Self.files(seed: 8, in: Scratch()) != files)
  }

  @Test("metatag reads every file, and places photos by the tracks.")
  func photos() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    _ = try Self.files(seed: 1, in: scratch)
    let folder = scratch.url.appending(path: "photos").path
    let shown = try tool("show", "-r", "--jsonl", folder)
    #expect(shown.status == 0 && shown.errors.isEmpty, "\(shown.errors)")
    let placed = try tool("geotag", "-r", "--track", folder + "/Tracks", "--jsonl", folder)
    let rows = placed.text.split(separator: "\n")
    #expect(rows.count { $0.contains(#""outcome":"changed""#) } > rows.count / 3, "\(placed.text)")
    #expect(!placed.text.contains(#""outcome":"failed""#))
  }
}
