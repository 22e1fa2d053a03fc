import Basics
import Foundation

/// Names positions in a language. Lookups take a few microseconds and can run in parallel.
public struct PlaceNamer: Sendable {
  private let geography: Geography
  private let rule: CityRule
  private let world: PlaceIndex
  private let language: String?
  /// The ranks of towns, by GeoNames id.
  private let ranks: [Int64: UInt32]
  /// The GeoNames ids of parts of cities.
  private let sections: Set<Int64>
  /// Established names in the requested language, by GeoNames id.
  private let established: [Int64: String]
  /// The names of countries by code, and of regions by codes like `JP.22`.
  private let countries: [String: String]
  private let regions: [String: String]

  /// The names of a position. A nil value is unknown or uncertain.
  public struct Names: Sendable, Hashable {
    /// The part of a city; outside towns, the sea.
    public var sublocation: String?
    /// The town that the position is in or near.
    public var city: String?
    /// The first-level region (state, province, prefecture).
    public var state: String?
    /// The country.
    public var country: String?
    /// The two ISO 3166-1 letters of the country (also `XK`).
    public var countryCode: String?
    /// The distance in metres to the center of the named town.
    public var distance: Double?
    /// The names that are known only in another form of the requested language, with its tag: `东京 (zh-Hans)` for
    /// `zh-TW`.
    public var inOtherForms: [String] = []
  }

  /// Creates a namer from the names of a language that were looked up.
  /// - Parameter world: The index of the gazetteer.
  fileprivate init(
    _ geography: Geography, _ rule: CityRule, _ world: PlaceIndex, language: String?, sections: Set<Int64>,
    ranks: [Int64: UInt32], established: [Int64: String], countries: [String: String], regions: [String: String]
  ) {
    (self.geography, self.world, self.language, self.sections) = (geography, world, language, sections)
    (self.ranks, self.countries, self.regions) = (ranks, countries, regions)
    (self.rule, self.established) = (rule, established)
  }

  /// Returns the names of a position.
  ///
  /// A town is named within twice the distance that it reaches (4 km for a village, 50 km for a metropolis); farther
  /// away, only areas with borders are named. `CityRule` decides which city it is, and whether the town is a part of
  /// it. All names lie in the named region. Near the border of a region, where border and towns disagree, only the
  /// country is named, because one of the two is wrong. At sea, the sea takes the place of the part of a city.
  ///
  /// Each name requires a sufficiently exact position: see `PlaceNamer.Exactness`.
  /// - Parameters:
  ///   - latitude: Degrees north, WGS 84, -90...90.
  ///   - longitude: Degrees east; full turns are ignored.
  ///   - error: The possible error of the position in metres; nil if unknown.
  /// - Throws: `.badCoordinate`.
  public func names(latitude: Double, longitude: Double, error: Double? = nil) throws(GeoIndexError) -> Names {
    try look(latitude: latitude, longitude: longitude).names.known(within: error)
  }

  /// The largest position errors, in metres, at which each name is given. The country is named whatever the error.
  public enum Exactness {
    /// The limit for the part of a city.
    public static let sublocation = 2_000.0
    /// The limit for the city, and for the sea.
    public static let city = 20_000.0
    /// The limit for the region.
    public static let state = 50_000.0
  }

  /// The names of a position, the GeoNames ids of its towns, and the region's usual name.
  struct Lookup {
    var names = Names()
    var city: Int64?
    var part: Int64?
    var region: String?
  }

  func look(latitude: Double, longitude: Double) throws(GeoIndexError) -> Lookup {
    let point = try Coordinate(validating: latitude, longitude)
    let here = PositionInfo(
      latitude: point.latitude, longitude: point.longitude, geography: geography, answer: geography.answer(point))
    var look = Lookup()
    var names = Names()
    names.countryCode = here.countryCode
    names.country = here.countryCode.map { countries[$0] ?? $0 }
    let sure = here.inOneSureRegion(rule) { sections.contains(id(of: $0)) }
    guard let place = sure ?? (rule.isOneCity(here.countryCode) ? here.inOneRegion : nil) else {
      look.names = names
      return look
    }
    let locality = place.nearness >= Self.leastNearness ? place.locality : nil
    var answer = rule.answer(place, locality: locality == nil ? nil : Int(place.answer.found.locality)) {
      sections.contains(id(of: $0))
    }
    let isElsewhere = answer.map { geography.towns.sites[$0.city].country != place.answer.spot.country } ?? false
    if isElsewhere, place.isInDrawnRegion { answer = nil }
    if let answer {
      names.distance = locality?.distance
      names.city = name(of: answer.city, &names)
      names.sublocation = answer.part.map { name(of: $0, &names) }
      look.city = id(of: answer.city)
      look.part = answer.part.map(id)
    } else {
      names.sublocation = place.seaName
    }
    if let answer, isElsewhere {
      // A part of a city is in the country of the city.
      names.countryCode = geography.towns.sites[answer.city].country.letters
      names.country = names.countryCode.map { countries[$0] ?? $0 }
    } else if sure != nil, answer != nil || place.isInDrawnRegion {
      names.state = place.admin1.map { regions[$0.code] ?? $0.name }
      look.region = place.admin1?.name
    }
    look.names = names
    return look
  }

  /// Returns the name of a country.
  func country(_ code: String) -> String? { countries[code] }

  /// The nearness below which a town is not named: people don't name a town at more than twice its reach.
  private static let leastNearness = 0.75

  private func id(of town: Int) -> Int64 { Int64(geography.towns.records[town].id) }

  private func name(of town: Int, _ names: inout Names) -> String {
    let id = id(of: town)
    if let name = established[id] { return name }
    guard language != nil, let rank = ranks[id],
      let found = Naming(tables: world, language: language).found(rank)
    else { return geography.towns.name(of: town) }
    if let tag = found.tag { names.inOtherForms.append("\(found.name) (\(tag))") }
    return found.name
  }
}

extension Gazetteer {
  /// Returns a namer for positions.
  /// - Parameter language: A BCP 47 tag (`de`, `zh-TW`) for names in that language, as far as they are known. Nil for
  ///   the usual names of the gazetteer, mostly the English ones.
  /// - Throws: `.missingGazetteer`, `.damagedGazetteer` or `.cache` if the gazetteer can't be read.
  public func namer(language: String? = nil) throws(GeoIndexError) -> PlaceNamer {
    let (geography, rule) = (try geography, try cityRule)
    var countries = world.countries
    let sections = Set(
      world.ids.indices.lazy.filter { [world] in world.classes[$0] == PlaceClass.quarter.rawValue }
        .map { [world] in world.ids[$0] })
    guard let language else {
      return PlaceNamer(
        geography, rule, world, language: nil, sections: sections, ranks: [:], established: [:],
        countries: countries, regions: [:])
    }
    var ranks = [Int64: UInt32](minimumCapacity: 262_144)
    for place in world.ids.indices where world.classes[place] <= PlaceClass.quarter.rawValue {
      ranks[world.ids[place]] = UInt32(place)
    }
    let naming = Naming(tables: world, language: language)
    var regions: [String: String] = [:]
    for region in world.countryCodes.indices {
      guard let name = naming.name(ofArea: region) else { continue }
      let (country, code) = (world.code(ofCountry: region), world.regionCode(region))
      if code.isEmpty { countries[country] = name } else { regions["\(country).\(code)"] = name }
    }
    let english = WantedLanguage(language).isEnglish ? EnglishNames.shipped : nil
    regions.merge(english?.regions ?? [:]) { $1 }
    return PlaceNamer(
      geography, rule, world, language: language, sections: sections, ranks: ranks,
      established: english?.towns ?? [:], countries: countries, regions: regions)
  }

  /// Whether any country has a name in this language.
  public func knows(language: String) -> Bool {
    let naming = Naming(tables: world, language: language)
    return world.countryCodes.indices.contains {
      world.regionCode($0).isEmpty && naming.name(ofArea: $0) != nil
    }
  }
}

extension PositionInfo {
  /// Whether the region is known from borders, not only from the nearest town.
  fileprivate var isInDrawnRegion: Bool { answer.spot.region != AreaSet.none }
}

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
    case .own, .coordinate: break
    default:
      // A lake or a park is not a part of the city at its middle.
      if [.sight, .transport].contains(place.kind.group) { names.sublocation = place.name }
    }
    if let part = found.names.sublocation, names.sublocation != part {
      names.inOtherForms.removeAll { $0.hasPrefix("\(part) (") }
    }
    return names
  }
}

extension PlaceNamer {
  /// Whether a position counts as lying in a place: in its country or region, or in the city or part of a city that
  /// `names` returns for the position. For any other place: within its radius, or 2 km. If
  /// the error exceeds what `Exactness` allows, or the radius and 2 km, the position counts only for its country.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - latitude: Degrees north of the equator, −90…90.
  ///   - longitude: Degrees east of Greenwich, −180…180.
  ///   - error: The possible error of the position in metres; nil if unknown.
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
    default:
      let radius = place.own.map { $0.radius > 0 ? $0.radius : nil } ?? place.radius
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
  /// - Parameters:
  ///   - name: The name of the country.
  ///   - code: The country's two letters.
  public func languages(calling name: String, country code: String) -> [String] {
    let number = world.countryCodes.indices.first {
      world.code(ofCountry: $0) == code && world.regionCode($0).isEmpty
    }
    guard let number, world.areaPlaces[number] != .max else { return [] }
    let place = Int(world.areaPlaces[number])
    let own = world.names(of: place).filter { world.aliasLanguages[$0] != 0 && world.text(of: $0) == name }
    return own.flatMap { alias in
      world.text(at: world.languageTexts[Int(world.aliasLanguages[alias])]).split(separator: ",").map(String.init)
    }
  }

  /// Returns the two letters of the country with this name, in any language; nil if there is no such country, or
  /// several.
  ///
  /// - Throws: `.userPlaces` if the pins can't be read.
  public func countryCode(named name: String) throws(GeoIndexError) -> String? {
    var folding = Folding()
    let key = folding.key(name)
    let found = try search(name, kinds: [.country], limit: 5).filter { folding.key($0.place.matchedName) == key }
    let codes = Set(found.map(\.place.countryCode))
    return codes.count == 1 ? codes.first : nil
  }
}

extension PlaceNamer.Names {
  /// Returns these names without those that require a more exact position.
  /// - Parameter error: The error in metres; nil if unknown.
  func known(within error: Double?) -> PlaceNamer.Names {
    guard let error, error > PlaceNamer.Exactness.sublocation else { return self }
    var names = self
    // Without a city, `sublocation` is a sea.
    if city != nil || error > PlaceNamer.Exactness.city { names.sublocation = nil }
    if error > PlaceNamer.Exactness.city { (names.city, names.distance) = (nil, nil) }
    if error > PlaceNamer.Exactness.state { names.state = nil }
    names.inOtherForms.removeAll { form in
      ![names.sublocation, names.city].contains { $0.map(form.hasPrefix) ?? false }
    }
    return names
  }
}
