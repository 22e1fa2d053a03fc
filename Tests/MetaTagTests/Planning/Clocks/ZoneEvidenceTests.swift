import SystemPackage
import Testing

@testable import MetaTag

@Suite("Evidence of a camera's zone in its other photos")
struct ZoneEvidenceTests {
  /// `"2024-07-01T09:30:00"`, and optionally a location and the GPS time there.
  static func photo(_ text: String, model: String? = "A") throws -> Metadata {
    let words = text.split(separator: " ").map(String.init)
    var photo = try GeotagPlannerTests.photo(words[0])
    photo.model = model
    guard words.count > 1 else { return photo }
    var location = Location(try Coordinate(parsing: words[1]))
    location.timestamp = words.count > 2 ? try CaptureTime(parsing: words[2]).instant : nil
    photo.locations = [Sourced(location, .exif, tag: "GPSLatitude")]
    return photo
  }

  /// The outcome of a photo of camera A in Tokyo, at 09:30 there, among these.
  static func outcome(_ others: [Metadata], _ change: (inout GeotagPlanner) -> Void = { _ in }) throws -> String {
    let photo = try photo("2024-07-01T09:30:00")
    var zoneEvidence = ZoneEvidence()
    for (index, metadata) in ([photo] + others).enumerated() {
      zoneEvidence.take(NumberedPhoto(path: FilePath("IMG_\(index).JPG"), metadata: metadata))
    }
    let proposal = try TrackZonesTests.proposal(TrackZonesTests.trip, photo) { planner in
      change(&planner)
      planner.consider(zoneEvidence)
    }
    switch proposal {
    case .change(_, .matched(_, let reading)): return "\(reading.offset)"
    case .skip(let reason): return reason.values
    default: throw Unexpected()
    }
  }

  static let other =
    "nonlocalClock(2024-07-01T09:30:00, Asia/Tokyo, +02:00, IMG_1.JPG)"

  @Test(
    "A photo isn't read in the location's zone if other photos of its camera are in another.",
    arguments: [
      // In another zone by the track in Tokyo, by its location, by its GPS time, and elsewhere within those hours.
      "2024-07-01T02:20:00+02:00", "2024-06-20T02:20:00+02:00 35,139",
      "2024-07-01T02:20:10 35,139 2024-07-01T00:20:00Z",
      "2024-07-01T08:00:00+02:00",
    ])
  func stray(witness: String) throws {
    #expect(try ZoneEvidenceTests.outcome([ZoneEvidenceTests.photo(witness)]) == ZoneEvidenceTests.other)
    let another = try ZoneEvidenceTests.photo(witness, model: "B")
    #expect(try ZoneEvidenceTests.outcome([another]) == "+09:00")
    let nameless = try ZoneEvidenceTests.photo(witness, model: nil)
    #expect(try ZoneEvidenceTests.outcome([nameless]) == "+09:00")
  }

  @Test(
    "A photo is read in the location's zone if no other photo contradicts that.",
    arguments: [
      // Local time, recorded and measured; a clock that is minutes wrong; an old fix; other days in unknown places.
      "2024-07-01T09:20:00+09:00", "2024-07-01T09:20:00 35,139 2024-07-01T00:20:00Z",
      "2024-07-01T09:33:00 35,139 2024-07-01T00:20:00Z", "2024-07-01T10:05:00 35,139 2024-07-01T00:20:00Z",
      "2024-06-28T09:20:00+02:00", "2024-07-01T16:30:00+02:00",
    ])
  func local(witness: String) throws {
    #expect(try ZoneEvidenceTests.outcome([ZoneEvidenceTests.photo(witness)]) == "+09:00")
  }

  @Test("Of two contradicting photos the nearer one decides, because clocks are set.")
  func nearest() throws {
    let winter = try ZoneEvidenceTests.photo("2024-01-10T12:00:00+02:00 51.5,0")
    let local = try ZoneEvidenceTests.photo("2024-06-20T12:00:00+09:00 35,139")
    #expect(try ZoneEvidenceTests.outcome([winter, local]) == "+09:00")
    let late = try ZoneEvidenceTests.photo("2024-06-28T12:00:00+02:00 35,139")
    #expect(try ZoneEvidenceTests.outcome([winter, local, late]).contains("+02:00, IMG_3.JPG"))
  }

  @Test("An old fix doesn't count against others, and --camera-zone overrides all.")
  func precedence() throws {
    let old = try ZoneEvidenceTests.photo("2024-07-01T10:20:00 35,139 2024-07-01T00:20:00Z")
    let local = try ZoneEvidenceTests.photo("2024-07-01T09:20:00+09:00")
    #expect(try ZoneEvidenceTests.outcome([old]).contains("+10:00, IMG_1.JPG"))
    #expect(try ZoneEvidenceTests.outcome([old, local]) == "+09:00")
    let home = try ZoneEvidenceTests.photo("2024-07-01T02:20:00+02:00")
    let zone = try Zone(parsing: "+09:00")
    #expect(try ZoneEvidenceTests.outcome([home]) { $0.clock.zone = zone } == "+09:00")
  }
}
