import Testing

@testable import MetaTag

@Suite("Conflicts")
struct ConflictTests {
  @Test(
    "Two capture times conflict if they show different times, or the same time at different offsets.",
    arguments: [
      ("2024-05-23T18:38:41+09:00", "2024-05-23T18:38:41", false),
      ("2024-05-23T18:38:41", "2024-05-23T18:38:41Z", false),
      ("2024-05-23T18:38:41.5", "2024-05-23T18:38:41", false), ("2024-05-23T18:38:41", "2024-05-23T18:38:42", true),
      ("2024-05-23T18:38:41+09:00", "2024-05-23T18:38:41+08:00", true),
    ])
  func times(believed: String, copy: String, isConflict: Bool) throws {
    var metadata = Metadata()
    let other = Sourced(try CaptureTime(parsing: copy), .xmp, tag: "photoshop:DateCreated")
    metadata.captureTimes = [Sourced(try CaptureTime(parsing: believed), .exif, tag: "DateTimeOriginal"), other]
    #expect(metadata.conflicts == (isConflict ? [.captureTime(other)] : []))
  }

  @Test(
    "Two locations conflict if they are more than a metre apart, also across the antimeridian.",
    arguments: [(10.0, 10.000001, false), (10, 10.001, true), (180, -180, false), (179.999999, -179.999999, false)])
  func places(believed: Double, copy: Double, isConflict: Bool) throws {
    var metadata = Metadata()
    let other = Sourced(Location(try .at(5, copy)), .xmp, tag: "exif:GPSLatitude")
    metadata.locations = [Sourced(Location(try .at(5, believed)), .exif, tag: "GPSLatitude"), other]
    #expect(metadata.conflicts == (isConflict ? [.location(other)] : []))
  }
}
