import Foundation
import TestSupport
import Testing

/// The reasons for which a photo gets no location, and their remedies.
@Suite("Photos without a location")
struct GeotagRemedyTests {
  static let lake = "borealis-01-lake.jpg"

  @Test(
    "A file with only places or routes is refused with its contents and their use.",
    arguments: [
      ("places.gpx", "<gpx><wpt lat='46' lon='14'><name>Hut</name></wpt></gpx>", "no track, only a place"),
      ("route.gpx", "<gpx><rte><rtept lat='46' lon='14'/></rte></gpx>", "only a planned route of 1 points"),
      (
        "places.kml",
        "<kml><Placemark><Point><coordinates>14,46</coordinates></Point></Placemark></kml>", "no track, only a place"
      ),
      (
        "places.geojson",
        #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":"#
          + #"{"type":"Point","coordinates":[14,46]}}]}"#, "no track, only a place"
      ),
    ])
  func places(name: String, text: String, recorded: String) throws {
    let scratch = try Scratch()
    let file = try scratch.write(Array(text.utf8), as: name).path
    let answer = try GeotagTrackTests.geotag(["--track", file], Self.lake)
    #expect(answer.status == 2, "\(answer.status)")
    #expect(answer.errors.contains("\(name): \(recorded)"), "\(answer.errors)")
    #expect(answer.errors.contains("the track has no point with a time and a position"), "\(answer.errors)")
  }

  @Test("The option that a row suggests places the photo, also in JSON.")
  func remedies() throws {
    let scratch = try Scratch()
    let rows = [
      ("gap.gpx", ["46.36 14.09 2024-05-18T07:30:00Z", "46.36 14.10 2024-05-18T08:16:30Z"]),
      ("early.gpx", ["46.36 14.09 2024-05-18T07:25:00Z", "46.36 14.10 2024-05-18T07:52:00Z"]),
      ("late.gpx", ["46.36 14.09 2024-05-18T08:21:00Z", "46.36 14.10 2024-05-18T08:22:00Z"]),
    ]
    for (name, points) in rows {
      let file = try GeotagTrackTests.gpx(scratch, name, points[0], points[1])
      let left = try GeotagTrackTests.geotag(["--track", file, "--jsonl", "--camera-zone", "+02:00"], Self.lake)
      let row = try #require(try JSONSerialization.jsonObject(with: left.output) as? [String: Any])
      let reason = try #require(row["reason"] as? String)
      let option = try #require(reason.firstMatch(of: #/Use (--[a-z-]+) ([0-9hm]+)\.$/#), "\(reason)")
      let placed = try GeotagTrackTests.geotag(
        ["--track", file, "--camera-zone", "+02:00", String(option.1), String(option.2)], Self.lake)
      #expect(left.status == 1 && placed.status == 0, "\(placed.text)")
    }
  }
}
