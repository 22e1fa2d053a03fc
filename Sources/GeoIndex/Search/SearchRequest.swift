import Foundation

/// What is looked for, and where.
struct SearchRequest {
  let text: String
  var near: Point?
  /// Empty: everywhere.
  var countries: Set<UInt16> = []
  /// Empty: all.
  var kinds: Set<Place.Kind> = []
  /// A BCP 47 tag: names in it fit better than in others.
  var language = "en"
  /// The text is being typed: its end may be missing.
  var isCompleting = false
}

/// Countries and regions a place must lie in one of.
struct Areas {
  private(set) var countries: Set<UInt16> = []
  private(set) var regions: Set<UInt16> = []

  var isEmpty: Bool { countries.isEmpty && regions.isEmpty }

  /// Those that bear the name, or are known by the code, `key`.
  init(_ tables: NameTables, key: [UInt8], orBeginWithIt: Bool) {
    guard !key.isEmpty else { return }
    let entries = tables.entries(beginningWith: key)
    // Nobody completes hundreds of names of regions.
    for entry in orBeginWithIt && key.count > 1 ? entries.all.prefix(4_096) : entries.exact
    where tables.isWhole(entry) {
      let alias = Int(tables.entryAliases[entry])
      if entry >= entries.exact.upperBound, tables.aliasFlags[alias] & NameIndex.code != 0 { continue }
      let place = Int(tables.aliasPlaces[alias])
      let region = tables.regions[place]
      switch PlaceClass(rawValue: tables.classes[place]) {
      case .country: countries.insert(tables.countryCodes[Int(region)])
      case .region: regions.insert(region)
      default: continue
      }
    }
  }

  func contains(region: UInt16, country: UInt16) -> Bool { regions.contains(region) || countries.contains(country) }
}
