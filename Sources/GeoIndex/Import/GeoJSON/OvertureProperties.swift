import Basics

/// The properties of a feature of Overture Maps, as its own client exports them: places, divisions, and the features of
/// the base theme.
struct OvertureProperties {
  private let properties: JSONValue
  private let name: String

  /// Returns nil if the feature has no names as Overture writes them.
  init?(_ properties: JSONValue) {
    guard let name = properties["names"]?["primary"]?.string else { return nil }
    (self.properties, self.name) = (properties, name)
  }

  /// Fills in what the properties say.
  func fill(_ draft: inout PlaceDraft, area: Double) {
    draft[.name] = name
    draft[.id] = text("id")
    var languages: Set<String> = []
    for (language, name) in names {
      if let language { languages.insert(language) }
      if name != self.name || language != nil { draft.addName(name, language) }
    }
    let categories = categories
    let kind = categories.lazy.compactMap { OvertureKinds.categories.kind(inWords: $0) }.first ?? classKind
    draft.kind = kind
    draft[.category] = categories.first ?? text("class") ?? text("subtype")
    let address = properties["addresses"]?.elements.first
    draft[.country] = text("country") ?? address?["country"]?.string
    let population = properties["population"]?.number.flatMap { (0...2e10).contains($0) ? Int($0) : nil }
    if let population { draft[.population] = "\(population)" }
    let altitude = properties["elevation"]?.number.flatMap { (-12_000...10_000).contains($0) ? $0 : nil }
    if let altitude { draft[.altitude] = "\(altitude)" }
    draft.terms = .overture
    let factors = ImportanceFactors(
      languages: languages.count, hasWikidata: text("wikidata") != nil, population: population ?? usualPopulation,
      area: area, height: altitude ?? 0, rank: properties["confidence"]?.number)
    draft.importance = Importance.of(kind ?? .own, factors)
  }

  private func text(_ name: StaticString) -> String? { properties[name]?.string }

  /// The categories of a place, the main one first.
  private var categories: [String] {
    let old = properties["categories"]
    let new = properties["taxonomy"]
    let main = [old?["primary"]?.string, new?["primary"]?.string, text("basic_category")]
    let more = [old?["alternate"], new?["hierarchy"], new?["alternates"]].flatMap { $0?.elements ?? [] }
    return main.compactMap { $0 } + more.compactMap(\.string)
  }

  private var classKind: Place.Kind? {
    var tags: [String: String] = [:]
    tags["class"] = text("class")
    tags["subtype"] = text("subtype")
    return OvertureKinds.classes.kind(of: tags)?.kind
  }

  /// The number of people that a settlement of its class usually has; for ranking only.
  private var usualPopulation: Int {
    switch text("class") {
    case "megacity": 10_000_000
    case "city": 200_000
    case "town": 15_000
    case "village": 1_000
    case "hamlet": 50
    default: 0
    }
  }

  /// The other names: by language, and by rules.
  private var names: [(language: String?, name: String)] {
    let common = properties["names"]?["common"] ?? .null
    var found: [(String?, String)] = (common.members ?? []).map { member in
      (PlaceField.language(String(decoding: member.name, as: UTF8.self)), member.value.string ?? "")
    }
    // Some programs write a map as a list of pairs.
    for pair in common.elements {
      let parts = pair.elements.compactMap(\.string)
      let (key, value) =
        parts.count == 2 ? (parts[0], parts[1]) : (pair["key"]?.string ?? "", pair["value"]?.string ?? "")
      found.append((PlaceField.language(key), value))
    }
    for rule in properties["names"]?["rules"]?.elements ?? [] {
      found.append((rule["language"]?.string.flatMap { PlaceField.language($0) }, rule["value"]?.string ?? ""))
    }
    return found
  }
}
