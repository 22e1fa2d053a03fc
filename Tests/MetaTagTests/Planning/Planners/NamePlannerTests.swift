import Testing

@testable import MetaTag

@Suite("Planning of place names")
struct NamePlannerTests {
  static let names = PlaceNames(city: "Kyoto", state: "Kyoto", country: "Japan", code: "JP")
  static let own = PlaceNames(city: "Grandma's", state: nil, country: nil, code: nil)

  static func planner(_ names: PlaceNames = names, _ overwrite: Overwrite = .keep) -> NamePlanner {
    var planner = NamePlanner { _ in NamedPlace(names, basis: "") }
    planner.overwrite = overwrite
    return planner
  }

  static func photo(at latitude: Double?, named names: PlaceNames?) throws -> Metadata {
    var metadata = Metadata()
    if let latitude { metadata.locations = [Sourced(Location(try .at(latitude, 5)), .exif, tag: "GPSLatitude")] }
    if let names { metadata.placeNames = [Sourced(names, .xmp, tag: "photoshop:City")] }
    return metadata
  }

  /// The proposed city, and whether a location is proposed; or the reason for nothing.
  func outcome(_ planner: some Planner, _ metadata: Metadata) -> String {
    switch planner.propose(for: metadata) {
    case .change(let edit, _):
      let names = edit.wantedNames.map { $0.city ?? "no names" } ?? "names kept"
      return edit.location == .keep ? names : "moved, \(names)"
    case .unchanged(let reason): return reason.code.rawValue
    case .skip(let reason): return reason.code.rawValue
    }
  }

  @Test(
    "A location gets its names, once.",
    arguments: [
      (1.0, nil, Overwrite.keep, "Kyoto"), (1.0, names, .keep, "hasNames"),
      (1.0, own, .keep, "hasOtherNames"),
      (1.0, PlaceNames(city: nil, state: nil, country: nil, code: "JPN"), .keep, "hasNames"),
      (
        1.0, PlaceNames(city: "Kyoto", state: nil, country: nil, code: "DEU"), .keep,
        "hasOtherNames"
      ),
      (1.0, own, .replace, "Kyoto"), (nil, nil, .keep, "noLocation"),
    ] as [(Double?, PlaceNames?, Overwrite, String)])
  func naming(latitude: Double?, names: PlaceNames?, overwrite: Overwrite, wanted: String) throws {
    #expect(outcome(Self.planner(Self.names, overwrite), try Self.photo(at: latitude, named: names)) == wanted)
  }

  static let japan = PlaceNames(city: nil, state: nil, country: "Japan", code: "JP")
  static let lyon = PlaceNames(city: "Lyon", state: nil, country: nil, code: nil)

  @Test(
    "Names of an area go only to photos without a location, and other names are kept by default.",
    arguments: [
      (nil, nil, Overwrite.keep, "no names"), (1.0, nil, .keep, "hasLocation"),
      (1.0, nil, .replace, "hasLocation"), (1.0, lyon, .replace, "hasLocation"),
      (nil, lyon, .keep, "keepsNames"), (nil, names, .keep, "asWanted"),
      (nil, japan, .keep, "asWanted"), (nil, lyon, .replace, "no names"),
    ] as [(Double?, PlaceNames?, Overwrite, String)])
  func area(latitude: Double?, names: PlaceNames?, overwrite: Overwrite, wanted: String) throws {
    var planner = GivenNamesPlanner(NamedPlace(Self.japan, basis: ""))
    planner.overwrite = overwrite
    planner.keepsLocated = true
    #expect(outcome(planner, try Self.photo(at: latitude, named: names)) == wanted)
  }

  @Test("The location's error is used to find the names.")
  func error() throws {
    var photo = try Self.photo(at: 1, named: nil)
    photo.locations[0].value.horizontalError = 2_029_000
    let planner = NamePlanner { NamedPlace($0.horizontalError == 2_029_000 ? Self.japan : Self.names, basis: "") }
    #expect(outcome(planner, photo) == "no names")
  }

  @Test("0, 0 without a fix gets no names, and is replaced by a place.")
  func withoutFix() throws {
    var photo = Metadata()
    photo.locations = [Sourced(Location(try .at(0, 0)), .exif, tag: "GPSLatitude")]
    let wanted = "noFix"
    #expect(outcome(Self.planner(), photo) == wanted)
    let place = PlacePlanner(Location(try .at(2, 5)))
    #expect(outcome(PlaceAndNamePlanner(place, naming: Self.planner()), photo) == "moved, Kyoto")
  }

  @Test("Where no place is known, no name is written.")
  func unknown() throws {
    #expect(
      outcome(Self.planner(PlaceNames()), try Self.photo(at: 1, named: nil)) == "unknownPlace")
  }

  @Test(
    "New names come with the location, old ones are removed with theirs, and the owner's stay.",
    arguments: [
      (nil, nil, names, Overwrite.keep, "moved, Kyoto"), (nil, own, names, .keep, "moved, names kept"),
      (nil, own, names, .replace, "moved, Kyoto"),
      (1.0, own, names, .keep, "hasLocation"),
      (1.0, nil, names, .keep, "Kyoto"), (1.0, nil, PlaceNames(), .keep, "unknownPlace"),
      (1.0, own, names, .replace, "moved, Kyoto"), (1.0, own, PlaceNames(), .replace, "moved, no names"),
      (nil, own, PlaceNames(), .replace, "moved, names kept"), (2.0, own, names, .replace, "moved, Kyoto"),
    ] as [(Double?, PlaceNames?, PlaceNames, Overwrite, String)])
  func together(
    latitude: Double?, own: PlaceNames?, found: PlaceNames, overwrite: Overwrite, wanted: String
  ) throws {
    var place = PlacePlanner(Location(try .at(2, 5)))
    place.overwrite = overwrite
    let planner = PlaceAndNamePlanner(place, naming: Self.planner(found, overwrite))
    #expect(outcome(planner, try Self.photo(at: latitude, named: own)) == wanted)
  }

  @Test("Names that stay behind are reported.", arguments: [(1.0, true), (2.0001, false)])
  func stale(latitude: Double, isReported: Bool) throws {
    let edit = MetadataEdit.place(Location(try .at(2, 5)))
    #expect(edit.staleNames(of: try Self.photo(at: latitude, named: Self.own)).isEmpty != isReported)
  }
}
