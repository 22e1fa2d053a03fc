import Testing

@testable import MetaTag

@Suite("Clearing locations")
struct ClearPlannerTests {
  private func metadata(_ places: [(Double, Double)]) throws -> Metadata {
    var metadata = Metadata()
    for (latitude, longitude) in places {
      metadata.locations.append(Sourced(Location(try .at(latitude, longitude)), .exif, tag: "GPSLatitude"))
    }
    return metadata
  }

  @Test(
    "A photo is cleared if any copy of its location lies in a zone.",
    arguments: [
      ([(48.0, 16.0)], true), ([(48.004, 16.0)], true), ([(48.01, 16.0)], false), ([(10, 10), (48, 16)], true),
      ([(0, 179.999)], true),
    ] as [([(Double, Double)], Bool)])
  func zones(places: [(Double, Double)], isCleared: Bool) throws {
    var planner = ClearPlanner()
    planner.zones = [
      try #require(ClearPlanner.Zone(around: try .at(48, 16), radius: 500)),
      try #require(ClearPlanner.Zone(around: try .at(0, -179.999), radius: 1_000)),
    ]
    var edit = MetadataEdit()
    edit.location = .remove
    let proposal = planner.propose(for: try metadata(places))
    #expect(proposal == (isCleared ? .change(edit, because: .cleared) : .unchanged(.outsideZones)))
  }

  @Test("An additional location is enough to clear a photo, and an unreadable one skips it.")
  func additionalPlaces() throws {
    var planner = ClearPlanner()
    planner.zones = [try #require(ClearPlanner.Zone(around: try .at(48, 16), radius: 500))]
    var edit = MetadataEdit()
    edit.location = .remove
    for places in [[(10.0, 10.0)], []] {
      var photo = try metadata(places)
      photo.additionalPlaces = [Sourced(try .at(48, 16), .xmp, tag: "exif:GPSDestLatitude")]
      #expect(planner.propose(for: photo) == .change(edit, because: .cleared))
      photo.additionalPlaces = [Sourced(try .at(10, 10), .xmp, tag: "exif:GPSDestLatitude")]
      #expect(planner.propose(for: photo) == .unchanged(.outsideZones))
      photo.unreadPlaces = [Sourced("why", .exif, tag: "GPSLatitude")]
      #expect(planner.propose(for: photo) == .skip(.unreadPlace("why")))
    }
    planner.zones = []
    planner.coarseness = Coarseness(metres: 1_000)
    var photo = Metadata()
    photo.additionalPlaces = [Sourced(try .at(48, 16), .xmp, tag: "exif:GPSDestLatitude")]
    #expect(planner.propose(for: photo) == .change(edit, because: .cleared))
    photo.additionalPlaces = []
    photo.unreadPlaces = [Sourced("why", .exif, tag: "GPSLatitude")]
    #expect(planner.propose(for: photo) == .skip(.unreadPlace("why")))
  }

  @Test("0, 0 without a fix is not coarsened; an additional real location is.")
  func withoutFix() throws {
    var planner = ClearPlanner()
    planner.coarseness = Coarseness(metres: 10_000)
    var photo = try metadata([(0, 0)])
    #expect(photo.isWithoutFix && planner.propose(for: photo) == .skip(.noFix))
    photo.additionalPlaces = [Sourced(try .at(48, 16), .xmp, tag: "exif:GPSDestLatitude")]
    #expect(planner.propose(for: photo) == .change(.removingPlace, because: .cleared))
    photo = try metadata([(0, 0), (48, 16)])
    #expect(photo.location?.coordinate.latitude == 48)
    guard case .change(let edit, _) = planner.propose(for: photo) else { throw Reason.noLocation }
    #expect((edit.location.value?.coordinate.latitude.rounded()) == 48)
  }

  @Test("A photo without coordinates is skipped or unchanged, with the reason.")
  func unknown() throws {
    var planner = ClearPlanner()
    planner.zones = [try #require(ClearPlanner.Zone(around: try .at(48, 16), radius: 500))]
    #expect(planner.propose(for: Metadata()) == .unchanged(.nothingToClear))
    var named = Metadata()
    var names = PlaceNames()
    names.city = "Bath"
    named.placeNames = [Sourced(names, .xmp, tag: "photoshop:City")]
    #expect(planner.propose(for: named) == .skip(.namesOnly))
    planner.zones = []
    planner.coarseness = Coarseness(metres: 1_000)
    #expect(planner.propose(for: Metadata()) == .unchanged(.nothingToClear))
  }
}
