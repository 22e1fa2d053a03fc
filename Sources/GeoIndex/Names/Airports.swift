import Basics

/// Search for airports by code, by name and by the town nearby.
extension NameSearch {
  /// Adds airports by their code, combined with the word for airport or a location: `JFK Airport`, `Paris CDG`.
  /// - Returns: Whether nothing else can be meant.
  mutating func addCodedAirports() -> Bool {
    let words = AirportWords(request.text)
    guard (1...5).contains(words.others.count), words.saysAirport || words.others.count > 1 else { return false }
    var isFound = false
    for (number, word) in words.others.enumerated() where Self.mayBeCode(word) {
      let isCapital = word == word.uppercased() && request.text != request.text.uppercased()
      guard isCapital || known == 0 else { continue }
      let rest = words.others.enumerated().filter { $0.offset != number }.map(\.element).joined(separator: " ")
      for entry in tables.entries(beginningWith: Array(word.lowercased().utf8)).exact where tables.isWhole(entry) {
        let alias = tables.alias(ofEntry: entry)
        let airport = tables.place(of: alias)
        guard isCode(alias), isAirport(airport), rest.isEmpty || isThere(airport, rest) else { continue }
        // Without capitals, the airport of a town with this name may be meant; with a country, the town itself.
        let isSure = known == 0 && (isCapital || !rest.isEmpty || !isName(word))
        guard add(alias, match: isSure ? 1 : 0.8, in: []) != nil else { continue }
        isFound = isFound || isSure
      }
    }
    return isFound
  }

  private static func mayBeCode(_ word: String) -> Bool {
    (3...4).contains(word.utf8.count) && word.utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) }
  }

  private func isCode(_ alias: Int) -> Bool { tables.aliasFlags[alias] & PlaceIndex.code != 0 }

  private func isAirport(_ place: Int) -> Bool {
    let kind = tables.classes[place]
    return kind == PlaceClass.airport.rawValue || kind == PlaceClass.airfield.rawValue
  }

  /// Whether a word is a place's name, and not only a code or initials.
  private func isName(_ word: String) -> Bool {
    tables.entries(beginningWith: Array(word.lowercased().utf8)).exact.contains {
      tables.isWhole($0)
        && tables.aliasFlags[tables.alias(ofEntry: $0)] & (PlaceIndex.code | PlaceIndex.initials) == 0
    }
  }

  /// Whether an airport has these words in its name, or is near a town, or in a country, of this name.
  private func isThere(_ airport: Int, _ words: String) -> Bool {
    if Areas(world, words, isTyped: false, isSure: false)
      .contains(region: tables.sharedRegion(of: airport), country: tables.country(of: airport))
    {
      return true
    }
    var folding = Folding()
    for entry in tables.entries(beginningWith: folding.keyBytes(words)).exact {
      let place = tables.place(of: tables.alias(ofEntry: entry))
      if place == airport || tables.isWhole(entry) && isTown(place) && distance(airport, place) < Self.beside {
        return true
      }
    }
    return false
  }

  /// Adds airports by words of their names, or by the nearby town, in any language.
  /// - Returns: Whether nothing else can be meant.
  mutating func addAirports() -> Bool {
    let words = AirportWords(request.text)
    let isWanted = request.kinds.isEmpty || request.kinds.contains(.airport)
    guard words.saysAirport && isWanted || request.kinds == [.airport] else { return false }
    let doubt: Float = known > 0 ? 0.15 : 0
    var best: Float = 0
    func match(_ share: Float) -> Float { 0.35 + 0.55 * share - doubt }
    AirportScan(tables, words.others)?.forEach { alias, share in
      // A large airport isn't meant by parts of its words: Gera is not Gerald Ford.
      let excess = share < 0.9 ? max(0, tables.importances[tables.place(of: alias)] - Self.usual) : 0
      if let hit = add(alias, match: match(share) - excess, in: []) { best = max(best, hit.match) }
    }
    let name = words.others.joined(separator: " ")
    let named = towns(named: name)
    let towns = named.prefix(5)
    // If this is a town's own name, it doesn't mean another town's name in a foreign language.
    let isOwn = named.contains { hasKey(ownName($0), of: name) }
    let isServed = addLargeAirports(around: name, mayBeForeign: known == 0 && !isOwn)
    let foreign = isOwn ? [] : towns
    for (own, towns) in Dictionary(grouping: foreign, by: { ownName($0) }) {
      AirportScan(tables, AirportWords(own).others)?.forEach { alias, share in
        let airport = tables.place(of: alias)
        guard towns.contains(where: { distance(airport, $0) < Self.beside }) else { return }
        if let hit = add(alias, match: match(share), in: []) { best = max(best, hit.match) }
      }
    }
    for spelling in Spelling.others(of: name) where spelling.isLatin {
      AirportScan(tables, [String(decoding: spelling.key, as: UTF8.self)])?.forEach { alias, share in
        if let hit = add(alias, match: match(share) - spelling.penalty / 2, in: []) { best = max(best, hit.match) }
      }
    }
    if known == 0, best < Self.named, addNearestAirports(of: Array(towns), match: Self.named) { return true }
    return isServed || best >= Self.named
  }

  /// Adds the large airports of a great city or island, unless one of its airports has the very name: London is not the
  /// town in Ontario.
  /// - Parameter mayBeForeign: Whether the name may be in a language other than the requested one.
  /// - Returns: Whether there are any.
  private mutating func addLargeAirports(around name: String, mayBeForeign: Bool) -> Bool {
    guard tables.source == nil, let place = greatPlace(named: name, mayBeForeign: mayBeForeign) else { return false }
    let (center, reach) = (tables.point(of: place), Self.outside + tables.radius(of: place))
    let isNamed = hits.values.contains {
      $0.match >= Self.wholeName && center.haversineDistance(to: tables.point(of: Int($0.place))) < reach
    }
    guard !isNamed else { return false }
    var found: [(place: Int, distance: Double)] = []
    SpatialOrder.forEach(in: tables, around: center, within: reach) { place, distance in
      guard isAirport(place), tables.importances[place] >= Self.large else { return }
      found.append((place, distance))
    }
    let nearest = found.min { ($0.distance, $0.place) < ($1.distance, $1.place) }
    for (place, distance) in found {
      let match = place == nearest?.place ? 1 : 0.94 - 0.05 * Float(distance / reach)
      add(Int(tables.firstAliases[place]), match: match, in: [])
    }
    return !found.isEmpty
  }

  /// Returns the city or island that everyone knows by a name.
  private mutating func greatPlace(named name: String, mayBeForeign: Bool) -> Int? {
    var folding = Folding()
    for entry in tables.entries(beginningWith: folding.keyBytes(name)).exact.prefix(Self.namesakes)
    where tables.isWhole(entry) {
      let alias = tables.alias(ofEntry: entry)
      let place = tables.place(of: alias)
      let kind = PlaceClass(rawValue: tables.classes[place])
      guard tables.importances[place] >= Self.great, kind?.isTown == true || kind == .feature(.island) else { continue }
      // The most important comes first.
      if fit.exonymPenalty(alias) < 0.1 || mayBeForeign && tables.aliasLanguages[alias] != 0 { return place }
    }
    return nil
  }

  private func ownName(_ place: Int) -> String { tables.text(of: Int(tables.firstAliases[place])) }

  private func hasKey(_ name: String, of other: String) -> Bool {
    var folding = Folding()
    return folding.keyBytes(name) == folding.keyBytes(other)
  }

  /// Returns towns that have a name, the most important first.
  private func towns(named name: String) -> [Int] {
    var folding = Folding()
    let entries = tables.entries(beginningWith: folding.keyBytes(name)).exact.prefix(Self.namesakes)
    let places = entries.filter { tables.isWhole($0) }.map { tables.place(of: tables.alias(ofEntry: $0)) }
    return Set(places.filter(isTown)).sorted()
  }

  /// Adds, for each of the towns, the nearest airport with an IATA code, if it is as near as to the village after which
  /// it is named.
  /// - Returns: Whether there is such an airport.
  private mutating func addNearestAirports(of towns: [Int], match: Float) -> Bool {
    guard !towns.isEmpty else { return false }
    var isFound = false
    let airports = tables.classes.indices.filter { tables.classes[$0] == PlaceClass.airport.rawValue }
    for town in towns {
      guard let nearest = airports.min(by: { distance($0, town) < distance($1, town) }),
        distance(nearest, town) < Self.near
      else { continue }
      isFound = add(Int(tables.firstAliases[nearest]), match: match, in: []) != nil || isFound
    }
    return isFound
  }

  private func isTown(_ place: Int) -> Bool { PlaceClass(rawValue: tables.classes[place])?.isTown == true }

  private func distance(_ place: Int, _ other: Int) -> Double {
    tables.point(of: place).haversineDistance(to: tables.point(of: other))
  }

  /// Maximum distances in metres: from an airport to its city, and to the village whose name it has.
  private static var beside: Double { 100_000 }
  private static var near: Double { 10_000 }
  /// How far from the middle of a city, or from the shore of an island, its airports may be, in metres.
  private static var outside: Double { 70_000 }
  /// The importance of cities and islands that everyone knows.
  private static var great: Float { 0.75 }
  /// The minimum score of a whole name.
  private static var wholeName: Float { 0.94 }
  /// The importance of an airport with an IATA code of which nothing else is known.
  private static var usual: Float { 0.35 }
  /// The importance of a large airport.
  private static var large: Float { 0.4 }
  /// The score below which a match isn't certain.
  private static var named: Float { 0.8 }
}

/// Finds airports by the words of a name that differs from theirs: `Brindisi – Salento Airport` for Brindisi Airport.
struct AirportScan {
  private let tables: PlaceIndex
  /// The distinctive words of the name, as keys.
  private let words: [[UInt8]]

  /// Prepares a search for airports by words.
  /// - Parameter words: The words of the name. Returns nil if none of them is distinctive.
  init?(_ tables: PlaceIndex, _ words: [String]) {
    var folding = Folding()
    self.words = words.map { folding.key($0) }.filter { $0.utf8.count > 2 && !Self.common.contains($0) }
      .map { Array($0.utf8) }
    let words = self.words
    guard !words.isEmpty, words.count <= 8 else { return nil }
    self.tables = tables
  }

  /// Calls `body` with each name of an airport that has some of the words.
  /// - Parameter share: The share of the words that an airport has, 0.2...1.
  func forEach(_ body: (_ alias: Int, _ share: Float) -> Void) {
    var found: [Int: Int] = [:]
    for word in words {
      var seen: Set<Int> = []
      for entry in tables.entries(beginningWith: word).all {
        let alias = tables.alias(ofEntry: entry)
        let kind = tables.classes[tables.place(of: alias)]
        guard kind == PlaceClass.airport.rawValue || kind == PlaceClass.airfield.rawValue,
          tables.aliasFlags[alias] & PlaceIndex.code == 0, seen.insert(alias).inserted
        else { continue }
        found[alias, default: 0] += word.count
      }
    }
    let whole = words.reduce(0) { $0 + $1.count }
    for (alias, letters) in found where 5 * letters >= whole {
      // Among airports with equally many of the words, prefer those with few others, and with whole words.
      let own = tables.key(of: alias).count
      let same = found.count > Self.compared ? letters : sameLetters(alias)
      let share = Float(letters + same) / Float(2 * whole)
      body(alias, share * (0.9 + 0.1 * min(1, Float(letters) / Float(own))) + (isInternational(alias) ? 0.025 : 0))
    }
  }

  /// Whether it is an international airport: of two with the same word, it is meant more often.
  private func isInternational(_ alias: Int) -> Bool {
    tables.text(of: alias).contains("International")
  }

  /// The number of airports above which they are not compared word by word.
  private static let compared = 300

  /// Returns the number of letters in the words that are whole words of the airport's name, not only prefixes.
  private func sameLetters(_ alias: Int) -> Int {
    var folding = Folding()
    let name = tables.text(of: alias).split { !$0.isLetter && !$0.isNumber }
    let own = Set(name.map { folding.keyBytes($0) })
    return words.reduce(0) { $0 + (own.contains($1) ? $1.count : 0) }
  }

  private static let common: Set<String> = [
    "air", "international", "intl", "regional", "municipal", "county", "national", "memorial", "domestic", "executive",
    "state", "station", "the", "del", "des", "city", "force", "army", "naval", "raf", "island",
  ]
}

/// The words of a text that may name an airport.
struct AirportWords {
  /// The words that don't merely denote an airport, as they were typed.
  let others: [String]
  /// Whether a word denotes an airport.
  let saysAirport: Bool

  init(_ text: String) {
    var folding = Folding()
    let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "’" }.flatMap { word in
      Self.characters.first { word.hasSuffix($0) }.map { [word.dropLast($0.count), $0[...]] } ?? [word]
    }
    others = words.filter { !$0.isEmpty && !Self.all.contains(folding.key($0)) }.map(String.init)
    saysAirport = words.contains { Self.all.contains(folding.key($0)) }
  }

  /// The words that denote an airport, as keys.
  private static let all: Set<String> = {
    var folding = Folding()
    let words = [
      "airport", "airfield", "aerodrome", "heliport", "airstrip", "airpark", "airbase", "base", "field", "aeropuerto",
      "aéroport", "aeroporto", "aeroport", "Flughafen", "Flugplatz", "lotnisko", "seaplane", "afb", "luchthaven",
      "lufthavn", "flygplats", "lentoasema", "lentokenttä", "letiště", "letisko", "repülőtér", "havalimanı",
      "havaalanı", "bandara", "аэропорт", "аеропорт", "αεροδρόμιο", "αερολιμένας", "مطار", "فرودگاه",
    ]
    return Set((words + characters).map { folding.key($0) })
  }()

  /// Endings that follow the name without a space, the longest first.
  private static let characters = ["国際空港", "國際機場", "国际机场", "국제공항", "空港", "機場", "机场", "공항"]
}
