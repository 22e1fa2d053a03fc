import Basics
import Foundation

/// Names that must mean one place.
extension Gazetteer {
  /// Finds the one place that a name means, for callers that act on it without asking the user.
  ///
  /// One place is meant by:
  /// - coordinates in any form that `search` accepts, and a pin;
  /// - a code of a country or an airport in capitals that is the whole text (`JFK`, `USA`): two letters always mean the
  ///   country; longer codes count if no other country or airport has the code, no region or large town has it as a name,
  ///   and the airport is large;
  /// - a name with its region or country, if that leaves one place (`Paris, Texas`), or one with 100,000 inhabitants
  ///   and ten times those of the next; not a small town if other nearby places with ten times its inhabitants seem to
  ///   be named after it, because they then lie at something of that name (`Bodensee, Germany`);
  /// - a name followed by `(region)` or `(country)`, if that leaves one (`Okinawa, Japan (region)`);
  /// - a name alone that is the place's own, its English one or its name in `language`, ignoring case and accents, if
  ///   the place has at least 100,000 inhabitants and ten times those of the next place with that name (`Kyoto`,
  ///   `Köln`). The population of a region's seat whose English name differs from its own counts tenfold: for Venice,
  ///   GeoNames counts only the old town;
  /// - the own name of a sight, a mountain or another feature (`Eiffel Tower`), alone if it is well known and nothing else
  ///   whose name has these words is nearly as well known, or with its town, region or country. The town is the largest
  ///   of its name. A feature that extends farther than 2 km is never meant: it is a candidate of an ambiguous result;
  /// - the name of an imported place of the kind `own`, if it is the only one, and nothing well known has the name. Other
  ///   imported places are treated like the gazetteer's.
  ///
  /// A country or region is an area. A name alone means an area if it has ten times the inhabitants of the next place
  /// with the name, and no town in it has the name too; a region only if no town with 100,000 inhabitants has the name
  /// anywhere. A region's seat of the same name takes precedence over the region (`Kyoto`), and a country's capital
  /// over a region around it (`Buenos Aires`). Another town takes precedence over its region if a quarter of the
  /// region's people live there, and over its country only if most people live there (`Singapore`). If several regions
  /// are named after a town, the result is ambiguous (`Zanzibar`).
  /// - Parameters:
  ///   - text: The text that was typed.
  ///   - language: A BCP 47 tag, for names in a language other than the local ones and English.
  /// - Throws: `.userPlaces` if the pins can't be read, or if an import is damaged: its places may be what is meant.
  public func resolve(_ text: String, language: String? = nil) throws(GeoIndexError) -> PlaceResolution {
    let text = GeoLink(text)?.query ?? text
    if let code = PlusCode(text), code.center == nil { return try resolve(code, text) }
    guard !Self.isFailedCoordinates(text) else { return .none(suggestions: []) }
    let positions = Place.all(coordinateText: text)
    if !positions.isEmpty { return positions.count == 1 ? .one(positions[0]) : .ambiguous(positions) }
    if let (name, kind) = Self.area(text) { return try resolve(name, language: language, only: kind) }
    return try resolve(text, language: language, only: nil)
  }

  /// Parses `Monaco (country)`.
  private static func area(_ text: String) -> (name: String, kind: Place.Kind)? {
    for (ending, kind) in [(" (region)", Place.Kind.admin1), (" (country)", .country)] where text.hasSuffix(ending) {
      return (String(text.dropLast(ending.count)), kind)
    }
    return nil
  }

  private func resolve(
    _ text: String, language: String?, only kind: Place.Kind?
  ) throws(GeoIndexError) -> PlaceResolution {
    if let damaged = damagedImports.first { throw UserPlaces.error(ofDamagedImport: damaged) }
    let found = try search(text, language: language, limit: 40).filter { kind == nil || $0.place.kind == kind }
    let isEastAsian = text.unicodeScalars.contains { (0x3000...0xD7A3).contains($0.value) }
    // In Latin letters the smaller area precedes the larger, possibly after a postal code.
    let begin = QueryInterpretation.withoutLeadingPostalCode(text) ?? text
    let readings = QueryInterpretation.all(of: text).filter {
      !$0.within.isEmpty && (isEastAsian || !text.contains(",") || begin.hasPrefix($0.name))
    }
    let typed = [TypedName(text)] + readings.map { TypedName($0.name) }
    let statuses = statuses(of: found, typed: typed, language: language)
    let resolution = NameResolution(found, text: text, typed: typed, statuses: statuses)
    guard !resolution.isEmpty else { return .none(suggestions: try suggestions(for: text)) }
    guard let place = resolution.meant, isThere(place, text) else { return .ambiguous(resolution.places) }
    // Its position says nothing about where in it someone was.
    guard !place.isExtended else { return .ambiguous(resolution.places) }
    // Orkney is a town, and islands that the gazetteer has only as a county.
    let isTown = [.city, .capital].contains(place.kind) && place.own == nil
    let towns = isTown && place.population < 500_000 ? towns(ofCountiesNamed: text, farFrom: place) : []
    return towns.isEmpty ? .one(place) : .ambiguous([place] + towns)
  }

  /// Whether a feature lies in the town that was typed with it, rather than in a neighbouring one or in a smaller one of
  /// that name.
  private func isThere(_ place: Place, _ text: String) -> Bool {
    guard place.isFeature, place.kind != .own else { return true }
    let names = Set([place.name, place.matchedName])
    let readings = QueryInterpretation.all(of: text).filter { reading in
      let typed = TypedName(reading.name)
      return !reading.within.isEmpty && names.contains { typed.isSame(as: $0) }
    }
    guard !TypedName(text).isSame(as: place.matchedName), !readings.isEmpty else { return true }
    return readings.contains { reading in
      reading.within.allSatisfy { name in
        let areas = Areas(world, name, isTyped: false, isSure: true)
        let country = PlaceIndex.countryCode(place.countryCode)
        let region = world.regionNumber(country: country, named: place.admin1)
        if areas.contains(region: region ?? PlaceIndex.noRegion, country: country) { return true }
        return isInTown(place, named: name)
      }
    }
  }

  /// Whether a place lies in the largest town of a name.
  private func isInTown(_ place: Place, named name: String) -> Bool {
    var folding = Folding()
    let towns = world.entries(beginningWith: folding.keyBytes(name)).exact.prefix(NameSearch.namesakes).lazy
      .filter { self.world.isWhole($0) }.map { self.world.place(of: self.world.alias(ofEntry: $0)) }
      .filter { PlaceClass(rawValue: self.world.classes[$0])?.isTown == true }
    guard let town = towns.min() else { return false }
    // 5 km for a town of 100,000, and 15 km for a city of a million.
    let reach = min(15_000, max(5_000, 15 * Double(world.populations[town]).squareRoot()))
    return place.coordinate.haversineDistance(to: world.point(of: town)) <= reach + (place.radius ?? 0)
  }

  /// Returns places whose names begin with the text. If the region after a comma is unknown, the places with the name
  /// before it.
  private func suggestions(for text: String) throws(GeoIndexError) -> [Place] {
    let found = try search(text, isCompleting: true, limit: 5)
    guard text.contains(","), let reading = QueryInterpretation.all(of: text).dropFirst().first else {
      return found.map(\.place)
    }
    let named = try search(reading.name, limit: 5).filter { $0.score.match >= 0.84 }.map(\.place)
    guard !named.isEmpty else { return found.map(\.place) }
    let inside = found.filter { $0.score.context > 0 }.map(\.place)
    return (inside + named.filter { !inside.contains($0) }).prefix(5).map(\.self)
  }
}

extension Gazetteer {
  /// Returns the positions that `text` may mean as coordinates, a Plus Code or a map link, parsed like in `resolve` and
  /// with all decimals: none, one, or two if a comma or an `O` is ambiguous. Needs no gazetteer.
  public static func positions(in text: String) -> [(latitude: Double, longitude: Double)] {
    TypedCoordinates.readings(text).map { ($0.latitude, $0.longitude) }
  }
}

extension Gazetteer {
  /// Whether `text` is a short Plus Code without its beginning (`9G8F+6X`), and without the town that would replace it.
  public static func isPlusCodeWithoutTown(_ text: String) -> Bool {
    PlusCode(text).map { $0.center == nil && $0.locality.isEmpty } ?? false
  }

  /// Returns the meaning of a short Plus Code: near the place that follows it, otherwise near the reference position.
  func positions(
    of code: PlusCode, typedAs text: String, near: (latitude: Double, longitude: Double)?, in countries: Set<String>
  ) throws(GeoIndexError) -> [SearchResult] {
    let point: Coordinate
    // The text after a code is a town, not another code.
    if !code.locality.isEmpty {
      guard PlusCode(code.locality) == nil,
        let place = try search(code.locality, near: near, in: countries, limit: 1).first?.place
      else { return [] }
      point = place.coordinate
    } else if let near, abs(near.latitude) <= 90, near.longitude.isFinite {
      point = Coordinate(turning: near)
    } else {
      return []
    }
    return [SearchResult(coordinate: Place(at: code.center(near: point), typedAs: text))]
  }

  /// Resolves a short Plus Code without asking: ambiguous if the place is ambiguous and the code has a different
  /// meaning near each candidate.
  func resolve(_ code: PlusCode, _ text: String) throws(GeoIndexError) -> PlaceResolution {
    guard PlusCode(code.locality) == nil else { return .none(suggestions: []) }
    let places: [Place]
    switch try resolve(code.locality) {
    case .one(let place): places = [place]
    case .ambiguous(let several): places = several
    case .none(let suggestions): return .none(suggestions: suggestions)
    }
    let positions = places.map {
      Place(at: code.center(near: $0.coordinate), typedAs: text)
    }
    return Set(positions).count == 1 ? .one(positions[0]) : .ambiguous(places)
  }
}

extension Gazetteer {
  /// Whether `text` is what programs print if they have no coordinates: `nan,nan`, `null,null`, `,`. Nan is also a
  /// town, but this text doesn't mean it.
  public static func isFailedCoordinates(_ text: String) -> Bool {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return false }
    return parts.allSatisfy { part in
      noNumbers.contains(part.filter { !$0.isWhitespace }.drop { "+-".contains($0) }[...])
    }
  }

  /// The forms of C, JavaScript, Python, Go, Swift, R and SQL. `Nan` is not included, because it is the spelling of the
  /// town.
  private static let noNumbers: Set<Substring> = [
    "", "nan", "NaN", "NAN", "inf", "Inf", "INF", "infinity", "Infinity", "null", "NULL", "nil", "None", "none", "NA",
    "undefined",
  ]
}
