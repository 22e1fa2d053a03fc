extension Gazetteer {
  /// Places that are called `text`, in any language, script and spelling, the likeliest first.
  ///
  /// Case, accents, width, spaces and punctuation don't matter, `ü` may be `u` or `ue`; one letter may be wrong from
  /// four on, two from seven; names of one script are found by another. Country or region may stand after the name or
  /// before it, in any language or as an ISO code: `Paris, Texas`, `Vancouver BC`, `日本 京都`; a whole name
  /// goes before such a reading, unless there is a comma. A ZIP code behind the region and a postal code before the
  /// town are passed over. Codes of airports and countries are found as well, first of all if they are in capitals (`NRT`,
  /// `EDDM`), and with the word for airport or its town (`JFK Airport`, `Paris CDG`). Coordinates in every usual form,
  /// Plus Codes, whole or with the town that stands behind them, and `geo:` URIs are one result of their own.
  ///
  /// Places of the user's own that bear the name, or have it as a word, come first; others of theirs stand where places
  /// of the greatest importance would. Text with an `@` in front finds only pins, and an `@` alone lists them.
  /// - Parameters:
  ///   - text: what was typed. Nothing is found if it has no letter or digit, a bare `@` aside.
  ///   - near: where one looks from, in degrees: of places alike, the nearer ones come first. Paris stays Paris from
  ///     anywhere. What is off the Earth is passed over.
  ///   - countries: only places there (two ISO 3166-1 letters each, either case, or names); empty: everywhere.
  ///   - kinds: only such places; empty: all.
  ///   - language: a BCP 47 tag; results and what they lie in get their names in it, as far as known.
  ///   - isCompleting: `text` is being typed: well-known names that begin so come before little-known ones that are so.
  ///   - limit: how many places at most; `Int.max` for all, and none for 0 or less.
  ///   - offset: how many of the first to leave out: pages of a list don't overlap. With less than 0 nothing is found.
  /// - Throws: `.cache` if the index can't be read, `.ownPlaces` if the user's own places can't; `.unknownCountry`.
  public func search(
    _ text: String, near: (latitude: Double, longitude: Double)? = nil, in countries: Set<String> = [],
    kinds: Set<Place.Kind> = [], language: String? = nil, isCompleting: Bool = false, limit: Int = 10, offset: Int = 0
  ) throws(GeoIndexError) -> [SearchResult] {
    guard limit > 0, offset >= 0 else { return [] }
    let text = GeoURI(text)?.query ?? text
    if let code = PlusCode(text), code.centre == nil, kinds.isEmpty || kinds.contains(.coordinate) {
      return offset == 0 ? try positions(of: code, typedAs: text, near: near, in: countries) : []
    }
    let wanted = offset.addingReportingOverflow(limit).overflow ? .max : offset + limit
    let pin = text.drop { $0.isWhitespace }
    let isPin = pin.first == "@"
    var request = SearchRequest(text: isPin ? String(pin.dropFirst()) : text)
    if let near, abs(near.latitude) <= 90, near.longitude.isFinite {
      request.near = Point(latitude: near.latitude, longitude: near.longitude)
    }
    request.countries = try codes(ofCountries: countries)
    request.kinds = kinds
    request.isCompleting = isCompleting
    if let language { request.language = language }
    if isPin { return try pins(request, upTo: wanted).dropFirst(offset).map(\.self) }
    let mine = try own?.read { db in
      var search = try UserPlaceSearch(db, request) { [self] in try self.countries(named: $0) }
      return try search.run(upTo: wanted)
    }
    let theirs = try searchGazetteer(request, language: language, limit: wanted)
    guard let mine else { return theirs.dropFirst(offset).map(\.self) }
    return Self.merged(mine.named, mine.others, theirs).dropFirst(offset).prefix(limit).map(\.self)
  }

  /// All of them for a bare `@`.
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

  /// `others` and `theirs` are sorted; equal totals are the user's.
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

  /// Codes of the countries that `name` may mean.
  func countries(named name: String) throws(GeoIndexError) -> [String] {
    try searchGazetteer(SearchRequest(text: name, kinds: [.country]), limit: 3).filter { $0.score.match >= 0.84 }.map(
      \.place.countryCode)
  }
}
