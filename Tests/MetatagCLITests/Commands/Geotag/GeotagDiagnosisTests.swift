import Foundation
import TestSupport
import Testing

/// The diagnosis of cameras in another zone, and the photos that it skips.
@Suite("Cameras in another zone")
struct GeotagDiagnosisTests {
  static let day = GeotagTrackTests.samples.appending(path: "day.gpx").path

  /// Photos without a zone, with a clock six hours slow: from eight in the morning, and one in the afternoon.
  static func card() throws -> (tool: Tool, folder: Scratch, photos: [String]) {
    let (tool, folder) = (try Tool(), try Scratch())
    let lake = try Data(contentsOf: GeotagTrackTests.samples.appending(path: "borealis-01-lake.jpg"))
    let photos = try ["03:05", "03:10", "03:15", "03:20", "03:25", "03:30", "09:35"].enumerated().map { index, time in
      let photo = try folder.write(Array(lake), as: "IMG_\(index + 1).JPG").path
      #expect(try tool("date", "set", "2024-05-18T\(time):00", photo).status == 0)
      return photo
    }
    return (tool, folder, photos)
  }

  static func rows(_ answer: Oracle.Answer) throws -> (reasons: [String], camera: [String: Any]) {
    let report = try #require(try JSONSerialization.jsonObject(with: answer.output) as? [String: Any])
    let rows = try #require(report["rows"] as? [[String: Any]])
    return (
      rows.compactMap { $0["reason"] as? String }, try #require((report["cameras"] as? [[String: Any]])?.first)
    )
  }

  @Test("A camera's wrong zone is diagnosed once, and its photos are held back by default.")
  func diagnosis() throws {
    let (tool, folder, _) = try Self.card()
    let run = try tool("geotag", "--track", Self.day, "--json", folder.url.path)
    let (reasons, camera) = try Self.rows(run)
    #expect(run.status == 1 && reasons.count == 7, "\(run.text)")
    #expect(reasons.allSatisfy { !$0.contains("--nearest-within") && !$0.contains("--max-gap") })
    #expect(reasons.count { $0.contains("--trust-clock") } == 1)
    let found = try #require(camera["diagnosis"] as? [String: Any])
    #expect(found["photos"] as? Int == 7 && found["outside"] as? Int == 6 && found["heldBack"] as? Int == 1)
    let text = try tool("geotag", "--track", Self.day, "--dry-run", folder.url.path).text
    let line = "6 of 7 photos of Borealis B2 are outside the track by up to 5 h 55 min: wrong clock or zone? "
    #expect(text.components(separatedBy: line).count == 2, "\(text)")
    let trusting = try tool("geotag", "--track", Self.day, "--dry-run", "--trust-clock", folder.url.path).text
    #expect(trusting.contains("7 files: 1 would change, 6 skipped"), "\(trusting)")
    #expect(
      trusting.contains(
        "Borealis B2: no time zone recorded; assumed +02:00 (Europe/Ljubljana, the zone of the location)"))
    #expect(trusting.contains(line))
    let zoned = try tool("geotag", "--track", Self.day, "--dry-run", "--camera-zone", "+02:00", folder.url.path).text
    #expect(zoned.contains(line) && !zoned.contains("inside skipped"), "\(zoned)")
  }

  @Test(
    "No option is suggested for a photo near the track while its camera's zone is in doubt.",
    arguments: [[], ["--camera-zone", "+02:00"]])
  func nearest(options: [String]) throws {
    let (tool, folder, photos) = try Self.card()
    #expect(try tool("date", "set", "2024-05-18T08:50:00", photos[0]).status == 0)
    let words = ["geotag", "--track", Self.day, "--json", "--dry-run"] + options
    let reasons = try Self.rows(try tool.run(list: words + [folder.url.path])).reasons
    #expect(reasons.contains { $0.contains("10 min before the track") } || options.isEmpty, "\(reasons)")
    #expect(reasons.allSatisfy { !$0.contains("--nearest-within") }, "\(reasons)")
    // Alone, its clock isn't in doubt.
    let alone = try tool.run(list: ["geotag", "--track", Self.day, "-n", "--camera-zone", "+02:00", photos[0]])
    #expect(alone.text.contains("Use --nearest-within 10m."), "\(alone.text)")
  }

  @Test("One photo of a clock in UTC corrects the camera and its dates without --camera-zone.")
  func instant() throws {
    let (tool, folder, photos) = try Self.card()
    let sync = ["geotag", "--track", Self.day, "--sync", "\(photos[0])=2024-05-18T07:05:00Z"]
    let run = try tool.run(list: sync + ["--fix-dates", "--json"] + photos.dropLast())
    let (_, camera) = try Self.rows(run)
    #expect(run.status == 0, "\(run.text)\(run.errors)")
    #expect(camera["zones"] as? [String] == ["+02:00"] && camera["zonesFrom"] as? [String] == ["sync"])
    #expect((camera["correction"] as? [String: Double])?["least"] == 21_600)
    let written = try exiftool(["-DateTimeOriginal", "-OffsetTimeOriginal"], folder.url)
    let first = try #require(written.first { $0.key.hasSuffix("IMG_1.JPG") }?.value)
    #expect(first["ExifIFD:DateTimeOriginal"] as? String == "2024:05:18 09:05:00")
    #expect(first["ExifIFD:OffsetTimeOriginal"] as? String == "+02:00")
  }

  @Test(
    "Bad input is one clear line, and nothing changes.",
    arguments: [
      (["--place", "Kyoto", "--trust-clock"], "--trust-clock can only be used with --track or --track-of."),
      (["--track", day, "--max-stay", "5m"], "--max-stay can only be used with --sync."),
      (["--track", day, "--sync", "a.jpg=46,14", "--max-stay=-5m"], "--max-stay can't be negative."),
    ])
  func refusals(options: [String], recorded: String) throws {
    let (tool, scratch) = (try Tool(), try Scratch())
    let photo = try scratch.copy(GeotagTrackTests.samples.appending(path: "borealis-01-lake.jpg"))
    let before = try Data(contentsOf: photo)
    let answer = try tool.run(list: ["geotag"] + options + [photo.path])
    #expect(answer.status == 64 && answer.errors.contains(recorded), "\(answer.errors)")
    #expect(try Data(contentsOf: photo) == before)
  }
}
