import Testing

@testable import MetaTag

@Suite("CSV tracks")
struct CSVTrackTests {
  static func track(_ lines: String...) throws -> Track {
    try Track(bytes: Array(lines.joined(separator: "\n").utf8), name: "t.csv")
  }

  @Test(
    "Headings are read in their usual spellings, with any separator and form of numbers and times.",
    arguments: [
      ("time,lat,lon", "2024-05-01T10:00:00Z,-47.5,8.25"),
      ("Date;UTC Time;Latitude;Lng", "2024-05-01;10:00:00;-47,5;8,25"),
      ("Timestamp\tGPSLatitude\tGPSLongitude", "1714557600\t-47.5\t8.25"),
      ("\"timestamp (ms)\",\"location-lat\",\"location-long\"", "\"1714557600000\",\"-47.5\",\"8.25\""),
      ("INDEX,DATE (UTC),TIME,LATITUDE N/S,LONGITUDE E/W", "1,20240501,100000,47.5S,8.25E"),
      ("datetime_utc,lat,N/S,lon,E/W", "2024/05/01 10:00:00,47.5,S,8.25,E"),
      ("epoch,latitude,longitude", "1714557600000000,S47.5,E 8.25"), ("gps time,lat,lon", "20240501100000Z,-47.5,8.25"),
      ("date time,lat,lon", "01.05.2024 12:00:00+02:00,-47.5,8.25"),
      ("utc,lat,lon", "2024-05-01 10:00:00 GMT,-47.5,8.25"),
      ("DATE (UTC YYMMDD),TIME,LATITUDE N/S,LONGITUDE E/W", "240501,100000,47.5S,8.25E"),
      ("UTC Time;Date (DDMMYY);lat;lon", "100000;010524;-47.5;8.25"),
      (
        "time,lat,lon,timestamp_ms,time_offset",
        "2024-05-01T10:00:00.400Z,-47.5,8.25,1714557600400,2024-05-01T12:00:00+02:00"
      ),
      ("timestamp_ms,time,lat,lon", ",2024-05-01T12:00:00+02:00,-47.5,8.25"),
      ("date,time,epoch,lat,lon", "2024-05-01,12:00:00,1714557600,-47.5,8.25"),
      ("SourceFile,GPSDateTime,GPSLatitude,GPSLongitude", "a.mp4,2024:05:01 10:00:00.0,-47.5,8.25"),
    ])
  func headings(heading: String, line: String) throws {
    let track = try CSVTrackTests.track(heading, line)
    let point = try #require(track.segments.first?.points.first, "\(track.sources.map(\.rejected))")
    #expect(point.instant.seconds == TrackSample.start)
    #expect(point.coordinate == Coordinate(latitude: -47.5, longitude: 8.25))
  }

  @Test(
    "Tables of pandas may have an index column, empty values and NaN.",
    arguments: [
      (",time,lat,lon,altitude (m)", "0,2024-05-01T10:00:00Z,-47.5,8.25,NaN"),
      (",time,lat,lon,speed (m/s)", "17,2024-05-01 10:00:00+00:00,-47.5,8.25,"),
      ("time,lat,lon,altitude (m)", "2024-05-01 12:00:00.000000+02:00,-47.5,8.25,nan"),
      (",Unnamed: 0,timestamp_utc,latitude,longitude,hdop", "3,3,2024-05-01 10:00:00,-47.5,8.25,"),
      ("datetime(utc),time(millisecond),latitude,longitude", "2024-05-01 10:00:00,12300,-47.5,8.25"),
      (
        "time(millisecond),datetime(utc),latitude,longitude,height_above_takeoff(feet),satellites",
        "100,2024-05-01 10:00:00,-47.5,8.25,12,17"
      ),
    ])
  func pandas(heading: String, line: String) throws {
    let empty = String(repeating: ",", count: line.count { $0 == "," })
    let track = try CSVTrackTests.track(
      heading, line, empty, line.replacing("-47.5,8.25", with: "NaN,NaN"), "NaT" + empty, "")
    let points = track.segments.flatMap(\.points)
    #expect(points.map(\.instant.seconds) == [TrackSample.start])
    #expect(points.first?.coordinate == Coordinate(latitude: -47.5, longitude: 8.25))
    #expect(points.first?.altitude == nil && points.first?.speed == nil)
    #expect(track.sources.first?.rejected[.malformedTime] == nil)
  }

  @Test(
    "Quotation marks and line ends are read as different programs write them.",
    arguments: [
      "sep=;\ntime;lat;lon\n1714557600;-47,5;8,25", "\n\r\ntime,lat,lon\r\n\r\n1714557600,-47.5,8.25\r\n",
      "time,lat,lon\r1714557600,-47.5,8.25\r", "time,lat,lon,name\n1714557600,-47.5,8.25,\"a, \"\"b\"\"\"",
      "time, lat, lon, name\n 1714557600, \"-47.5\", 8.25, \"a, b\"",
      "name,time,lat,lon\n3\" pipe,1714557600,-47.5,8.25",
      "\"name; a, b\",time,lat,lon\nx,1714557600,-47.5,8.25",
    ])
  func quotes(text: String) throws {
    let track = try Track(bytes: Array(text.utf8), name: "t.csv")
    #expect(track.segments.flatMap(\.points).map(\.coordinate) == [Coordinate(latitude: -47.5, longitude: 8.25)])
  }

  @Test("A quotation mark that is never closed costs one line.")
  func unclosed() throws {
    let track = try CSVTrackTests.track(
      "time,lat,lon,name", "1714557600,1,2,\"a", "1714557601,1,2,b", "1714557602,1,2,\"c")
    #expect(track.count >= 2)
  }

  @Test("A table of pandas without a zone gives a warning.")
  func pandasWithoutZone() throws {
    let track = try CSVTrackTests.track(",time,lat,lon", "0,2024-05-01 10:00:00,1,2")
    #expect(track.count == 0)
    #expect(track.sources.map(\.rejected) == [[.noZone: 1]])
    #expect(track.sources.map(\.warnings) == [[.zoneUnsaid("2024-05-01 10:00:00")]])
  }

  @Test(
    "Units are read from the heading.",
    arguments: [
      ("altitude (m)", 100, nil), ("alt_ft", 30.48, nil), ("Height [metres]", 100, nil), ("speed (km/h)", nil, 27.7778),
      ("speed mph", nil, 44.704), ("velocity_kn", nil, 51.4444), ("Speed(m/s)", nil, 100),
    ] as [(String, Double?, Double?)])
  func units(heading: String, altitude: Double?, speed: Double?) throws {
    let track = try CSVTrackTests.track("time,lat,lon,\(heading)", "1714557600,1,2,100")
    #expect(track.segments.flatMap(\.points).map(\.altitude) == [altitude])
    #expect(track.segments.flatMap(\.points).map(\.speed) == [speed])
    #expect(track.sources.map(\.warnings) == [[]])
  }

  @Test("Two columns with different times are refused.")
  func differentTimes() {
    let error = #expect(throws: FileError.self) {
      try CSVTrackTests.track(
        "time,timestamp_ms,lat,lon", "2024-05-01T10:00:00Z,1714557600000,1,2", "2024-05-01T10:00:05Z,1714557607000,1,2")
    }
    #expect(error?.code == .ambiguousColumns && error?.remedy == .renameColumn)
    #expect(error?.offset == 65)
  }

  @Test("The first unusable time is reported with a remedy, and UTC in a heading is enough.")
  func remedies() throws {
    let bad = try CSVTrackTests.track(
      "DATE,TIME,lat,lon", "240501,100000,1,2", "240501,100001,1,2", "2024-05-01,10:00:02,1,2",
      "2024-05-01,10:00:03,1,2")
    #expect(bad.sources.map(\.warnings) == [[.zoneUnsaid("2024-05-01 10:00:02"), .timeUnread("240501 100000")]])
    #expect(bad.sources.flatMap(\.warnings).map(\.remedy) == [.declareColumnZone, .writeTimes])
    let good = try CSVTrackTests.track("UTC time,lat,lon", "2024-05-01 10:00:00,1,2")
    #expect(good.count == 1 && good.sources.map(\.warnings) == [[]])
  }

  @Test("A column without a unit is left out and named.")
  func unknownUnits() throws {
    let track = try CSVTrackTests.track("time,lat,lon,speed,ele", "1714557600,1,2,100,5")
    #expect(track.segments.flatMap(\.points).map(\.altitude) == [nil])
    #expect(track.sources.map(\.warnings) == [[.unknownUnits(["speed", "ele"])]])
  }

  @Test(
    "An unclear heading is refused and named.",
    arguments: [
      ("lat,lon,name", "no column is named 'time'"), ("time,lat,latitude,lon", "'lat' and 'latitude' could both be"),
      ("Id,Time(s),Time(ms),Latitude,Longitude", "'Time(s)' and 'Time(ms)'"),
      ("Id,Time(seconds),Time(text),Latitude,Longitude", "relative to the start of the flight"),
    ])
  func refused(heading: String, sentence: String) {
    let error = #expect(throws: FileError.self) { try CSVTrackTests.track(heading, "1,2,3,4,5") }
    #expect(error?.description.contains(sentence) ?? false, "\(error?.description ?? "")")
  }

  @Test(
    "Uncertain lines are counted.",
    arguments: [
      ("2024-05-01 10:00:00,1,2", .noZone), ("03/04/2024 10:00:00Z,1,2", .malformedTime), (",1,2", .noTime),
      ("12.5,1,2", .malformedTime), ("1714557600,-1 N,2", .noPosition), ("1714557600,1 Q,2", .noPosition),
      ("240501 100000,1,2", .malformedTime), ("1714557600,91,2", .noPosition), ("1714557600,1", .noPosition),
    ] as [(String, TrackSource.Rejection)])
  func rejections(line: String, reason: TrackSource.Rejection) throws {
    let track = try CSVTrackTests.track("time,lat,lon", line, "1714557600,1,2")
    #expect(track.count == 1 && track.sources.map(\.rejected) == [[reason: 1]])
  }
}
