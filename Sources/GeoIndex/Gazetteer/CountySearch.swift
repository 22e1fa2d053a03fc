extension Gazetteer {
  /// Towns by the county behind their name, which is no region that names are known of: `Boston, Lincolnshire`.
  /// - Returns: the best first; none if no county is called so, or none of its towns.
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
        // Those that match badly are not looked for among names that are hardly known.
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

  /// No more towns of one name are looked at.
  private static let namesakes = 300
}

extension NameTables {
  /// The county of a town, if it is known.
  fileprivate func county(of place: UInt32) -> String? {
    let number = Int(counties[Int(place)])
    return number < countyTexts.count ? text(at: countyTexts[number]) : nil
  }
}
