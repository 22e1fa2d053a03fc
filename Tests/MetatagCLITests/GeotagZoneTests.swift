import Foundation
import TestSupport
import Testing

/// Two photos of one camera, one of which says in which zone its clock was.
@Suite("A camera's clock in another zone than the place")
struct GeotagZoneTests {
  @Test("is told by a photo of it that records its zone: the other is left, not put hours off")
  func stray() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photos = try ["borealis-01-lake.jpg", "borealis-03-falls.jpg"].map {
      try scratch.copy(GeotagTrackTests.samples.appending(path: $0)).path
    }
    let day = GeotagTrackTests.samples.appending(path: "day.gpx").path
    #expect(try tool("geotag", "--dry-run", "--track", day, photos[0], photos[1]).status == 0)
    #expect(try tool("date", "zone", "+09:00", photos[1]).status == 0)
    let left = try tool("geotag", "--dry-run", "--track", day, photos[0], photos[1])
    #expect(
      left.status == 1 && left.text.contains("but borealis-03-falls.jpg is at +09:00). Use --camera-zone."))
    let given = try tool("geotag", "--dry-run", "--track", day, "--camera-zone", "Europe/Ljubljana", photos[0])
    #expect(given.status == 0, "\(given.text)")
  }

  @Test("--keep-clock and --keep-instant: which is which is said; a far clock is told in days")
  func words() throws {
    let tool = try Tool()
    let jetty = GeotagTrackTests.samples.appending(path: "aurora-01-jetty.jpg").path
    let both = try tool("date", "zone", "+09:00", "--keep-instant", "--keep-clock", jetty)
    #expect(both.status == 64 && both.errors.contains("with the first, what the clock showed stays"), "\(both.errors)")
    let day = GeotagTrackTests.samples.appending(path: "day.gpx").path
    let far = try tool("geotag", "--dry-run", "--track", day, "--sync", "\(jetty)=2025-05-18T05:42:12.37Z", jetty)
    #expect(far.errors.contains("the camera's clock was 365d slow"), "\(far.errors)")
  }

  @Test("a sequence of photos that record several zones says that a step is one on the clock")
  func sequence() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photos = try ["borealis-01-lake.jpg", "aurora-01-jetty.jpg"].map {
      try scratch.copy(GeotagTrackTests.samples.appending(path: $0)).path
    }
    let words = ["date", "sequence", "--dry-run", "--order", "taken", "--start"]
    let recorded = try tool.run(list: words + ["2024-05-18T10:00:00"] + photos)
    #expect(
      recorded.errors.contains("the photos record different zones (+02:00, none), which stay"), "\(recorded.errors)")
    #expect(recorded.errors.contains("ordered by what the clocks showed"))
    let zoned = try tool.run(list: words + ["2024-05-18T10:00:00+02:00"] + photos)
    #expect(!zoned.errors.contains("different zones"), "\(zoned.errors)")
  }

  @Test(
    "a movie's header, which is no longer the date once there is another, is not told as gone",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func header() throws {
    let file = Corpus.shared.appending(path: "corpus/mov/with-gps.mp4").path
    let row = try Tool()("date", "copy", "--dry-run", "--from", "quicktime", file)
    #expect(row.text.contains("creationdate (quicktime) nothing") && !row.text.contains("mvhd"), "\(row.text)")
  }
}
