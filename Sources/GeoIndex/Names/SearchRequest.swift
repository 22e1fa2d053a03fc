import Basics
import Foundation

/// The parameters of a search.
struct SearchRequest {
  var text: String
  var near: Coordinate?
  /// The area to which the search is limited.
  var region: SearchRegion?
  /// The countries to which the search is limited; empty for all.
  var countries: Set<UInt16> = []
  /// The kinds to which the search is limited; empty for all.
  var kinds: Set<Place.Kind> = []
  /// A BCP 47 tag: names in this language match better than in others.
  var language = "en"
  /// Whether the text is being typed: its end may be missing.
  var isCompleting = false
}

/// The areas that a text may mean: countries, regions, and the surroundings of towns, islands, parks.
struct Areas {
  private(set) var countries: Set<UInt16> = []
  private(set) var regions: Set<UInt16> = []
  private var overseas: Set<UInt16> = []
  /// A part of an import.
  private var own: PlaceIndex.OwnArea?
  /// Towns and other places with an extent, and how far from them a feature may be, in metres.
  private var circles: [Circle] = []

  /// Flags of which an alias needs one; 0 if any alias will do. Without a comma, three letters are a place's own name or a
  /// code, but `In` is a word.
  private var needed: UInt8 = 0

  /// Whether towns may lie in a county or island: with a comma, as New York is not New in York.
  private var holdsTowns = false

  private struct Circle {
    let center: Coordinate
    let radius: Double
    let importance: Float
    /// The first-level region of a county or another area that towns lie in; nil for towns themselves.
    let region: UInt16?
  }

  var isEmpty: Bool { isLocal && circles.isEmpty }
  /// Whether it contains no countries or regions, so that only features can lie in it: Paris in Texas is one thing, and
  /// the museum in Berlin another.
  var isLocal: Bool { countries.isEmpty && regions.isEmpty && own == nil }

  /// Finds the areas that have the name, or have it as a code.
  /// - Parameters:
  ///   - isTyped: Whether its end may be missing.
  ///   - isSure: Whether nothing else can be meant: then words may be abbreviated or missing at the end (`Antigua`).
  init(_ tables: PlaceIndex, _ name: String, isTyped: Bool, isSure: Bool) {
    var folding = Folding()
    let key = folding.keyBytes(name)
    holdsTowns = isSure
    if !isSure, name.utf8.count <= 3, name.utf8.allSatisfy({ $0 < 0x80 }) {
      let isWord = name != name.uppercased() && name != name.lowercased()
      needed = isWord ? PlaceIndex.own : PlaceIndex.own | PlaceIndex.code | PlaceIndex.initials
    }
    add(tables, key, orBeginWithIt: isTyped)
    // Airport is a town in California.
    if !isSure, KindWords(name)?.rest.isEmpty == true { circles = [] }
    circles = circles.sorted { $0.importance > $1.importance }.prefix(Self.namesakes).map(\.self)
    guard isLocal, isSure else { return }
    add(tables, Spelling.area(name), orBeginWithIt: false)
    if isLocal { addLonger(tables, key) }
  }

  /// Adds the part of an import that has the name: a category, or a region or country of its file, or all of it.
  mutating func add(ofImport source: PlaceIndex, _ name: String) {
    guard !source.ownAreas.isEmpty else { return }
    var folding = Folding()
    own = source.ownAreas[folding.keyBytes(name)]
  }

  private mutating func add(_ tables: PlaceIndex, _ key: [UInt8], orBeginWithIt: Bool) {
    guard !key.isEmpty else { return }
    let entries = tables.entries(beginningWith: key)
    // The number of prefix matches is limited.
    for entry in orBeginWithIt && key.count > 1 ? entries.all.prefix(Self.looked) : entries.exact
    where tables.isWhole(entry) {
      let alias = tables.alias(ofEntry: entry)
      if entry >= entries.exact.upperBound, tables.aliasFlags[alias] & PlaceIndex.code != 0 { continue }
      add(tables, alias)
    }
  }

  /// Adds areas whose name continues with other words, or with a word for province.
  private mutating func addLonger(_ tables: PlaceIndex, _ key: [UInt8]) {
    guard key.count > 3 else { return }
    let entries = tables.entries(beginningWith: key)
    var folding = Folding()
    for entry in (entries.exact.upperBound..<entries.all.upperBound).prefix(Self.looked) where tables.isWhole(entry) {
      let alias = tables.alias(ofEntry: entry)
      let kind = tables.classes[tables.place(of: alias)]
      guard kind == PlaceClass.country.rawValue || kind == PlaceClass.region.rawValue else { continue }
      let position = Int(tables.entryPositions[entry])
      let rest = tables.keys[(position + key.count)..<(position + tables.keyLength(at: position))]
      if Spelling.isDivision(rest) || folding.beginsWithWords(tables.text(of: alias), key) {
        add(tables, alias)
      }
    }
  }

  private mutating func add(_ tables: PlaceIndex, _ alias: Int) {
    let place = tables.place(of: alias)
    let region = tables.regions[place]
    if needed != 0, tables.aliasFlags[alias] & needed == 0 { return }
    switch PlaceClass(rawValue: tables.classes[place]) {
    case .country:
      countries.insert(tables.countryCodes[Int(region)])
      overseas.formUnion(OverseasTerritories.of(tables.countryCodes[Int(region)]))
    case .region: regions.insert(region)
    case .feature(let kind) where kind.isArea:
      let reach = tables.radius(of: place)
      let holdsTowns = holdsTowns && [.admin2, .region, .island].contains(kind)
      addCircle(
        tables, place, radius: holdsTowns ? 2 * reach + Self.margin : reach + Self.margin, holdsTowns: holdsTowns)
    case let town? where town.isTown:
      let size = Double(tables.importances[place])
      guard size >= Self.leastTown else { return }
      // 8 km for a small town, 40 km for a metropolis, and 10 km for a large part of one.
      let reach = town == .quarter ? 3_000 + max(0, size - 0.4) * 20_000 : 8_000 + max(0, size - 0.4) * 80_000
      addCircle(tables, place, radius: reach)
    default: break
    }
  }

  private static let looked = 4_096

  /// The circles around towns and other places in which features lie.
  var surroundings: [(center: Coordinate, radius: Double)] { circles.map { ($0.center, $0.radius) } }

  /// These areas with only the best known of the towns: the museums in Berlin are those of the capital.
  var largest: Areas {
    var areas = self
    areas.circles = circles.prefix(1).map(\.self)
    return areas
  }

  private mutating func addCircle(_ tables: PlaceIndex, _ place: Int, radius: Double, holdsTowns: Bool = false) {
    circles.append(
      Circle(
        center: tables.point(of: place), radius: radius, importance: tables.importances[place],
        region: holdsTowns ? tables.regions[place] : nil))
  }

  /// The number of towns of one name that count.
  private static let namesakes = 12
  /// The importance of the smallest town that counts.
  private static let leastTown = 0.35
  /// The distance from an area at which features still count as in it, in metres.
  private static let margin = 10_000.0

  /// Whether a place lies in the areas.
  /// - Parameter share: The share of the distance from towns that counts as in them.
  func contains(_ place: Int, in tables: PlaceIndex, share: Double = 1) -> Bool {
    let (region, country) = (tables.sharedRegion(of: place), tables.country(of: place))
    if let own {
      if own.isAll || own.regions.contains(tables.regions[place]) { return true }
      if !own.categories.isEmpty, own.categories.contains(tables.categories[place]) { return true }
    }
    switch PlaceClass(rawValue: tables.classes[place]) {
    // No area lies in itself: Tunis, Tunisia is not the country.
    case .country?: return overseas.contains(country)
    case .region?: return contains(region: region, country: country)
    case let kind?:
      if share == 1 || circles.isEmpty, contains(region: region, country: country) { return true }
      guard !circles.isEmpty else { return false }
      let point = tables.point(of: place)
      return circles.contains {
        (kind.isLocal || $0.region == region) && point.haversineDistance(to: $0.center) <= $0.radius * share
      }
    case nil: return false
    }
  }

  func contains(region: UInt16, country: UInt16) -> Bool {
    regions.contains(region) || countries.contains(country) || overseas.contains(country)
  }

  /// Whether a country is included only as a territory of one that is.
  func isOverseas(_ country: UInt16) -> Bool { overseas.contains(country) && !countries.contains(country) }
}

extension Folding {
  /// Whether some of the first words of `name` have this key.
  fileprivate mutating func beginsWithWords(_ name: String, _ key: [UInt8]) -> Bool {
    var folded = Key()
    fold(name.utf8, into: &folded)
    return folded.words.contains(key.count) && folded.bytes.starts(with: key)
  }
}
