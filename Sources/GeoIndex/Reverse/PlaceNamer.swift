import Foundation
import GRDB

/// Says how positions are called, in a language. Look-ups take a few microseconds and may run side by side.
public struct PlaceNamer: Sendable {
  private let geography: Geography
  private let names: NameIndex
  private let language: String?
  /// Ranks of towns, by their GeoNames ids.
  private let ranks: [Int64: UInt32]
  /// GeoNames ids of what is a part of a city.
  private let sections: Set<Int64>
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
    _ geography: Geography, _ names: NameIndex, language: String?, sections: Set<Int64>, ranks: [Int64: UInt32],
    countries: [String: String], regions: [String: String]
  ) {
    (self.geography, self.names, self.language, self.sections) = (geography, names, language, sections)
    (self.ranks, self.countries, self.regions) = (ranks, countries, regions)
  }

  /// How a position is called.
  ///
  /// A town is named within twice the distance that it reaches (for a village 4 km, for a metropolis 50 km); farther
  /// out, only what borders say. In the inner fifth of a much larger town, or of the city that it is a section of, it
  /// is a part of that, unless their counties differ. All of them lie in the region that is named with them. At sea,
  /// the sea stands where the part of a city would.
  /// - Parameters:
  ///   - latitude: degrees north, WGS 84, -90...90.
  ///   - longitude: degrees east; whole turns don't matter.
  /// - Throws: `.badCoordinate`.
  public func names(latitude: Double, longitude: Double) throws(GeoIndexError) -> Names {
    let point = try Point(validating: latitude, longitude)
    let place = Whereabouts(
      latitude: point.latitude, longitude: point.longitude, geography: geography, answer: geography.answer(point)
    ).inOneRegion
    var names = Names()
    names.countryCode = place.countryCode
    names.country = place.countryCode.map { countries[$0] ?? $0 }
    let locality = place.nearness >= Self.leastNearness ? place.locality : nil
    if let locality {
      names.distance = locality.distance
      if let city = place.city, geography.isInner(place.answer.found, metresFromCity: city.distance),
        sections.contains(locality.id) || geography.isMuchSmaller(place.answer.found)
      {
        names.city = name(of: city, &names)
        // Of half a city one is sure only round its middle.
        if geography.isMuchSmaller(place.answer.found) || locality.distance * 2 < city.distance {
          names.sublocation = name(of: locality, &names)
        }
      } else {
        names.city = name(of: locality, &names)
      }
    } else {
      names.sublocation = place.seaName
    }
    if locality != nil || place.isInDrawnRegion {
      names.state = place.admin1.map { regions[$0.code] ?? $0.name }
    }
    return names
  }

  /// Farther than twice a town's reach nobody would say that a picture was taken there.
  private static let leastNearness = 0.75

  private func name(of town: Whereabouts.Town, _ names: inout Names) -> String {
    guard language != nil, let rank = ranks[town.id],
      let found = self.names.read({ Naming(tables: $0, language: language).found(rank) })
    else { return town.name }
    if let tag = found.tag { names.inOtherForms.append("\(found.name) (\(tag))") }
    return found.name
  }
}

extension GeoIndex {
  /// What names positions.
  /// - Parameter language: a BCP 47 tag (`de`, `zh-TW`): names in that language, as far as they are known. Nil: the
  ///   usual names of the gazetteer, mostly the English ones.
  /// - Throws: `.missingGazetteer`, `.damagedGazetteer` or `.cache` if the gazetteer can't be read.
  public func namer(language: String? = nil) throws(GeoIndexError) -> PlaceNamer {
    let geography = try geography
    return try read { db in
      var countries: [String: String] = [:]
      for row in try Row.fetchAll(db, sql: "SELECT code, name FROM country") { countries[row[0]] = row[1] }
      let sections = try Set(
        Int64.fetchCursor(db, sql: "SELECT id FROM place WHERE class = ?", arguments: [PlaceClass.quarter.rawValue]))
      guard let language else {
        return PlaceNamer(
          geography, names, language: nil, sections: sections, ranks: [:], countries: countries, regions: [:])
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
      return PlaceNamer(
        geography, names, language: language, sections: sections, ranks: ranks, countries: countries, regions: regions)
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

extension Whereabouts {
  /// Whether borders say in which region it is, not only the nearest town.
  fileprivate var isInDrawnRegion: Bool { answer.spot.region != AreaSet.none }
}

extension Geography {
  /// Whether a town that was found is another than the city, and the point so far inside that, as far as distances and
  /// counties can tell.
  fileprivate func isInner(_ found: Towns.Found, metresFromCity distance: Double) -> Bool {
    let (town, city) = (Int(found.locality), Int(found.city))
    guard town != city, distance <= Double(towns.sites[city].radius) / 5 else { return false }
    let counties = [towns.counties[town], towns.counties[city]]
    return counties[0] == counties[1] || counties.contains { Int($0) >= towns.countyNames.count }
  }

  fileprivate func isMuchSmaller(_ found: Towns.Found) -> Bool {
    towns.records[Int(found.city)].population / 5 >= max(1, towns.records[Int(found.locality)].population)
  }
}
