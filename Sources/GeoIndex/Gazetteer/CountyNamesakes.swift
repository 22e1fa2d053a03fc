import Basics
import GRDB

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
