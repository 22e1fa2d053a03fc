import Basics
import GRDB

extension PlaceNamer {
  /// Returns the names of a place without anything inside it: no part for a city, no city for a region, only the
  /// country for a country. An airport's own name replaces the part of a city.
  ///
  /// - Throws: `.badCoordinate`, for a user's place with an invalid position.
  public func names(of place: Place) throws(GeoIndexError) -> Names {
    let found = try look(latitude: place.latitude, longitude: place.longitude)
    var names = found.names
    names.distance = nil
    switch place.kind {
    case .country, .admin1:
      (names.sublocation, names.city, names.inOtherForms) = (nil, nil, [])
      names.country = country(place.countryCode) ?? place.country
      names.countryCode = place.countryCode
      if place.kind == .country {
        names.state = nil
      } else if found.region != place.name {
        names.state = place.name
      }
    case .city, .capital, .locality:
      if found.city == place.id {
        names.sublocation = nil
      } else if found.part != place.id {
        (names.city, names.sublocation) = (place.name, nil)
      }
    case .airport: names.sublocation = place.name
    case .own, .coordinate: break
    }
    if let part = found.names.sublocation, names.sublocation != part {
      names.inOtherForms.removeAll { $0.hasPrefix("\(part) (") }
    }
    return names
  }
}

extension PlaceNamer {
  /// Whether a position counts as lying in a place: in its country or region, or in the city or part of a city that
  /// `names` returns for the position. For an airport, an island or a user's own place: within its radius, or 2 km. If
  /// the error exceeds what `Exactness` allows, or the radius and 2 km, the position counts only for its country.
  ///
  /// - Parameter error: The possible error of the position in metres; nil if unknown.
  /// - Throws: `.badCoordinate`.
  public func isIn(
    _ place: Place, latitude: Double, longitude: Double, error: Double? = nil
  ) throws(GeoIndexError) -> Bool {
    let error = error ?? 0
    let point = try Coordinate(validating: latitude, longitude)
    let found = try look(latitude: latitude, longitude: longitude)
    switch place.kind {
    case .country: return found.names.countryCode == place.countryCode
    case .admin1:
      return found.names.countryCode == place.countryCode && found.region == place.name && error <= Exactness.state
    case .city, .capital:
      return found.city == place.id && error <= Exactness.city
        || found.part == place.id && error <= Exactness.sublocation
    case .locality, .airport, .own, .coordinate:
      let radius = place.own.map { $0.radius > 0 ? $0.radius : nil } ?? nil
      let center = place.coordinate
      return center.haversineDistance(to: point) <= radius ?? Exactness.sublocation
        && error <= max(radius ?? 0, Exactness.sublocation)
    }
  }
}

extension Gazetteer {
  /// Returns the languages in which a country has this name, as BCP 47 tags; empty if the language of the name isn't
  /// known.
  ///
  /// - Parameter code: The country's two letters.
  /// - Throws: `.cache` if the index can't be read.
  public func languages(calling name: String, country code: String) throws(GeoIndexError) -> [String] {
    try read { db in
      let number = try Int.fetchOne(
        db, sql: "SELECT number FROM region WHERE country = ? AND code = ''", arguments: [code])
      guard let number else { return [] }
      return names.read { tables in
        guard number < tables.areaPlaces.count, tables.areaPlaces[number] != .max else { return [] }
        let place = Int(tables.areaPlaces[number])
        let aliases = (tables.firstAliases[place]..<tables.firstAliases[place + 1]).map { Int($0) }
        let own = aliases.filter { tables.aliasLanguages[$0] != 0 && tables.text(of: $0) == name }
        return own.flatMap { alias in
          tables.text(at: tables.languageTexts[Int(tables.aliasLanguages[alias])]).split(separator: ",").map(
            String.init)
        }
      }
    }
  }

  /// Returns the two letters of the country with this name, in any language; nil if there is no such country, or
  /// several.
  ///
  /// - Throws: `.cache` if the index can't be read.
  public func countryCode(named name: String) throws(GeoIndexError) -> String? {
    var folding = Folding()
    let key = folding.key(name)
    let found = try search(name, kinds: [.country], limit: 5).filter { folding.key($0.place.matchedName) == key }
    let codes = Set(found.map(\.place.countryCode))
    return codes.count == 1 ? codes.first : nil
  }
}
