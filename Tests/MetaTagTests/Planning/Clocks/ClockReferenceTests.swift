import Testing

@testable import MetaTag

@Suite("Clock references")
struct ClockReferenceTests {
  /// From west to east in ten minutes at about 11 m/s, an hour later back, and then half an hour at the end.
  static func track() throws -> Track {
    try GPXText.track(
      (0...10).map { GPXText.point("0,\(Double($0) / 100) 2024-05-01T10:\($0 < 10 ? "0" : "")\($0):00Z") },
      (0...10).map { GPXText.point("0,\(0.1 - Double($0) / 100) 2024-05-01T11:\($0 < 10 ? "0" : "")\($0):00Z") }
        + (11...40).map { GPXText.point("0,0 2024-05-01T11:\($0):00Z") })
  }

  /// The result of a photo at a known place; times as text, clock errors in seconds.
  enum Expected: Equatable {
    case correction(Double)
    case noPass
    case severalPasses([String])
    case longStay(from: String, to: String, correction: Int)

    init(_ doubt: PassAmbiguity) {
      switch doubt {
      case .noPass: self = .noPass
      case .severalPasses(let passes): self = .severalPasses(passes.map { Self.text($0.nearest) })
      case .longStay(let pass, let correction):
        self = .longStay(
          from: Self.text(pass.start), to: Self.text(pass.end), correction: Int(correction.rounded()))
      }
    }

    private static func text(_ instant: Instant) -> String {
      CivilTime(secondsSince1970: instant.seconds).map { "\($0)Z" } ?? ""
    }

    static func stay(_ correction: Int) -> Expected {
      .longStay(from: "2024-05-01T11:09:58Z", to: "2024-05-01T11:40:00Z", correction: correction)
    }
  }

  @Test(
    "The pass with the smallest clock error is used, unless another is nearly as good.",
    arguments: [
      ("2024-05-01T10:04:00Z", "0,0.055", .correction(90)), ("2024-05-01T11:01:00Z", "0,0.055", .correction(210)),
      ("2024-05-01T10:35:00Z", "0,0.055", .severalPasses(["2024-05-01T10:05:30Z", "2024-05-01T11:04:30Z"])),
      // The track was there at the beginning for a moment and at the end for long; 30 metres before it counts as there.
      // The place doesn't define which moment of the half hour the clock's 11:20 was.
      ("2024-05-01T11:20:00Z", "0,0", .stay(299)), ("2024-05-01T12:00:00Z", "0,0", .stay(-2_101)),
      ("2024-05-01T10:00:00Z", "1,1", .noPass),
    ] as [(String, String, Expected)])
  func clockReference(time: String, place: String, expected: Expected) throws {
    let photo = try GeotagPlannerTests.photo(time)
    do {
      let clockReference = try ClockReference(photo, at: try Coordinate(parsing: place), on: try Self.track())
      #expect(.correction(clockReference.correction.timeInterval) == expected)
    } catch let doubt as PassAmbiguity {
      #expect(Expected(doubt) == expected)
    }
  }

  @Test("An accepted stay counts at its middle, with half its length as uncertainty.")
  func acceptedStay() throws {
    let photo = try GeotagPlannerTests.photo("2024-05-01T12:00:00Z")
    let clockReference = try ClockReference(
      photo, at: try Coordinate(parsing: "0,0"), on: try Self.track(), longestStay: 1_860)
    #expect((-2_102 ... -2_100).contains(clockReference.correction.timeInterval), "\(clockReference.correction)")
    #expect((900...902).contains(clockReference.uncertainty), "\(clockReference.uncertainty)")
  }

  @Test("Another reference of the camera decides which pass it was.")
  func beside() throws {
    let photo = try GeotagPlannerTests.photo("2024-05-01T10:04:00Z")
    let clock = try ClockReference(photo, shown: try CaptureTime(parsing: "2024-05-01T11:04:00Z"))
    let clockReference = try ClockReference(
      photo, at: try Coordinate(parsing: "0,0.055"), on: try Self.track(), beside: [clock])
    #expect(clockReference.correction.timeInterval == 3_630)
  }
}
