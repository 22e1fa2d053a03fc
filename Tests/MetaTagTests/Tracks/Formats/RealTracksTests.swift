import Foundation
import TestSupport
import Testing

@testable import MetaTag

/// The expected result of every real track file: the number of fixes, or the reason for none.
@Suite("Real tracks", .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
struct RealTracksTests {
  @Test("Every real file is read or refused with the reason.")
  func each() throws {
    var listed = Set<String>()
    // Only DJI's log needs one.
    let zone = try Zone(parsing: "Pacific/Auckland")
    for file in Corpus.files("corpus/track") {
      let name = file.lastPathComponent
      listed.insert(name)
      let expected = try #require(RealTracks.expected[name], "\(name) is not listed")
      switch Result(catching: { () throws(FileError) in try Track.read(file.filePath) { _ in zone } }) {
      case .success(let track): #expect("\(track.count) \(track.sources[0].format)" == expected, "\(name)")
      case .failure(let error): #expect(error.description.contains(expected), "\(name): \(error)")
      }
    }
    #expect(listed == Set(RealTracks.expected.keys))
  }
}
