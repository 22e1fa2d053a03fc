import Foundation
import GeoIndex
import MetaTag
import SystemPackage
import TestSupport
import Testing

/// The example for programmers in README, with the public API only.
@Suite("README's library example")
struct LibraryExampleTests {
  @Test("Photos of a folder get a location with their sidecars, and undo restores them.")
  func example() async throws {
    let scratch = try Scratch()
    let folder = scratch.url.appending(path: "photos")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let names = ["aurora-01-jetty.jpg", "borealis-06-ferns.tif", "borealis-06-ferns.xmp"]
    for name in names {
      try FileManager.default.copyItem(
        at: Corpus.project.appending(path: "SampleImages/" + name), to: folder.appending(path: name))
    }
    let state = FilePath(scratch.url.appending(path: "state").path)
    let put = try await put(
      FilePath(folder.path), at: "Kyoto", journal: state, cache: scratch.url.appending(path: "cache"))
    let result = try #require(put)
    #expect(result.isComplete && result.outcomes.count == 2)
    let path = FilePath(folder.appending(path: names[0]).path)
    let location = try ImageSource(path).metadata().location
    #expect(location.map { abs($0.coordinate.latitude - 35) < 0.1 } == true)
    let undone = try await PhotoEditor(journal: state).undo(result.run)
    #expect(undone.allSatisfy { $0.outcome == .restored || $0.outcome == .removed } && !undone.isEmpty)
    for name in names {
      let old = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/" + name))
      #expect(try Data(contentsOf: folder.appending(path: name)) == old)
    }
  }

  @Test("README contains exactly the example that runs here.")
  func sameText() throws {
    let readme = try String(contentsOf: Corpus.project.appending(path: "README.md"), encoding: .utf8)
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let marker = "func put("
    let example = try #require(source.range(of: "\n" + marker, options: .backwards)).lowerBound
    #expect(readme.contains(source[example...].trimmingCharacters(in: .whitespacesAndNewlines)))
  }
}

func put(_ folder: FilePath, at name: String, journal: FilePath, cache: URL) async throws -> PhotoEditor.Result? {
  let index = try await Gazetteer.openDefault(cacheDirectory: cache)
  guard case .one(let place) = try index.resolve(name) else { return nil }
  var edit = MetadataEdit()
  edit.location = .set(Location(place.coordinate))
  let result = try await PhotoEditor(journal: journal).apply(edit, to: [folder])
  for outcome in result.outcomes { print(outcome.path, outcome.status) }
  return result
}
