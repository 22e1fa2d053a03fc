extension GeoIndex {
  /// Towns by the county behind their name, which is no region that names are known of: `Boston, Lincolnshire`.
  /// - Returns: the best first; none if no county is called so, or none of its towns.
  func searchCounties(_ request: SearchRequest, language: String?) throws(GeoIndexError) -> [SearchResult] {
    let reading = Reading.all(of: request.text).dropFirst().first
    guard let reading, reading.isSure, let county = reading.within.first, request.text.contains(",") else { return [] }
    var folding = Folding()
    let keys = [folding.keyBytes(county)] + Spelling.others(of: county).map(\.key)
    var named = request
    named.text = ([reading.name] + reading.within.dropFirst()).joined(separator: ", ")
    let found = try searchNames(named, language: language, least: 0.7, limit: Self.namesakes)
    // Without borders there are names still.
    guard !found.isEmpty, let towns = try? geography.towns else { return [] }
    let counties = towns.counties(of: Set(found.map(\.id)))
    return found.filter { result in
      guard let county = counties[result.id] else { return false }
      return keys.contains(folding.keyBytes(county))
        || Spelling.others(of: county).contains { $0.penalty <= 0.1 && keys.contains($0.key) }
    }.map { result in
      let score = result.score
      return SearchResult(
        place: result.place, name: result.name, admin1: result.admin1, country: result.country,
        score: .init(
          match: score.match, importance: score.importance, context: max(score.context, 0.35), nearness: score.nearness)
      )
    }
  }

  /// No more towns of one name are looked at.
  private static let namesakes = 300
}

extension Towns {
  /// The counties of places, as far as they are known.
  fileprivate func counties(of places: Set<Int64>) -> [Int64: String] {
    guard !places.isEmpty else { return [:] }
    var found: [Int64: String] = [:]
    for town in 0..<records.count where places.contains(Int64(records[town].id)) {
      let number = Int(counties[town])
      if number < countyNames.count { found[Int64(records[town].id)] = countyNames[number] }
    }
    return found
  }
}
