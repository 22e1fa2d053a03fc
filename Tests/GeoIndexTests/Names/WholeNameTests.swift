import GeoIndex
import Testing

@Suite("Whole names")
struct WholeNameTests {
  let index: Gazetteer

  init() throws { index = try WholeGazetteer.index() }

  @Test(
    "A place's whole name comes before a part of it that could be a place within the rest.",
    arguments: [
      ("Novi Sad", "RS"), ("Нови Сад", "RS"), ("Porto Ferreira", "BR"), ("Kỳ Anh", "VN"), ("West Island", "CC"),
      ("Puerto España", "TT"), ("Central Coast", "AU"), ("Francisco Sá", "BR"), ("Pa Sang", "TH"), ("La Vista", "US"),
      ("Maryland Heights", "US"), ("Virginia Beach", "US"), ("Colorado Springs", "US"), ("Johor Bahru", "MY"),
      ("Khartoum North", "SD"), ("Hong Kong Island", "HK"), ("Santo Domingo Este", "DO"),
      ("Santo Domingo Oeste", "DO"), ("Kowloon City Centre", "HK"), ("Yuen Long San Hui", "HK"),
      ("Dubai Investments Park", "AE"),
    ])
  func whole(text: String, country: String) throws {
    let first = try #require(try index.search(text, limit: 1).first)
    #expect((first.place.countryCode, first.score.context) == (country, 0))
    #expect(first.score.match >= 0.84)
    switch try index.resolve(text) {
    case .one(let place): #expect(place.id == first.id)
    // A small place is listed, first of all.
    case .ambiguous(let places): #expect(places.first?.id == first.id)
    case .none: Issue.record("\(text) is not known")
    }
  }

  @Test(
    "A whole name is listed first, also if several places have it.",
    arguments: ["La Unión", "Florida Ridge", "Tha Mai"])
  func several(text: String) throws {
    let first = try #require(try index.search(text, limit: 1).first)
    #expect(first.name == text)
    if case .one(let place) = try index.resolve(text) { #expect(place.name == text) }
  }

  @Test(
    "With a comma, or without a place of that whole name, a query is a name and its area.",
    arguments: [
      ("Novi, SAD", "Novi"), ("Ferreira, Porto", "Ferreira"), ("Paris Texas", "Paris"), ("Roma Italia", "Rome"),
      ("Córdoba España", "Córdoba"), ("Salem OR", "Salem"), ("San Francisco California", "San Francisco"),
    ])
  func parts(text: String, name: String) throws {
    let first = try #require(try index.search(text, limit: 1).first)
    #expect(first.name == name)
    #expect(first.score.context > 0)
  }

  @Test(
    "A one-word name typed in several words is ambiguous if another place fits or it is little known.",
    arguments: ["George Town", "A'dam", "Pulau Pinang"])
  func joined(text: String) throws {
    if case .one(let place) = try index.resolve(text) { Issue.record("\(text) is taken for \(place.name)") }
  }

  @Test(
    "A large city's name may be joined or split.",
    arguments: [("newyork", "New York City"), ("Ham Burg", "Hamburg"), ("George Town, Malaysia", "George Town")])
  func parted(text: String, name: String) throws {
    guard case .one(let place) = try index.resolve(text) else {
      Issue.record("\(text) is not clear")
      return
    }
    #expect(place.name == name)
  }
}
