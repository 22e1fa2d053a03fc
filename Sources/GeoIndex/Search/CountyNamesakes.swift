import GRDB

extension GeoIndex {
  /// The largest town of each county abroad that is called as a little-known place is: who types Cornwall, or Orkney, has
  /// perhaps never heard of the towns of these names.
  /// - Parameter place: what bears the name; its own country has no say.
  func towns(ofCountiesNamed name: String, farFrom place: Place) throws(GeoIndexError) -> [Place] {
    // Without borders there are names still.
    guard let towns = try? geography.towns else { return [] }
    var folding = Folding()
    let key = folding.key(name)
    let keys = Set([key, key + "islands"])
    let counties = Set(towns.countyNames.indices.filter { keys.contains(folding.key(towns.countyNames[$0])) })
    guard !counties.isEmpty else { return [] }
    let centre = Point(latitude: place.latitude, longitude: place.longitude)
    let country = CountryCode(place.countryCode)
    var largest: [CountryCode: Towns.Record] = [:]
    for town in 0..<towns.records.count where counties.contains(Int(towns.counties[town])) {
      let (record, abroad) = (towns.records[town], towns.sites[town].country)
      guard abroad != country, record.population > largest[abroad]?.population ?? 0,
        GreatCircle.distance(centre, record.centre) > 100_000
      else { continue }
      largest[abroad] = record
    }
    let ids = largest.values.sorted { ($1.population, $0.id) < ($0.population, $1.id) }.map { Int64($0.id) }
    return try read { db in
      try ids.compactMap { id in
        try Int64.fetchOne(db, sql: "SELECT rank FROM place WHERE id = ?", arguments: [id])
          .flatMap { try Place(db, rank: $0, matchedName: nil) }
      }
    }
  }
}
