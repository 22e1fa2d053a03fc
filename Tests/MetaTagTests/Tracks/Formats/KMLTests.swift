import Testing

@testable import MetaTag

@Suite("KML")
struct KMLTests {
  static func track(_ body: String) throws -> Track {
    try Track(bytes: Array("<kml><Document>\(body)</Document></kml>".utf8), name: "t.kml")
  }

  static func times(_ track: Track) -> [Int64] {
    track.segments.flatMap(\.points).map { $0.instant.seconds - TrackSample.start }
  }

  static let span = "<TimeSpan><begin>2024-05-01T10:00:00Z</begin><end>2024-05-01T10:30:00Z</end></TimeSpan>"

  @Test("Times and locations may come in two lists, and each of several tracks is a segment.")
  func lists() throws {
    let one =
      "<gx:Track><when>2024-05-01T10:00:00Z</when><when>2024-05-01T10:00:10Z</when>"
      + "<gx:coord>8 47 400</gx:coord><gx:coord>9 48 0</gx:coord></gx:Track>"
    let two = "<Track><coord>8 47</coord><when>2024-05-01T11:00:00Z</when></Track>"
    let track = try KMLTests.track("<Placemark><gx:MultiTrack>\(one)\(two)</gx:MultiTrack></Placemark>")
    #expect(track.segments.map(\.points.count) == [2, 1])
    #expect(KMLTests.times(track) == [0, 10, 3_600])
    #expect(track.segments.flatMap(\.points).map(\.altitude) == [400, nil, nil])
  }

  @Test(
    "Altitudes are used as the altitude mode says.",
    arguments: [("absolute", [400, 0]), ("clampToGround", [nil, nil]), ("relativeToGround", [nil, nil])]
      as [(String, [Double?])])
  func altitudes(mode: String, expected: [Double?]) throws {
    let track = try KMLTests.track(
      "<gx:Track><altitudeMode>\(mode)</altitudeMode><when>2024-05-01T10:00:00Z</when><gx:coord>8 47 400</gx:coord>"
        + "<when>2024-05-01T10:00:10Z</when><gx:coord>9 48 0</gx:coord></gx:Track>")
    #expect(track.segments.flatMap(\.points).map(\.altitude) == expected)
  }

  @Test("Times without locations and locations without times are counted.")
  func unpaired() throws {
    let track = try KMLTests.track("<Track><when>2024-05-01T10:00:00Z</when></Track><Track><coord>1 2</coord></Track>")
    #expect(track.sources.map(\.rejected) == [[.noPosition: 1, .noTime: 1]])
  }

  @Test("Placemarks with a time are fixes, and the rest is counted.")
  func placemarks() throws {
    let point = "<Point><coordinates>8,47,0</coordinates></Point>"
    let track = try KMLTests.track(
      "<Placemark><TimeStamp><when>2024-05-01T10:00:05Z</when></TimeStamp>\(point)</Placemark>"
        + "<Placemark>\(point)</Placemark><Placemark><LineString><coordinates>1,2 3,4</coordinates></LineString>"
        + "</Placemark><Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>1,2 3,4 5,6 1,2</coordinates>"
        + "</LinearRing></outerBoundaryIs></Polygon></Placemark>")
    #expect(KMLTests.times(track) == [5])
    #expect(track.sources.map(\.rejected) == [[.noTime: 3]] && track.sources.map(\.warnings) == [[]])
    let only = try KMLTests.track("<Placemark>\(point)</Placemark>")
    #expect(only.isEmpty && only.sources.map(\.warnings) == [[.onlyPlaces(1)]])
  }

  @Test(
    "The time of a placemark's view isn't the location's.",
    arguments: [
      "<LookAt>\(span)</LookAt>", "<Camera><gx:TimeStamp><when>2024-05-01T12:00:00Z</when></gx:TimeStamp></Camera>",
    ])
  func views(view: String) throws {
    let point = "<Point><coordinates>8,47,400</coordinates></Point>"
    let stamp = "<TimeStamp><when>2024-05-01T10:00:05Z</when></TimeStamp>"
    let track = try KMLTests.track(
      "<Placemark>\(view)\(point)</Placemark><Placemark>\(view)\(stamp)\(point)</Placemark>"
        + "<Placemark>\(stamp)\(point)\(view)</Placemark>")
    #expect(KMLTests.times(track) == [5])
    #expect(track.sources.map(\.rejected) == [[.noTime: 1]])
    #expect(track.sources.map(\.warnings) == [[.sameTime(1)]])
  }

  @Test("The altitude mode of a view, region or model isn't the location's.")
  func othersModes() throws {
    let mode = "<altitudeMode>relativeToGround</altitudeMode>"
    let time = "2024-05-01T10:00:05Z"
    let track = try KMLTests.track(
      "<Placemark><LookAt>\(mode)</LookAt><Region><LatLonAltBox>\(mode)</LatLonAltBox></Region>"
        + "<TimeStamp><when>\(time)</when></TimeStamp><Point><altitudeMode>absolute</altitudeMode><coordinates>8,47,0</coordinates></Point>"
        + "<Camera>\(mode)</Camera></Placemark>"
        + "<gx:Track><altitudeMode>absolute</altitudeMode><Model>\(mode)</Model><when>2024-05-01T10:01:00Z</when>"
        + "<gx:coord>8 47 400</gx:coord></gx:Track>")
    #expect(track.segments.flatMap(\.points).map(\.altitude) == [0, 400])
  }

  @Test("A line with a time span is walked at an even speed.")
  func line() throws {
    let track = try KMLTests.track(
      "<Placemark>\(KMLTests.span)<LineString><coordinates>8,0 8.1,0\n 8.3,0</coordinates></LineString></Placemark>")
    #expect(KMLTests.times(track) == [0, 600, 1_800])
    #expect(track.sources.map(\.warnings) == [[.spread(1)]])
  }

  @Test("A point with a time span is a stay.")
  func stay() throws {
    let track = try KMLTests.track(
      "<Placemark>\(KMLTests.span)<Point><coordinates>8,47,0</coordinates></Point></Placemark>")
    #expect(KMLTests.times(track) == [0, 600, 1_200, 1_800])
    #expect(Set(track.segments.flatMap(\.points).map(\.coordinate)).count == 1)
  }
}
