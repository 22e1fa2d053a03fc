import Basics

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

  private func isCode(_ alias: Int) -> Bool { tables.aliasFlags[alias] & NameIndex.code != 0 }

  private func isAirport(_ place: Int) -> Bool {
    let kind = tables.classes[place]
    return kind == PlaceClass.airport.rawValue || kind == PlaceClass.airfield.rawValue
  }

  /// Whether a word is a place's name, and not only a code or initials.
  private func isName(_ word: String) -> Bool {
    tables.entries(beginningWith: Array(word.lowercased().utf8)).exact.contains {
      tables.isWhole($0)
        && tables.aliasFlags[tables.alias(ofEntry: $0)] & (NameIndex.code | NameIndex.initials) == 0
    }
  }

  /// Whether an airport has these words in its name, or is near a town, or in a country, of this name.
  private func isThere(_ airport: Int, _ words: String) -> Bool {
    if Areas(tables, words, isTyped: false, isSure: false)
      .contains(region: tables.regions[airport], country: tables.country(of: airport))
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
    guard words.saysAirport, request.kinds.isEmpty || request.kinds.contains(.airport) else { return false }
    let doubt: Float = known > 0 ? 0.15 : 0
    var best: Float = 0
    func match(_ share: Float) -> Float { 0.35 + 0.55 * share - doubt }
    AirportScan(tables, words.others)?.forEach { alias, share in
      if let hit = add(alias, match: match(share), in: []) { best = max(best, hit.match) }
    }
    let name = words.others.joined(separator: " ")
    let named = towns(named: name)
    let towns = named.prefix(5)
    // If this is a town's own name, it doesn't mean another town's name in a foreign language.
    let foreign = named.contains { hasKey(ownName($0), of: name) } ? [] : towns
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
    return best >= Self.named
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
  /// The score below which a match isn't certain.
  private static var named: Float { 0.8 }
}
