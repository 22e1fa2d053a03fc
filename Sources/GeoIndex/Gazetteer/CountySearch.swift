import Basics
import GRDB

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
        let centre = place.coordinate
        var largest: [String: Place] = [:]
        for rank in tables.counties.indices where counties.contains(Int(tables.counties[rank])) {
          guard tables.country(of: rank) != NameIndex.countryCode(place.countryCode),
            centre.haversineDistance(to: tables.point(of: rank)) > 100_000,
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
