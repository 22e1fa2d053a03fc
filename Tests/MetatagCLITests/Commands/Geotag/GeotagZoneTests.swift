import Foundation
import TestSupport
import Testing

/// Two photos of one camera, one of which records the zone of its clock.
@Suite("A camera's clock in another zone than the location")
struct GeotagZoneTests {
  @Test("A photo with another zone keeps others of its camera from being placed hours off.")
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

  @Test("--keep-clock and --keep-instant are explained, and a large error is given in days.")
  func words() throws {
    let tool = try Tool()
    let jetty = GeotagTrackTests.samples.appending(path: "aurora-01-jetty.jpg").path
    let both = try tool("date", "zone", "+09:00", "--keep-instant", "--keep-clock", jetty)
    #expect(both.status == 64 && both.errors.contains("the first keeps the local time"), "\(both.errors)")
    let day = GeotagTrackTests.samples.appending(path: "day.gpx").path
    let far = try tool("geotag", "--dry-run", "--track", day, "--sync", "\(jetty)=2025-05-18T05:42:12.37Z", jetty)
    #expect(far.errors.contains("the camera's clock was 365d slow"), "\(far.errors)")
  }

  @Test("A sequence of photos in several zones explains that its steps are in local time.")
  func sequence() throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photos = try ["borealis-01-lake.jpg", "aurora-01-jetty.jpg"].map {
      try scratch.copy(GeotagTrackTests.samples.appending(path: $0)).path
    }
    let words = ["date", "sequence", "--dry-run", "--order", "taken", "--start"]
    let recorded = try tool.run(list: words + ["2024-05-18T10:00:00"] + photos)
    #expect(
      recorded.errors.contains("the photos record different time zones (+02:00, none), which stay"),
      "\(recorded.errors)")
    #expect(recorded.errors.contains("sorted by local time"))
    let zoned = try tool.run(list: words + ["2024-05-18T10:00:00+02:00"] + photos)
    #expect(!zoned.errors.contains("different time zones"), "\(zoned.errors)")
  }

  @Test(
    "A movie's header that is no longer its date isn't listed as removed.",
    .enabled(if: Corpus.isThere, "\(Corpus.absence)"))
  func header() throws {
    let file = Corpus.shared.appending(path: "corpus/mov/with-gps.mp4").path
    let row = try Tool()("date", "copy", "--dry-run", "--from", "quicktime", file)
    #expect(row.text.contains("creationdate (quicktime) nothing") && !row.text.contains("mvhd"), "\(row.text)")
  }
}
