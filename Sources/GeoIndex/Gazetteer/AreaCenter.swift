import Basics
import Foundation
import GRDB

/// The center of a country or region, and how far the area extends from there.
public struct AreaCenter: Sendable, Hashable {
  /// Degrees north, WGS 84, to five decimals.
  public let latitude: Double
  /// Degrees east, WGS 84, to five decimals.
  public let longitude: Double
  /// The distance in metres to the farthest point of the area's border, or to its farthest town if that is farther; at
  /// least 1 km.
  public let reach: Double
}

extension Gazetteer {
  /// Returns the center of the land of a country or region: the mean of its largest connected piece if that has two
  /// thirds of the land, otherwise of all its land. If the mean lies outside the land, the nearest point of the land is
  /// used.
  ///
  /// - Returns: The center; nil if the area's border isn't known, and for other places.
  /// - Throws: `.cache` if the index can't be read, `.missingGazetteer` or `.damagedGazetteer` if the borders can't.
  public func center(of area: Place) throws(GeoIndexError) -> AreaCenter? {
    guard area.kind == .country || area.kind == .admin1 else { return nil }
    let regions = try regions(of: area)
    let codes = area.kind == .country ? nil : Set(regions.map(\.code))
    let atlas = try atlas
    let drawn = atlas.drawn(ofCountry: area.countryCode, regions: codes)
    // The map of the regions ends at the coast, that of the zones at sea; on land, the zones are more exact.
    let land =
      atlas.regions.center(of: drawn.regions) { drawn.zones.isEmpty || atlas.zones.has($0, in: drawn.zones) }
      ?? atlas.zones.center(of: drawn.zones)
      ?? area.coordinate
    let center = Coordinate(
      clampingLatitude: (land.latitude * 1e5).rounded() / 1e5, longitude: (land.longitude * 1e5).rounded() / 1e5)
    var border: Double?
    let country = CountryCode(area.countryCode)
    func measure(_ corner: Coordinate) {
      guard !isElsewhere(corner, country) else { return }
      border = max(border ?? 0, center.haversineDistance(to: corner))
    }
    atlas.regions.forEachCorner(of: drawn.regions, measure)
    atlas.zones.forEachCorner(of: drawn.zones, measure)
    guard let border else { return nil }
    let reach = try max(border, distance(from: center, toFarthestTownIn: regions.map(\.number)), 1_000).rounded(.up)
    return AreaCenter(latitude: center.latitude, longitude: center.longitude, reach: reach)
  }

  /// Whether the map counts a corner as the country's although it isn't: an islet of another country, or Antarctica.
  private func isElsewhere(_ corner: Coordinate, _ country: CountryCode) -> Bool {
    if corner.latitude < -60 { return country != CountryCode("AQ") }
    let point = Lattice(corner)
    return Islet.all.contains { $0.contains(point) && $0.country != country }
  }

  private func regions(of area: Place) throws(GeoIndexError) -> [(number: Int, code: String)] {
    try read { db in
      let rows =
        area.kind == .country
        ? try Row.fetchAll(db, sql: "SELECT number, code FROM region WHERE country = ?", arguments: [area.countryCode])
        : try Row.fetchAll(
          db, sql: "SELECT number, code FROM region WHERE number = (SELECT region FROM place WHERE id = ?)",
          arguments: [area.id])
      return rows.map { (number: $0[0], code: "\(area.countryCode).\($0[1] as String)") }
    }
  }

  private func distance(from center: Coordinate, toFarthestTownIn regions: [Int]) throws(GeoIndexError) -> Double {
    try read { db in
      let towns = try Row.fetchCursor(
        db,
        sql: """
          SELECT latitude, longitude FROM place
          WHERE class <= ? AND region IN (\(regions.map(String.init).joined(separator: ",")))
          """,
        arguments: [PlaceClass.village.rawValue])
      var reach = 0.0
      while let town = try towns.next() {
        let (latitude, longitude): (Int32, Int32) = (town[0], town[1])
        let point = Coordinate(latitudeE5: latitude, longitudeE5: longitude)
        reach = max(reach, center.haversineDistance(to: point))
      }
      return reach
    }
  }
}

extension Atlas {
  /// Returns the numbers of a country's areas in the two layers, or of its regions with given codes. A zone shared by
  /// several countries is not attributed to one of them.
  fileprivate func drawn(
    ofCountry code: String, regions wanted: Set<String>?
  ) -> (regions: Set<UInt16>, zones: Set<UInt16>) {
    let country = CountryCode(code)
    let drawn = regions.areas.indices.filter { number in
      regionCountries[number] == country
        && wanted.map { codes in regions.areas[number].count > 2 && codes.contains(regions.areas[number][1]) } ?? true
    }
    let own = zones.areas.indices.filter {
      wanted == nil && zoneCountries[$0] == country && zones.areas[$0].count <= 2
    }
    return (Set(drawn.map { UInt16($0) }), Set(own.map { UInt16($0) }))
  }
}

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
