import Testing

@testable import MetaTag

@Suite("Clock errors of cameras")
struct ClockErrorsTests {
  static func photo(_ camera: String, _ time: String) throws -> Metadata {
    var metadata = try GeotagPlannerTests.photo(time)
    metadata.model = camera
    return metadata
  }

  @Test(
    "A photo of a clock defines the error, from civil times in one zone or from instants.",
    arguments: [
      ("2024-05-01T10:00:00", nil, "2024-05-01T10:01:23", 83),
      ("2024-05-01T10:00:00+02:00", nil, "2024-05-01T08:00:07Z", 7),
      ("2024-05-01T10:00:00", "+09:00", "2024-05-01T00:59:00Z", -60),
      ("2024-05-01T10:00:00.5", nil, "2024-05-01T10:00:00.25", -0.25),
    ] as [(String, String?, String, Double)])
  func clockReference(recorded: String, zone: String?, shown: String, expected: Double) throws {
    let clock = CameraClock(zone: try zone.map { try Zone(parsing: $0) })
    let clockReference = try ClockReference(
      try GeotagPlannerTests.photo(recorded), shown: try CaptureTime(parsing: shown), clock: clock)
    #expect(clockReference.correction.timeInterval == expected)
  }

  @Test("An instant doesn't define the error of a clock in an unknown zone.")
  func unknownZone() throws {
    let photo = try GeotagPlannerTests.photo("2024-05-01T10:00:00")
    let shown = try CaptureTime(parsing: "2024-05-01T10:00:00Z")
    #expect(throws: Reason.noZone(try #require(photo.captureTime))) { try ClockReference(photo, shown: shown) }
  }

  @Test("Each camera has its own drift, before and after its references; others have the constant.")
  func lines() throws {
    var errors = ClockErrors(TimeShift(seconds: -5))
    let clockReferences = try [
      ("2024-05-01T00:00:00", "2024-05-01T00:00:10"), ("2024-05-11T00:00:00", "2024-05-11T00:00:30"),
    ]
    .map { try ClockReference(try Self.photo("A", $0.0), shown: try CaptureTime(parsing: $0.1)) }
    let (a, b) = (CameraBody(of: try Self.photo("A", "2024-05-01T00:00:00")), CameraBody(of: Metadata()))
    errors.set(clockReferences, for: a)
    let seconds = { (time: String, body: CameraBody) in
      errors.correction(of: try CaptureTime(parsing: time), for: body).timeInterval
    }
    #expect(try seconds("2024-05-06T00:00:00", a) == 20)
    #expect(try seconds("2024-05-21T00:00:00", a) == 50 && seconds("2024-04-21T00:00:00", a) == -10)
    #expect(try seconds("2024-05-06T00:00:00", b) == -5)
    #expect(errors.drift(of: a) == 2 && errors.drift(of: b) == nil)
  }

  @Test(
    "References that no clock could fit are rejected.",
    arguments: [
      ("2024-05-01T10:00:10", "2024-05-02T10:00:30", true), ("2024-05-01T10:00:00", "2024-05-02T10:01:50", true),
      ("2024-05-01T10:00:00", "2024-05-02T10:02:10", false), ("2024-05-01T10:00:00", "2023-05-02T10:00:00", false),
    ])
  func believable(first: String, second: String, isBelievable: Bool) throws {
    let clockReferences = try [("2024-05-01T10:00:00", first), ("2024-05-02T10:00:00", second)].map {
      try ClockReference(try Self.photo("A", $0.0), shown: try CaptureTime(parsing: $0.1))
    }
    #expect(ClockErrors.areBelievable(clockReferences) == isBelievable)
    #expect(ClockErrors.areBelievable(clockReferences.reversed()) == isBelievable)
    #expect(ClockErrors.areBelievable(Array(clockReferences.prefix(1))))
  }

  @Test("Two cameras with different clocks are placed in one run.")
  func run() throws {
    var planner = GeotagPlanner(track: try GPXText.worked())
    for (camera, shown) in [("A", "2024-05-01T17:00:00Z"), ("B", "2024-05-01T09:59:23Z")] {
      let photo = try Self.photo(camera, "2024-05-01T10:00:00Z")
      planner.errors.set(
        [try ClockReference(photo, shown: try CaptureTime(parsing: shown))], for: CameraBody(of: photo))
    }
    for (camera, time) in [("A", "2024-05-01T03:02:30Z"), ("B", "2024-05-01T10:03:07Z"), ("C", "2024-05-01T10:02:30Z")]
    {
      guard case .change(_, .matched(let match, _)) = planner.propose(for: try Self.photo(camera, time))
      else { throw Unexpected() }
      #expect(match.instant == (try CaptureTime(parsing: "2024-05-01T10:02:30Z").instant), "\(camera)")
    }
  }
}
