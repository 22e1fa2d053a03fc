import Basics

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
  /// Pins that have the name, or have it as a word, come first; other pins rank like places of the greatest importance.
  /// Imported places rank like those of the gazetteer; a place that several sources have is returned once. Text with a
  /// leading `@` finds only pins, and an `@` alone lists them.
  ///
  /// A name may be followed by the town it is in (`Blue Mosque Istanbul`), and a word for a kind of places lists them: in a
  /// town (`museums in Berlin`), a country, or near the reference position, the most important and the nearest first.
  ///
  /// If no place has the name, at most five similar names are returned, and `MatchKind(of:)` is `similar`.
  /// - Parameter query: The text and what limits it. Nothing is found if the text has no letter or digit, except for `@`
  ///   alone.
  /// - Throws: `.userPlaces` if the pins can't be read; `.unknownCountry`.
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
      var search = try UserPlaceSearch(db, request) { [self] in self.countries(named: $0) }
      return try search.run(upTo: wanted)
    }
    let theirs = search(request, in: indexes, language: query.language, limit: wanted)
    let all = mine.map { Self.merged($0.named, $0.others, theirs) } ?? theirs
    return all.classified(as: text, isCompleting: query.isCompleting).dropFirst(offset).prefix(limit).map(\.self)
  }

  /// Returns the results of a query, searched outside Swift's threads.
  /// - Throws: Like `search(_:)`.
  public func results(of query: PlaceQuery) async throws(GeoIndexError) -> [SearchResult] {
    try await offloading { Result { () throws(GeoIndexError) in try search(query) } }.get()
  }

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
      var search = try UserPlaceSearch(db, request) { _ in [] }
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
  func countries(named name: String) -> [String] {
    search(SearchRequest(text: name, kinds: [.country]), in: [world], limit: 3).filter { $0.score.match >= 0.84 }
      .map(\.place.countryCode)
  }
}

extension Gazetteer {
  /// Returns the results of `request` in some indexes, without pins.
  /// - Parameter language: The language of the results' names.
  private func search(
    _ request: SearchRequest, in indexes: [PlaceIndex], language: String? = nil, limit: Int
  ) -> [SearchResult] {
    if request.countries.isEmpty, request.kinds.isEmpty || request.kinds.contains(.coordinate) {
      let positions = Place.all(coordinateText: request.text)
      if !positions.isEmpty { return positions.prefix(limit).map { SearchResult(coordinate: $0) } }
    }
    // A link without a position is not a name either.
    guard !MapLink.isLink(request.text) else { return [] }
    let found = searchNames(request, in: indexes, language: language, limit: limit)
    guard found.isEmpty, !request.isCompleting else { return found }
    return searchCounties(request, language: language).prefix(limit).map(\.self)
  }

  /// Returns the results of `request` among the names of some indexes.
  /// - Parameter language: The language of the results' names.
  private func searchNames(
    _ request: SearchRequest, in indexes: [PlaceIndex], language: String?, limit: Int
  ) -> [SearchResult] {
    let candidates = Candidate.all(of: request, in: world, for: world)
    let keys = indexes.count > 1 ? QueryInterpretation.areaKeys(of: request.text) : []
    var searches = indexes.map { index in
      let hasArea = keys.contains { index.ownAreas[$0] != nil }
      return NameSearch(
        index, in: world, request, hasArea ? Candidate.all(of: request, in: world, for: index) : candidates)
    }
    let isName = searches.contains { $0.hasName() }
    for number in searches.indices {
      searches[number].isName = isName
      searches[number].findNames()
    }
    if searches.count > 1 {
      ResidentMemory.limit(indexes)
      let found = searches
      for number in searches.indices { searches[number].join(found) }
    }
    var hits: [(number: Int, hit: NameSearch.Hit)] = []
    for number in searches.indices {
      searches[number].findMisspelled()
      hits += searches[number].best(limit).map { (number, $0) }
    }
    if searches.count > 1 {
      hits.sort { ($1.hit.total, $0.number, $0.hit.place) < ($0.hit.total, $1.number, $1.hit.place) }
    }
    var (results, known) = ([SearchResult](), KnownPlaces())
    for (number, hit) in hits where results.count < limit {
      let result = result(hit, in: number, indexes[number], language: language)
      if searches.count > 1, let twin = known.add(result.place, of: indexes[number], Int(hit.place)) {
        // The gazetteer has more names of regions and towns.
        if number == 0, [.region, .settlement].contains(result.place.kind.group) { results[twin] = result }
      } else {
        results.append(result)
      }
    }
    if !results.isEmpty { results[0].lead = Self.lead(of: hits.map { ($0.hit, indexes[$0.number]) }) }
    if searches.count > 1 { ResidentMemory.limit(indexes) }
    return results
  }

  /// Returns by how much the first hit exceeds the next one that lies elsewhere.
  private static func lead(of hits: [(hit: NameSearch.Hit, index: PlaceIndex)]) -> SearchResult.Lead {
    guard let first = hits.first else { return .init() }
    let point = first.index.point(of: Int(first.hit.place))
    let other = hits.dropFirst().first {
      point.haversineDistance(to: $0.index.point(of: Int($0.hit.place))) > 50_000
    }
    return other.map {
      .init(
        score: Double(first.hit.total - $0.hit.total), importance: Double(first.hit.importance - $0.hit.importance))
    } ?? .init()
  }

  private func result(
    _ hit: NameSearch.Hit, in number: Int, _ index: PlaceIndex, language: String?
  ) -> SearchResult {
    let place = index.place(Int(hit.place), matched: hit.alias)
    let region = Int(index.sharedRegion(of: Int(hit.place)))
    // Regions and countries have the names of the gazetteer.
    let areas = Naming(tables: world, language: language)
    let country = region < world.areaCountries.count ? Int(world.areaCountries[region]) : region
    return SearchResult(
      place: place, name: Naming(tables: index, language: language).name(of: hit.place) ?? place.name,
      admin1: place.admin1 == nil ? nil : areas.name(ofArea: region) ?? place.admin1,
      country: areas.name(ofArea: country) ?? place.country,
      score: .init(
        match: Double(hit.match), importance: Double(hit.importance), context: Double(hit.context),
        nearness: Double(hit.nearness)),
      match: IndexedName(index: number, place: Int(hit.place), alias: hit.alias))
  }

  /// Returns the codes of the countries that are given as ISO 3166-1 letters or names in any language.
  func codes(ofCountries names: Set<String>) throws(GeoIndexError) -> Set<UInt16> {
    var codes: Set<UInt16> = []
    for name in names {
      let code = PlaceIndex.countryCode(name.uppercased())
      if name.utf8.count == 2, world.countryCodes.contains(code) {
        codes.insert(code)
        continue
      }
      let named = countries(named: name)
      guard !named.isEmpty else {
        let alike = search(SearchRequest(text: name, kinds: [.country]), in: [world], limit: 3).map(\.name)
        throw GeoIndexError(
          .unknownCountry, "no country is named '\(name)'", remedy: .nameCountry(didYouMean: alike))
      }
      codes.formUnion(named.map { PlaceIndex.countryCode($0) })
    }
    return codes
  }
}

extension SearchResult {
  init(coordinate place: Place) {
    self.init(
      place: place, name: place.name, admin1: nil, country: "",
      score: Score(match: 1, importance: 1, context: 0, nearness: 0))
  }
}

extension Gazetteer {
  /// Searches towns by a county after their name, which is not a region with known names: `Boston, Lincolnshire`.
  /// - Returns: The towns, the best first; empty if no county has this name, or none of its towns matches.
  private func searchCounties(_ request: SearchRequest, language: String?) -> [SearchResult] {
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
    var search = NameSearch(world, in: world, named, Candidate.all(of: named, in: world, for: world))
    search.isName = search.hasName()
    search.findNames()
    search.findMisspelled()
    // Poor matches are not searched for among little-known names.
    let hits = search.best(0).filter { $0.match >= 0.7 }.prefix(Self.namesakes)
    return hits.filter { hit in world.county(of: hit.place).map(isCalledSo) ?? false }.map { hit in
      let result = result(hit, in: 0, world, language: language)
      let score = result.score
      return SearchResult(
        place: result.place, name: result.name, admin1: result.admin1, country: result.country,
        score: .init(
          match: score.match, importance: score.importance, context: max(score.context, 0.35),
          nearness: score.nearness))
    }
  }

  /// The maximum number of towns of one name that are considered.
  private static let namesakes = 300
}

extension PlaceIndex {
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
  func towns(ofCountiesNamed name: String, farFrom place: Place) -> [Place] {
    var folding = Folding()
    let key = folding.key(name)
    let keys = Set([key, key + "islands"])
    let counties = Set(
      world.countyTexts.indices.filter { keys.contains(folding.key(world.text(at: world.countyTexts[$0]))) })
    guard !counties.isEmpty else { return [] }
    let center = place.coordinate
    var largest: [String: Place] = [:]
    for rank in world.counties.indices where counties.contains(Int(world.counties[rank])) {
      guard world.country(of: rank) != PlaceIndex.countryCode(place.countryCode),
        center.haversineDistance(to: world.point(of: rank)) > 100_000
      else { continue }
      let town = world.place(rank)
      if town.population > largest[town.countryCode]?.population ?? 0 { largest[town.countryCode] = town }
    }
    return largest.values.sorted { ($1.population, $0.id) < ($0.population, $1.id) }
  }
}
