import Foundation
import GeoIndex
import MetaTag
import SystemPackage
import TestSupport
import Testing

@testable import metatag_cli

/// `--offset auto` and `--sync` with real borders and zone rules, and with whole commands.
@Suite("Trips with wrong clocks")
struct TripTests {
  /// One trip in every run, eight with `make differential`.
  static let seeds: ClosedRange<UInt64> =
    ProcessInfo.processInfo.environment["METATAG_DIFFERENTIAL"] == nil ? 1...1 : 1...8

  @Test(
    "On a trip round the world nearly all photos are placed within 50 m, and none is wrong unnoticed.",
    arguments: seeds)
  func roundTheWorld(seed: UInt64) throws {
    let trip = try Trip.roundTheWorld(seed: seed)
    let captured = try Captured()
    let zones = ZoneLookup(console: captured.console)
    let track = trip.track
    var planner = GeotagPlanner(track: track, zone: { zones.zone(at: $0) })
    planner.resolveDoubts { trip.photos.map { NumberedPhoto(path: FilePath($0.name), metadata: $0.metadata) } }
    planner.estimates = ClockEstimates(of: trip.photos.map(\.metadata), on: track, zone: { zones.zone(at: $0) })
    let outcome = trip.outcome(of: planner)
    #expect(outcome.share >= 0.99, "\(outcome)")
    #expect(outcome.wrong.isEmpty)
    #expect(planner.estimates.cameras.count == 3)
    let left = outcome.left.values.reduce(0, +)
    #expect(outcome.asked > 1_000 && left < 60, "\(outcome)")
  }

  /// The Aurora's five photos of the sample day, whose clock was 1 h 23 min slow.
  private func aurora() throws -> (folder: Scratch, names: [String]) {
    let folder = try Scratch()
    let names = ["01-jetty", "02-island", "03-castle", "04-gorge", "05-bridge"].map { "aurora-\($0).jpg" }
    for name in names + ["day.gpx"] { try folder.copy(Corpus.project.appending(path: "SampleImages/\(name)")) }
    return (folder, names.map { folder.url.appending(path: $0).path })
  }

  @Test("Located photos define the clock error, and the others are placed by it.")
  func auto() throws {
    let (tool, (folder, photos)) = (try Tool(), try aurora())
    let day = folder.url.appending(path: "day.gpx").path
    let refused = try tool("geotag", "--track", day, "--offset", "auto", "--json", folder.url.path)
    let recorded = try #require(try JSONSerialization.jsonObject(with: refused.output) as? [String: Any])
    let camera = try #require((recorded["cameras"] as? [[String: Any]])?.first)
    #expect((camera["camera"] as? String)?.contains("Aurora") == true)
    #expect((camera["diagnosis"] as? [String: Any])?["outside"] as? Int == 5, "\(refused.text)")
    #expect((recorded["totals"] as? [String: Int])?["changed"] == 0)
    let first = try tool("geotag", "--track", day, "--offset", "+1h23m", photos[0], photos[1], photos[2], photos[4])
    #expect(first.status == 0, "\(first.errors)")
    let run = try tool("geotag", "--track", day, "--offset", "auto", "--json", folder.url.path)
    let rows = try #require(
      (try JSONSerialization.jsonObject(with: run.output) as? [String: Any])?["rows"] as? [[String: Any]])
    let changed = rows.filter { $0["outcome"] as? String == "changed" }
    #expect(changed.count == 1, "\(run.text)\(run.errors)")
    let match = try #require(changed.first?["match"] as? [String: Any])
    let estimate = try #require((match["clock"] as? [String: Any])?["estimate"] as? [String: Any])
    #expect(abs(try #require(estimate["correction"] as? Double) - 4_980) < 3)
    #expect(try #require(estimate["located"] as? Int) == 4)
    #expect(run.errors.contains("slow"))
  }

  @Test("With --from-photos another camera's photos place one without a location at the right moment.")
  func autoFromPhotos() throws {
    let (tool, (folder, photos), phone) = (try Tool(), try aurora(), try Scratch())
    let day = folder.url.appending(path: "day.gpx").path
    for name in ["01-lake", "03-falls", "04-viewpoint"] {
      try phone.copy(Corpus.project.appending(path: "SampleImages/borealis-\(name).jpg"))
    }
    #expect(try tool("geotag", "--track", day, phone.url.path).status == 0)
    #expect(try tool("geotag", "--track", day, "--offset", "+1h23m", photos[0], photos[1], photos[2]).status == 0)
    let run = try tool("geotag", "--from-photos", phone.url.path, "--offset", "auto", photos[4])
    #expect(
      run.status == 1 && run.text.contains("couldn't work out this camera's clock error"),
      "\(run.text)\(run.errors)")
    let all = try tool("geotag", "--from-photos", phone.url.path, "--offset", "auto", folder.url.path)
    #expect(all.errors.contains("the clock was 1h23m slow (± 1 s); from 5 photos, 3 of them with a location"))
    // At 16:26:48 the other camera was at the falls, and so was this one.
    #expect(all.text.contains("aurora-05-bridge.jpg: changed: no place → 46.3981452, 14.0780002"), "\(all.text)")
  }

  @Test("A truncated reference photo without a location is named.")
  func truncatedReference() throws {
    let (tool, (folder, photos), phone) = (try Tool(), try aurora(), try Scratch())
    try phone.copy(URL(filePath: photos[0]))
    let track = folder.url.appending(path: "day.gpx").path
    #expect(try tool("geotag", "--track", track, "--offset", "+1h23m", phone.url.path).status == 0)
    let whole = try Data(contentsOf: Corpus.project.appending(path: "SampleImages/cirrus-05-rapids.webp"))
    let cut = try phone.write(whole.prefix(whole.count / 2), as: "cut.webp")
    let run = try tool("geotag", "--from-photos", phone.url.path, "--dry-run", photos[1])
    #expect(run.errors.contains("--from-photos: \(cut.path): skipped: file is truncated\n"), "\(run.errors)")
    #expect(!run.errors.contains("no location"), "\(run.errors)")
  }

  @Test("A photo of a known place defines the clock by the track's pass there.")
  func place() throws {
    let (tool, (folder, photos)) = (try Tool(), try aurora())
    let day = folder.url.appending(path: "day.gpx").path
    #expect(try tool("geotag", "--track", day, "--offset", "+1h23m", photos[1]).status == 0)
    let place = try #require(try ImageSource(FilePath(photos[1])).metadata().location).coordinate
    let sync = "\(photos[1])=\(place.latitude),\(place.longitude)"
    let run = try tool("geotag", "--track", day, "--sync", sync, photos[0], photos[2], photos[3], photos[4])
    #expect(run.status == 0 && run.errors.contains(#/1h2\dm(\d+s)? slow/#), "\(run.errors)")
    let nowhere = try tool("geotag", "--track", day, "--sync", "\(photos[0])=10,10", photos[0])
    #expect(nowhere.status == 2 && nowhere.errors.contains("the track has no point within 200 m of this place"))
  }
}
