import GeoIndex
import Testing

@Suite("Towns in addresses")
struct AddressTests {
  let index: Gazetteer

  init() throws { index = try WholeGazetteer.index() }

  @Test(
    "A town may have a postal code before it, or an Australian one after its state.",
    arguments: [
      ("75018 Paris", "Paris", "FR"), ("10115 Berlin", "Berlin", "DE"), ("80331 München", "Munich", "DE"),
      ("1070 Wien", "Vienna", "AT"), ("D-10115 Berlin", "Berlin", "DE"), ("CH-8001 Zürich", "Zürich", "CH"),
      ("21000 Novi Sad", "Novi Sad", "RS"), ("75018 Paris, France", "Paris", "FR"),
      ("Sydney, NSW 2000", "Sydney", "AU"),
    ])
  func postalCodes(text: String, name: String, country: String) throws {
    let first = try #require(try index.search(text, limit: 1).first).place
    #expect((first.name, first.countryCode) == (name, country))
    switch try index.resolve(text) {
    case .one(let place): #expect(place.id == first.id)
    // Other places have the name too.
    case .ambiguous(let places): #expect(places.first?.id == first.id)
    case .none: Issue.record("\(text) is not known")
    }
  }

  @Test(
    "A town with its country or region is clear.", arguments: ["75018 Paris, France", "Sydney, NSW 2000"])
  func clear(text: String) throws {
    guard case .one = try index.resolve(text) else {
      Issue.record("\(text) is not clear")
      return
    }
  }

  @Test(
    "A postal code doesn't make a town clearer than its name does.",
    arguments: [
      "62701 Springfield", "62701", "62701 Atlantisburg", "15230 Frankfurt", "75460 Paris", "49744 Dalum",
      "D-04509 London",
    ])
  func unsure(text: String) throws {
    if case .one(let place) = try index.resolve(text) { Issue.record("\(text) is taken for \(place.name)") }
  }

  @Test(
    "Words cut to their first letters distinguish a town from others.",
    arguments: [
      ("Frankfurt a.M.", "Frankfurt am Main"), ("Frankfurt a. M.", "Frankfurt am Main"),
      ("Frankfurt/M", "Frankfurt am Main"), ("Frankfurt/Main", "Frankfurt am Main"),
      ("Frankfurt/Oder", "Frankfurt (Oder)"), ("Offenbach a.M.", "Offenbach"),
      ("Landsberg a. Lech", "Landsberg am Lech"), ("Zell a. See", "Zell am See"), ("Freiburg i. Br.", "Freiburg"),
      ("Bad Homburg v.d.H.", "Bad Homburg vor der Höhe"), ("Rothenburg o.d.T.", "Rothenburg ob der Tauber"),
      ("Neustadt a.d. Weinstraße", "Neustadt an der Weinstraße"), ("Frankfurt a.M., Germany", "Frankfurt am Main"),
    ])
  func cutWords(text: String, name: String) throws {
    #expect(try index.search(text, limit: 1).first?.place.name == name)
    switch try index.resolve(text) {
    case .one(let place): #expect(place.name == name)
    case .ambiguous(let places): #expect(places.first?.name == name)
    case .none: Issue.record("\(text) is not known")
    }
  }
}
