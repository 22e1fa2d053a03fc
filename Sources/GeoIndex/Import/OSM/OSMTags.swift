import Basics

/// The tags of an object of OpenStreetMap.
struct OSMTags {
  private let tags: [String: String]
  let kind: Place.Kind
  /// The tag that gave the kind.
  let kindTag: String
  /// The name in the local language, otherwise an international one.
  let name: String

  private static let otherNames = [
    "alt_name", "old_name", "official_name", "short_name", "int_name", "loc_name", "nat_name", "reg_name",
  ]

  /// Returns nil if the object has no name or no kind.
  init?(_ tags: [String: String]) {
    guard let (kind, tag) = OSMKinds.table.kind(of: tags) else { return nil }
    let names = ["name", "int_name", "name:en"].lazy.compactMap { tags[$0] }
    let local = tags.keys.filter { $0.hasPrefix("name:") && PlaceField.language($0.dropFirst(5)) != nil }.min()
    guard let name = names.first ?? local.flatMap({ tags[$0] }), !name.allSatisfy(\.isWhitespace) else { return nil }
    (self.tags, self.kind, self.name, kindTag) = (tags, kind, name, tag)
  }

  /// Whether a way that isn't closed is only a part of a border: `France — Andorra`.
  var isBorder: Bool { kindTag.hasPrefix("boundary=") }

  /// Whether a closed way is an area rather than a loop.
  var isArea: Bool {
    tags["area"] == "yes" || tags["waterway"] == "riverbank"
      || tags["highway"] == nil && !(tags["waterway"] != nil && kind == .river)
  }

  /// The number of people that a settlement of its kind usually has; for ranking only.
  private var usualPopulation: Int {
    switch tags["place"] {
    case "city": 200_000
    case "town": 15_000
    case "village", "suburb": 1_000
    case "quarter", "neighbourhood": 300
    case "hamlet": 50
    default: 0
    }
  }

  /// Fills in what the tags say.
  /// - Parameters:
  ///   - area: The area in square metres; 0 if unknown.
  ///   - height: Whether `ele` is the altitude.
  func fill(_ draft: inout PlaceDraft, area: Double = 0) {
    draft[.name] = name
    draft.kind = kind
    draft[.category] = kindTag
    var languages: Set<String> = []
    for (key, value) in tags.sorted(by: { $0.key < $1.key }) {
      let parts = key.split(separator: ":", maxSplits: 1)
      guard let first = parts.first, first == "name" || Self.otherNames.contains(String(first)) else { continue }
      let language = parts.count > 1 ? PlaceField.language(parts[1]) : nil
      guard parts.count == 1 || language != nil else { continue }
      if let language { languages.insert(language) }
      for name in value.split(separator: ";") where name != self.name || language != nil {
        draft.addName(String(name), language)
      }
    }
    for key in ["iata", "icao"] where kind == .airport { tags[key].map { draft.addName($0) } }
    let altitude = tags["ele"].flatMap(Self.metres)
    if let altitude { draft[.altitude] = "\(altitude)" }
    let population = tags["population"].flatMap(Self.people)
    if let population { draft[.population] = "\(population)" }
    draft[.country] = ["ISO3166-1:alpha2", "ISO3166-1", "addr:country", "is_in:country_code"].lazy
      .compactMap { tags[$0] }.first { $0.utf8.count == 2 }
    draft.terms = .openStreetMap
    let factors = ImportanceFactors(
      languages: languages.count, hasWikidata: tags["wikidata"] != nil,
      hasWikipedia: tags.keys.contains { $0 == "wikipedia" || $0.hasPrefix("wikipedia:") },
      population: population ?? usualPopulation, area: area,
      height: tags["prominence"].flatMap(Self.metres) ?? altitude ?? 0)
    draft.importance = Importance.of(kind, factors)
  }

  /// Parses `2864`, `2864,4` or `2864 m`; nil for what isn't an altitude on Earth.
  private static func metres(_ text: String) -> Double? {
    let number = text.replacing(",", with: ".").prefix { $0 != " " && $0 != "m" }
    guard text.utf8.count < 20, let metres = PlaceDraft.decimal(number), (-12_000...10_000).contains(metres) else {
      return nil
    }
    return metres
  }

  /// Parses digits, perhaps in groups; nil for anything else.
  private static func people(_ text: String) -> Int? {
    guard text.utf8.count < 20, text.allSatisfy({ $0.isASCII && $0.isNumber || " ,.'".contains($0) }) else {
      return nil
    }
    return Int(text.filter(\.isNumber)).flatMap { $0 <= 20_000_000_000 ? $0 : nil }
  }
}
