import Basics
import Foundation
import GRDB

/// One search among the pins, with the same keys, interpretations and scores as the gazetteer's search.
struct UserPlaceSearch {
  private struct Hit {
    let place: Place
    let match: Double
    let context: Double
    /// Whether it has the name that was typed, or has it as a word.
    let isNamed: Bool
  }

  private let db: Database
  private let request: SearchRequest
  /// The number of the source of the pins; nil if there are none.
  private let source: Int64?
  /// Returns the codes of the countries that a text names. This takes a search of its own, and is needed for every
  /// place that is found.
  private let findCountries: (String) throws -> [String]
  private var countries: [String: [String]] = [:]
  private var names = UserPlaceName()
  private var hits: [Int64: Hit] = [:]
  private var isKnown = false

  /// The number of places that are scored for one key or prefix, unless more are wanted.
  private static let weighed = 400

  /// Prepares a search among the pins.
  init(_ db: Database, _ request: SearchRequest, countries: @escaping (String) throws -> [String]) throws {
    (self.db, self.request, findCountries) = (db, request, countries)
    source = try UserPlaceSource.number(of: Place.pins, in: db)
  }

  /// Returns the best `count` places, the best first, equal ones in the order of their numbers. `named` are those that
  /// have the name, or have it as a word.
  mutating func run(upTo count: Int) throws -> (named: [SearchResult], others: [SearchResult]) {
    guard source != nil else { return ([], []) }
    let limit = max(count, Self.weighed)
    let readings = QueryInterpretation.all(of: request.text)
    for reading in readings {
      let key = names.key(of: reading.name)
      guard !key.isEmpty else { continue }
      try add(.whole, key, limit, in: reading.within) { _ in 1 }
      try add(.word, key, limit, in: reading.within) { _ in 0.72 }
    }
    let key = names.key(of: request.text)
    if !key.isEmpty { try addBeginnings(key, limit) }
    if !isKnown {
      try addMisspelled(key, limit)
      for spelling in Spelling.others(of: request.text) {
        try add(.whole, spelling.key, limit, in: []) { _ in 1 - Double(spelling.penalty) }
      }
    }
    func best(_ hits: some Sequence<Hit>) -> [SearchResult] {
      hits.map(result).sorted { ($1.score.total, $0.id) < ($0.score.total, $1.id) }.prefix(count).map(\.self)
    }
    return (best(hits.values.filter(\.isNamed)), best(hits.values.filter { !$0.isNamed }))
  }

  private mutating func addBeginnings(_ key: [UInt8], _ limit: Int) throws {
    let least = request.isCompleting ? 0.6 : 0.2
    for form in [UserPlaceName.Form.whole, .word] {
      try add(form, key, isBeginning: true, limit, in: []) { found in
        least + 0.3 * Double(key.count) / Double(max(found.count, 1)) - (form == .whole ? 0 : 0.15)
      }
    }
  }

  /// Adds misspelled names: one wrong letter in names of four letters or more, two in those of seven or more. The first
  /// or the last half is then correct, except for a second error in the other half.
  private mutating func addMisspelled(_ key: [UInt8], _ limit: Int) throws {
    guard UserPlaceName.misspelled.contains(key.count), key.allSatisfy({ $0 < 0x80 && !(0x30...0x39).contains($0) })
    else {
      return
    }
    let (edits, half) = (key.count < 7 ? 1 : 2, max(2, (key.count - 1) / 2))
    for (form, key) in [(UserPlaceName.Form.whole, key), (.backwards, key.reversed())] {
      let lengths = (key.count - edits)...(key.count + edits)
      try add(form, Array(key[..<half]), isBeginning: true, lengths: lengths, limit, in: []) { found in
        let distance = EditDistance.between(key, found)
        return distance > edits ? nil : 0.85 - 1.3 * Double(distance) / Double(key.count)
      }
    }
  }

  /// Adds the places that have a key, or one that begins with it, and lie in `areas`.
  /// - Parameter match: Returns the score of a key that was found; nil to skip it.
  private mutating func add(
    _ form: UserPlaceName.Form, _ key: [UInt8], isBeginning: Bool = false, lengths: ClosedRange<Int>? = nil,
    _ limit: Int,
    in areas: [String], match: ([UInt8]) -> Double?
  ) throws {
    let statement = try db.cachedStatement(
      sql: """
        SELECT \(UserPlaceRow.columns(of: "place")), ? AS origin, key, alias
        FROM name CROSS JOIN place ON place.id = name.place
        WHERE name.source = ? AND form = ? AND key >= ? AND key <= ? AND length(key) BETWEEN ? AND ?
        ORDER BY key, name.place
        """)
    // 0xFF does not occur in UTF-8.
    let (first, last) = (Data(key), Data(key + (isBeginning ? [0xFF] : [])))
    var count = 0
    let rows = try Row.fetchCursor(
      statement,
      arguments: [
        Place.pins, source, form.rawValue, first, last, lengths?.lowerBound ?? 0, lengths?.upperBound ?? .max,
      ])
    while count < limit, let row = try rows.next() {
      let found: Data = row[UserPlaceRow.count + 1]
      guard let match = match(Array(found)) else { continue }
      let place = Place(ownRow: row, matchedName: row[UserPlaceRow.count + 2])
      guard try isWanted(place, in: areas) else { continue }
      count += 1
      if form == .whole, !isBeginning { isKnown = true }
      let hit = Hit(place: place, match: match, context: areas.isEmpty ? 0 : 0.35, isNamed: !isBeginning)
      let isBetter = hits[place.id].map { $0.match + $0.context < hit.match + hit.context } ?? true
      if isBetter { hits[place.id] = hit }
    }
  }

  private mutating func isWanted(_ place: Place, in areas: [String]) throws -> Bool {
    if !request.kinds.isEmpty, !request.kinds.contains(place.kind) { return false }
    if !request.countries.isEmpty, !request.countries.contains(PlaceIndex.countryCode(place.countryCode)) {
      return false
    }
    if let region = request.region, !region.contains(place.coordinate, radius: place.own?.radius ?? 0) { return false }
    guard !areas.isEmpty else { return true }
    var folding = Folding()
    let category = place.own?.category ?? (place.kind == .own ? nil : place.kind.rawValue)
    let around = [place.countryCode, place.country, place.admin1, category, place.own?.source]
      .compactMap { $0.map { folding.keyBytes($0) } }
    return try areas.allSatisfy { area in
      let key = folding.keyBytes(area)
      return try !key.isEmpty && (around.contains(key) || countries(named: area).contains(place.countryCode))
    }
  }

  private mutating func countries(named area: String) throws -> [String] {
    if let known = countries[area] { return known }
    let found = try findCountries(area)
    countries[area] = found
    return found
  }

  private func result(_ hit: Hit) -> SearchResult {
    let place = hit.place
    let nearness = request.near.map { near in
      0.4 * exp(-near.haversineDistance(to: place.coordinate) / 150_000)
    }
    return SearchResult(
      own: place, score: .init(match: hit.match, importance: 1, context: hit.context, nearness: nearness ?? 0))
  }
}

extension SearchResult {
  init(own place: Place, score: Score) {
    self.init(place: place, name: place.name, admin1: place.admin1, country: place.country, score: score)
  }
}
