import Basics
import Foundation

/// Search for features: with the town they are in, and with a word for their kind.
extension NameSearch {
  /// Adds features and airports that lie in or near a town that was typed with them: `Blue Mosque Istanbul`.
  mutating func addLocal(_ candidates: [Candidate]) {
    let before = known
    defer { if request.isCompleting { known = before } }
    // A word for a kind alone is not a name.
    let candidates = candidates.filter { KindWords($0.text)?.rest.isEmpty != true }
    for candidate in candidates { addNamed(candidate.key, in: candidate.areas, penalty: candidate.penalty) }
    // While typing, the last word may become another.
    guard known == 0, !request.isCompleting || request.text.contains(",") else { return }
    for candidate in candidates where candidate.penalty == 0 {
      addBeginning(candidate.key, in: candidate.areas, penalty: 0)
    }
  }

  /// Adds misspelled features of a town that was typed correctly: `colosseum rome`.
  mutating func addMisspelledLocal(_ candidates: [Candidate]) {
    for candidate in candidates where candidate.penalty == 0 && candidate.key.count >= 5 {
      addTypos(Spelling(key: candidate.key, penalty: 0), in: candidate.areas, doubt: 0)
    }
  }

  /// Adds places whose kind was typed with the name (`K2 mountain`, `Schloss Neuschwanstein`), and all places of a kind
  /// if only a kind was typed, with or without a town or country (`museums in Berlin`).
  /// - Parameter isKnown: Whether the whole text is the name of something else.
  mutating func addKinds(_ candidates: [Candidate], isKnown: Bool) {
    let before = known
    defer { if request.isCompleting { known = before } }
    var (isNamed, whole) = (false, [(kinds: Set<Place.Kind>, areas: [Areas])]())
    for candidate in candidates where candidate.penalty == 0 {
      guard let words = KindWords(candidate.text) else { continue }
      guard !words.rest.isEmpty else {
        // A word for a kind in another language may be the beginning of a name: Rio, Burg.
        let isAlone = candidate.areas.isEmpty && request.near == nil
        if !isAlone || Place.Kind(word: candidate.text) != nil { whole.append((words.kinds, candidate.areas)) }
        continue
      }
      var folding = Folding()
      let key = folding.keyBytes(words.rest.joined(separator: " "))
      // Airports have a search of their own.
      guard !key.isEmpty, !words.kinds.contains(.airport) else { continue }
      isNamed = addNamed(key, of: words.named, in: candidate.areas) || isNamed
    }
    // The Isle of Iona is not just any island in Iona. Church is a village, but near the reference position it is a kind.
    let isNear = request.near != nil && whole.contains { $0.areas.isEmpty }
    guard !isNamed, !isKnown || isNear else { return }
    for (kinds, areas) in whole where areas.isEmpty || !isName || isNear { addAll(kinds, in: areas.map(\.largest)) }
    if whole.isEmpty { addWanted(candidates) }
  }

  /// Adds the places of the kinds to which the search is limited, if only their town or country was typed.
  private mutating func addWanted(_ candidates: [Candidate]) {
    guard !request.kinds.isEmpty, request.kinds.allSatisfy({ PlaceClass(of: $0) != nil }),
      !hits.values.contains(where: { $0.match >= 0.84 })
    else { return }
    for candidate in candidates where candidate.penalty == 0 && candidate.areas.isEmpty {
      let area = Areas(world, candidate.text, isTyped: false, isSure: false)
      if !area.isEmpty { addAll(request.kinds, in: [area.largest]) }
    }
  }

  /// Adds the places of some kinds that have a name, apart from words for their kind.
  /// - Returns: Whether there are any.
  private mutating func addNamed(_ key: [UInt8], of kinds: Set<Place.Kind>, in areas: [Areas]) -> Bool {
    var isFound = false
    let entries = tables.entries(beginningWith: key)
    for entry in entries.all.prefix(Self.namesakes) {
      let alias = tables.alias(ofEntry: entry)
      let place = tables.place(of: alias)
      guard let kind = PlaceClass(rawValue: tables.classes[place])?.kind, kinds.contains(kind),
        tables.aliasFlags[alias] & PlaceIndex.code == 0
      else { continue }
      // Tour Eiffel is a whole name.
      if let hit = hits[UInt32(place)], hit.match >= 0.84, areas.isEmpty || hit.context > 0 {
        isFound = true
        continue
      }
      let isExact = entries.exact.contains(entry)
      let match: Float
      if isExact, tables.isWhole(entry) {
        match = fit.whole(alias, length: key.count) - Self.kindWord
      } else if KindWords.bareKey(tables.text(of: alias)) == key {
        match = 1 - fit.exonymPenalty(alias) - Self.kindWord
      } else if isExact {
        match = 0.78 - fit.exonymPenalty(alias)
      } else {
        continue
      }
      if let hit = add(alias, match: match, in: areas), match >= 0.8 {
        known = max(known, hit.importance)
        isFound = true
      }
    }
    return isFound
  }

  /// Adds all places of some kinds in an area, or near the reference position.
  private mutating func addAll(_ kinds: Set<Place.Kind>, in areas: [Areas]) {
    let classes = tables.classes(of: Set(kinds.filter { PlaceClass(of: $0) != nil }))
    let isStation = kinds.contains(.station)
    // Airports have a search of their own, which knows the towns that they serve.
    if kinds.contains(.airport), areas.contains(where: \.countries.isEmpty) { return }
    var count = 0
    for place in places(of: classes, around: areas) {
      var match = Self.ofKind
      if areas.isEmpty, let near = request.near {
        let distance = near.haversineDistance(to: tables.point(of: place))
        guard distance < Self.around else { continue }
        match += Float(0.4 * exp(-distance / 10_000))
      }
      // The station of a town lies in it.
      if isStation, !areas.allSatisfy({ $0.contains(place, in: tables, share: 0.4) }) { continue }
      // The beach of Monaco is not one of Nice.
      let isInside = areas.allSatisfy { area in
        area.contains(region: tables.sharedRegion(of: place), country: tables.country(of: place))
          || area.contains(place, in: tables, share: 0.35)
      }
      if !isInside { match -= Self.atEdge }
      guard add(Int(tables.firstAliases[place]), match: match, in: areas) != nil else { continue }
      count += 1
      if count == Self.namesakes { break }
    }
    if count > 0 { isOfKind = true }
  }

  /// Returns the places of some classes, the most important first; only those around the reference position or the towns
  /// that were typed, if nothing else says where they are.
  private func places(of classes: [Bool], around areas: [Areas]) -> [Int] {
    let circles = areas.isEmpty ? request.near.map { [($0, Self.around)] } : areas.first(where: \.isLocal)?.surroundings
    guard let circles else { return tables.classes.indices.filter { classes[Int(tables.classes[$0])] } }
    var places: Set<Int> = []
    for (center, radius) in circles {
      SpatialOrder.forEach(in: tables, around: center, within: radius) { place, _ in
        if classes[Int(tables.classes[place])] { places.insert(place) }
      }
    }
    return places.sorted()
  }

  /// Prefers well-known features of whose name only words for their kind are missing (the Prado is a museum), unless
  /// they are in a town of that name (Prague Castle).
  mutating func preferBareNames(_ key: [UInt8]) {
    for hit in hits.values where hit.match < Self.bare && hit.context == 0 {
      let place = Int(hit.place)
      guard tables.importances[place] >= Self.famous, case .feature? = PlaceClass(rawValue: tables.classes[place]),
        KindWords.bareKey(tables.text(of: Int(tables.firstAliases[place]))) == key
      else { continue }
      let point = tables.point(of: place)
      let reach = Self.town + tables.radius(of: place)
      let isInTown = hits.values.contains {
        $0.match >= 0.84 && point.haversineDistance(to: tables.point(of: Int($0.place))) < reach
      }
      if !isInTown { add(Int(tables.firstAliases[place]), match: Self.bare, in: []) }
    }
  }

  /// The score of a well-known feature whose name was typed without the word for its kind.
  private static let bare: Float = 0.75
  /// The importance of features that are known by such a name.
  private static let famous: Float = 0.6
  /// The distance from a town of the name within which a feature is named after it, in metres.
  private static let town = 50_000.0

  /// The reduction of the score for a word that is not a part of the name.
  private static let kindWord: Float = 0.035
  /// The score of a place whose kind alone was typed.
  private static let ofKind: Float = 0.95
  /// The reduction of the score of a place that lies near the town rather than in it.
  private static let atEdge: Float = 0.1
  /// How far from the reference position places of a kind are listed, in metres.
  private static let around = 100_000.0
}
