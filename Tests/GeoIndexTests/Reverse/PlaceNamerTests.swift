import GeoIndex
import Testing

@Suite("Names of positions")
struct PlaceNamerTests {
  static let english: [(Double, Double, String)] = [
    (35.0037, 135.7751, "-, Kyoto, Kyoto, Japan, JP"), (48.1374, 11.5755, "-, Munich, Bavaria, Germany, DE"),
    (48.8049, 2.1204, "-, Versailles, Île-de-France, France, FR"),
    (40.7580, -73.9855, "Times Square, New York City, New York, United States, US"),
    (41.9022, 12.4539, "-, Vatican City, -, Vatican, VA"), (25.0340, 121.5645, "-, Taipei, Taiwan, Taiwan, TW"),
    (42.6629, 21.1655, "-, Pristina, Pristina, Kosovo, XK"), (-75.1, 0, "-, -, -, Antarctica, AQ"),
    (0, 0, "South Atlantic Ocean, -, -, -, -"), (-48.9, -123.4, "South Pacific Ocean, -, -, -, -"),
    // Far from any town only borders speak.
    (-24.0, 128.0, "-, -, Western Australia, Australia, AU"),
  ]

  private func line(_ names: PlaceNamer.Names) -> String {
    [names.sublocation, names.city, names.state, names.country, names.countryCode].map { $0 ?? "-" }
      .joined(separator: ", ")
  }

  @Test("are true, from the smallest to the largest, and no more than is known", arguments: english)
  func names(latitude: Double, longitude: Double, wanted: String) throws {
    let namer = try WholeGazetteer.index().namer()
    #expect(line(try namer.names(latitude: latitude, longitude: longitude)) == wanted)
  }

  @Test(
    "are in the language that is asked for, as far as it is known",
    arguments: [
      ("de", 48.1374, 11.5755, "-, München, Bayern, Deutschland, DE"),
      ("ja", 35.0037, 135.7751, "-, 京都市, 京都府, 日本, JP"), ("en", 48.1374, 11.5755, "-, Munich, Bavaria, Germany, DE"),
    ])
  func languages(language: String, latitude: Double, longitude: Double, wanted: String) throws {
    let index = try WholeGazetteer.index()
    #expect(try index.knows(language: language))
    #expect(line(try index.namer(language: language).names(latitude: latitude, longitude: longitude)) == wanted)
  }

  @Test("languages that nobody speaks are not known")
  func unknownLanguage() throws { #expect(try WholeGazetteer.index().knows(language: "xx") == false) }
}
