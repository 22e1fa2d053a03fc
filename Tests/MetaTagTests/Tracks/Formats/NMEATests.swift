import Testing

@testable import MetaTag

@Suite("NMEA")
struct NMEATests {
  /// The sentence with `$` and checksum, on a line of its own.
  static func checked(_ sentence: String) -> String {
    let sum = sentence.utf8.reduce(0) { $0 ^ $1 }
    return "$\(sentence)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16, uppercase: true))\r\n"
  }

  static func track(_ sentences: String...) throws -> Track {
    try Track(bytes: Array(sentences.map(checked).joined().utf8), name: "t.nmea")
  }

  static func rmc(_ time: String, _ date: String = "010524", latitude: String = "4700.0", course: String = "") -> String
  {
    "GPRMC,\(time),A,\(latitude),N,00800.0,E,15.0,\(course),\(date),,,A"
  }

  static func gga(_ time: String, latitude: String = "4700.0") -> String {
    "GPGGA,\(time),\(latitude),N,00800.0,E,1,08,0.9,0.0,M,48.0,M,,"
  }

  @Test("Sentences of one time make one fix, and mixed rates lose none (case D12)")
  func mixedRates() throws {
    let track = try NMEATests.track(
      NMEATests.rmc("235950"), NMEATests.gga("235950"), NMEATests.gga("235955", latitude: "4700.1"),
      NMEATests.rmc("000002", "020524"), NMEATests.gga("000002"))
    let points = track.segments.flatMap(\.points)
    #expect(points.map { $0.instant.seconds - 1_714_521_600 } == [86_390, 86_395, 86_402])
    #expect(points.map(\.altitude) == [0, 0, 0])
    #expect(points.first?.dilutionOfPrecision == 0.9)
    #expect(abs(points[1].coordinate.latitude - (47 + 0.1 / 60)) < 1e-9)
    #expect(points.first?.speed == 7.7167)
  }

  @Test("A date that precedes its fix isn't applied to the fix before.")
  func dateFirst() throws {
    let track = try NMEATests.track(
      "GPZDA,235959.00,01,05,2024,00,00", NMEATests.gga("235959"), "GPZDA,000000.00,02,05,2024,00,00",
      NMEATests.gga("000000"))
    #expect(track.segments.flatMap(\.points).map { $0.instant.seconds - 1_714_608_000 } == [-1, 0])
  }

  @Test("A log without dates takes them from later sentences, also across midnight.")
  func datesCountBack() throws {
    let track = try NMEATests.track(
      NMEATests.gga("235959"), NMEATests.gga("000001"), "GPZDA,000002.5,02,05,2024,00,00", NMEATests.gga("000003"))
    #expect(track.segments.flatMap(\.points).map { $0.instant.seconds - 1_714_608_000 } == [-1, 1, 3])
  }

  @Test("Fixes without any date are left out.")
  func undated() throws {
    let track = try NMEATests.track(NMEATests.gga("235959"), NMEATests.gga("000001"))
    #expect(track.isEmpty && track.sources.map(\.rejected) == [[.noDate: 2]])
  }

  @Test("A sentence with a wrong checksum is left out and counted.")
  func checkSums() throws {
    let text =
      NMEATests.checked(NMEATests.rmc("100000"))
      + NMEATests.checked(NMEATests.rmc("100001")).replacing("0800", with: "0900")
    let track = try Track(bytes: Array(text.utf8), name: "t.nmea")
    #expect(track.count == 1 && track.sources.map(\.rejected) == [[.badCheckSum: 1]])
  }

  @Test(
    "Sentences that aren't fixes are counted.",
    arguments: [
      ("GPRMC,100000,V,,,,,,,010524,,,N", .noFix), ("GPGGA,100000,4700.0,N,00800.0,E,0,00,,,M,,M,,", .noFix),
      ("GPRMC,100000,A,4760.0,N,00800.0,E,,,010524,,,A", .noPosition),
      ("GPRMC,100000,A,4700.0,X,00800.0,E,,,010524,,,A", .noPosition),
      ("GPRMC,250000,A,4700.0,N,00800.0,E,,,010524,,,A", .malformedTime),
    ] as [(String, TrackSource.Rejection)])
  func noFix(sentence: String, reason: TrackSource.Rejection) throws {
    let track = try NMEATests.track(NMEATests.rmc("095959"), sentence)
    #expect(track.count == 1 && track.sources.map(\.rejected) == [[reason: 1]])
  }

  @Test("Magellan's sentences have feet and their own dates.")
  func magellan() throws {
    let track = try NMEATests.track("PMGNTRK,4415.163,N,07631.126,W,00100,F,110833.53,A,,030409")
    let point = try #require(track.segments.first?.points.first)
    #expect(point.altitude == 30.48 && point.coordinate.longitude == -(76 + 31.126 / 60))
    #expect(point.instant == Instant(seconds: 1_238_756_913, nanoseconds: 530_000_000))
  }
}
