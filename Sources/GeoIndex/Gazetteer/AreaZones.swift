import GRDB

extension Gazetteer {
  /// Returns the time zones of the towns in a country or region, as IANA names; the one with the most inhabitants comes
  /// first. Empty for other places.
  ///
  /// - Throws: `.cache` if the index can't be read.
  public func zones(of area: Place) throws(GeoIndexError) -> [String] {
    guard area.kind == .country || area.kind == .admin1 else { return [] }
    let names = try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT zone.name FROM place JOIN zone ON zone.number = place.zone
          WHERE class <= ? AND place.region IN (
            SELECT number FROM region
            WHERE \(area.kind == .country ? "country = ?" : "number = (SELECT region FROM place WHERE id = ?)"))
          GROUP BY zone.name ORDER BY sum(population) DESC, zone.name
          """,
        arguments: [PlaceClass.quarter.rawValue, area.kind == .country ? area.countryCode : area.id])
    }
    // A few towns at borders have the time zone of the neighbouring country.
    let own = try atlas.zones(ofCountry: area.countryCode)
    let kept = names.filter(own.contains)
    return kept.isEmpty ? names : kept
  }
}

extension Atlas {
  /// Returns the names of the zones in which a country has land.
  fileprivate func zones(ofCountry code: String) -> Set<String> {
    let country = CountryCode(code)
    return Set(
      zones.areas.indices.filter { zoneCountries[$0] == country || zones.areas[$0].dropFirst().contains(code) }
        .compactMap { zones.areas[$0].first })
  }
}
