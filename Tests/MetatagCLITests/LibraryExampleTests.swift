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
    let run = try await put(
      FilePath(folder.path), at: "Kyoto", state: state, cache: scratch.url.appending(path: "cache"))
    let path = FilePath(folder.appending(path: names[0]).path)
    let location = try ImageSource(path).metadata().location
    #expect(location.map { abs($0.coordinate.latitude - 35) < 0.1 } == true)
    let journal = try Journal(directory: state)
    let made = try #require(run)
    let undo = try journal.beginRun(arguments: [], at: Instant(seconds: 0), version: "1", undoing: made)
    try Undo(made, as: undo, in: journal)({ _, outcome in #expect(outcome == .restored || outcome == .removed) })
    try journal.finishRun(undo)
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

func put(_ folder: FilePath, at name: String, state: FilePath, cache: URL) async throws -> RunID? {
  let index = try Gazetteer.openDefault(cacheDirectory: cache)
  guard case .one(let place) = try index.resolve(name),
    let coordinate = Coordinate(latitude: place.latitude, longitude: place.longitude)
  else { return nil }
  let journal = try Journal(directory: state)
  _ = try journal.recover()  // Finishes or reverts what a crash interrupted.
  let run = try journal.beginRun(arguments: CommandLine.arguments, at: .now, version: "1")
  let files = Walk.photos(in: [folder], recursively: true)
  let photos = await Photo.pairing(files, jobs: 2)  // Groups Live Photos, raw files and sidecars.
  await Batch(run, in: journal).run(photos, planner: PlacePlanner(Location(coordinate))) { outcome in
    print(outcome.path, outcome.status)
  }
  try journal.finishRun(run)
  return run
}
