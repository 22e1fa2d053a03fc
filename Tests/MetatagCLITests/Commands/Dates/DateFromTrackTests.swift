import Foundation
import TestSupport
import Testing

@testable import metatag_cli

@Suite("Dates from a track")
struct DateFromTrackTests {
  let (tool, scratch): (Tool, Scratch)
  let track = Corpus.project.appending(path: "SampleImages/day.gpx").path

  init() throws { (tool, scratch) = (try Tool(), try Scratch()) }

  @Test("A located photo without a date gets the track's time and offset at its location.")
  func date() throws {
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/borealis-05-no-date.jpg"))
    #expect(try tool("date", "from-track", "--track", track, photo.path).text.contains("has no location"))
    try #require(try tool("geotag", "--at", "46.362086,14.0804763", photo.path).status == 0)
    let placed = try Data(contentsOf: photo)
    let dry = try tool("date", "from-track", "--track", track, "--dry-run", "--json", photo.path)
    #expect(dry.text.contains("the track was 0 m from its location at 2024-05-18T10:14:20+02:00"), "\(dry.text)")
    #expect(try tool("date", "from-track", "--track", track, "--in-order", photo.path).status == 0)
    #expect(try tool("export", "csv", photo.path).text.contains(",2024-05-18T10:14:20+02:00,"))
    #expect(try tool("date", "from-track", "--track", track, photo.path).text.contains("already has a date"))
    try tool("undo")
    #expect(try Data(contentsOf: photo) == placed)
  }

  @Test("A location that the track never passed has no time.")
  func elsewhere() throws {
    let photo = try scratch.copy(Corpus.project.appending(path: "SampleImages/borealis-05-no-date.jpg"))
    try #require(try tool("geotag", "--at", "46.37,14.2", photo.path).status == 0)
    let answer = try tool("date", "from-track", "--track", track, photo.path)
    #expect(answer.status == 1 && answer.text.contains("the track was never at its location (never within 50 m)"))
  }
}
