import Testing

@testable import MetaTag

@Suite("Place names of a moved photo")
struct NamesFollowingTests {
  private static func names(_ text: String) -> PlaceNames {
    let fields = text.split(separator: "/", omittingEmptySubsequences: false).map { $0.isEmpty ? nil : String($0) }
    var names = PlaceNames()
    (names.sublocation, names.city, names.country) = (fields[0], fields[1], fields[2])
    return names
  }

  /// Moves a photo from Paris to Sydney, or by some metres.
  private func edit(
    _ old: String?, to new: String, metres: Double = 1_000_000, overwrite: Overwrite = .replace
  ) throws -> MetadataEdit? {
    let paris = try #require(Coordinate(latitude: 48.8584, longitude: 2.2945))
    let target = try #require(Coordinate(latitude: 48.8584 - metres / 111_195, longitude: 2.2945))
    var photo = Metadata()
    photo.locations = [Sourced(Location(paris), .exif, tag: "GPSLatitude")]
    if let old { photo.placeNames = [Sourced(Self.names(old), .xmp, tag: "photoshop:City")] }
    var place = PlacePlanner(Location(target))
    place.overwrite = overwrite
    let planner = NamesFollowing(place) { _, _, _ in Self.names(new) }
    guard case .change(let edit, let because) = planner.propose(for: photo) else { return nil }
    if edit.names != .keep {
      #expect(because.warnings.contains { [.placeNamesReplaced, .placeNamesRemoved].contains($0.code) })
    }
    return edit
  }

  @Test(
    "Names follow the location in the existing fields, or are removed.",
    arguments: [
      ("/Paris/France", "/Sydney/Australia", "/Sydney/Australia"),
      ("/Paris/", "The Rocks/Sydney/Australia", "/Sydney/"),
      ("Passy/Paris/France", "/Sydney/Australia", "/Sydney/Australia"), ("/Paris/France", "//", nil),
      ("/Paris/", "/ /Australia", "/ /"),
    ] as [(String, String, String?)])
  func follow(old: String, new: String, wanted: String?) throws {
    let edit = try #require(try edit(old, to: new))
    #expect(edit.names == (wanted.map { .set(Self.names($0)) } ?? .remove))
  }

  @Test("Names stay if the photo moves less than 100 m, has none, or isn't moved.")
  func stay() throws {
    #expect(try edit("/Paris/France", to: "/Sydney/Australia", metres: 99)?.names == .keep)
    #expect(try edit(nil, to: "/Sydney/Australia")?.names == .keep)
    #expect(try edit("/Paris/France", to: "/Sydney/Australia", overwrite: .keep) == nil)
  }

  @Test("Given names change only their fields, and the country code is removed with the country.")
  func given() {
    var photo = Metadata()
    var names = Self.names("/Passau/Germany")
    names.countryCode = "DE"
    photo.placeNames = [Sourced(names, .xmp, tag: "photoshop:City")]
    func edit(_ changes: [FieldPlanner.PlaceName: Change<String>]) -> Change<PlaceNames> {
      var planner = FieldPlanner()
      planner.names = changes
      guard case .change(let edit, _) = planner.propose(for: photo) else { return .keep }
      return edit.names
    }
    names.city = "Vornbach"
    #expect(edit([.city: .set("Vornbach")]) == .set(names))
    #expect(edit([.city: .set("Vornbach"), .country: .set("Germany"), .countryCode: .remove]) == .set(names))
    #expect(edit([.city: .set("Passau")]) == .keep)
    #expect(edit([.city: .remove, .country: .remove, .countryCode: .remove]) == .remove)
    names.country = "Austria"
    names.countryCode = "AT"
    #expect(edit([.city: .set("Vornbach"), .country: .set("Austria"), .countryCode: .set("AT")]) == .set(names))
  }
}
