import GeoIndex
import Testing

@Suite("Airport search")
struct AirportSearchTests {
  let index: Gazetteer

  init() throws { index = try WholeGazetteer.index() }

  @Test(
    "Codes of airports are found.",
    arguments: [
      ("NRT", Place.Kind.airport, "Narita International Airport"), ("EDDM", .airport, "Munich International Airport"),
      ("JP", .country, "Japan"), ("DEU", .country, "Germany"), ("usa", .country, "United States"),
      ("USA", .country, "United States"), ("RUS", .country, "Russia"), ("BOL", .country, "Bolivia"),
      ("FRA", .airport, "Frankfurt am Main International Airport"),
      ("SIN", .airport, "Singapore Changi International Airport"),
      ("SFO", .airport, "San Francisco International Airport"),
      // Also Honduras' code, and that of a suburb next to the airport.
      ("HND", .airport, "Tokyo International Airport"),
    ])
  func codes(text: String, kind: Place.Kind, name: String) throws {
    let first = try #require(try index.search(text, limit: 1).first)
    #expect((first.place.kind, first.name) == (kind, name))
  }

  @Test(
    "The airport that a word means is found.",
    arguments: [
      ("O'Hare", "Chicago O'Hare International Airport"),
      ("Frankfurt Airport", "Frankfurt am Main International Airport"),
      ("JFK Airport", "John F Kennedy International Airport"), ("jfk airport", "John F Kennedy International Airport"),
      ("Airport JFK", "John F Kennedy International Airport"),
      ("LAX airport", "Los Angeles International Airport"), ("CDG Paris", "Charles de Gaulle International Airport"),
      ("Paris, CDG", "Charles de Gaulle International Airport"),
      ("LHR, UK", "London Heathrow Airport"), ("JFK空港", "John F Kennedy International Airport"),
      ("Flughafen FRA", "Frankfurt am Main International Airport"),
      // The name of an airport's town in another language, and the village that the airport is named after.
      ("成田空港", "Narita International Airport"), ("浦东机场", "Shanghai Pudong International Airport"),
      ("浦東機場", "Shanghai Pudong International Airport"), ("인천공항", "Incheon International Airport"),
      ("香港國際機場", "Chek Lap Kok International Airport"), ("Аэропорт Домодедово", "Domodedovo International Airport"),
      ("Flughafen München", "Munich International Airport"), ("羽田空港", "Tokyo International Airport"),
      ("Haneda Airport", "Tokyo International Airport"), ("虹桥机场", "Shanghai Hongqiao International Airport"),
      ("Hay Airport", "Hay Airport"),
    ])
  func airports(text: String, name: String) throws {
    #expect(try index.search(text, limit: 1).map(\.place.name) == [name])
  }

  @Test(
    "The airport of a great city or island is meant, unless another of its airports has the name.",
    arguments: [
      ("London airport", "London Heathrow Airport"), ("airport Barcelona", "Barcelona International Airport"),
      ("Los Angeles airport", "Los Angeles International Airport"), ("Dubai Airport", "Dubai International Airport"),
      ("Bali airport", "Ngurah Rai (Bali) International Airport"), ("London City Airport", "London City Airport"),
      ("Istanbul airport", "Istanbul Airport"), ("Reykjavik Airport", "Reykjavik Airport"),
    ])
  func greatCities(text: String, name: String) throws {
    #expect(try index.search(text, limit: 1).map(\.place.name) == [name])
    #expect(try index.search("London", kinds: [.airport], limit: 1).map(\.place.name) == ["London Heathrow Airport"])
  }

  @Test("An airport has a country, and no region.")
  func surroundings() throws {
    let first = try #require(try index.search("Munich", kinds: [.airport], language: "de", limit: 1).first)
    #expect(first.country == "Deutschland" && first.admin1 == nil)
  }

  @Test(
    "An airport's town isn't taken for a town that has the name in another language.",
    arguments: [("Gera Flugplatz", "DE"), ("Vienne airport", "FR")])
  func foreignTowns(text: String, country: String) throws {
    #expect(try index.search(text, limit: 1).map(\.place.countryCode) == [country])
  }

  @Test("Capitals after a town mean its airport only if that is there.", arguments: ["Berlin CDG", "CDG Kyoto"])
  func otherAirports(text: String) throws {
    #expect(try index.search(text, limit: 20).allSatisfy { $0.name != "Charles de Gaulle International Airport" })
  }
}
