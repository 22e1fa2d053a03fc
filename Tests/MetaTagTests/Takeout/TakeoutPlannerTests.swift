import Testing

@testable import MetaTag

@Suite("Planning from Google Takeout")
struct TakeoutPlannerTests {
  private func record(_ json: String) throws -> TakeoutRecord { try TakeoutRecord(Bytes(Array(json.utf8))) }

  private func outcome(
    _ json: String, _ metadata: Metadata = Metadata(), _ change: (inout TakeoutPlanner) throws -> Void = { _ in }
  ) throws -> String {
    let tokyo = try Zone(parsing: "Asia/Tokyo")
    var planner = TakeoutPlanner(.success(.init(name: "a.json", record: try record(json)))) { _ in tokyo }
    try change(&planner)
    switch planner.propose(for: metadata) {
    case .change(let edit, let explanation):
      let time: String = if case .set(let time, _) = edit.dates { "\(time)" } else { "-" }
      let place: String =
        if case .set(let place) = edit.location { "\(place.coordinate) \(place.altitude ?? -1)" } else { "-" }
      return "\(time) \(place)" + explanation.warnings.map { ", \($0)" }.joined()
    case .unchanged(let reason):
      return "unchanged: \(reason.code == .unlikeTakeout ? reason.description : reason.values)"
    case .skip(let reason): return "skip: \(reason.values)"
    }
  }

  private static let time = #""photoTakenTime": {"timestamp": "1716457121", "formatted": "23.05.2024, 09:38:41 UTC"}"#
  private static func data(_ name: String, _ latitude: Double, _ longitude: Double, _ altitude: Double = 0) -> String {
    #""\#(name)": {"latitude": \#(latitude), "longitude": \#(longitude), "altitude": \#(altitude)}"#
  }

  @Test("The time is converted to the location's or the given zone, and 0, 0 is replaced by EXIF's location.")
  func reading() throws {
    let nowhere = Self.data("geoData", 0, 0)
    #expect(try outcome("{\(Self.time), \(nowhere)}") == "2024-05-23T09:38:41+00:00 -")
    #expect(
      try outcome("{\(Self.time), \(Self.data("geoData", 35, 135, 12))}")
        == "2024-05-23T18:38:41+09:00 35.0, 135.0 12.0")
    #expect(
      try outcome("{\(Self.time), \(nowhere), \(Self.data("geoDataExif", -1, 0))}")
        == "2024-05-23T18:38:41+09:00 -1.0, 0.0 -1.0")
    let vienna = try Zone(parsing: "Europe/Vienna")
    #expect(try outcome("{\(Self.time), \(nowhere)}") { $0.zone = vienna } == "2024-05-23T11:38:41+02:00 -")
    #expect(try outcome("{\(Self.time), \(nowhere)}") { $0.zoneElsewhere = vienna } == "2024-05-23T11:38:41+02:00 -")
    #expect(
      try outcome("{\(Self.time), \(Self.data("geoData", 35, 135, 12))}") { $0.zoneElsewhere = vienna }
        == "2024-05-23T18:38:41+09:00 35.0, 135.0 12.0")
    #expect(
      try outcome("{\(Self.time), \(Self.data("geoData", 35, 135))}") { $0.takesPlaces = false }
        == "2024-05-23T18:38:41+09:00 -")
    #expect(try outcome(#"{"photoTakenTime": {"timestamp": "-86400"}}"#) == "1969-12-31T00:00:00+00:00 -")
  }

  @Test(
    "A JSON file without a time or a location changes nothing.",
    arguments: [
      #"{"photoTakenTime": {"timestamp": "0"}}"#, #"{"photoTakenTime": {}}"#,
      #"{"geoData": {"latitude": 0.0, "longitude": 0.0}}"#, #"{"geoData": {"latitude": 95.0, "longitude": 1}}"#,
      #"{"photoTakenTime": {"timestamp": "soon"}}"#, #"{"photoTakenTime": {"timestamp": "99999999999999"}}"#,
    ])
  func nothing(json: String) throws {
    #expect(try outcome(json) == "skip: emptyTakeoutFile(a.json)")
  }

  @Test("The photo's date and location each stay, unless they are to be replaced.")
  func better() throws {
    let json = "{\(Self.time), \(Self.data("geoData", 35, 135))}"
    let dated = try GeotagPlannerTests.photo("2024-05-01T10:00:00")
    #expect(
      try outcome(json, dated)
        == "- 35.0, 135.0 -1.0, a.json has another date (2024-05-23T09:38:41+00:00); the photo's own is kept")
    var located = Metadata()
    located.locations = [Sourced(Location(try .at(48, 2)), .exif, tag: "GPSLatitude")]
    let far = Length(try Coordinate.at(48, 2).distance(to: .at(35, 135)))
    let place = "a.json has another location (35.0, 135.0, \(far) away); the photo's own is kept"
    #expect(try outcome(json, located) == "2024-05-23T18:38:41+09:00 -, \(place)")
    var both = dated
    both.locations = located.locations
    #expect(
      try outcome(json, both)
        == "unchanged: a.json has another date (2024-05-23T09:38:41+00:00); the photo's own is kept; \(place)")
    #expect(
      try outcome(json, both) { $0.takesPlaces = false }.hasSuffix(
        "(2024-05-23T09:38:41+00:00); the photo's own is kept"))
    #expect(try outcome(json, both) { $0.overwrite = .replace } == "2024-05-23T18:38:41+09:00 35.0, 135.0 -1.0")
    var same = try GeotagPlannerTests.photo("2024-05-23T18:38:41.601+09:00")
    same.locations = [Sourced(Location(try .at(35, 135), altitude: 3), .exif, tag: "GPSLatitude")]
    #expect(try outcome(json, same) == "unchanged: asWanted")
    #expect(try outcome(json, same) { $0.overwrite = .replace } == "unchanged: asWanted")
  }

  @Test("An impossible location is reported, and the rest is used.")
  func impossible() throws {
    let north = Self.data("geoData", 95, 1)
    #expect(
      try outcome("{\(Self.time), \(north)}")
        == "2024-05-23T09:38:41+00:00 -, a.json has the invalid position 95.0, 1.0")
    #expect(
      try outcome("{\(Self.time), \(north), \(Self.data("geoDataExif", 35, 135))}")
        == "2024-05-23T18:38:41+09:00 35.0, 135.0 -1.0")
  }

  @Test(
    "A local time conflicts with the JSON file's if no zone explains the difference.",
    arguments: [
      ("2024-05-23T18:38:41", false), ("2024-05-23T15:23:41", false), ("2024-05-23T18:39:30", false),
      ("2024-05-23T10:30:41", true), ("2024-05-23T18:40:11", true), ("2024-05-24T18:38:41", true),
    ])
  func clocks(time: String, isReported: Bool) throws {
    let recorded = try outcome("{\(Self.time)}", try GeotagPlannerTests.photo(time))
    #expect(recorded.contains("has another date") == isReported, "\(recorded)")
  }

  @Test("A JSON file without time and location may be about a photo, and an album's may not.")
  func poor() throws {
    let created = #""title": "x.jpg", "creationTime": {"timestamp": "1716457121"}"#
    #expect(try record("{\(created)}").isOfPhoto)
    #expect(try outcome("{\(created)}").contains("emptyTakeoutFile"))
    #expect(try !record(#"{\#(created), "date": {"timestamp": "1716457121"}}"#).isOfPhoto)
    #expect(try !record(#"{"title": "Rome"}"#).isOfPhoto)
  }

  @Test("A JSON file that is damaged or cut is an error.")
  func broken() {
    #expect(throws: FileError.self) { try record("{\"photoTakenTime\": {") }
    #expect(throws: FileError.self) { try record("no JSON") }
  }

  @Test("Descriptions, people and favourites are imported on request, and the photo's values stay.")
  func described() throws {
    let json =
      #"{"description": " At the lake ", "people": [{"name": "Anna"}, {"name": "Ben"}, {}], "favorited": true, "#
      + "\(Self.time)}"
    func edit(_ metadata: Metadata = Metadata(), _ change: (inout TakeoutPlanner) -> Void) throws -> MetadataEdit? {
      var planner = TakeoutPlanner(.success(.init(name: "a.json", record: try record(json)))) { _ in nil }
      change(&planner)
      guard case .change(let edit, _) = planner.propose(for: metadata) else { return nil }
      return edit
    }
    func all(_ planner: inout TakeoutPlanner) {
      (planner.takesDescriptions, planner.takesPeople, planner.takesFavorites) = (true, true, true)
    }
    let plain = try #require(try edit { _ in })
    #expect(plain.fields.isEmpty && plain.addedKeywords.isEmpty)
    let taken = try #require(try edit { all(&$0) })
    #expect(taken.fields == [.description: .set(.text("At the lake")), .rating: .set(.whole([5]))])
    #expect(taken.addedKeywords == ["Anna", "Ben"])
    var photo = Metadata()
    photo.fields = [
      Sourced(RecordedField(.description, .text("My lake")), .exif, tag: "ImageDescription"),
      Sourced(RecordedField(.rating, .whole([2])), .exif, tag: "Rating"),
      Sourced(RecordedField(.keywords, .list(["Anna", "Ben"])), .xmp, tag: "dc:subject"),
    ]
    let kept = try #require(try edit(photo) { all(&$0) })
    #expect(kept.fields.isEmpty && kept.addedKeywords.isEmpty)
    #expect(
      try outcome(json, photo) { all(&$0) }.contains("a.json has another description; that of the photo is kept"))
    let replaced = try #require(
      try edit(photo) {
        all(&$0)
        $0.overwrite = .replace
      })
    #expect(replaced.fields == taken.fields)
    let movie = try #require(
      try edit {
        all(&$0)
        $0.isMovie = true
      })
    #expect(movie.fields.isEmpty && movie.addedKeywords == ["Anna", "Ben"])
  }

  @Test(
    "A favourite gets five stars if the photo is unrated, and any other rating is kept.",
    arguments: [
      ([], false, 5, nil), ([0], false, 5, nil), ([5], false, nil, nil), ([0, 5], false, nil, nil),
      ([3], false, nil, .otherRating(3)), ([-1], false, nil, .otherRating(-1)),
      ([0, -1], false, nil, .otherRating(-1)),
      ([-1], true, 5, nil), ([3], true, 5, nil), ([5], true, nil, nil),
    ] as [([Int], Bool, Int?, TakeoutAmbiguity?)])
  func favorite(ratings: [Int], isReplacing: Bool, written: Int?, doubt: TakeoutAmbiguity?) throws {
    let json = #"{"favorited": true, "photoTakenTime": {}}"#
    var planner = TakeoutPlanner(.success(.init(name: "a.json", record: try record(json)))) { _ in nil }
    planner.takesFavorites = true
    planner.overwrite = isReplacing ? .replace : .keep
    var photo = Metadata()
    photo.fields = ratings.map { Sourced(RecordedField(.rating, .whole([$0])), .xmp, tag: "xmp:Rating") }
    let proposal = planner.propose(for: photo)
    if let written {
      guard case .change(let edit, _) = proposal else { return #expect(Bool(false), "\(proposal)") }
      #expect(edit.fields == [.rating: .set(.whole([written]))])
    } else if let doubt {
      guard case .unchanged(let reason) = proposal else { return #expect(Bool(false), "\(proposal)") }
      #expect(reason == .unlikeTakeout("a.json", [doubt]))
    } else if case .change(let edit, _) = proposal {
      #expect(edit.fields.isEmpty)
    }
  }

  @Test(
    "A movie's explanation lists only what was requested.", arguments: [(true, false), (false, true), (true, true)])
  func movie(isDescribed: Bool, isRated: Bool) throws {
    let recorded = try outcome(#"{"description": "x", "favorited": true, "photoTakenTime": {}}"#) {
      ($0.takesDescriptions, $0.takesFavorites, $0.isMovie) = (isDescribed, isRated, true)
    }
    #expect(recorded.contains("description") == isDescribed && recorded.contains("rating") == isRated, "\(recorded)")
  }

  @Test("A description alone is a change, and one that can't be written is reported.")
  func descriptionAlone() throws {
    #expect(try outcome(#"{"description": "x", "photoTakenTime": {}}"#) { $0.takesDescriptions = true } == "- -")
    let long = #"{"description": "\#(String(repeating: "x", count: 3_000))", \#(Self.time)}"#
    let recorded = try outcome(long) { $0.takesDescriptions = true }
    #expect(
      recorded.hasPrefix("2024-05-23T09:38:41+00:00 -, the description in a.json is not written: "), "\(recorded)")
    #expect(try outcome(#"{"description": "x", "photoTakenTime": {}}"#).hasPrefix("skip: "))
  }
}
