import Basics
import Foundation
import TestSupport
import Testing

@testable import GeoIndex

@Suite("Lines and areas as places")
struct ShapeTests {
  let kept: Kept

  init() throws { kept = try Kept() }

  private static func feature(_ properties: String, _ geometry: String) -> String {
    #"{"type":"Feature","properties":{\#(properties)},"geometry":\#(geometry)}"#
  }

  private static let square = #"{"type":"Polygon","coordinates":[[[10,50],[10.2,50],[10.2,50.1],[10,50.1],[10,50]]]}"#

  @Test("The centre of an area is its centroid, and its radius is that of a circle of its size.")
  func areas() throws {
    try kept.importText(Self.feature(#""name":"A","category":"park""#, Self.square))
    let place = try #require(try kept.all().first)
    #expect(abs(place.latitude - 50.05) < 1e-3 && abs(place.longitude - 10.1) < 1e-9 && place.kind == .park)
    // 14.28 by 11.12 km.
    #expect(abs((place.own?.radius ?? 0) - 7_110) < 20)
  }

  @Test("The centre of a line is its middle, and it has no radius.")
  func lines() throws {
    try kept.importText(
      Self.feature(#""name":"A""#, #"{"type":"LineString","coordinates":[[0,0],[1,0],[1,0],[4,0]]}"#))
    let place = try #require(try kept.all().first)
    #expect(abs(place.longitude - 2) < 1e-6 && place.own?.radius == 250)
  }

  @Test("Areas across the antimeridian, of any size and of no size, have a centre.")
  func extremes() {
    func extent(_ points: [(Double, Double)]) -> Extent {
      var extent = Extent()
      extent.addRing(points.map { Coordinate(clampingLatitude: $0.0, longitude: $0.1) })
      return extent
    }
    let fiji = extent([(-17, 179), (-17, -179), (-18, -179), (-18, 179)])
    #expect(abs(abs(fiji.center?.longitude ?? 0) - 180) < 1e-9 && abs((fiji.radius ?? 0) - 86_700) < 1_000)
    let flat = extent([(1, 1), (1, 1), (1, 1), (1, 1)])
    #expect(flat.center == Coordinate(latitude: 1, longitude: 1) && flat.radius == nil)
    let world = extent([(-90, -180), (-90, 180), (90, 180), (90, -180)])
    #expect(world.center != nil && world.radius.map { $0 > 0 && $0 < 2.1e7 } ?? true)
    #expect(Extent().center == nil && Extent().radius == nil)
    // A narrow area isn't a circle: its diagonal limits the radius.
    let narrow = extent([(0, 0), (0, 1), (0.000_01, 1), (0.000_01, 0)])
    #expect((narrow.radius ?? 0) < 56_000)
  }

  @Test("The larger of several areas counts more, and holes don't count.")
  func several() throws {
    let geometry =
      #"{"type":"MultiPolygon","coordinates":[[[[0,0],[3,0],[3,1],[0,1],[0,0]],[[0,0],[1,0],[1,1],[0,1],[0,0]]],"#
      + #"[[[10,0],[11,0],[11,1],[10,1],[10,0]]]]}"#
    try kept.importText(Self.feature(#""name":"A""#, geometry))
    #expect(abs((try kept.all().first?.longitude ?? 0) - (1.5 * 3 + 10.5) / 4) < 1e-6)
  }

  @Test("An area without a name is counted, and one with an invalid position is bad.")
  func unusable() throws {
    let far = Self.square.replacing("50.1", with: "95")
    let report = try kept.importText(
      #"{"features":[\#(Self.feature("", Self.square)),\#(Self.feature(#""name":"A""#, far)),"#
        + #"\#(Self.feature(#""name":"B""#, #"{"type":"Polygon","coordinates":[]}"#))]}"#, skipsBadEntries: true)
    #expect(
      report.shapes == 2 && report.flaws == ["feature 2: its coordinates are not lists of valid [longitude, latitude]"])
  }

  @Test("Tags of OpenStreetMap are read as such.")
  func osmTags() throws {
    try kept.importText(
      Self.feature(
        #""name":"Mont Rouch","name:ca":"Mont-roig","natural":"peak","ele":"2864,4","country":"AD","radius":900"#,
        #"{"type":"Point","coordinates":[1,42]}"#))
    let place = try #require(try kept.all().first)
    #expect(place.kind == .peak && place.own?.altitude == 2_864.4 && place.name == "Mont Rouch")
    #expect(place.countryCode == "AD" && place.own?.radius == 900)
  }

  @Test("Polygons and lines of KML are places, also in KMZ.", arguments: [false, true])
  func kml(isZipped: Bool) throws {
    let ring =
      "<LinearRing><coordinates>\n10,50,0 10.2,50,0 10.2,50.1,0\t10,50.1,0 10,50,0\n</coordinates></LinearRing>"
    let hole = "<innerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates></LinearRing></innerBoundaryIs>"
    let text =
      "<kml><Document><Folder><name>Parks</name><Placemark><name>A</name><Polygon><outerBoundaryIs>\(ring)</outerBoundaryIs>"
      + "\(hole)</Polygon></Placemark></Folder><Placemark><name>B</name><LineString><coordinates>0,0 1,0 4,0"
      + "</coordinates></LineString></Placemark><Placemark><name>C</name><MultiGeometry><Point><coordinates>10.1,50"
      + "</coordinates></Point><Polygon><outerBoundaryIs>\(ring)</outerBoundaryIs></Polygon></MultiGeometry></Placemark>"
      + "<Placemark><LineString><coordinates>0,0 1,0</coordinates></LineString></Placemark></Document></kml>"
    let bytes = Array(text.utf8)
    let report = try kept.importBytes(
      isZipped ? try ZipSample.archive([("images/a.png", [1]), ("doc.kml", bytes), ("b.kml", [60])]) : bytes)
    #expect(report.format == "KML" && report.imported == 3 && report.shapes == 1)
    let places = try kept.all()
    #expect(abs(places[0].latitude - 50.05) < 1e-3 && places[0].own?.category == "Parks")
    #expect(abs((places[0].own?.radius ?? 0) - 7_110) < 20 && abs(places[1].longitude - 2) < 1e-6)
    #expect(places[2].latitude == 50 && abs((places[2].own?.radius ?? 0) - 7_110) < 20)
  }
}

@Suite("Places of Overture Maps")
struct OvertureTests {
  private func draft(_ properties: String, _ geometry: String = #"{"type":"Point","coordinates":[1,42]}"#) throws
    -> PlaceDraft
  {
    let kept = try Kept()
    let text = #"{"type":"Feature","id":"08f","properties":{\#(properties)},"geometry":\#(geometry)}"#
    let file = try PlaceFile(kept.scratch.write(Array(text.utf8), as: "a").path)
    var found: [PlaceDraft] = []
    try GeoJSONPlaces().read(file) { if case .place(let draft, _) = $0 { found.append(draft) } }
    return try #require(found.first)
  }

  @Test("Names, categories and confidence of places are read.")
  func places() throws {
    let names =
      #""names":{"primary":"Louvre","common":{"de":"Louvre","ja":"ルーヴル"},"rules":[{"variant":"alternate","language":null,"value":"Musée"}]}"#
    let draft = try draft(
      names + #","categories":{"primary":"art_museum","alternate":["landmark"]},"confidence":0.97,"#
        + #""addresses":[{"country":"FR"}]"#)
    #expect(draft[.name] == "Louvre" && draft.kind == .museum && draft[.country] == "FR" && draft[.id] == "08f")
    #expect(
      draft.names == [
        .init(text: "Louvre", language: "de"), .init(text: "ルーヴル", language: "ja"), .init(text: "Musée", language: nil),
      ])
    let unsure = try self.draft(names + #","categories":{"primary":"art_museum"},"confidence":0.1"#)
    #expect(draft.importance ?? 0 > unsure.importance ?? 1 && draft.terms == .overture)
  }

  @Test(
    "Divisions and base features have kinds.",
    arguments: [
      (#""subtype":"locality","class":"city","population":90000"#, Place.Kind.city),
      (#""subtype":"country""#, .country), (#""subtype":"region""#, .admin1), (#""subtype":"county""#, .admin2),
      (#""subtype":"neighborhood""#, .quarter), (#""subtype":"physical","class":"peak","elevation":2500"#, .peak),
      (#""subtype":"lake","class":"lake""#, .lake), (#""subtype":"bridge","class":"viaduct""#, .bridge),
    ])
  func classes(properties: String, kind: Place.Kind) throws {
    #expect(try draft(#""names":{"primary":"A","common":[["de","B"]]},"# + properties).kind == kind)
    #expect(try draft(#""names":{"primary":"A","common":[["de","B"]]},"# + properties).names.first?.language == "de")
  }
}
