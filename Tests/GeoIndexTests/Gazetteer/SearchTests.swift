import GeoIndex
import Testing

@Suite("Search")
struct SearchTests {
  let index: Gazetteer

  init() throws { index = try WholeGazetteer.index() }

  @Test(
    "The usual names find the place first.",
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

  @Test(
    "A village with only a name is found, or the airfield next to it.",
    arguments: [
      ("Mossbank", 60.46, -1.18), ("Los Baldíos", 28.48, -16.32), ("Eiðar", 65.37, -14.35),
      ("Saint Athan", 51.4, -3.44),
      ("Lager Lechfeld", 48.19, 10.86), ("El Matorral", 28.45, -13.86), ("Katterbach", 49.32, 10.63),
    ])
  func village(text: String, latitude: Double, longitude: Double) throws {
    let place = try #require(try index.search(text, limit: 1).first?.place)
    #expect(abs(place.latitude - latitude) < 0.02 && abs(place.longitude - longitude) < 0.02)
    // It isn't used as a photo's city.
    let there = try index.reverse(latitude: place.latitude, longitude: place.longitude)
    #expect(there.locality?.name != place.name && there.city?.name != place.name)
  }

  @Test("A place is found while it is typed.", arguments: ["kyot", "Kyoto-s", "京都", "Москв", "san fran", "reykj"])
  func prefixes(text: String) throws {
    let places = try index.search(text, limit: 5)
    #expect(places.contains { ["Kyoto", "Moscow", "San Francisco", "Reykjavík"].contains($0.name) })
  }

  @Test(
    "The beginning of a well-known name comes before a place in a region of the last word.",
    arguments: [
      ("rio de", 3_451_190), ("springfield il", 4_250_542), ("paris tex", 4_717_560), ("vancouver wa", 5_814_616),
      ("Las Ve", 5_506_956), ("las veg", 5_506_956),
    ])
  func beginnings(text: String, id: Int64) throws {
    #expect(try index.search(text, isCompleting: true, limit: 1).map(\.id) == [id])
  }

  @Test("A country's overseas territories come after the country.")
  func overseas() throws {
    let found = try index.search("San Juan, USA", limit: 5).map(\.place)
    #expect(Set(found.map(\.countryCode)) == ["PR", "US"])
    #expect(try index.search("Hamilton, UK", limit: 1).map(\.place.countryCode) == ["GB"])
    #expect(try index.search("Nuuk, Denmark", limit: 1).map(\.place.countryCode) == ["GL"])
    #expect(try index.search("San Juan", in: ["US"], limit: 20).allSatisfy { $0.place.countryCode == "US" })
  }

  @Test("Initials in capitals find a city among the first.")
  func initials() throws {
    #expect(try index.search("LA", limit: 3).contains { $0.name == "Los Angeles" })
  }

  @Test("A result has the name by which it was found.")
  func matchedName() throws {
    #expect(try index.search("köln", limit: 1).map(\.place.matchedName) == ["Köln"])
    #expect(try index.search("munchen", limit: 1).map(\.place.matchedName) == ["München"])
    #expect(try index.search("京都", limit: 1).map(\.place.matchedName) == ["京都"])
  }

  @Test("A result has the place's kind, areas, location, zone and population.")
  func facts() throws {
    let tokyo = try #require(try index.search("Tokyo", limit: 1).first?.place)
    #expect(tokyo.kind == .capital)
    #expect((tokyo.countryCode, tokyo.country, tokyo.admin1) == ("JP", "Japan", "Tokyo"))
    #expect((tokyo.latitude, tokyo.longitude) == (35.6895, 139.69171))
    #expect(tokyo.timeZone == "Asia/Tokyo")
    #expect(tokyo.population > 8_000_000)
  }

  @Test("Of many places with one name the larger come first, and pages don't overlap.")
  func pages() throws {
    let all = try index.search("Springfield", limit: .max)
    #expect(all.count >= 30)
    #expect(all.map(\.score.total) == all.map(\.score.total).sorted(by: >))
    #expect(all.prefix(5).allSatisfy { $0.name == "Springfield" && $0.place.population > 50_000 })
    #expect(Set(all.map(\.id)).count == all.count)
    let pages = try stride(from: 0, to: all.count, by: 7).flatMap {
      try index.search("Springfield", limit: 7, offset: $0)
    }
    #expect(pages == all)
    #expect(try index.search("Springfield", limit: 7, offset: all.count).isEmpty)
  }

  @Test("The same query has the same answer.", arguments: ["san", "s", "Victoria", "東"])
  func repeated(text: String) throws {
    #expect(try index.search(text, limit: 50) == index.search(text, limit: 50))
  }

  @Test("A search may be limited to a country.")
  func country() throws {
    let places = try index.search("Paris", in: ["us"], limit: 20).map(\.place)
    #expect(places.first?.id == 4_717_560)
    #expect(places.allSatisfy { $0.countryCode == "US" })
  }

  @Test(
    "One typing error is allowed from four letters on, two from seven.",
    arguments: [
      ("Kyotp", "Kyoto"), ("Kytoo", "Kyoto"), ("Afganistan", "Afghanistan"), ("phillipines", "Philippines"),
      ("Massachussets", "Massachusetts"), ("Reykjawick", "Reykjavík"), ("San Fransisco", "San Francisco"),
      ("Cincinatti", "Cincinnati"), ("Pariss, Texas", "Paris"),
    ])
  func typos(text: String, name: String) throws {
    #expect(try index.search(text, limit: 1).map(\.name) == [name])
  }

  @Test(
    "Names that the gazetteer writes in other scripts are found.",
    arguments: [
      ("Кёльн", 2_886_242), ("გრინსბორო", 4_469_146), ("臺北", 1_668_341),
      ("ניו יורק", 5_128_581), ("Mirnyy", 2_019_951),
    ])
  func otherScripts(text: String, id: Int64) throws {
    #expect(try index.search(text, limit: 5).contains { $0.id == id })
  }

  @Test(
    "Places known in more languages, and exact spellings, come first.",
    arguments: [
      ("Pasadena", "California"), ("Toledo", "Ohio"), ("Waterford", "Munster"), ("Cádiz", "Andalusia"),
      ("Kalmar", "Kalmar"),
    ])
  func prominence(text: String, region: String) throws {
    let place = try #require(try index.search(text, limit: 1).first?.place)
    #expect(place.kind == .city)
    #expect(place.admin1 == region)
  }

  @Test(
    "Well-known regions come before towns of their name, and native names before foreign ones.",
    arguments: [
      ("Ontario", "CA", Place.Kind.admin1), ("Montana", "US", .admin1), ("Montnana", "US", .admin1),
      ("Augusta", "US", .city), ("Barcelona", "ES", .city), ("Victoria", "HK", .capital),
    ])
  func meant(text: String, country: String, kind: Place.Kind) throws {
    let first = try #require(try index.search(text, limit: 1).first?.place)
    #expect((first.countryCode, first.kind) == (country, kind))
  }

  @Test("A town is found by a name that only a smaller one is known to have in its script.")
  func unwritten() throws {
    let found = try index.search("Абердін", limit: 3).map(\.place)
    #expect(found.contains { $0.name == "Aberdeen" && $0.countryCode == "GB" })
  }

  @Test("Merged towns are found, and airfields by the village next to them.")
  func lost() throws {
    let town = try #require(try index.search("North York", limit: 1).first?.place)
    #expect((town.countryCode, town.admin1, town.timeZone) == ("CA", "Ontario", "America/Toronto"))
    #expect(try index.search("Noain", limit: 5).contains { $0.place.kind == .airport && $0.place.countryCode == "ES" })
  }

  @Test("The smallest capital is among the first of its name.", arguments: [("Hamilton", "BM"), ("Kingston", "NF")])
  func capitals(text: String, country: String) throws {
    let found = try index.search(text, limit: 5).map(\.place)
    #expect(found.contains { $0.countryCode == country && $0.kind == .capital })
  }

  @Test(
    "A country has the location of its capital.", arguments: [("Guatemala", 14.64, -90.51), ("Japan", 35.69, 139.69)])
  func countries(text: String, latitude: Double, longitude: Double) throws {
    let place = try #require(try index.search(text, kinds: [.country], limit: 1).first?.place)
    #expect(abs(place.latitude - latitude) < 0.05 && abs(place.longitude - longitude) < 0.05)
  }

  @Test(
    "Names in scripts without vowels or with silent ones are found by their sound.",
    arguments: [
      ("دورنگو", "Durango"), ("𐑜𐑤𐑨𐑕𐑒𐑴", "Glasgow"), ("ലണ്ടന്\u{200D}", "London"), ("ਫਰੀਪੋਰਟ", "Freeport"),
    ])
  func heard(text: String, name: String) throws {
    #expect(try index.search(text, limit: 5).contains { $0.name.hasPrefix(name) })
  }

  @Test(
    "Suffixes that distinguish a name from others may be omitted.",
    arguments: [("Stockton", "Stockton-on-Tees"), ("Clinton", "Clinton Township"), ("Halli", "Halli Airport")])
  func qualified(text: String, name: String) throws {
    #expect(try index.search(text, limit: 20).contains { $0.name == name })
  }

  @Test("Chinese, Japanese and Korean names are found from one character, and inside names.")
  func characters() throws {
    #expect(try index.search("京", isCompleting: true, limit: 20).contains { $0.place.matchedName.contains("京") })
    #expect(try index.search("横滨市", limit: 5).contains { $0.id == 1_848_354 })
    #expect(try index.search("田谷", limit: 20).contains { $0.place.matchedName.contains("世田谷") })
  }

  @Test(
    "An area may come before the place, and in any language.",
    arguments: [
      ("日本京都", 1_857_910), ("日本 京都", 1_857_910), ("Texas Paris", 4_717_560), ("Paris, Frankreich", 2_988_507),
      ("Киото, Япония", 1_857_910), ("München Bayern", 2_867_714), ("USA, Illinois, Springfield", 4_250_542),
      ("St Louis Missouri", 4_407_066), ("广东省广州市", 1_809_858), ("四川成都", 1_815_286), ("四川省成都市", 1_815_286),
      ("廣東省廣州市", 1_809_858), ("Springfield, Ill.", 4_250_542), ("St. John's, Antigua", 3_576_022),
    ])
  func areas(text: String, id: Int64) throws {
    #expect(try index.search(text, limit: 1).map(\.id) == [id])
  }

  @Test(
    "A region after a comma limits the search, and words may be abbreviated.",
    arguments: [
      ("Mt. Vernon, WA", "Mount Vernon", "Washington"), ("Mt. Airy, MD", "Mount Airy", "Maryland"),
      ("St. Albans, VT", "Saint Albans", "Vermont"), ("辽宁省朝阳市", "Chaoyang", "Liaoning"),
      ("安徽省宿州市", "Suzhou", "Anhui"), ("Boston, Lincolnshire", "Boston", "England"),
      ("Portland, Multnomah County, Oregon", "Portland", "Oregon"),
    ])
  func regions(text: String, name: String, region: String) throws {
    let first = try #require(try index.search(text, limit: 1).first)
    #expect((first.name, first.admin1) == (name, region))
    #expect(try index.search(text, limit: 20).allSatisfy { $0.admin1 == region })
  }

  @Test("A typed country excludes all others.")
  func contradiction() throws {
    #expect(try index.search("Seoul, Japan", limit: 20).allSatisfy { $0.place.countryCode == "JP" })
  }

  @Test(
    "Chinese places with the same characters come before those that only sound alike.",
    arguments: [
      ("榆林", "Shaanxi"), ("宿州", "Anhui"), ("集安", "Jilin"), ("伊春", "Heilongjiang"), ("集宁", "Inner Mongolia"),
    ])
  func homophones(text: String, region: String) throws {
    #expect(try index.search(text, limit: 1).map(\.admin1) == [region])
  }

  @Test(
    "The larger town is found by a name that only a smaller one is known to have in its script.",
    arguments: [
      ("워싱턴", "US", "Washington"), ("都伯林", "IE", "Dublin"), ("伯明罕", "GB", "Birmingham"), ("मेल्बर्न", "AU", "Melbourne"),
      ("奥克兰", "NZ", "Auckland"),
    ])
  func namesakes(text: String, country: String, name: String) throws {
    let found = try index.search(text, limit: 5).map(\.place)
    #expect(found.contains { $0.countryCode == country && $0.name == name && $0.kind != .admin1 })
  }

  @Test("A country limit is a name or code, and an unknown one is an error.")
  func namedCountries() throws {
    for name in ["GB", "uk", "United Kingdom", "Vereinigtes Königreich"] {
      #expect(try index.search("Boston", in: [name], limit: 1).map(\.place.countryCode) == ["GB"])
    }
    #expect { try index.search("Boston", in: ["XX"]) } throws: { ($0 as? GeoIndexError)?.code == .unknownCountry }
  }

  @Test(
    "A short Plus Code is resolved with the town after it.",
    arguments: [
      ("9G8F+6X Zurich", 47.36556, 8.52494), ("9G8F+6X Zürich, Switzerland", 47.36556, 8.52494),
      ("CWC8+R9 Mountain View, CA", 37.42206, -122.08406), ("geo:0,0?q=9G8F%2B6X+Zurich", 47.36556, 8.52494),
    ])
  func shortPlusCodes(text: String, latitude: Double, longitude: Double) throws {
    let place = try #require(try index.search(text, limit: 5).first?.place)
    #expect((place.kind, place.latitude, place.longitude) == (.coordinate, latitude, longitude))
  }

  @Test("A short Plus Code needs a town or a location.")
  func bareShortPlusCode() throws {
    #expect(try index.search("9G8F+6X").isEmpty)
    #expect(try index.search("9G8F+6X", near: (47.4, 8.5)).map(\.place.longitude) == [8.52494])
  }

  @Test("Two places don't match because they end in the same character.")
  func lastCharacter() throws {
    #expect(try index.search("日本橋", limit: 20).allSatisfy { $0.score.context == 0 })
  }

  @Test("A search may be limited to kinds.")
  func kinds() throws {
    #expect(try index.search("Georgia", kinds: [.country], limit: 5).map(\.place.countryCode).first == "GE")
    #expect(try index.search("Georgia", kinds: [.admin1], limit: 5).map(\.place.countryCode).first == "US")
    #expect(try index.search("Paris", kinds: [.airport], limit: 50).allSatisfy { $0.place.kind == .airport })
  }

  @Test("Nearness counts, but a very well-known place stays first.")
  func nearness() throws {
    let london = try index.search("London", near: (42.98, -81.2), limit: 2).map(\.place.countryCode)
    #expect(Set(london) == ["CA", "GB"])
    #expect(try index.search("Springfield", near: (42.1, -72.6), limit: 1).first?.place.admin1 == "Massachusetts")
    #expect(try index.search("paris", near: (-36.85, 174.76), limit: 1).map(\.id) == [2_988_507])
    #expect(try index.search("paris", near: (.nan, .infinity), limit: 1).map(\.id) == [2_988_507])
  }

  @Test("Names are returned in the requested language.")
  func language() throws {
    let kyoto = try #require(try index.search("kyoto", language: "ja", limit: 1).first)
    #expect(
      (kyoto.name, kyoto.country) == ("京都市", "日本国") || kyoto.name.hasPrefix("京都") && kyoto.country.hasPrefix("日本"))
    #expect(try index.search("Munich", language: "de", limit: 1).map(\.name) == ["München"])
    #expect(try index.search("Munich", language: "tlh", limit: 1).map(\.name) == ["Munich"])
  }

  @Test("Names are returned in traditional characters if any are known.")
  func traditional() throws {
    #expect(try index.search("Guangzhou", language: "zh-TW", limit: 1).map(\.name) == ["廣州"])
    #expect(try index.search("Guangzhou", language: "zh-CN", limit: 1).map { $0.name.first } == ["广"])
    #expect(try index.search("Lhasa", language: "zh-HK", limit: 1).map(\.name) == ["拉薩"])
  }

  @Test(
    "Text without a match finds nothing.",
    arguments: ["", "   ", "...", "🗻", "qqqqxyz", "Kyoto, Atlantis", "%", "' OR 1=1 --", "\u{0}"])
  func nothing(text: String) throws {
    #expect(try index.search(text, limit: 10).isEmpty)
  }

  @Test("An impossible page is empty.", arguments: [(0, 0), (-1, 0), (5, -1)])
  func badPages(limit: Int, offset: Int) throws {
    #expect(try index.search("Paris", limit: limit, offset: offset).isEmpty)
  }
}
