@testable import ImageFormats
import Foundation
import TestSupport
import Testing

@testable import MetaTag

/// The worked cases D1–D28 of other programs that aren't about the way between two fixes; those are in
/// `TrackMatchTests`, `GeotagPlannerTests`, `TrackZonesTests` and `NMEATests`, each with its number. A deliberately
/// inverted case has the other program's answer next to metatag's.
@Suite("Worked cases of other programs")
struct WorkedCasesTests {
  /// The location of a photo at `time`, an instant.
  static func place(_ time: String, on track: Track, _ rules: MatchRules = MatchRules()) throws -> Coordinate {
    try track.match(try #require(CaptureTime(parsing: time).instant), rules: rules).location.coordinate
  }

  @Test("Every worked case has a test with its number in its name.")
  func complete() throws {
    let tests = Corpus.project.appending(path: "Tests/MetaTagTests")
    let names = ["Peers/WorkedCases", "Tracks/Matching/TrackMatch", "Geotagging/GeotagPlanner", "Tracks/Formats/NMEA"]
    let text = try names.map {
      try String(contentsOf: tests.appending(path: "\($0)Tests.swift"), encoding: .utf8)
    }.joined()
    let titles = text.matches(of: #/"[^"\n]*\((?:case )?(D[0-9]+(?:, D[0-9]+)*)\)"/#).map(\.1)
    let numbers = Set(titles.flatMap { $0.split(separator: ", ").compactMap { Int($0.dropFirst()) } })
    #expect(numbers == Set(1...28))
  }

  @Test("Degrees are never written with 60 seconds, unlike in both other programs (D8)")
  func sixtySeconds() {
    #expect(EXIF.sexagesimal(10 + 23.0 / 60) == [Rational(10, 1), Rational(23, 1), Rational(0, 10_000)])
    #expect(EXIF.sexagesimal(10.38333333333) == [Rational(10, 1), Rational(23, 1), Rational(0, 10_000)])
  }

  // exiftool takes the second, gpscorrelate the first, each by the order in the file. metatag takes the more precise
  // one and reports that there were two; without precision it takes the last, as exiftool does.
  @Test(
    "Of two fixes at one time the more precise is used, and reported (D11)",
    arguments: [("", "", 11.0), ("<hdop>1</hdop>", "<hdop>4</hdop>", 10), ("<hdop>4</hdop>", "<hdop>1</hdop>", 11)])
  func sameTime(first: String, second: String, latitude: Double) throws {
    let track = try GPXText.track([
      GPXText.point("10,20 2024-05-01T10:00:00Z", first), GPXText.point("11,21 2024-05-01T10:00:00Z", second),
    ])
    #expect(try WorkedCasesTests.place("2024-05-01T10:00:00Z", on: track).latitude == latitude)
    #expect(track.sources.flatMap(\.warnings) == [.sameTime(1)])
  }

  // exiftool merges the GGA of 23:59:55 into the fix before and interpolates: 47.0013889.
  @Test("An NMEA log of mixed rates is read across midnight (D12, D13)")
  func mixedRates() throws {
    let track = try NMEATests.track(
      NMEATests.rmc("235950", course: "340.0"), NMEATests.gga("235950"), NMEATests.gga("235955", latitude: "4700.1"),
      NMEATests.rmc("000005", "020524", course: "350.0"), NMEATests.gga("000005"),
      NMEATests.rmc("000015", "020524", course: "10.0"), NMEATests.gga("000015"))
    #expect(abs(try WorkedCasesTests.place("2024-05-01T23:59:55Z", on: track).latitude - 47.0016667) < 1e-7)
    let midnight = try #require(CaptureTime(parsing: "2024-05-02T00:00:10Z").instant)
    let after = try track.match(midnight).location
    // 15 knots, due north between 350° and 10°.
    #expect(after.track?.degrees == 0 && abs((after.speed ?? 0) - 15 * 1_852.0 / 3_600) < 1e-3)
    #expect(after.timestamp == midnight)
  }

  @Test("A void or simulated NMEA position is not a fix.")
  func validity() throws {
    for quality in ["0", "7", "8"] {
      let gga = "GPGGA,100000,4700.0,N,00800.0,E,\(quality),08,0.9,0.0,M,48.0,M,,"
      let track = try NMEATests.track(NMEATests.rmc("095959"), gga)
      #expect(track.count == 1 && track.sources.map(\.rejected) == [[.noFix: 1]])
    }
  }

  // exiftool reads the minified file as no track and ends with status 0.
  @Test(
    "Google's Records.json is read both indented and minified (D26)", arguments: ["\n    ", ""])
  func records(space: String) throws {
    let points = [("500000000", "200000000", "00.000"), ("510000000", "220000000", "10.000")].map { point in
      "{\(space)\"latitudeE7\":\(space)\(point.0),\(space)\"longitudeE7\":\(point.1),\(space)"
        + "\"timestamp\":\"2024-05-01T10:00:\(point.2)Z\"\(space)}"
    }
    let text = "{\(space)\"locations\":\(space)[\(points.joined(separator: ","))]}"
    let track = try Track(bytes: Array(text.utf8), name: "Records.json")
    #expect(abs(try WorkedCasesTests.place("2024-05-01T10:00:05Z", on: track).latitude - 50.5) < 0.01)
  }

  @Test("The written GPS time and date are in UTC (D27)")
  func dateOfUTC() throws {
    let track = try GPXText.track([
      GPXText.point("1,1 2024-05-02T05:35:00+05:45"), GPXText.point("2,2 2024-05-02T05:55:00+05:45"),
    ])
    let planner = GeotagPlanner(track: track)
    let photo = try GeotagPlannerTests.photo("2024-05-02T05:45:00+05:45")
    guard case .change(let edit, _) = planner.propose(for: photo) else { throw Unexpected() }
    let gps = try #require(try EXIF.changes(for: edit, in: nil).tags[.gps])
    #expect(gps[0x1D] == .set(.ascii("2024:05:02")))
    #expect(gps[7] == .set(.rational([Rational(0, 1), Rational(0, 1), Rational(0, 1)])))
  }

  // exiftool takes the waypoint for a fix and finds 35, 40.
  @Test("A waypoint with a time is not part of the track (D28)")
  func waypoint() throws {
    let track = try Track(
      bytes: Array(
        ("<gpx><wpt lat=\"60\" lon=\"60\"><time>2024-05-01T10:05:00Z</time></wpt><trk><trkseg>"
          + GPXText.point("10,20 2024-05-01T10:00:00Z") + GPXText.point("11,22 2024-05-01T10:10:00Z")
          + "</trkseg></trk></gpx>").utf8), name: "t.gpx")
    #expect(abs(try WorkedCasesTests.place("2024-05-01T10:02:30Z", on: track).latitude - 10.2512) < 1e-4)
  }
}
