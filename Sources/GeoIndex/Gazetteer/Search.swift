import Basics
import GRDB

extension Gazetteer {
  /// Returns the results of `search` in the gazetteer only.
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

  /// - Parameter language: The language of the results' names.
  private func searchNames(
    _ request: SearchRequest, language: String?, limit: Int
  ) throws(GeoIndexError) -> [SearchResult] {
    try read { db in
      try names.read { tables in
        var search = NameSearch(tables, request)
        let naming = Naming(tables: tables, language: language)
        return try search.run(upTo: limit).prefix(limit).compactMap { try SearchResult($0, db: db, naming: naming) }
      }
    }
  }

  /// Returns the codes of the countries to which `search` is limited, from ISO 3166-1 letters or names in any language.
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
          .unknownCountry,
          "no country is called '\(name)'"
            + (alike.isEmpty ? "" : " (did you mean \(alike.joined(separator: ", "))?)"), remedy: .nameCountry)
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
