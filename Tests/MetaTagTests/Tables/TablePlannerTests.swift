import Testing

@testable import MetaTag

@Suite("Planning from a table")
struct TablePlannerTests {
  static let place = Coordinate(latitude: -33.5, longitude: 151.25)

  static func entry(_ change: (inout TableEntry) -> Void = { _ in }) -> TableEntry {
    var entry = TableEntry(line: 2)
    entry.coordinate = place
    change(&entry)
    return entry
  }

  func outcome(_ entry: TableEntry, _ metadata: Metadata, _ overwrite: Overwrite = .keep) -> String {
    var planner = TablePlanner(.success(entry))
    planner.overwrite = overwrite
    switch planner.propose(for: metadata) {
    case .change(let edit, let because):
      var words: [String] = []
      if case .set(let location) = edit.location {
        words.append("\(location.coordinate) \(location.altitude ?? -1) \(location.speed ?? -1)")
      }
      if case .set(let time, _) = edit.dates { words.append("\(time)") }
      return (words + ["\(because)"]).joined(separator: "; ")
    case .unchanged(let reason): return "unchanged: \(reason.values)"
    case .skip(let reason): return "skip: \(reason.values)"
    }
  }

  func located(_ text: String) throws -> Metadata {
    var metadata = try GeotagPlannerTests.photo("2024-05-01T10:00:00+02:00")
    var location = Location(try Coordinate(parsing: text), altitude: 7)
    location.speed = 3
    metadata.locations = [Sourced(location, .exif, tag: "GPSLatitude")]
    return metadata
  }

  @Test("A location that can't be read is kept, unless it is to be replaced; half of one is ignored.")
  func malformedPlace() throws {
    var photo = try GeotagPlannerTests.photo("2024-05-01T10:00:00+02:00")
    photo.add(unreadPlace: "why", .exif, tag: "GPSLatitude", isWhole: true)
    let place = TablePlannerTests.entry()
    #expect(outcome(place, photo).hasPrefix("skip: malformedPlace(why)"))
    #expect(outcome(place, photo, .replace).hasPrefix("-33.5, 151.25"))
    var planner = PlacePlanner(Location(try .at(1, 2)))
    #expect(planner.propose(for: photo) == .skip(.malformedPlace("why")))
    #expect(NamePlanner { _ in fatalError() }.propose(for: photo) == .skip(.malformedPlace("why")))
    planner.overwrite = .replace
    guard case .change = planner.propose(for: photo) else { throw Unexpected() }
    // Another copy can be read.
    photo.locations = [Sourced(Location(try .at(3, 4)), .xmp, tag: "exif:GPSLatitude")]
    #expect(outcome(place, photo) == "unchanged: hasLocation")
    var half = Metadata()
    half.add(unreadPlace: "why", .exif, tag: "GPSLatitude", isWhole: false)
    #expect(outcome(place, half).hasPrefix("-33.5, 151.25"))
  }

  @Test("An unlikely altitude in the photo doesn't prevent a row about the same place.")
  func unlikelyAltitude() throws {
    var photo = try located("-33.5,151.25")
    var recorded = try #require(photo.location)
    recorded.altitude = 200_000
    photo.locations = [Sourced(recorded, .exif, tag: "GPSLatitude")]
    var planner = TablePlanner(.success(TablePlannerTests.entry { $0.direction = Direction(degrees: 90) }))
    planner.overwrite = .replace
    guard case .change(let edit, _) = planner.propose(for: photo), case .set(let location) = edit.location
    else { throw Unexpected() }
    try edit.requireRecordable()
    #expect(location.altitude == nil && location.speed == 3)
    #expect(outcome(TablePlannerTests.entry(), photo, .replace).hasPrefix("unchanged"))
  }

  @Test("Missing values are added, and existing ones are kept, unless they are to be replaced.")
  func overwriting() throws {
    let time = try CaptureTime(parsing: "2024-05-02T10:00:00")
    let entry = TablePlannerTests.entry {
      $0.time = time
      $0.altitude = 5
    }
    #expect(outcome(entry, Metadata()) == "-33.5, 151.25 5.0 -1.0; 2024-05-02T10:00:00; line 2 of the table")
    let dated = try GeotagPlannerTests.photo("2024-05-01T10:00:00+02:00")
    #expect(outcome(entry, dated) == "-33.5, 151.25 5.0 -1.0; line 2 of the table")
    #expect(outcome(entry, try located("1,2")) == "unchanged: hasLocation")
    #expect(
      outcome(entry, try located("1,2"), .replace)
        == "-33.5, 151.25 5.0 -1.0; 2024-05-02T10:00:00; line 2 of the table")
  }

  @Test("An equal location keeps its other values, and a row without news changes nothing.")
  func same() throws {
    let photo = try located("-33.5,151.25")
    #expect(outcome(TablePlannerTests.entry(), photo, .replace) == "unchanged: asWanted")
    #expect(outcome(TablePlannerTests.entry { $0.altitude = 9 }, photo, .replace).hasPrefix("-33.5, 151.25 9.0 3.0;"))
    // A date without an offset doesn't contradict a recorded offset.
    let time = try CaptureTime(parsing: "2024-05-01T10:00:00")
    #expect(
      outcome(TablePlannerTests.entry { $0.time = time }, photo, .replace) == "unchanged: asWanted")
    #expect(outcome(TablePlannerTests.entry { $0.time = time }, photo) == "unchanged: asWanted")
  }

  @Test("A photo without a usable row is skipped with the reason.")
  func lack() {
    let proposal = TablePlanner(.failure(.severalRows([3, 7]))).propose(for: Metadata())
    guard case .skip(let reason) = proposal else {
      Issue.record("not skipped")
      return
    }
    #expect(reason.values == "severalRows([3, 7])")
  }
}
