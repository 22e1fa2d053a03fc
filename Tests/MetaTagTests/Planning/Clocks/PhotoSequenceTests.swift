import SystemPackage
import Testing

@testable import MetaTag

@Suite("Ambiguous times decided by neighbouring photos")
struct PhotoSequenceTests {
  /// Photos of one camera in New York, each as `"0041 2024-11-03T01:30:00"`. Returns the offsets found.
  static func offsets(_ photos: [String], zone: String = "America/New_York") throws -> [String] {
    let photos = try photos.map { text in
      let words = text.split(separator: " ").map(String.init)
      return NumberedPhoto(
        path: FilePath("card/DSC_\(words[0]).JPG"), metadata: try GeotagPlannerTests.photo(words[1]))
    }
    let points = ["2024-03-10", "2024-11-03"].map { day in
      (3...12).map { GPXText.point("40,-74 \(day)T\($0 < 10 ? "0" : "")\($0):00:00Z") }
    }
    var planner = GeotagPlanner(track: try GPXText.track(points[0], points[1]))
    planner.match.maxGap = 3_600
    planner.clock.zone = try Zone(parsing: zone)
    planner.resolveDoubts { photos }
    return photos.map { photo in
      switch planner.propose(for: photo.metadata) {
      case .change(_, .matched(_, let reading)): "\(reading.offset)\(reading.neighbours.isEmpty ? "" : "!")"
      case .skip(.ambiguousTime): "twice"
      case .skip(.nonexistentTime): "never"
      default: "?"
      }
    }
  }

  @Test(
    "The order of numbers or a photo of the same minute decides; else the time stays ambiguous.",
    arguments: [
      // Clocks go back after the second and before the third.
      (
        [
          "0041 2024-11-03T00:50:00", "0042 2024-11-03T01:50:00", "0043 2024-11-03T01:05:00",
          "0044 2024-11-03T02:10:00",
        ], ["-04:00", "-04:00!", "-05:00!", "-05:00"]
      ),
      // The second is a minute after the first.
      (
        ["0041 2024-11-03T00:59:30", "0042 2024-11-03T01:00:30", "0050 2024-11-03T03:00:00"],
        ["-04:00", "-04:00!", "-05:00"]
      ),
      // Nothing decides.
      (
        ["0041 2024-11-03T00:30:00", "0042 2024-11-03T01:30:00", "0043 2024-11-03T02:30:00"],
        ["-04:00", "twice", "-05:00"]
      ),
      // Numbers that are far apart don't prove the order.
      (["0041 2024-11-03T02:10:00", "2042 2024-11-03T01:30:00"], ["-05:00", "twice"]),
      // A clock that was not set forward, between one before and one after.
      (
        ["0041 2024-03-10T01:50:00", "0042 2024-03-10T02:20:00", "0043 2024-03-10T04:00:00"],
        ["-05:00", "-05:00!", "-04:00"]
      ),
      // A clock that was not set forward contradicts the photo after it, whose time the zone had.
      (
        ["0041 2024-03-10T01:58:00", "0042 2024-03-10T02:30:00", "0043 2024-03-10T03:02:00"],
        ["-05:00", "never", "-04:00"]
      ),
      // Out of order with either offset.
      (["0041 2024-11-03T03:00:00", "0042 2024-11-03T01:30:00"], ["-05:00", "twice"]),
    ])
  func decided(photos: [String], expected: [String]) throws {
    #expect(try Self.offsets(photos) == expected)
    #expect(try Self.offsets(photos.reversed()) == expected.reversed())
  }

  @Test("Two photos with the same time before and after the change stay ambiguous.")
  func twins() throws {
    let photos = [
      "0041 2024-11-03T01:30:00", "0042 2024-11-03T01:40:00", "0043 2024-11-03T01:20:00", "0044 2024-11-03T01:30:00",
    ]
    #expect(try Self.offsets(photos) == ["twice", "-04:00!", "-05:00!", "twice"])
  }

  @Test("A photo in a break of the track keeps the zone of its neighbours.")
  func zones() throws {
    // Two days: Tokyo with a break that contains 16:30, and the same time in Berlin.
    let trip = [
      ["35,139 2024-07-01T06:00:00Z", "35,139 2024-07-01T07:00:00Z"],
      ["35,139 2024-07-01T08:00:00Z", "35,139 2024-07-01T09:00:00Z"],
      ["52,13 2024-07-01T14:00:00Z", "52,13 2024-07-01T15:00:00Z"],
    ]
    let photo = try GeotagPlannerTests.photo("2024-07-01T16:30:00")
    let before = try GeotagPlannerTests.photo("2024-07-01T16:29:00+09:00")
    let alone = try TrackZonesTests.proposal(trip, photo) { $0.match.maxGap = 3_600 }
    guard case .skip(.severalZones(_, let offsets)) = alone else { throw Unexpected() }
    #expect(offsets.map(\.description) == ["+02:00", "+09:00"])
    let proposal = try TrackZonesTests.proposal(trip, photo) { planner in
      planner.match.maxGap = 3_600
      planner.resolveDoubts {
        [
          NumberedPhoto(path: "IMG_0001.JPG", metadata: before), NumberedPhoto(path: "IMG_0002.JPG", metadata: photo),
        ]
      }
    }
    #expect(proposal == .skip(.noMatch(.betweenSegments(3_600), relaxing: [.nearest(minutes: 30)])))
  }

  @Test("A time that the place's zone skipped is skipped with that reason.")
  func jump() throws {
    let trip = [["40,-74 2024-03-10T06:00:00Z", "40,-74 2024-03-10T08:00:00Z"]]
    let photo = try GeotagPlannerTests.photo("2024-03-10T02:30:00")
    guard case .skip(let reason) = try TrackZonesTests.proposal(trip, photo, { $0.match.maxGap = 7_200 })
    else { throw Unexpected() }
    #expect(reason.code == .nonexistentTime)
  }
}
