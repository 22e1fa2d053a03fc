import Foundation
import GRDB

/// Says how positions are called, in a language. Look-ups take a few microseconds and may run side by side.
public struct PlaceNamer: Sendable {
  private let geography: Geography
  private let rule: CityRule
  private let names: NameIndex
  private let language: String?
  /// Ranks of towns, by their GeoNames ids.
  private let ranks: [Int64: UInt32]
  /// GeoNames ids of what is a part of a city.
  private let sections: Set<Int64>
  /// Established names in the language that is asked for, by GeoNames ids.
  private let established: [Int64: String]
  /// Names of countries by their codes, and of regions by codes like `JP.22`.
  private let countries: [String: String]
  private let regions: [String: String]

  /// What a position is called. What is nil isn't known, or isn't sure.
  public struct Names: Sendable, Hashable {
    /// Part of a city; outside towns, the sea.
    public var sublocation: String?
    /// The town it is in or near.
    public var city: String?
    /// First-level region (state, province, prefecture).
    public var state: String?
    /// Country.
    public var country: String?
    /// Country, as its two ISO 3166-1 letters (and `XK`).
    public var countryCode: String?
    /// Metres to the centre of the town that is named.
    public var distance: Double?
    /// Those of the names that are known only in another form of the language that was asked for, with its tag: `东京
    /// (zh-Hans)` for `zh-TW`.
    public var inOtherForms: [String] = []
  }

  /// - Parameter names: of the index of names.
  fileprivate init(
    _ geography: Geography, _ rule: CityRule, _ names: NameIndex, language: String?, sections: Set<Int64>,
    ranks: [Int64: UInt32], established: [Int64: String], countries: [String: String], regions: [String: String]
  ) {
    (self.geography, self.names, self.language, self.sections) = (geography, names, language, sections)
    (self.ranks, self.countries, self.regions) = (ranks, countries, regions)
    (self.rule, self.established) = (rule, established)
  }

  /// How a position is called.
  ///
  /// A town is named within twice the distance that it reaches (for a village 4 km, for a metropolis 50 km); farther
  /// out, only what borders say. Which city it is, and whether the town is a part of it, `CityRule` decides. All of
  /// them lie in the region that is named with them. Beside the border of a region, where border and towns disagree,
  /// only the country is named: one of the two is wrong. At sea, the sea stands where the part of a city would.
  ///
  /// A part is named only if the position is exact enough for it: see `PlaceNamer.Exactness`.
  /// - Parameters:
  ///   - latitude: degrees north, WGS 84, -90...90.
  ///   - longitude: degrees east; whole turns don't matter.
  ///   - error: metres by which the position may be off; nil if that isn't known.
  /// - Throws: `.badCoordinate`.
  public func names(latitude: Double, longitude: Double, error: Double? = nil) throws(GeoIndexError) -> Names {
    try look(latitude: latitude, longitude: longitude).names.known(within: error)
  }

  /// Metres by which a position may be off, for each part of its names. The country where the position lies is named
  /// whatever the error.
  public enum Exactness {
    /// For the part of a city.
    public static let sublocation = 2_000.0
    /// For the city, and the sea.
    public static let city = 20_000.0
    /// For the region.
    public static let state = 50_000.0
  }

  /// The names of a position: its names, GeoNames' ids of the towns, and the region's usual name.
  struct Look {
    var names = Names()
    var city: Int64?
    var part: Int64?
    var region: String?
  }

  func look(latitude: Double, longitude: Double) throws(GeoIndexError) -> Look {
    let point = try Point(validating: latitude, longitude)
    let here = PositionInfo(
      latitude: point.latitude, longitude: point.longitude, geography: geography, answer: geography.answer(point))
    var look = Look()
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
      // A part of a city is in the country of the rest.
      names.countryCode = geography.towns.sites[answer.city].country.letters
      names.country = names.countryCode.map { countries[$0] ?? $0 }
    } else if sure != nil, answer != nil || place.isInDrawnRegion {
      names.state = place.admin1.map { regions[$0.code] ?? $0.name }
      look.region = place.admin1?.name
    }
    look.names = names
    return look
  }

  /// A country's name.
  func country(_ code: String) -> String? { countries[code] }

  /// Farther than twice a town's reach nobody would say that a picture was taken there.
  private static let leastNearness = 0.75

  private func id(of town: Int) -> Int64 { Int64(geography.towns.records[town].id) }

  private func name(of town: Int, _ names: inout Names) -> String {
    let id = id(of: town)
    if let name = established[id] { return name }
    guard language != nil, let rank = ranks[id],
      let found = self.names.read({ Naming(tables: $0, language: language).found(rank) })
    else { return geography.towns.name(of: town) }
    if let tag = found.tag { names.inOtherForms.append("\(found.name) (\(tag))") }
    return found.name
  }
}

extension Gazetteer {
  /// What names positions.
  /// - Parameter language: a BCP 47 tag (`de`, `zh-TW`): names in that language, as far as they are known. Nil: the
  ///   usual names of the gazetteer, mostly the English ones.
  /// - Throws: `.missingGazetteer`, `.damagedGazetteer` or `.cache` if the gazetteer can't be read.
  public func namer(language: String? = nil) throws(GeoIndexError) -> PlaceNamer {
    let (geography, rule) = (try geography, try cityRule)
    return try read { db in
      var countries: [String: String] = [:]
      for row in try Row.fetchAll(db, sql: "SELECT code, name FROM country") { countries[row[0]] = row[1] }
      let sections = try Set(
        Int64.fetchCursor(db, sql: "SELECT id FROM place WHERE class = ?", arguments: [PlaceClass.quarter.rawValue]))
      guard let language else {
        return PlaceNamer(
          geography, rule, names, language: nil, sections: sections, ranks: [:], established: [:],
          countries: countries, regions: [:])
      }
      var ranks = [Int64: UInt32](minimumCapacity: 262_144)
      let places = try Row.fetchCursor(
        db, sql: "SELECT id, rank FROM place WHERE class <= ?", arguments: [PlaceClass.quarter.rawValue])
      while let row = try places.next() { ranks[row[0]] = row[1] }
      let rows = try Row.fetchAll(db, sql: "SELECT number, country, code FROM region")
      var regions: [String: String] = [:]
      names.read { tables in
        let naming = Naming(tables: tables, language: language)
        for row in rows {
          let (number, country, code): (Int, String, String) = (row[0], row[1], row[2])
          guard let name = naming.name(ofArea: number) else { continue }
          if code.isEmpty { countries[country] = name } else { regions["\(country).\(code)"] = name }
        }
      }
      let english = WantedLanguage(language).isEnglish ? EnglishNames.shipped : nil
      regions.merge(english?.regions ?? [:]) { $1 }
      return PlaceNamer(
        geography, rule, names, language: language, sections: sections, ranks: ranks,
        established: english?.towns ?? [:], countries: countries, regions: regions)
    }
  }

  /// Whether any country has a name in this language.
  ///
  /// - Throws: `.cache` if the index can't be read.
  public func knows(language: String) throws(GeoIndexError) -> Bool {
    try read { db in
      let numbers = try Int.fetchAll(db, sql: "SELECT number FROM region WHERE code = ''")
      return names.read { tables in
        let naming = Naming(tables: tables, language: language)
        return numbers.contains { naming.name(ofArea: $0) != nil }
      }
    }
  }
}

extension PositionInfo {
  /// Whether borders say in which region it is, not only the nearest town.
  fileprivate var isInDrawnRegion: Bool { answer.spot.region != AreaSet.none }
}
