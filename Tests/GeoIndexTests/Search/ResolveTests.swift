import GeoIndex
import Testing

@Suite("A name that must mean one place")
struct ResolveTests {
  let index: GeoIndex

  init() throws { index = try WholeGazetteer.index() }

  @Test(
    "is clear when one outshines the others",
    arguments: [
      ("Kyoto", 1_857_910), ("京都", 1_857_910), ("Paris", 2_988_507), ("Paris, Texas", 4_717_560),
      ("London", 2_643_743), ("Rome", 3_169_070), ("Shanghai", 1_796_236), ("new york", 5_128_581),
      ("Springfield, Illinois", 4_250_542), ("muenchen", 2_867_714),
      // A postal code behind the region says nothing else.
      ("Springfield, IL 62701", 4_250_542), ("Springfield IL 62701-1234", 4_250_542),
      ("Beverly Hills, CA 90210, USA", 5_328_041), ("Beverly Hills, California, 90210, USA", 5_328_041),
    ])
  func clear(text: String, id: Int64) throws {
    guard case .one(let place) = try index.resolve(text) else {
      Issue.record("\(text) is not clear")
      return
    }
    #expect(place.id == id)
  }

  @Test(
    "is a city's though a region of the same name has City behind it; and a region's if one says so",
    arguments: [
      ("Iowa City", "Iowa City, Iowa, United States"), ("Texas City", "Texas City, Texas, United States"),
      ("Nebraska City", "Nebraska City, Nebraska, United States"),
      ("Oregon City", "Oregon City, Oregon, United States"), ("Florida City", "Florida City, Florida, United States"),
      ("Iowa City, Iowa", "Iowa City, Iowa, United States"), ("Texas City, TX", "Texas City, Texas, United States"),
      ("Panama City", "Panama City, Panamá, Panama"), ("New York City", "New York City, New York, United States"),
      ("Mexico City", "Mexico City, Mexico City, Mexico"),
      ("Ho Chi Minh City", "Ho Chi Minh City, Ho Chi Minh, Vietnam"),
      ("Guatemala City", "Guatemala City, Guatemala, Guatemala"), ("Kuwait City", "Kuwait City, Al Asimah, Kuwait"),
      ("Belize City", "Belize City, Belize, Belize"), ("Oklahoma City", "Oklahoma City, Oklahoma, United States"),
      ("Quebec City", "Québec, Quebec, Canada"), ("Luxembourg City", "Luxembourg, Luxembourg, Luxembourg"),
      ("Davao City", "Davao, Davao, Philippines"), ("Kansas City", "Kansas City, Missouri, United States"),
      ("Washington State", "Washington, Washington, United States"),
      ("New York State", "New York, New York, United States"),
      // A town and the region or country around it are one.
      ("Singapore", "Singapore, , Singapore"), ("Hong Kong", "Hong Kong, , Hong Kong"),
      ("香港", "Hong Kong, , Hong Kong"),
      ("澳門", "Macau, , Macao"), ("新加坡", "Singapore, , Singapore"), ("Putrajaya", "Putrajaya, Putrajaya, Malaysia"),
      ("Djibouti", "Djibouti, Djibouti, Djibouti"), ("Luxemburg", "Luxembourg, Luxembourg, Luxembourg"),
      ("Geneva, Switzerland", "Geneva, Geneva, Switzerland"), ("Zug, Switzerland", "Zug, Zug, Switzerland"),
      ("Faro, Portugal", "Faro, Faro, Portugal"), ("Haifa, Israel", "Haifa, Haifa, Israel"),
      ("Mendoza, Argentina", "Mendoza, Mendoza, Argentina"), ("Québec", "Québec, Quebec, Canada"),
      ("Luxembourg", "Luxembourg, Luxembourg, Luxembourg"), ("Wien", "Vienna, Vienna, Austria"),
      ("Salzburg", "Salzburg, Salzburg, Austria"), ("St. Anton", "St Anton am Arlberg, Tyrol, Austria"),
    ])
  func cities(text: String, expected: String) throws {
    guard case .one(let place) = try index.resolve(text) else {
      Issue.record("\(text) is not clear")
      return
    }
    #expect([place.name, place.admin1 ?? "", place.country].joined(separator: ", ") == expected)
    let isTown = [.city, .capital].contains(place.kind)
    #expect(isTown == !text.hasSuffix("State"))
    #expect(try index.search(text, limit: 1).first?.place.countryCode == place.countryCode)
  }

  @Test(
    "is asked for where a far namesake, or what has the name as a part of its own, may be meant",
    arguments: [
      "Heathrow Airport", "Macedonia", "Queenstown", "Kashmir", "Orkney", "Cornwall", "Yorkshire", "Sinai",
      "Cappadocia", "Elba", "La Gomera", "Africa", "Georgia", "Congo", "Changi",
    ])
  func namesakes(text: String) throws {
    guard case .ambiguous(let places) = try index.resolve(text) else {
      Issue.record("\(text) is not ambiguous")
      return
    }
    #expect(Set(places.map(\.id)).count == places.count && places.count > 1)
  }

  @Test(
    "is asked for where a town bears a region's name and is called otherwise, or is what that ends with",
    arguments: [
      "Kreta", "アイダホ州", "Бранденбург", "Brandenburg", "カスティージャ・イ・レオン", "مراكش آسفي",
    ])
  func regions(text: String) throws {
    guard case .ambiguous(let places) = try index.resolve(text) else {
      Issue.record("\(text) is not ambiguous")
      return
    }
    #expect(Set(places.map(\.kind)).isSuperset(of: [.admin1, .city]))
  }

  @Test(
    "isn't asked for where town and region are only spelled in two ways, or the town has a longer name",
    arguments: ["Zaporizhzhia", "Durango", "Aqtöbe", "Banghāzī"])
  func spelledTwice(text: String) throws {
    guard case .one(let place) = try index.resolve(text) else {
      Issue.record("\(text) is ambiguous")
      return
    }
    #expect(place.kind == .city)
  }

  @Test(
    "is asked for where only a quarter of the place bears it, and others are spelled as it sounds",
    arguments: ["汉城", "漢城"])
  func quarters(text: String) throws {
    guard case .ambiguous(let places) = try index.resolve(text) else {
      Issue.record("\(text) is not ambiguous")
      return
    }
    #expect(places.map(\.name) == ["Xinye", "Hancheng", "Hancheng"])
  }

  @Test(
    "is none where a program had no coordinates; a town's name is one",
    arguments: ["nan,nan", "NaN, NaN", "inf,-inf", ",", "null,None"])
  func failedCoordinates(text: String) throws {
    #expect(GeoIndex.isFailedCoordinates(text))
    #expect(try index.resolve(text) == .none(suggestions: []))
    guard case .one(let town) = try index.resolve("Nan, Nan") else {
      Issue.record("Nan is no town")
      return
    }
    #expect(town.countryCode == "TH")
  }

  @Test(
    "is no village's name alone: a moor, a lake or a river that no table has may be meant",
    arguments: ["Dartmoor", "Titicaca", "Krka", "Vesuvius", "Prespa"])
  func village(text: String) throws {
    guard case .none(let suggestions) = try index.resolve(text), let village = suggestions.first else {
      Issue.record("\(text) is a place")
      return
    }
    #expect(village.name == text)
    let whole = "\(text), \(village.countryCode)"
    guard case .one(let place) = try index.resolve(whole) else {
      Issue.record("\(whole) is none")
      return
    }
    #expect(place.id == village.id)
  }

  @Test(
    "behind a comma that isn't known: the places called what stands before it are suggested",
    arguments: ["Brighton, East Sussex", "Brighton, Sussex", "Reigate, Surrey"])
  func unknownArea(text: String) throws {
    guard case .none(let suggestions) = try index.resolve(text) else {
      Issue.record("\(text) is a place")
      return
    }
    #expect(suggestions.first.map { text.hasPrefix($0.name) && $0.admin1 == "England" } == true)
  }

  @Test(
    "is ambiguous when none does",
    arguments: [
      "Springfield", "Birmingham", "Valencia", "San José", "Saint Louis", "St. Louis", "9G8F+6X Springfield",
      // The first is larger, but not so much that nobody means the second.
      "Windsor", "Whitby", "Cordoba",
      // A country's, or its territory's.
      "San Juan, USA",
      // Győr's airport lies in another country; in German, Győr is no Gera.
      "Neustadt Flughafen",
      // Codes of places far from each other; a town and a distant airport; either hemisphere.
      "SFO", "SIN", "SAN", "LA", "SF", "Heathrow", "52°31'N 13°24'O",
      // A far larger one has the name, but in this script only a small one is known to.
      "워싱턴", "واشنطن", "都伯林", "伯明罕", "मेल्बर्न", "માન્ચેસ્ટર", "紐瓦克", "列星頓", "希伯伦", "奥克兰",
    ])
  func ambiguous(text: String) throws {
    guard case .ambiguous(let places) = try index.resolve(text) else {
      Issue.record("\(text) is not ambiguous")
      return
    }
    #expect((2...20).contains(places.count))
  }

  @Test(
    "is clear in the script of its country, and by a code that only one place has",
    arguments: [
      ("榆林", "Shaanxi"), ("宿州", "Anhui"), ("集安", "Jilin"), ("伊春", "Heilongjiang"), ("東京", "Tokyo"),
      ("OSLO", "Oslo"), ("Москва", "Moscow"), ("Сидней", "New South Wales"), ("四川", "Sichuan"),
    ])
  func native(text: String, region: String) throws {
    guard case .one(let place) = try index.resolve(text) else {
      Issue.record("\(text) is not clear")
      return
    }
    #expect(place.admin1 == region)
  }

  @Test(
    "by a code means its airport, and its city does no harm",
    arguments: [
      "NRT", "KIX", "JFK", "LHR", "JFK Airport", "LAX airport", "CDG Paris", "Flughafen FRA", "成田空港",
    ])
  func codes(text: String) throws {
    guard case .one(let place) = try index.resolve(text) else {
      Issue.record("\(text) is not clear")
      return
    }
    #expect(place.kind == .airport)
  }

  @Test(
    "that only some table has, of a place called otherwise, is not taken",
    arguments: ["Changi", "Acropolis", "Persia", "Galata", "Manchuria", "Büro", "Königssee"])
  func hearsay(text: String) throws {
    if case .one(let place) = try index.resolve(text) { Issue.record("\(text) is taken for \(place.name)") }
  }

  @Test(
    "is one place's in another language, of another time, or short",
    arguments: [
      ("München", "Munich"), ("Peking", "Beijing"), ("Bombay", "Mumbai"), ("Saigon", "Ho Chi Minh"),
      ("Cologne", "Köln"),
      ("Den Haag", "The Hague"), ("Rangoon", "Yangon"), ("NYC", "New York City"), ("Firenze", "Florence"),
      ("Leningrad", "Saint Petersburg"), ("Vegas", "Las Vegas"), ("Laibach", "Ljubljana"), ("Bruges", "Brugge"),
      ("Monaco di Baviera", "Munich"), ("Bruneck, Italy", "Brunico"),
    ])
  func otherNames(text: String, name: String) throws {
    guard case .one(let place) = try index.resolve(text) else {
      Issue.record("\(text) is not clear")
      return
    }
    #expect(place.name == name)
  }

  @Test(
    "is none where a postal code is all that says where",
    arguments: ["62701", "Springfield 62701", "Atlantis, IL 62701"])
  func postalCodes(text: String) throws {
    if case .one(let place) = try index.resolve(text) { Issue.record("\(text) is taken for \(place.name)") }
  }

  @Test("that only sounds so in Mandarin is not taken")
  func homophone() throws {
    // Nobody is known to write a place so; Beijing sounds so.
    guard case .none = try index.resolve("贝京") else {
      Issue.record("贝京 is a place")
      return
    }
  }

  @Test("that no place bears is never guessed; what begins so is suggested")
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
