import GeoIndex
import Testing

@Suite("Search")
struct SearchTests {
  let index: GeoIndex

  init() throws { index = try WholeGazetteer.index() }

  @Test(
    "finds a place first by what people type",
    arguments: [
      ("上海", 1_796_236), ("Sao Paulo", 3_448_439), ("São Paulo", 3_448_439), ("muenchen", 2_867_714),
      ("München", 2_867_714), ("munchen", 2_867_714), ("MUNICH", 2_867_714), ("Shibuya", 11_808_021),
      ("shibuya", 11_808_021),
      ("渋谷", 11_808_021), ("渋谷区", 11_808_021), ("kyoto", 1_857_910), ("京都", 1_857_910), ("キョウト", 1_857_910),
      ("きょうと", 1_857_910), ("Москва", 524_901), ("القاهرة", 360_630), ("서울", 1_835_848), ("Αθήνα", 264_371),
      ("newyork", 5_128_581), ("new york", 5_128_581), ("NYC", 5_128_581), ("Philadelphia", 4_560_349),
      ("Paris", 2_988_507), ("Paris, Texas", 4_717_560), ("paris tx", 4_717_560), ("Paris, US", 4_717_560),
      ("Vancouver, BC", 6_173_331), ("London, UK", 2_643_743), ("Kyoto, Japan", 1_857_910), ("Kyoto, JPN", 1_857_910),
      ("Springfield, IL, USA", 4_250_542), ("Washington, D.C.", 4_140_963), ("Prague, Czech Republic", 3_067_696),
    ])
  func first(text: String, id: Int64) throws {
    #expect(try index.search(text, limit: 1).map(\.id) == [id])
  }

  @Test("finds a place while it is typed", arguments: ["kyot", "Kyoto-s", "京都", "Москв", "san fran", "reykj"])
  func prefixes(text: String) throws {
    let places = try index.search(text, limit: 5)
    #expect(places.contains { ["Kyoto", "Moscow", "San Francisco", "Reykjavík"].contains($0.name) })
  }

  @Test("says by which name it found a place")
  func matchedName() throws {
    #expect(try index.search("köln", limit: 1).map(\.matchedName) == ["Köln"])
    #expect(try index.search("munchen", limit: 1).map(\.matchedName) == ["München"])
    #expect(try index.search("京都", limit: 1).map(\.matchedName) == ["京都"])
  }

  @Test("knows what a place is")
  func facts() throws {
    let tokyo = try #require(try index.search("Tokyo", limit: 1).first)
    #expect(tokyo.kind == .capital)
    #expect((tokyo.countryCode, tokyo.country, tokyo.admin1) == ("JP", "Japan", "Tokyo"))
    #expect((tokyo.latitude, tokyo.longitude) == (35.6895, 139.69171))
    #expect(tokyo.timeZone == "Asia/Tokyo")
    #expect(tokyo.population > 8_000_000)
  }

  @Test("of many with one name, the larger come first, and pages don't overlap")
  func pages() throws {
    let all = try index.search("Springfield", limit: .max)
    #expect(all.count >= 30)
    let named = all.prefix { $0.name == "Springfield" }
    #expect(named.map(\.population) == named.map(\.population).sorted(by: >))
    #expect(Set(all.map(\.id)).count == all.count)
    let pages = try stride(from: 0, to: all.count, by: 7).flatMap {
      try index.search("Springfield", limit: 7, offset: $0)
    }
    #expect(pages == all)
    #expect(try index.search("Springfield", limit: 7, offset: all.count).isEmpty)
  }

  @Test("the same question has the same answer", arguments: ["san", "s", "Victoria", "東"])
  func repeated(text: String) throws {
    #expect(try index.search(text, limit: 50) == index.search(text, limit: 50))
  }

  @Test("keeps to a country")
  func country() throws {
    let places = try index.search("Paris", limit: 20, countryCode: "us")
    #expect(places.first?.id == 4_717_560)
    #expect(places.allSatisfy { $0.countryCode == "US" })
  }

  @Test(
    "finds nothing where there is nothing",
    arguments: ["", "   ", "...", "🗻", "qqqqxyz", "Kyoto, Atlantis", "%", "' OR 1=1 --", "\u{0}"])
  func nothing(text: String) throws {
    #expect(try index.search(text, limit: 10).isEmpty)
  }

  @Test("refuses a page that can't be", arguments: [(0, 0), (-1, 0), (5, -1)])
  func badPages(limit: Int, offset: Int) throws {
    #expect(try index.search("Paris", limit: limit, offset: offset).isEmpty)
  }
}
