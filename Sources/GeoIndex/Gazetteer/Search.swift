import Basics
import GRDB

/// Search for places by name.
extension Gazetteer {
  /// Returns the places called `text`, in any language, script and spelling, the most likely first.
  ///
  /// Case, accents, width, spaces and punctuation are ignored, and `ü` matches `u` or `ue`. One letter may be wrong in
  /// names of four letters or more, two in names of seven or more. Names in one script are found by another. The
  /// country or region can follow or precede the name, in any language or as an ISO code: `Paris, Texas`, `Vancouver
  /// BC`, `日本 京都`. A whole name takes precedence over such a reading, unless there is a comma. A ZIP code after the
  /// region and a postal code before the town are ignored. Codes of airports and countries are found as well, first if
  /// they are in capitals (`NRT`, `EDDM`), and with the word for airport or its town (`JFK Airport`, `Paris CDG`).
  /// Coordinates in every usual form, Plus Codes (complete, or followed by a town), and `geo:` URIs are results of
  /// their own.
  ///
  /// The user's own places that have the name, or have it as a word, come first; the user's other matches rank like
  /// places of the greatest importance. Text with a leading `@` finds only pins, and an `@` alone lists them.
  ///
  /// A name may be followed by the town it is in (`Blue Mosque Istanbul`), and a word for a kind of places lists them: in a
  /// town (`museums in Berlin`), a country, or near the reference position, the most important and the nearest first.
  ///
  /// If no place has the name, at most five similar names are returned, and `MatchKind(of:)` is `similar`.
  /// - Parameter query: The text and what limits it. Nothing is found if the text has no letter or digit, except for `@`
  ///   alone.
  /// - Throws: `.cache` if the index can't be read, `.userPlaces` if the user's own places can't; `.unknownCountry`.
  public func search(_ query: PlaceQuery) throws(GeoIndexError) -> [SearchResult] {
    let (limit, offset) = (query.limit, query.offset)
    guard limit > 0, offset >= 0 else { return [] }
    let text = GeoLink(query.text)?.query ?? query.text
    let near = query.near.map { ($0.latitude, $0.longitude) }
    if let code = PlusCode(text), code.center == nil, query.kinds.isEmpty || query.kinds.contains(.coordinate) {
      return offset == 0 ? try positions(of: code, typedAs: text, near: near, in: query.countries) : []
    }
    let wanted = offset.addingReportingOverflow(limit).overflow ? .max : offset + limit
    let pin = text.drop { $0.isWhitespace }
    let isPin = pin.first == "@"
    var request = SearchRequest(text: isPin ? String(pin.dropFirst()) : text)
    if let near, abs(near.0) <= 90, near.1.isFinite { request.near = Coordinate(turning: near) }
    request.region = query.region
    request.countries = try codes(ofCountries: query.countries)
    request.kinds = query.kinds
    request.isCompleting = query.isCompleting
    if let language = query.language { request.language = language }
    if isPin { return try pins(request, upTo: wanted).dropFirst(offset).map(\.self) }
    let mine = try own?.read { db in
      var search = try UserPlaceSearch(db, request) { [self] in try self.countries(named: $0) }
      return try search.run(upTo: wanted)
    }
    let theirs = try searchGazetteer(request, language: query.language, limit: wanted)
    let all = mine.map { Self.merged($0.named, $0.others, theirs) } ?? theirs
    return all.classified(as: text, isCompleting: query.isCompleting).dropFirst(offset).prefix(limit).map(\.self)
  }

  /// Returns the results of a query, searched outside the caller's actor.
  /// - Throws: Like `search(_:)`.
  @concurrent
  public func results(of query: PlaceQuery) async throws(GeoIndexError) -> [SearchResult] { try search(query) }

  /// Returns the results of `search(_:)` for a query with these properties, which `PlaceQuery` describes.
  /// - Throws: Like `search(_:)`.
  public func search(
    _ text: String, near: (latitude: Double, longitude: Double)? = nil, within region: SearchRegion? = nil,
    in countries: Set<String> = [], kinds: Set<Place.Kind> = [], language: String? = nil, isCompleting: Bool = false,
    limit: Int = 10, offset: Int = 0
  ) throws(GeoIndexError) -> [SearchResult] {
    var query = PlaceQuery(text)
    query.near = near.map { .init(latitude: $0.latitude, longitude: $0.longitude) }
    (query.region, query.countries, query.kinds, query.language) = (region, countries, kinds, language)
    (query.isCompleting, query.limit, query.offset) = (isCompleting, limit, offset)
    return try search(query)
  }

  /// Returns the matching pins; all of them for an `@` alone.
  private func pins(_ request: SearchRequest, upTo count: Int) throws(GeoIndexError) -> [SearchResult] {
    guard let own else { return [] }
    guard request.text.contains(where: { !$0.isWhitespace }) else {
      let score = SearchResult.Score(match: 0.6, importance: 1, context: 0, nearness: 0)
      return try own.pins().prefix(count).map { SearchResult(own: $0, score: score) }
    }
    return try own.read { db in
      var search = try UserPlaceSearch(db, request, source: UserPlaceSchema.pins) { _ in [] }
      let found = try search.run(upTo: count)
      return (found.named + found.others).prefix(count).map(\.self)
    }
  }

  /// Merges sorted results. With equal totals, the user's place comes first.
  private static func merged(
    _ named: [SearchResult], _ others: [SearchResult], _ theirs: [SearchResult]
  ) -> [SearchResult] {
    var (merged, rest) = (named, others[...])
    for result in theirs {
      while let own = rest.first, own.score.total >= result.score.total {
        merged.append(own)
        rest = rest.dropFirst()
      }
      merged.append(result)
    }
    return merged + rest
  }

  /// Returns the codes of the countries that `name` may mean.
  func countries(named name: String) throws(GeoIndexError) -> [String] {
    try searchGazetteer(SearchRequest(text: name, kinds: [.country]), limit: 3).filter { $0.score.match >= 0.84 }.map(
      \.place.countryCode)
  }
}

extension Gazetteer {
  /// Returns the results of `request` in the gazetteer only, without the user's places.
  /// - Parameter language: The language of the results' names.
  func searchGazetteer(
    _ request: SearchRequest, language: String? = nil, limit: Int
  ) throws(GeoIndexError) -> [SearchResult] {
    if request.countries.isEmpty, request.kinds.isEmpty || request.kinds.contains(.coordinate) {
      let positions = Place.all(coordinateText: request.text)
      if !positions.isEmpty { return positions.prefix(limit).map { SearchResult(coordinate: $0) } }
    }
    // A link without a position is not a name either.
    guard !MapLink.isLink(request.text) else { return [] }
    let found = try searchNames(request, language: language, limit: limit)
    guard found.isEmpty, !request.isCompleting else { return found }
    return try searchCounties(request, language: language).prefix(limit).map(\.self)
  }

  /// Returns the results of `request` among the names of the gazetteer.
  /// - Parameter language: The language of the results' names.
  private func searchNames(
    _ request: SearchRequest, language: String?, limit: Int
  ) throws(GeoIndexError) -> [SearchResult] {
    try read { db in
      try names.read { tables in
        var search = NameSearch(tables, request)
        let naming = Naming(tables: tables, language: language)
        let hits = search.run(upTo: limit)
        var results = try hits.prefix(limit).compactMap { try SearchResult($0, db: db, naming: naming) }
        if !results.isEmpty { results[0].lead = search.lead(of: hits) }
        return results
      }
    }
  }

  /// Returns the codes of the countries that are given as ISO 3166-1 letters or names in any language.
  func codes(ofCountries names: Set<String>) throws(GeoIndexError) -> Set<UInt16> {
    var codes: Set<UInt16> = []
    for name in names {
      let code = NameIndex.countryCode(name.uppercased())
      if name.utf8.count == 2, self.names.read({ $0.countryCodes.contains(code) }) {
        codes.insert(code)
        continue
      }
      let named = try countries(named: name)
      guard !named.isEmpty else {
        let alike = try searchNames(SearchRequest(text: name, kinds: [.country]), language: nil, limit: 3).map(\.name)
        throw GeoIndexError(
          .unknownCountry, "no country is named '\(name)'", remedy: .nameCountry(didYouMean: alike))
      }
      codes.formUnion(named.map { NameIndex.countryCode($0) })
    }
    return codes
  }
}

extension SearchResult {
  init?(_ hit: NameSearch.Hit, db: Database, naming: Naming) throws {
    let tables = naming.tables
    let matched = tables.text(of: hit.alias)
    guard let place = try Place(db, rank: Int64(hit.place), matchedName: matched) else { return nil }
    let region = Int(tables.regions[Int(hit.place)])
    self.init(
      place: place, name: naming.name(of: hit.place) ?? place.name, admin1: naming.name(ofArea: region) ?? place.admin1,
      country: naming.name(ofArea: Int(tables.areaCountries[region])) ?? place.country,
      score: Score(
        match: Double(hit.match), importance: Double(hit.importance), context: Double(hit.context),
        nearness: Double(hit.nearness)),
      rank: Int(hit.place), alias: hit.alias)
  }

  init(coordinate place: Place) {
    self.init(
      place: place, name: place.name, admin1: nil, country: "",
      score: Score(match: 1, importance: 1, context: 0, nearness: 0))
  }
}

extension Gazetteer {
  /// Searches towns by a county after their name, which is not a region with known names: `Boston, Lincolnshire`.
  /// - Returns: The towns, the best first; empty if no county has this name, or none of its towns matches.
  func searchCounties(_ request: SearchRequest, language: String?) throws(GeoIndexError) -> [SearchResult] {
    let reading = QueryInterpretation.all(of: request.text).dropFirst().first
    guard let reading, reading.isSure, let county = reading.within.first, request.text.contains(",") else { return [] }
    var folding = Folding()
    let keys = [folding.keyBytes(county)] + Spelling.others(of: county).map(\.key)
    var named = request
    named.text = ([reading.name] + reading.within.dropFirst()).joined(separator: ", ")
    func isCalledSo(_ county: String) -> Bool {
      keys.contains(folding.keyBytes(county))
        || Spelling.others(of: county).contains { $0.penalty <= 0.1 && keys.contains($0.key) }
    }
    return try read { db in
      try names.read { tables in
        var search = NameSearch(tables, named)
        // Poor matches are not searched for among little-known names.
        let hits = search.run(upTo: 0).filter { $0.match >= 0.7 }.prefix(Self.namesakes)
        let naming = Naming(tables: tables, language: language)
        return try hits.filter { hit in tables.county(of: hit.place).map(isCalledSo) ?? false }.compactMap { hit in
          guard let result = try SearchResult(hit, db: db, naming: naming) else { return nil }
          let score = result.score
          return SearchResult(
            place: result.place, name: result.name, admin1: result.admin1, country: result.country,
            score: .init(
              match: score.match, importance: score.importance, context: max(score.context, 0.35),
              nearness: score.nearness))
        }
      }
    }
  }

  /// The maximum number of towns of one name that are considered.
  private static let namesakes = 300
}

extension NameTables {
  /// Returns the county of a town; nil if unknown.
  fileprivate func county(of place: UInt32) -> String? {
    let number = Int(counties[Int(place)])
    return number < countyTexts.count ? text(at: countyTexts[number]) : nil
  }
}

extension Gazetteer {
  /// Returns the largest town of each county abroad that has the same name as a little-known place: people who type
  /// Cornwall or Orkney may never have heard of the towns with these names.
  /// - Parameter place: The place with the name; counties of its own country are ignored.
  func towns(ofCountiesNamed name: String, farFrom place: Place) throws(GeoIndexError) -> [Place] {
    var folding = Folding()
    let key = folding.key(name)
    let keys = Set([key, key + "islands"])
    return try read { db in
      try names.read { tables in
        let counties = Set(
          tables.countyTexts.indices.filter { keys.contains(folding.key(tables.text(at: tables.countyTexts[$0]))) })
        guard !counties.isEmpty else { return [] }
        let center = place.coordinate
        var largest: [String: Place] = [:]
        for rank in tables.counties.indices where counties.contains(Int(tables.counties[rank])) {
          guard tables.country(of: rank) != NameIndex.countryCode(place.countryCode),
            center.haversineDistance(to: tables.point(of: rank)) > 100_000,
            let town = try Place(db, rank: Int64(rank), matchedName: nil),
            town.population > largest[town.countryCode]?.population ?? 0
          else { continue }
          largest[town.countryCode] = town
        }
        return largest.values.sorted { ($1.population, $0.id) < ($0.population, $1.id) }
      }
    }
  }
}
