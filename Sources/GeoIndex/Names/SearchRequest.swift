import Basics
import Foundation

/// The parameters of a search.
struct SearchRequest {
  var text: String
  var near: Coordinate?
  /// The countries to which the search is limited; empty for all.
  var countries: Set<UInt16> = []
  /// The kinds to which the search is limited; empty for all.
  var kinds: Set<Place.Kind> = []
  /// A BCP 47 tag: names in this language match better than in others.
  var language = "en"
  /// Whether the text is being typed: its end may be missing.
  var isCompleting = false
}

/// Countries and regions; a place must lie in one of them.
struct Areas {
  private(set) var countries: Set<UInt16> = []
  private(set) var regions: Set<UInt16> = []
  private var overseas: Set<UInt16> = []

  var isEmpty: Bool { countries.isEmpty && regions.isEmpty }

  /// Finds the areas that have the name, or have it as a code.
  /// - Parameters:
  ///   - isTyped: Whether its end may be missing.
  ///   - isSure: Whether nothing else can be meant: then words may be abbreviated or missing at the end (`Antigua`).
  init(_ tables: NameTables, _ name: String, isTyped: Bool, isSure: Bool) {
    var folding = Folding()
    let key = folding.keyBytes(name)
    add(tables, key, orBeginWithIt: isTyped)
    guard isEmpty, isSure else { return }
    add(tables, Spelling.area(name), orBeginWithIt: false)
    if isEmpty { addLonger(tables, key) }
  }

  private mutating func add(_ tables: NameTables, _ key: [UInt8], orBeginWithIt: Bool) {
    guard !key.isEmpty else { return }
    let entries = tables.entries(beginningWith: key)
    // The number of prefix matches is limited.
    for entry in orBeginWithIt && key.count > 1 ? entries.all.prefix(Self.looked) : entries.exact
    where tables.isWhole(entry) {
      let alias = tables.alias(ofEntry: entry)
      if entry >= entries.exact.upperBound, tables.aliasFlags[alias] & NameIndex.code != 0 { continue }
      add(tables, alias)
    }
  }

  /// Adds areas whose name continues with other words, or with a word for province.
  private mutating func addLonger(_ tables: NameTables, _ key: [UInt8]) {
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

  private mutating func add(_ tables: NameTables, _ alias: Int) {
    let place = tables.place(of: alias)
    let region = tables.regions[place]
    switch PlaceClass(rawValue: tables.classes[place]) {
    case .country:
      countries.insert(tables.countryCodes[Int(region)])
      overseas.formUnion(OverseasTerritories.of(tables.countryCodes[Int(region)]))
    case .region: regions.insert(region)
    default: break
    }
  }

  private static let looked = 4_096

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
