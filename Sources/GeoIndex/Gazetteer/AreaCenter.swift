import Basics
import Foundation

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
  /// - Throws: `.missingGazetteer` or `.damagedGazetteer` if the borders can't be read.
  public func center(of area: Place) throws(GeoIndexError) -> AreaCenter? {
    guard area.kind == .country || area.kind == .admin1 else { return nil }
    let regions = regions(of: area)
    let codes = area.kind == .country ? nil : Set(regions.map { "\(area.countryCode).\(world.regionCode($0))" })
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
    let reach = max(border, distance(from: center, toFarthestTownIn: regions), 1_000).rounded(.up)
    return AreaCenter(latitude: center.latitude, longitude: center.longitude, reach: reach)
  }

  /// Whether the map counts a corner as the country's although it isn't: an islet of another country, or Antarctica.
  private func isElsewhere(_ corner: Coordinate, _ country: CountryCode) -> Bool {
    if corner.latitude < -60 { return country != CountryCode("AQ") }
    let point = Lattice(corner)
    return Islet.all.contains { $0.contains(point) && $0.country != country }
  }

  /// Returns the numbers of the regions of a country, or of the region that a place is.
  private func regions(of area: Place) -> [Int] {
    if area.kind == .country {
      return world.countryCodes.indices.filter { world.code(ofCountry: $0) == area.countryCode }
    }
    return world.ids.firstIndex(of: area.id).map { [Int(world.regions[$0])] } ?? []
  }

  private func distance(from center: Coordinate, toFarthestTownIn regions: [Int]) -> Double {
    let regions = Set(regions.map { UInt16($0) })
    return world.regions.indices.reduce(0) { reach, place in
      guard world.classes[place] <= PlaceClass.village.rawValue, regions.contains(world.regions[place]) else {
        return reach
      }
      return max(reach, center.haversineDistance(to: world.point(of: place)))
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
  /// - Throws: `.missingGazetteer` or `.damagedGazetteer` if the borders can't be read.
  public func zones(of area: Place) throws(GeoIndexError) -> [String] {
    guard area.kind == .country || area.kind == .admin1 else { return [] }
    let regions = Set(regions(of: area).map { UInt16($0) })
    var people: [UInt16: Int] = [:]
    for place in world.regions.indices
    where world.classes[place] <= PlaceClass.quarter.rawValue && regions.contains(world.regions[place]) {
      people[world.zones[place], default: 0] += Int(world.populations[place])
    }
    let zones = people.map { (name: world.text(at: world.zoneTexts[Int($0.key)]), people: $0.value) }
      .sorted { ($1.people, $0.name) < ($0.people, $1.name) }.map(\.name)
    // A few towns at borders have the time zone of the neighbouring country.
    let own = try atlas.zones(ofCountry: area.countryCode)
    let kept = zones.filter(own.contains)
    return kept.isEmpty ? zones : kept
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
