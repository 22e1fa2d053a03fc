import GRDB

extension GeoIndex {
  /// `search` in the gazetteer only.
  func searchGazetteer(
    _ text: String, near: (latitude: Double, longitude: Double)? = nil, in countries: Set<String> = [],
    kinds: Set<Place.Kind> = [], language: String? = nil, isCompleting: Bool = false, limit: Int = 10, offset: Int = 0
  ) throws(GeoIndexError) -> [SearchResult] {
    guard limit > 0, offset >= 0 else { return [] }
    if let place = Place(coordinateText: text), kinds.isEmpty || kinds.contains(.coordinate), countries.isEmpty {
      return offset == 0 ? [SearchResult(coordinate: place)] : []
    }
    var request = SearchRequest(text: text)
    if let near, abs(near.latitude) <= 90, near.longitude.isFinite {
      request.near = Point(latitude: near.latitude, longitude: near.longitude)
    }
    request.countries = Set(countries.map { NameIndex.countryCode($0.uppercased()) })
    request.kinds = kinds
    request.isCompleting = isCompleting
    if let language { request.language = language }
    return try read { db in
      try names.read { tables in
        var search = NameSearch(tables, request)
        let naming = Naming(tables: tables, language: language)
        return try search.run(upTo: offset.addingReportingOverflow(limit).overflow ? .max : offset + limit).dropFirst(
          offset
        ).prefix(limit).compactMap { hit in
          try SearchResult(hit, db: db, naming: naming)
        }
      }
    }
  }

  /// The one place that is meant by a name typed without a chance to choose, if it is clear which.
  ///
  /// Only places that bear the name are taken; country or region may go with it, as in `search`. Of several, the first is
  /// meant if it is eight times as large as the next (`Kyoto`, `Paris`); else the name is ambiguous (`Springfield`). A place of
  /// the user's own is meant before any of the gazetteer.
  /// - Throws: `.cache` if the index can't be read.
  public func resolve(_ text: String) throws(GeoIndexError) -> PlaceResolution {
    let all = try search(text, limit: 20).filter { $0.score.match >= 0.84 }
    let own = all.filter { $0.place.own != nil }
    let named = own.isEmpty ? all : own
    guard let first = named.first else {
      return .none(suggestions: try search(text, isCompleting: true, limit: 5).map(\.place))
    }
    // A size eight times as large is this much more important.
    let isClear = named.count == 1 || first.score.total - named[1].score.total >= 0.106
    return isClear ? .one(first.place) : .ambiguous(named.map(\.place))
  }
}

extension SearchResult {
  init?(_ hit: NameSearch.Hit, db: Database, naming: Naming) throws {
    let tables = naming.tables
    let matched = tables.text(at: tables.aliasTexts[Int(hit.alias)])
    guard let place = try Place(db, rank: Int64(hit.place), matchedName: matched) else { return nil }
    let region = Int(tables.regions[Int(hit.place)])
    self.init(
      place: place, name: naming.name(of: hit.place) ?? place.name, admin1: naming.name(ofArea: region) ?? place.admin1,
      country: naming.name(ofArea: Int(tables.areaCountries[region])) ?? place.country,
      score: Score(
        match: Double(hit.match), importance: Double(hit.importance), context: Double(hit.context),
        nearness: Double(hit.nearness)))
  }

  init(coordinate place: Place) {
    self.init(
      place: place, name: place.name, admin1: nil, country: "",
      score: Score(match: 1, importance: 1, context: 0, nearness: 0))
  }
}
