import Basics
import Foundation
import TestSupport
import Testing

@testable import GeoIndex

@Suite("User's places with the gazetteer's")
struct JoinedSearchTests {
  let kept: Kept
  let index: Gazetteer

  init() throws {
    kept = try Kept()
    try kept.importText(
      """
      name,lat,lon,country,category,aliases
      Paris,10,20,JP,hut,
      Parish Hall,11,21,,,
      Großer Speicher,48,2,FR,,Granary
      Uji bridge,34.89,135.8,JP,city,
      "48.1,11.5",5,6,,,
      """)
    try kept.places.pin("home", latitude: 31.2, longitude: 121.4, altitude: 4, in: nil)
    index = try kept.gazetteer()
  }

  private func names(_ text: String, isCompleting: Bool = false) throws -> [String] {
    try index.search(text, isCompleting: isCompleting).map { ($0.place.own == nil ? "" : "own ") + $0.name }
  }

  @Test(
    "Pins come first for their name, and imported places are found by the same rules as the gazetteer's.",
    arguments: [
      ("paris", ["Paris", "own Paris", "own Parish Hall"]), ("grosser speicher", ["own Großer Speicher"]),
      ("speicher", ["own Großer Speicher"]), ("grosser speichr", ["own Großer Speicher"]),
      ("rgosser speicher", ["own Großer Speicher"]), ("granary", ["own Großer Speicher"]),
      ("uji", ["Uji", "own Uji bridge"]), ("@home", ["own home"]), (" @HOME", ["own home"]), ("@paris", []),
      ("@", ["own home"]), ("home", ["own home"]),
    ])
  func search(text: String, found: [String]) throws { #expect(try names(text) == found) }

  @Test(
    "The user's places are found with their country, category or source.",
    arguments: ["Paris, JP", "paris jp", "Paris, hut", "paris mine"])
  func context(text: String) throws {
    let first = try #require(try index.search(text).first)
    #expect(first.place.own != nil && first.name == "Paris")
  }

  @Test("A country's names are looked up once, however many places match.")
  func manyNamesakes() throws {
    for number in 0..<50 {
      try kept.places.pin("\(number) hut", latitude: Double(number), longitude: 2, in: nil)
    }
    var asked: [String] = []
    try kept.places.read { db in
      var search = try UserPlaceSearch(db, SearchRequest(text: "hut, nowhere")) { area in
        asked.append(area)
        return []
      }
      _ = try search.run(upTo: 5)
    }
    #expect(!asked.isEmpty && asked.count == Set(asked).count)
  }

  @Test(
    "The user's places are found while their name is typed.",
    arguments: [("spei", "own Großer Speicher"), ("@h", "own home"), ("ky", "Kyoto")])
  func completion(text: String, first: String) throws { #expect(try names(text, isCompleting: true).first == first) }

  @Test(
    "A town, region or country that an import has, too, is the gazetteer's; one that a file has twice is found once.")
  func twice() throws {
    try kept.importText(
      "name,lat,lon,category,importance\nKyoto,35.02,135.75,city,1\nQuorl,1,1,hut,\nQuorl,1,1.0005,hut,\nQuorl,1,1.1,hut,\n",
      as: "osm")
    let index = try kept.gazetteer()
    let kyoto = try index.search("kyoto")
    #expect(kyoto.map(\.place.own) == [nil])
    #expect(try index.search("quorl").map(\.place.longitude) == [1, 1.1])
    // By any of their names.
    try kept.importText("name,lat,lon,category,aliases\nQuorlhütte,1,1.0001,hut,Quorl\n", as: "other")
    #expect(try kept.gazetteer().search("quorl").map(\.place.longitude) == [1, 1.1])
    #expect(try kept.gazetteer().search("quorlhut").map(\.name) == ["Quorlhütte"])
  }

  @Test("Pages don't overlap.")
  func pages() throws {
    let all = try index.search("paris", limit: .max).map(\.id)
    #expect(try (0..<4).flatMap { try index.search("paris", limit: 1, offset: $0).map(\.id) } == all)
  }

  @Test("Kinds and countries limit the user's places too.")
  func filters() throws {
    #expect(try index.search("paris", in: ["JP"]).map(\.place.countryCode) == ["JP"])
    #expect(try index.search("uji bridge", kinds: [.city]).first?.name == "Uji bridge")
    let theirs = try #require(try index.search("paris").first { $0.place.own == nil })
    #expect(try index.search("paris", kinds: [theirs.place.kind]).first?.place == theirs.place)
  }

  @Test("A pin is meant if a name must mean one place, and an own place unless a city has the name.")
  func resolve() throws {
    for (text, latitude) in [
      ("Paris", 48.85341), ("home", 31.2), ("@home", 31.2), ("Kyoto", 35.02107), ("48.1,11.5", 48.1),
      ("Parish Hall", 11),
    ] {
      guard case .one(let place) = try index.resolve(text) else {
        Issue.record("\(text) is not clear")
        continue
      }
      #expect(place.latitude == latitude)
    }
    #expect(try index.resolve("@nowhere") == .none(suggestions: []))
  }

  @Test("The user's places are listed among the nearby ones by distance.")
  func near() throws {
    let near = try index.near(latitude: 34.89, longitude: 135.8, within: 20_000, limit: 5)
    #expect(near.map(\.place.name) == ["Uji bridge", "Uji", "Kyoto"])
    #expect(try index.near(latitude: 34.89, longitude: 135.8, within: 20_000, kinds: [.capital], limit: 5).isEmpty)
    #expect(
      try index.near(latitude: 34.89, longitude: 135.8, within: 20_000, limit: 1).map(\.place.name) == ["Uji bridge"])
  }

  @Test("The user's place names a location only within its radius.")
  func here() throws {
    #expect(try index.ownPlace(latitude: 31.201, longitude: 121.4)?.place.name == "home")
    #expect(try index.ownPlace(latitude: 31.21, longitude: 121.4) == nil)
  }

  @Test("The user's places get country, region and zone from the borders, unless the file names a country.")
  func borders() throws {
    let whole = try WholeGazetteer.index()
    try kept.importText(
      "name,lat,lon,country\nA,35.0116,135.7681,\nB,47.5,11.25,Italien\nC,0,-30,\n", as: "borders", in: whole)
    let places = try kept.all().filter { $0.own?.source == "borders" }
    #expect(places.map(\.countryCode) == ["JP", "IT", ""])
    #expect(places.map(\.country) == ["Japan", "Italy", ""])
    #expect(places.first?.timeZone == "Asia/Tokyo" && places.first?.admin1 != nil)
  }

  @Test(
    "The edit distance counts a swap as one.",
    arguments: [("kyoto", "kyoto", 0), ("kyoto", "koyto", 1), ("abc", "", 3)])
  func distance(a: String, b: String, edits: Int) {
    #expect(EditDistance.between(Array(a.utf8), Array(b.utf8)) == edits)
  }
}
