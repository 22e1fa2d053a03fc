import Testing

@testable import MetaTag

@Suite("One planner per camera")
struct PerCameraPlannerTests {
  static func planner(_ cameras: [String?]) throws -> PerCameraPlanner {
    let parts = try cameras.enumerated().map { index, camera in
      let point = "\(10 * (index + 1)),20"
      let track = try Track(
        bytes: TrackReadingTests.gpx("\(point) 2024-05-01T10:00:00Z", "\(point) 2024-05-01T10:01:00Z"), name: "t")
      return PerCameraPlanner.Part(camera.map { CameraName($0) }, GeotagPlanner(track: track))
    }
    return PerCameraPlanner(parts)
  }

  @Test(
    "Each photo is placed by its camera's track, else by the track of all others.",
    arguments: [
      (["x-t4", "EOS"], "X-T4", "10.0"), (["x-t4", "EOS"], "Canon EOS R5", "20.0"),
      (["x-t4", nil], "Pixel 8", "20.0"), ([nil, "X-T4"], "X-T4", "20.0"),
      (["x-t4", "EOS"], "Pixel 8", "noTrackOfCamera(Pixel 8)"),
      (["Canon EOS R5", nil], "Canon EOS R50", "20.0"), (["eos r5", "EOS R50"], "Canon EOS R50", "20.0"),
      (["Canon EOS R5", "Mark II"], "Canon EOS R5", "10.0"), (["eos r5", "EOS R5 Mark II"], "EOS R5 Mark II", "20.0"),
      (["R5", nil], "Canon EOS R5", "10.0"),
      (["canon", "EOS"], "Canon EOS R5", "severalTracksOfCamera([EOS, canon])"),
    ] as [([String?], String, String)])
  func owners(cameras: [String?], model: String, expected: String) throws {
    var photo = try GeotagPlannerTests.photo("2024-05-01T10:00:30+00:00")
    photo.model = model
    switch try Self.planner(cameras).propose(for: photo) {
    case .change(let edit, _):
      guard case .set(let location) = edit.location else { throw Unexpected() }
      #expect("\(location.coordinate.latitude)" == expected)
    case .skip(let reason): #expect(reason.values == expected)
    case .unchanged: throw Unexpected()
    }
  }
}
