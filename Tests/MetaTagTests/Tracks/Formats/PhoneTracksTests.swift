import Testing

@testable import MetaTag

@Suite("Tracks of phones")
struct PhoneTracksTests {
  static func points(_ json: String) throws -> [TrackPoint] {
    try Track(bytes: Array(json.utf8), name: "t.json").segments.flatMap(\.points)
  }

  @Test(
    "Google's overflowed coordinates get their sign back.",
    arguments: [("475000000", 47.5), ("-475000000", -47.5), ("3819967296", -47.5)])
  func overflow(number: String, latitude: Double) throws {
    let points = try PhoneTracksTests.points(
      "{\"locations\":[{\"latitudeE7\":\(number),\"longitudeE7\":3593717296,\"timestampMs\":\"1714557600123\","
        + "\"velocity\":3,\"accuracy\":1500,\"heading\":90,\"altitude\":400,\"activity\":[{\"timestampMs\":\"1\"}]}]}")
    let point = try #require(points.first)
    #expect(abs(point.coordinate.latitude - latitude) < 1e-9 && abs(point.coordinate.longitude + 70.125) < 1e-9)
    #expect(point.instant == Instant(seconds: TrackSample.start, nanoseconds: 123_000_000))
    #expect(point.accuracy == 1_500 && point.altitude == 400 && point.speed == 3 && point.course?.degrees == 90)
  }

  @Test("A visit is a stay, and Android's raw signals are a separate segment.")
  func android() throws {
    let track = try Track(
      bytes: Array(
        """
        {"semanticSegments": [{"startTime": "2024-05-01T12:00:00.000+02:00", "endTime": "2024-05-01T12:25:00.000+02:00",
          "visit": {"topCandidate": {"placeLocation": {"latLng": "47.5°, 8.25°"}}}}],
         "rawSignals": [{"position": {"LatLng": "47.6°, 8.2°", "accuracyMeters": 11, "altitudeMeters": 500.5,
          "source": "WIFI", "timestamp": "2024-05-01T12:10:00.000+02:00", "speedMetersPerSecond": 0.5}},
          {"wifiScan": {"deliveryTime": "2024-05-01T12:10:00.000+02:00"}}], "userLocationProfile": {"x": [1, "\\ud83d\\ude00"]}}
        """.utf8), name: "Timeline.json")
    #expect(track.segments.map(\.points.count) == [4, 1])
    #expect(KMLTests.times(track) == [0, 600, 1_200, 1_500, 600])
    let raw = try #require(track.segments.last?.points.first)
    #expect(raw.altitude == 500.5 && raw.accuracy == 11 && raw.speed == 0.5)
  }

  @Test("iOS writes geo URIs and minutes from the start.")
  func iOS() throws {
    let points = try PhoneTracksTests.points(
      """
      [{"startTime": "2024-05-01T10:00:00Z", "endTime": "2024-05-01T10:30:00Z",
        "activity": {"start": "geo:47.5,8.25", "end": "geo:47.6,8.26"}},
       {"startTime": "2024-05-01T10:00:00Z", "endTime": "2024-05-01T10:30:00Z",
        "timelinePath": [{"point": "geo:47.55,8.255", "durationMinutesOffsetFromStartTime": "12"}]}]
      """)
    #expect(points.map { $0.instant.seconds - TrackSample.start } == [0, 720, 1_800])
    #expect(points.map(\.coordinate.latitude) == [47.5, 47.55, 47.6])
  }

  @Test("OwnTracks' speeds are in kilometres per hour, and other messages are ignored.")
  func ownTracks() throws {
    let points = try PhoneTracksTests.points(
      """
      {"count": 2, "data": [{"_type": "location", "tst": 1714557600, "lat": 47.5, "lon": 8.25, "vel": 36, "acc": 12,
        "alt": 0, "cog": 90}, {"_type": "transition", "tst": 1714557601, "lat": 1, "lon": 2}]}
      """)
    #expect(points.map(\.speed) == [10] && points.map(\.accuracy) == [12] && points.map(\.altitude) == [0])
  }

  @Test("GeoJSON lines have their times in a separate list.")
  func geoJSON() throws {
    let points = try PhoneTracksTests.points(
      """
      {"type": "Feature", "properties": {"coordTimes": ["2024-05-01T10:00:00Z", 1714557630000]},
       "geometry": {"type": "LineString", "coordinates": [[8.25, 47.5, 400], [8.26, 47.5]]}}
      """)
    #expect(points.map { $0.instant.seconds - TrackSample.start } == [0, 30])
    #expect(points.map(\.altitude) == [400, nil])
  }
}
