import GeoIndex
import Testing

@Suite("Names that must mean one place")
struct ResolveTests {
  let index: Gazetteer

  init() throws { index = try WholeGazetteer.index() }

  private func line(_ place: Place) -> String {
    [place.name, place.kind == .admin1 || place.kind == .country ? "" : place.admin1 ?? "", place.country]
      .filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private func meant(_ text: String, language: String? = nil) throws -> String? {
    guard case .one(let place) = try index.resolve(text, language: language) else { return nil }
    return line(place)
  }

  @Test(
    "A bare name means a place only if it is large, dominant, and named so locally or in English.",
    arguments: [
      ("Kyoto", "Kyoto, Kyoto, Japan"), ("京都", "Kyoto, Kyoto, Japan"), ("Paris", "Paris, Île-de-France, France"),
      ("London", "London, England, United Kingdom"), ("Rome", "Rome, Lazio, Italy"), ("Roma", "Rome, Lazio, Italy"),
      ("Moscow", "Moscow, Moscow, Russia"), ("Kyiv", "Kyiv, Kyiv City, Ukraine"), ("Lima", "Lima, Lima, Peru"),
      ("NYC", "New York City, New York, United States"), ("new york", "New York City, New York, United States"),
      ("muenchen", "Munich, Bavaria, Germany"),
      ("Munchen", "Munich, Bavaria, Germany"), ("München", "Munich, Bavaria, Germany"),
      ("Köln", "Köln, North Rhine-Westphalia, Germany"), ("Cologne", "Köln, North Rhine-Westphalia, Germany"),
      ("Venice", "Venice, Veneto, Italy"), ("Firenze", "Florence, Tuscany, Italy"),
      ("Wien", "Vienna, Vienna, Austria"), ("Genève", "Geneva, Geneva, Switzerland"),
      ("Москва", "Moscow, Moscow, Russia"), ("東京", "Tokyo, Tokyo, Japan"), ("서울", "Seoul, Seoul, South Korea"),
      ("القاهرة", "Cairo, Cairo, Egypt"), ("Αθήνα", "Athens, Attica, Greece"),
      ("Buenos Aires", "Buenos Aires, Buenos Aires F.D., Argentina"),
      ("Singapore", "Singapore, Singapore"), (" Kyoto ", "Kyoto, Kyoto, Japan"),
    ])
  func bare(text: String, expected: String) throws { #expect(try meant(text) == expected) }

  @Test(
    "A name with a region or country means the place there.",
    arguments: [
      ("Paris, Texas", "Paris, Texas, United States"), ("Paris Texas", "Paris, Texas, United States"),
      ("Springfield, Illinois", "Springfield, Illinois, United States"),
      ("Springfield, IL 62701", "Springfield, Illinois, United States"),
      ("Sydney, Australia", "Sydney, New South Wales, Australia"), ("Bled, Slovenia", "Bled, Bled, Slovenia"),
      ("Beverly Hills, CA 90210, USA", "Beverly Hills, California, United States"),
      ("Geneva, Switzerland", "Geneva, Geneva, Switzerland"), ("Georgia, USA", "Georgia, United States"),
      ("Washington, D.C.", "Washington, Washington, D.C., United States"),
      ("Mendoza, Argentina", "Mendoza, Mendoza, Argentina"), ("Bruneck, Italy", "Brunico, Trentino-Alto Adige, Italy"),
      ("Tegernsee, Germany", "Tegernsee, Bavaria, Germany"), ("Lech, Austria", "Lech, Vorarlberg, Austria"),
      ("Mürren, Switzerland", "Mürren, Bern, Switzerland"), ("Como, Italy", "Como, Lombardy, Italy"),
      ("Hallstatt, Austria", "Hallstatt, Upper Austria, Austria"), ("東京, 日本", "Tokyo, Tokyo, Japan"),
      ("New York, USA", "New York City, New York, United States"),
      ("London, England", "London, England, United Kingdom"),
      ("Cambridge, Massachusetts, United States", "Cambridge, Massachusetts, United States"),
      ("Salem, Indiana, United States", "Salem, Indiana, United States"), ("Montana, USA", "Montana, United States"),
      ("Goa, India", "Goa, India"), ("Freiburg, Germany", "Freiburg, Baden-Wurttemberg, Germany"),
      ("Okinawa, Japan (region)", "Okinawa, Japan"), ("Monaco (country)", "Monaco, Monaco"),
    ])
  func qualified(text: String, expected: String) throws { #expect(try meant(text) == expected) }

  @Test(
    "A name with a region or country is ambiguous if it isn't the name of one place there.",
    arguments: [
      "Java, Indonesia", "Luzon, Philippines", "La Palma, Spain",
      "Black Forest, Germany", "Long Island, New York", "Taiwan, China", "Easter Island, Chile",
      "Tenerife, Spain", "Chiloe, Chile", "Hamilton, MA", "Okinawa, Japan", "Penang, Malaysia", "Wellington, England",
      "Münster, Bavaria", "Salem, IN", "Halle, Belgium", "Cartagena", "Kiev",
      // Lakes with larger towns on their shores.
      "Bodensee, Germany", "Königssee, Germany", "Garda, Italy",
    ])
  func doubtful(text: String) throws {
    guard case .ambiguous = try index.resolve(text) else {
      Issue.record("\(text): \(try index.resolve(text))")
      return
    }
  }

  @Test(
    "The name of a country or region means the area.",
    arguments: [
      ("Japan", "Japan"), ("Russia", "Russia"), ("USA", "United States"), ("Sicily", "Sicily, Italy"),
      ("Crete", "Crete, Greece"), ("Mexico", "Mexico"), ("Hawaii", "Hawaii, United States"),
      ("Jamaica", "Jamaica"),
      ("Brandenburg", "Brandenburg, Germany"), ("GB", "United Kingdom"), ("US", "United States"), ("FR", "France"),
      ("DE", "Germany"), ("IT", "Italy"), ("GBR", "United Kingdom"), ("DEU", "Germany"),
    ])
  func areas(text: String, expected: String) throws {
    guard case .one(let place) = try index.resolve(text) else {
      Issue.record("\(text) is not clear")
      return
    }
    #expect([.country, .admin1].contains(place.kind))
    #expect((place.kind == .country ? place.name : "\(place.name), \(place.country)") == expected)
  }

  @Test(
    "A code in capitals means its airport, and in lower case it doesn't.",
    arguments: ["NRT", "KIX", "JFK", "LHR", "EDDM", "SFO", "SIN"])
  func codes(text: String) throws {
    guard case .one(let place) = try index.resolve(text) else {
      Issue.record("\(text) is not clear")
      return
    }
    #expect(place.kind == .airport)
    #expect(try meant(text.lowercased()) == nil)
  }

  @Test(
    "The name of a well-known sight or mountain means it, with its town or country even if it is less known.",
    arguments: [
      ("Eiffel Tower", "Eiffel Tower"), ("Tour Eiffel", "Eiffel Tower"), ("Vesuvius", "Mount Vesuvius"),
      ("Mont Blanc", "Mont Blanc"), ("Times Square", "Times Square"), ("Machu Picchu", "Machu Picchu"),
      ("Central Park, New York", "Central Park"), ("Mount Everest, Nepal", "Mount Everest"),
      ("Blue Mosque Istanbul", "Blue Mosque"), ("Neuschwanstein, Germany", "Neuschwanstein Castle"),
      ("Neuschwanstein, Füssen", "Neuschwanstein Castle"), ("Brandenburger Tor, Berlin", "Brandenburg Gate"),
      ("Old Faithful, Wyoming", "Old Faithful"), ("Pentagon, Virginia", "The Pentagon"),
      ("Kölner Dom, Köln", "Cologne Cathedral"), ("Golden Gate Bridge, San Francisco", "Golden Gate Bridge"),
    ])
  func features(text: String, name: String) throws {
    guard case .one(let place) = try index.resolve(text) else {
      Issue.record("\(text): \(try index.resolve(text))")
      return
    }
    #expect(place.name == name)
  }

  @Test(
    "A famous thing that is far larger than its position never means a namesake.",
    arguments: [
      "White House", "Jersey, USA", "Lake Como", "Lake Geneva", "Phi Phi", "Gion", "Patagonia", "Arches",
      "Grand Canyon", "Dartmoor",
      "Titicaca", "Krka", "Prespa", "Acropolis", "Persia", "Galata", "Manchuria", "Büro", "Königssee",
      "Changi", "Heathrow", "Heathrow Airport", "Hollywood", "Notre Dame", "Sahara", "Kashmir",
      "Orkney", "Cornwall", "Sinai", "Cappadocia", "Elba", "La Gomera", "Africa", "Rialto", "Chesapeake",
      // Several have the name, or longer names with it.
      "Royal Palace", "National Museum", "Neues Rathaus", "Arena", "Tivoli", "Plaza de España", "Piazza del Duomo",
      "Trinity College", "Christ Church", "Disneyland", "Cotopaxi", "黄山",
      // Small airports and cities that have these letters as a code, and words.
      "MIT", "MCG", "MET", "GDR", "Bag End", "Salem In", "Salem IN",
      // In a neighbouring town, or in a smaller one of that name.
      "Plaza Mayor, Salamanca", "Prado, Toledo", "Brandenburger Tor, Potsdam", "Frauenkirche, Meißen",
      "Kölner Dom, Bonn", "Eiffel Tower, Versailles", "Acropolis, Piraeus", "Tower Bridge, Croydon",
    ])
  func namesakes(text: String) throws {
    #expect(try meant(text) == nil)
    #expect(try meant(text, language: "de") == nil)
  }

  @Test(
    "A name is ambiguous if it fits several places, or its place is small or named otherwise.",
    arguments: [
      "Springfield", "Birmingham", "Valencia", "San José", "Saint Louis", "Windsor", "Cordoba", "Georgia", "Congo",
      "Washington", "Victoria", "Lincoln", "Barcelona", "Luxembourg", "Monaco", "Bled", "Macedonia",
      // A pseudo-code; a code of a country and an airport; an airport's code that is also a region's name; lower case.
      "ZZZ", "PER", "MEX", "GOA", "LIMA", "de", "sfo",
      // Islands, of which the town is only a small part.
      "Okinawa", "Zanzibar",
      // A town in India, and a region of Madagascar, have more than a tenth of the inhabitants.
      "Bali", "Sofia", "52°31'N 13°24'O", "San Juan, USA", "75018 Paris",
      "Kreta", "Laibach", "Leningrad", "Monaco di Baviera", "Vegas", "四川",
      // A far larger place has the name, but in this script only a small one is known to have it.
      "워싱턴", "واشنطن", "都伯林", "伯明罕", "मेल्बर्न", "汉城", "漢城", "榆林", "Сидней",
    ])
  func ambiguous(text: String) throws {
    guard case .ambiguous(let places) = try index.resolve(text) else {
      Issue.record("\(text) is not asked for")
      return
    }
    #expect((1...20).contains(places.count) && Set(places).count == places.count)
  }

  @Test(
    "What a search finds first is a candidate.",
    arguments: [
      ("Notre Dame", "Notre-Dame de Paris"), ("Titicaca", "Lake Titicaca"), ("Galata", "Galata Tower"),
      ("Rialto", "Rialto Bridge"), ("Monte Cervino", "Matterhorn"),
    ])
  func candidates(text: String, name: String) throws {
    guard case .ambiguous(let places) = try index.resolve(text) else {
      Issue.record("\(text) is not asked for")
      return
    }
    #expect(places.contains { $0.name == name })
  }

  @Test("A name in the requested language is as good as in English.")
  func language() throws {
    #expect(try meant("Mailand") == nil)
    #expect(try meant("Mailand", language: "de") == "Milan, Lombardy, Italy")
  }

  @Test(
    "Failed coordinates of programs mean no place.",
    arguments: ["nan,nan", "NaN, NaN", "inf,-inf", ",", "null,None"])
  func failedCoordinates(text: String) throws {
    #expect(Gazetteer.isFailedCoordinates(text))
    #expect(try index.resolve(text) == .none(suggestions: []))
  }

  @Test(
    "Unknown or overlong text means no place.",
    arguments: ["", "  ", "Xyzzyville", String(repeating: "x", count: 5_000)])
  func none(text: String) throws {
    guard case .none = try index.resolve(text) else {
      Issue.record("\(text.prefix(20)) is a place")
      return
    }
  }

  @Test(
    "With an unknown area, places of the name before the comma are suggested.",
    arguments: ["Brighton, Borsetshire", "Brighton, Midsomer", "Reigate, Barsetshire"])
  func unknownArea(text: String) throws {
    guard case .none(let suggestions) = try index.resolve(text) else {
      Issue.record("\(text) is a place")
      return
    }
    #expect(suggestions.first.map { text.hasPrefix($0.name) && $0.admin1 == "England" } == true)
  }

  @Test(
    "A postal code alone doesn't define a place.",
    arguments: ["62701", "Springfield 62701", "Atlantis, IL 62701"])
  func postalCodes(text: String) throws { #expect(try meant(text) == nil) }

  @Test("A name that only sounds the same in Mandarin means no place.")
  func homophone() throws {
    // No place is known to be written so; Beijing sounds the same.
    guard case .none = try index.resolve("贝京") else {
      Issue.record("贝京 is a place")
      return
    }
  }

  @Test("An unknown name means no place, and names that begin with it are suggested.")
  func unknown() throws {
    guard case .none(let suggestions) = try index.resolve("Kyot") else {
      Issue.record("Kyot is a place")
      return
    }
    #expect(suggestions.first?.name == "Kyoto")
    #expect(try index.resolve("qqqqxyz") == .none(suggestions: []))
    #expect(try index.resolve("") == .none(suggestions: []))
  }
}
