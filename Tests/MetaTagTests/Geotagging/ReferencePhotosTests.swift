import Testing

@testable import MetaTag

@Suite("Reference photos")
struct ReferencePhotosTests {
  /// `"PHONE 2024-07-01T09:00:00+09:00 35,139"`; `-` for no time or no location.
  static func photo(_ text: String) throws -> Metadata {
    let words = text.split(separator: " ").map(String.init)
    var metadata = words[1] == "-" ? Metadata() : try GeotagPlannerTests.photo(words[1])
    metadata.model = words[0]
    if words[2] != "-" {
      metadata.locations = [Sourced(Location(try Coordinate(parsing: words[2])), .exif, tag: "GPSLatitude")]
    }
    return metadata
  }

  static func references(_ photos: [String]) throws -> Track.ReferenceTracks {
    Track.references(try photos.map(photo), zone: TrackZonesTests.zone)
  }

  @Test("Each camera's photos with time and location become one segment in order of time.")
  func segments() throws {
    let references = try ReferencePhotosTests.references([
      "B 2024-07-01T09:20:00+09:00 35,139.2", "A 2024-07-01T09:30:00+09:00 35,139.3", "A - 35,139",
      "A 2024-07-01T09:00:00 -",
      // No offset: the zone of its location.
      "A 2024-07-01T09:10:00 35,139.1",
    ])
    #expect(references.withoutInstant == 1 && references.withoutPlace == 1)
    let midnight = try #require(try CaptureTime(parsing: "2024-07-01T00:00:00Z").instant)
    let found = Track.merged(references.tracks).segments.map { segment in
      segment.points.map { "\($0.instant.timeInterval(since: midnight) / 60) min \($0.coordinate.longitude)" }
    }
    #expect(found == [["10.0 min 139.1", "30.0 min 139.3"], ["20.0 min 139.2"]])
  }

  @Test("A location of 0, 0 and a movie header in an unknown zone place no photos.")
  func unknown() throws {
    var movie = try ReferencePhotosTests.photo("A 2024-07-01T09:20:00 35,139")
    movie.captureTimes[0].namespace = .quickTime
    movie.captureTimes[0].tag = "mvhd"
    let photos = try ["A 2024-07-01T09:00:00+09:00 0,0", "A 2024-07-01T09:10:00 35,139"].map(ReferencePhotosTests.photo)
    let references = Track.references(photos + [movie], zone: TrackZonesTests.zone)
    #expect(references.withoutFix == 1 && references.withoutInstant == 1 && references.tracks.map(\.count) == [1])
  }

  @Test(
    "Between near photos the way is interpolated, at the ends the nearest counts, and jumps don't.",
    arguments: [
      ("2024-07-01T09:05:00+09:00", "139.005"), ("2024-07-01T08:40:00+09:00", "139.0"),
      (
        "2024-07-01T08:20:00+09:00",
        "beforeTrack(2400.0, photos, [])"
      ),
      // By train: 90 km in 20 minutes.
      (
        "2024-07-01T09:20:00+09:00",
        "tooFarApart"
      ),
      ("2024-07-01T09:45:00+09:00", "140.0"),
    ])
  func rules(time: String, expected: String) throws {
    let references = try ReferencePhotosTests.references([
      "A 2024-07-01T09:00:00+09:00 35,139", "A 2024-07-01T09:10:00+09:00 35,139.01",
      "A 2024-07-01T09:30:00+09:00 35,140",
    ])
    var planner = GeotagPlanner(track: Track.merged(references.tracks))
    (planner.match.maxDistance, planner.match.nearestWithin, planner.reference) = (2_000, 1_800, .photos)
    switch planner.propose(for: try GeotagPlannerTests.photo(time)) {
    case .change(let edit, _):
      guard case .set(let location) = edit.location else { throw Unexpected() }
      #expect("\((location.coordinate.longitude * 1e4).rounded() / 1e4)" == expected)
      #expect(location.processingMethod == "BORROWED")
    case .skip(let reason): #expect(reason.values.hasPrefix(expected))
    case .unchanged: throw Unexpected()
    }
  }

  @Test("A way that was too fast is not used.")
  func speed() throws {
    var planner = GeotagPlanner(
      track: try GPXText.track([
        GPXText.point("0,0 2024-05-01T10:00:00Z"), GPXText.point("1,0 2024-05-01T10:01:00Z"),
      ]))
    planner.match.maxSpeed = 300
    let photo = try GeotagPlannerTests.photo("2024-05-01T10:00:30Z")
    guard case .skip(let reason) = planner.propose(for: photo) else { throw Unexpected() }
    #expect(
      reason.code == .tooFarApart && reason.remedy == .otherTrack)
    planner.match.maxSpeed = 2_000
    guard case .change(let edit, _) = planner.propose(for: photo), case .set(let location) = edit.location
    else { throw Unexpected() }
    #expect(location.horizontalError == 55_598)
  }

  @Test("Cameras in two places at the same time are a conflict, however few their photos are.")
  func conflict() throws {
    let references = try ReferencePhotosTests.references([
      "A 2024-07-01T09:00:00+09:00 35,139", "A 2024-07-01T12:00:00+09:00 35.1,139.1",
      "A 2024-07-01T12:01:00+09:00 35.1,139.1", "A 2024-07-02T12:01:00+09:00 35.1,139.1",
      "B 2024-07-01T08:00:00+09:00 35,139", "B 2024-07-01T12:00:20+09:00 36,139",
      "B 2024-07-03T12:00:20+09:00 36,139",
      "C 2024-07-01T09:00:30+09:00 35,139.001", "C 2024-07-01T09:00:00+09:00 35,139.001",
    ])
    let conflicts = TrackConflict.among(references.tracks).conflicts
    #expect(conflicts.map(\.names) == [["A", "B"]])
    #expect(conflicts.first.map { Int($0.metres / 1_000) } == 100)
    #expect(conflicts.first?.instant == (try CaptureTime(parsing: "2024-07-01T12:00:20+09:00")).instant)
  }

  @Test("Of several cameras that match a name, an exact match wins.")
  func named() throws {
    let photos = try ["EOS-R5 - -", "EOS-R5-Mark-II - -", "EOS-R50 - -"].map(ReferencePhotosTests.photo)
    let found = { (names: String...) in
      var choice = CameraChoice(names.map { CameraName($0) })
      photos.forEach { choice.consider($0) }
      return photos.filter(choice.includes).compactMap(\.model)
    }
    #expect(found().count == 3 && found("eos-r5") == ["EOS-R5"] && found("R5") == ["EOS-R5", "EOS-R5-Mark-II"])
    #expect(found("R50", "Mark-II") == ["EOS-R5-Mark-II", "EOS-R50"] && found("R") == [])
  }
}
