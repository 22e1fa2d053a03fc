import GeoIndex
import Testing

@Suite("Search for features")
struct FeatureSearchTests {
  let index: Gazetteer

  init() throws { index = try WholeGazetteer.index() }

  @Test("The places of a kind are listed by their town or country alone, if the search is limited to the kind.")
  func wanted() throws {
    let index = try WholeGazetteer.index()
    for (text, kind, name) in [
      ("Berlin", Place.Kind.museum, "Pergamon Museum"), ("Scotland", .lake, "Loch Ness"), ("Louvre", .museum, "Louvre"),
    ] {
      let found = try index.search(text, kinds: [kind])
      #expect(found.first?.name == name && MatchKind(of: found) == .exact, "\(text)")
    }
    #expect(try index.search("xyzzy", kinds: [.museum]).isEmpty)
  }

  @Test(
    "What people photograph is found first.",
    arguments: [
      ("Eiffel Tower", "Eiffel Tower", Place.Kind.tower), ("tour eiffel", "Eiffel Tower", .tower),
      ("Louvre, Paris", "Louvre", .museum), ("Blue Mosque Istanbul", "Blue Mosque", .mosque),
      ("富士山", "Mount Fuji", .volcano), ("Lake Como", "Lake Como", .lake), ("Lake Superior", "Lake Superior", .lake),
      ("K2 mountain", "K2", .peak), ("Schloss Neuschwanstein", "Neuschwanstein Castle", .castle),
      ("bled castle", "Bled Castle", .castle), ("castle edinburgh", "Edinburgh Castle", .castle),
      ("patagonia", "Patagonia", .region), ("Isle of Iona", "Iona", .island), ("Danube", "Danube", .river),
      ("collosseum rome", "Colosseum", .landmark),
    ])
  func first(text: String, name: String, kind: Place.Kind) throws {
    let first = try #require(try index.search(text, limit: 1).first)
    #expect(first.place.name == name && first.place.kind.group == kind.group)
  }

  @Test(
    "The more important of two places comes first.",
    arguments: [
      ("Michigan", "Michigan", "Lake Michigan"), ("Ontario", "Ontario", "Lake Ontario"),
      ("Mississippi", "Mississippi", "Mississippi River"), ("Como", "Como", "Lake Como"),
      ("Saint George", "Saint George", "Freetown"), ("Victoria", "Victoria", "Lake Victoria"),
      ("Acropolis", "Acropolis of Athens", "Little Rock"), ("Prado", "Prado Museum", "Prado"),
      ("Rialto", "Rialto", "Rialto Bridge"), ("Paris", "Paris", "Paris Opera"), ("Prague", "Prague", "Prague Castle"),
      ("Prince Edward Island", "Prince Edward Island", "Lamma Island"),
    ])
  func pairs(text: String, first: String, second: String) throws {
    let names = try index.search(text, limit: 20).map(\.place.name)
    let position = try #require(names.firstIndex(of: first))
    #expect(names.firstIndex(of: second).map { position < $0 } ?? true)
  }

  @Test(
    "A name before a comma is searched in the area after it, and is not that area.",
    arguments: [
      ("Tunis, Tunisia", "Tunis"), ("Brasilia, Brazil", "Brasília"), ("Vatican City, Vatican", "Vatican City"),
      ("Singapore, Singapore", "Singapore"),
    ])
  func commas(text: String, name: String) throws {
    let first = try #require(try index.search(text, limit: 1).first)
    #expect(first.place.name == name && first.place.kind == .capital)
  }

  @Test("A kind with a town or country lists what is there.")
  func categories() throws {
    for text in ["museum Berlin", "museums in Berlin", "Museen Berlin"] {
      let found = try index.search(text, limit: 5)
      #expect(
        found.count == 5 && found.allSatisfy { $0.place.kind == .museum && $0.place.admin1 == "Berlin" }, "\(text)")
    }
    let castles = try index.search("castles Scotland", limit: 10)
    #expect(castles.allSatisfy { $0.place.kind == .castle && $0.place.admin1 == "Scotland" })
    let beaches = try index.search("beach near Barcelona", limit: 3)
    #expect(beaches.first?.place.kind == .beach)
    let near = try index.search("museum", near: (48.8606, 2.3376), limit: 3)
    #expect(near.first?.place.name == "Louvre" && near.allSatisfy { $0.place.kind == .museum })
    // Church is also a town.
    #expect(try index.search("church", near: (48.8606, 2.3376), limit: 3).allSatisfy { $0.place.kind == .church })
  }

  @Test(
    "Words between a kind and its town are no names.",
    arguments: [
      ("museos de Barcelona", Place.Kind.museum, "ES"), ("musei di Roma", .museum, "IT"),
      ("museums of Paris", .museum, "FR"), ("東京の美術館", .museum, "JP"), ("京都の寺", .temple, "JP"),
    ])
  func joints(text: String, kind: Place.Kind, country: String) throws {
    let first = try #require(try index.search(text, limit: 1).first)
    #expect(first.place.kind == kind && (first.place.countryCode == country || first.name == "Vatican Museums"))
  }

  @Test(
    "A short word after a kind doesn't mean a country.",
    arguments: ["castle near me", "lac an", "museum or", "mont bl"])
  func shortWords(text: String) throws {
    #expect(MatchKind(of: try index.search(text)) == .similar)
  }

  @Test(
    "A feature lies in the region within whose borders it is.",
    arguments: [("Old Faithful", "Wyoming"), ("Pentagon", "Virginia"), ("Takakkaw Falls", "British Columbia")])
  func regionsOfFeatures(text: String, region: String) throws {
    #expect(try index.search(text, limit: 1).map(\.place.admin1) == [region])
  }

  @Test("A search is limited to a circle or a box.")
  func regions() throws {
    let circle = SearchRegion.circle(center: .init(latitude: 48.86, longitude: 2.34), radius: 20_000)
    #expect(try index.search("cathedral", within: circle, limit: 1).first?.place.countryCode == "FR")
    let box = SearchRegion.box(south: 30, west: -100, north: 36, east: -90)
    #expect(try index.search("Paris", within: box, limit: 1).first?.place.admin1 == "Texas")
    // Across the 180th meridian.
    let pacific = SearchRegion.box(south: -20, west: 175, north: -12, east: -175)
    #expect(try index.search("Suva", within: pacific, limit: 1).first?.place.countryCode == "FJ")
  }

  @Test("Places near a position are found by kind, and areas by their extent.")
  func near() throws {
    let museums = try index.near(latitude: 48.8606, longitude: 2.3376, within: 2_000, kinds: [.museum], limit: 3)
    #expect(museums.first?.place.name == "Louvre" && museums.allSatisfy { $0.place.kind == .museum })
    let lakes = try index.near(latitude: 47.6, longitude: -87.6, within: 1_000, kinds: [.lake], limit: 1)
    #expect(lakes.first?.place.name == "Lake Superior" && lakes.first?.distance == 0)
    let areas = try index.areasOfInterest(latitude: 47.6, longitude: -87.6)
    #expect(areas.contains { $0.name == "Lake Superior" })
    #expect(try index.areasOfInterest(latitude: 0, longitude: -30).isEmpty)
  }

  @Test("English words for kinds are known, singular and plural.")
  func words() {
    for kind in Place.Kind.allCases { #expect(Place.Kind(word: kind.rawValue) == kind) }
    let plurals = [
      ("museums", Place.Kind.museum), ("churches", .church), ("cities", .city), ("universities", .university),
      ("Theme Parks", .themePark), ("passes", .pass), ("beaches", .beach),
    ]
    for (word, kind) in plurals { #expect(Place.Kind(word: word) == kind) }
    #expect(Place.Kind(word: "nonsense") == nil)
    #expect(Set(Place.Group.allCases.flatMap(\.kinds)) == Set(Place.Kind.allCases))
  }
}
