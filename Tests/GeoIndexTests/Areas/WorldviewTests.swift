import Testing

@testable import GeoIndex

@Suite("Table of disputed places")
struct WorldviewTests {
  @Test("The table overrides the country of its zones only.")
  func overrides() throws {
    let worldview = try Worldview("# a remark\n\nEurope/Simferopol\tRU\tanother map\nAfrica/El_Aaiun\tMA\n")
    let zones = ["Europe/Kyiv", "Europe/Simferopol", "Africa/El_Aaiun"]
    let countries = try worldview.applied(to: ["UA", "UA", "EH"].map { CountryCode($0) }, of: zones)
    #expect(countries.map(\.letters) == ["UA", "RU", "MA"])
  }

  @Test(
    "A table with an invalid line or zone is refused.",
    arguments: [
      "Europe/Simferopol", "Europe/Simferopol\tUkraine", "Europe/Simferopol\tua", "\tUA",
      "Europe/Kyiv\tUA\nEurope/Kyiv\tRU", "Europe/Atlantis\tUA",
    ])
  func refused(text: String) {
    #expect(throws: GeoIndexError.self) { try Worldview(text).applied(to: [CountryCode("UA")], of: ["Europe/Kyiv"]) }
  }

  @Test(
    "The shipped table follows the IANA time zone database.",
    arguments: [
      (44.95, 34.1, "UA"), (27.15, -13.2, "EH"), (35.33, 33.32, "CY"), (31.53, 35.1, "PS"), (31.5, 34.45, "PS"),
      (43.8, 87.6, "CN"), (25.03, 121.56, "TW"), (-51.7, -57.85, "FK"), (6.8, -58.9, "GY"), (42.66, 21.17, "XK"),
      (9.56, 44.06, "SO"), (43.0, 41.02, "GE"),
    ])
  func shipped(latitude: Double, longitude: Double, country: String) throws {
    let index = try WholeGazetteer.index()
    #expect(try index.reverse(latitude: latitude, longitude: longitude).countryCode == country)
  }
}

@Suite("Country code")
struct CountryCodeTests {
  @Test(
    "A country code has the letters it was created from.", arguments: ["AA", "AZ", "DE", "ZA", "ZZ", "a1", "[A", "@Z"])
  func letters(code: String) { #expect(CountryCode(code).letters == code) }

  @Test("A country code needs two letters.", arguments: ["", "D", "DEU"])
  func none(code: String) { #expect(CountryCode(code) == .none && CountryCode(code).letters == nil) }
}
