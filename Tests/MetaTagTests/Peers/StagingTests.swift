import Foundation
import TestSupport
import Testing

@testable import MetaTag

/// The photos and tracks of gpscorrelate's own tests: every photo on every track, by gpscorrelate and by metatag.
@Suite(
  "gpscorrelate's photos and tracks",
  .enabled(if: Corpus.isThere && Oracle.has("gpscorrelate"), "\(Corpus.absence), or no gpscorrelate"))
struct StagingTests {
  static let photos = Corpus.files("corpus/jpeg-special").filter { $0.lastPathComponent.hasPrefix("point") }
  static let tracks = Corpus.files("corpus/track")
    .filter { $0.lastPathComponent.hasPrefix("track") && $0.pathExtension == "gpx" }

  /// metatag's location of a photo with gpscorrelate's options: time in UTC, gaps of any length, and the photo's offset
  /// ignored.
  static func ours(_ photo: URL, on track: Track) throws -> Coordinate? {
    let metadata = try ImageSource(photo.filePath).metadata()
    guard let time = metadata.captureTime else { return nil }
    var rules = MatchRules()
    rules.maxGap = .infinity
    return try? track.match(time.instant(at: .utc), rules: rules).location.coordinate
  }

  @Test("metatag and gpscorrelate agree on every location to the metre.")
  func same() throws {
    try #require(StagingTests.photos.count == 15 && StagingTests.tracks.count == 17)
    var placed = 0
    for file in StagingTests.tracks {
      let scratch = try Scratch()
      let copies = try StagingTests.photos.map { try scratch.copy($0) }
      _ = try Oracle.run(
        "gpscorrelate", ["-R", "-z", "0", "-g", file.path] + copies.map(\.path), environment: ["TZ": "UTC"])
      let track = try Track.read(file.filePath)
      for (photo, copy) in zip(StagingTests.photos, copies) {
        let before = try ImageSource(photo.filePath).metadata().location?.coordinate
        let theirs = try ImageSource(copy.filePath).metadata().location?.coordinate
        let ours = try StagingTests.ours(photo, on: track)
        let pair = "\(photo.lastPathComponent) \(file.lastPathComponent)"
        // A photo without a match keeps its location.
        switch (ours ?? before, theirs) {
        case (nil, nil): break
        case (let ours?, let theirs?): #expect(ours.distance(to: theirs) < 1, "\(pair): \(ours), theirs \(theirs)")
        default: Issue.record("\(pair): \(ours as Any), theirs \(theirs as Any)")
        }
        placed += ours == nil ? 0 : 1
      }
    }
    #expect(placed == 48)
  }
}
