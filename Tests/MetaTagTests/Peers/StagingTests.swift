import Foundation
import TestSupport
import Testing

@testable import MetaTag

/// The photos and tracks that gpscorrelate is tested with by its own author: every photo on every track, by it and by
/// us.
@Suite(
  "gpscorrelate's own photos and tracks",
  .enabled(if: Corpus.isThere && Oracle.has("gpscorrelate"), "\(Corpus.absence), or no gpscorrelate"))
struct StagingTests {
  static let photos = Corpus.files("corpus/jpeg-special").filter { $0.lastPathComponent.hasPrefix("point") }
  static let tracks = Corpus.files("corpus/track")
    .filter { $0.lastPathComponent.hasPrefix("track") && $0.pathExtension == "gpx" }

  /// Where we put a photo as gpscorrelate is asked to: clock in UTC, gaps of any length, and the photo's offset not
  /// looked at.
  static func ours(_ photo: URL, on track: Track) throws -> Coordinate? {
    let metadata = try ImageSource(photo.filePath).metadata()
    guard let time = metadata.captureTime else { return nil }
    var rules = MatchRules()
    rules.maxGap = .infinity
    return try? track.match(time.instant(at: .utc), rules: rules).location.coordinate
  }

  @Test("are in the same places, to the metre")
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
        // A photo that isn't placed keeps what it has.
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
