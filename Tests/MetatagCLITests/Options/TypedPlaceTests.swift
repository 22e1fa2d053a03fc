import MetaTag
import Testing

@testable import metatag_cli

/// Coordinates on the command line are read as in `place search` and `place pin`.
struct TypedPlaceTests {
  private func place(_ text: String) throws -> Location { try Location.argument(Argv.disguised(Array(text.utf8))) }

  @Test(
    "--at accepts every form of coordinates that 'place search' reads.",
    arguments: [
      "48,8584 2,2945", "(48.8584, 2.2945)", "lat: 48.8584 lon: 2.2945", "48,8584 N 2,2945 E",
      "https://maps.google.com/?q=48.8584,2.2945", "48.8584,2.2945",
    ])
  func position(text: String) throws {
    #expect(try place(text) == Location(try #require(Coordinate(latitude: 48.8584, longitude: 2.2945))))
  }

  @Test("A full Plus Code is its center, also for a zone.")
  func plusCode() throws {
    let code = "8FVC9G8F+6X"
    let coordinate = try place(code).coordinate
    #expect(abs(coordinate.latitude - 47.365_562_5) < 1e-6 && abs(coordinate.longitude - 8.524_937_5) < 1e-6)
    #expect(throws: Never.self) { try PrivateZone.argument("\(code):2km") }
  }

  @Test("An ambiguous coordinate is refused with both readings.", arguments: ["48,51 N 2,17 E", "48.8584 N 2.2945 O"])
  func ambiguous(text: String) {
    let error = #expect(throws: (any Error).self) { try place(text) }
    let sentence = error.map { "\($0)" } ?? ""
    #expect(sentence.contains("is ambiguous") && sentence.split(separator: "\n").count == 3, "\(sentence)")
  }

  @Test(
    "A wrong coordinate is refused with its fault, and no part of it is ignored.",
    arguments: [
      ("121.47,31.23", "latitude comes first"), ("geo:1,2;crs=nad27", "not in WGS 84"),
      ("geo:1,2,200000", "altitude"), ("+48.8584+002.2945+200000/", "altitude"), ("geo:1,2,30?z=15", "number"),
      ("+48.8584+002.2945CRSNAD27/", "unexpected"), ("48,85,2", "two angles"), ("Kyoto", "is not a coordinate"),
    ])
  func refused(text: String, cause: String) {
    let error = #expect(throws: (any Error).self) { try place(text) }
    #expect("\(error.map { "\($0)" } ?? "")".contains(cause), "\(String(describing: error))")
  }
}
