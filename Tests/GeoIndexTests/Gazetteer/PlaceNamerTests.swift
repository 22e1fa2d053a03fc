import GeoIndex
import Testing

@Suite("Names of locations")
struct PlaceNamerTests {
  static let english: [(Double, Double, String)] = [
    (35.0037, 135.7751, "-, Kyoto, Kyoto, Japan, JP"), (48.1374, 11.5755, "-, Munich, Bavaria, Germany, DE"),
    (48.8049, 2.1204, "-, Versailles, Île-de-France, France, FR"),
    (40.7580, -73.9855, "Times Square, New York City, New York, United States, US"),
    (41.9022, 12.4539, "-, Vatican City, -, Vatican, VA"), (25.0340, 121.5645, "-, Taipei, Taiwan, Taiwan, TW"),
    (42.6629, 21.1655, "-, Pristina, Pristina, Kosovo, XK"), (-75.1, 0, "-, -, -, Antarctica, AQ"),
    (0, 0, "South Atlantic Ocean, -, -, -, -"), (-48.9, -123.4, "South Pacific Ocean, -, -, -, -"),
    // Since the reform of 2025.
    (21.0285, 105.8542, "Hoàn Kiếm, Hanoi, Hanoi, Vietnam, VN"), (16.4637, 107.5909, "-, Huế, Huế, Vietnam, VN"),
    (10.3864, 105.4352, "-, Long Xuyên, An Giang, Vietnam, VN"), (69.6492, 18.9553, "-, Tromsø, Troms, Norway, NO"),
    // The city lies in the neighbouring region.
    (40.72, -74.05, "-, Jersey City, New Jersey, United States, US"),
    (40.744, -74.0324, "-, Hoboken, New Jersey, United States, US"),
    (-34.6627, -58.3655, "-, Avellaneda, Buenos Aires, Argentina, AR"),
    (35.4795, 139.6555, "Shinkoyasu, Yokohama, Kanagawa, Japan, JP"),
    // An islet's country, though its zone is Norway's.
    (70.92, -8.72, "-, Olonkinbyen, Jan Mayen, Svalbard and Jan Mayen, SJ"),
    // Half a city is not a city, unless the point is in its middle.
    (31.778, 35.2354, "-, Jerusalem, Jerusalem, Israel, IL"), (31.7767, 35.2345, "-, Jerusalem, Jerusalem, Israel, IL"),
    (40.6501, -73.9496, "Brooklyn, New York City, New York, United States, US"),
    // Where borders are coarse, a town knows its country.
    (35.16, 126.85, "-, Gwangju, Gwangju, South Korea, KR"),
    (53.0475, 8.7867, "-, Bremen, Bremen, Germany, DE"), (53.17, 8.62, "-, Vegesack, Bremen, Germany, DE"),
    (-35.353, 149.234, "-, Queanbeyan, New South Wales, Australia, AU"),
    (34.1642, 77.5848, "-, Leh, Ladakh, India, IN"),
    // Far from any town only borders count.
    (-24.0, 128.0, "-, -, Western Australia, Australia, AU"),
  ]

  private func line(_ names: PlaceNamer.Names) -> String {
    [names.sublocation, names.city, names.state, names.country, names.countryCode].map { $0 ?? "-" }
      .joined(separator: ", ")
  }

  @Test("Names are right from the smallest to the largest, and only known ones are given.", arguments: english)
  func names(latitude: Double, longitude: Double, wanted: String) throws {
    let namer = try WholeGazetteer.index().namer()
    #expect(line(try namer.names(latitude: latitude, longitude: longitude)) == wanted)
  }

  @Test(
    "Names are only as precise as the location's error allows.",
    arguments: [
      (nil, "Times Square, New York City, New York, United States, US"),
      (2_000, "Times Square, New York City, New York, United States, US"),
      (2_001, "-, New York City, New York, United States, US"),
      (20_001, "-, -, New York, United States, US"), (50_001, "-, -, -, United States, US"),
      (2_029_000, "-, -, -, United States, US"), (.infinity, "-, -, -, United States, US"),
    ])
  func errors(metres: Double?, wanted: String) throws {
    let namer = try WholeGazetteer.index().namer()
    #expect(line(try namer.names(latitude: 40.7580, longitude: -73.9855, error: metres)) == wanted)
  }

  @Test("A sea's name is used with the same error limit as a city's.")
  func seas() throws {
    let namer = try WholeGazetteer.index().namer()
    #expect(try namer.names(latitude: 0, longitude: 0, error: 10_000).sublocation == "South Atlantic Ocean")
    #expect(try namer.names(latitude: 0, longitude: 0, error: 30_000).sublocation == nil)
  }

  @Test(
    "A location is in a place only if its error is smaller than the place's size.",
    arguments: [
      ("Tokyo", 10.0, true), ("Tokyo", 15_000, true), ("Tokyo", 2_029_000, false), ("Japan", 2_029_000, true),
      ("Tokyo, Japan", 60_000, false), ("China", 10, false),
    ])
  func inside(name: String, error: Double, wanted: Bool) throws {
    let index = try WholeGazetteer.index()
    guard case .one(let place) = try index.resolve(name) else {
      Issue.record("\(name) is not clear")
      return
    }
    #expect(try index.namer().isIn(place, latitude: 35.6895, longitude: 139.69171, error: error) == wanted)
  }

  @Test(
    "Country names are those of the requested variant of a language.",
    arguments: [
      ("pt-BR", 29.37, 47.98, "Kuwait"), ("pt-PT", 29.37, 47.98, "Koweit"), ("pt-BR", 13.69, -89.19, "El Salvador"),
      ("pt-BR", 47.14, 9.52, "Liechtenstein"), ("pt", 6.93, 79.85, "Sri Lanka"), ("pt-BR", 23.71, 90.41, "Bangladesh"),
    ])
  func forms(language: String, latitude: Double, longitude: Double, country: String) throws {
    let namer = try WholeGazetteer.index().namer(language: language)
    #expect(try namer.names(latitude: latitude, longitude: longitude).country == country)
  }

  @Test(
    "Names are in the requested language, as far as they are known.",
    arguments: [
      ("de", 48.1374, 11.5755, "-, München, Bayern, Deutschland, DE"),
      ("ja", 35.0037, 135.7751, "-, 京都市, 京都府, 日本, JP"), ("en", 48.1374, 11.5755, "-, Munich, Bavaria, Germany, DE"),
      ("zh-Hant", 48.1374, 11.5755, "-, 慕尼黑, 巴伐利亚, 德國, DE"),
      ("zh", 48.1374, 11.5755, "-, 慕尼黑, 巴伐利亚, 德国, DE"),
      ("zh", 43.8563, 18.4131, "-, 塞拉耶佛, Federation of B&H, 波斯尼亚和黑塞哥维那, BA"),
      ("ja", 48.2085, 16.3721, "-, ウィーン, ウィーン, オーストリア, AT"),
      ("ko", 1.2897, 103.8501, "-, 싱가포르, -, 싱가포르, SG"),
      ("ja", 39.0339, 125.7543, "-, 平壌, 平壌, 北朝鮮, KP"),
    ])
  func languages(language: String, latitude: Double, longitude: Double, wanted: String) throws {
    let index = try WholeGazetteer.index()
    #expect(index.knows(language: language))
    let names = line(try index.namer(language: language).names(latitude: latitude, longitude: longitude))
    #expect(names == wanted)
  }

  @Test("A language without names is unknown.")
  func unknownLanguage() throws { #expect(try WholeGazetteer.index().knows(language: "xx") == false) }
}
