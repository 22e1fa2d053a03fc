import Basics
import Foundation

/// Search for features: with the town they are in, and with a word for their kind.
extension NameSearch {
  /// Adds features and airports that lie in or near a town that was typed with them: `Blue Mosque Istanbul`.
  mutating func addLocal(_ candidates: [Candidate]) {
    for candidate in candidates { addNamed(candidate.key, in: candidate.areas, penalty: candidate.penalty) }
    guard known == 0 else { return }
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
  /// if the kind is all there is besides a town or country (`museums in Berlin`).
  mutating func addKinds(_ candidates: [Candidate]) {
    for candidate in candidates where candidate.penalty == 0 {
      guard let words = KindWords(candidate.text) else { continue }
      guard !words.rest.isEmpty else {
        addAll(words.kinds, in: candidate.areas)
        continue
      }
      var folding = Folding()
      let key = folding.keyBytes(words.rest.joined(separator: " "))
      guard !key.isEmpty else { continue }
      addNamed(key, of: words.named, in: candidate.areas)
    }
  }

  /// Adds the places of some kinds that have a name, apart from words for their kind.
  private mutating func addNamed(_ key: [UInt8], of kinds: Set<Place.Kind>, in areas: [Areas]) {
    let entries = tables.entries(beginningWith: key)
    for entry in entries.all.prefix(Self.namesakes) {
      let alias = tables.alias(ofEntry: entry)
      let place = tables.place(of: alias)
      guard let kind = PlaceClass(rawValue: tables.classes[place])?.kind, kinds.contains(kind),
        tables.aliasFlags[alias] & NameIndex.code == 0
      else { continue }
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
      if let hit = add(alias, match: match, in: areas), match >= 0.84 { known = max(known, hit.importance) }
    }
  }

  /// Adds all places of some kinds in an area, or near the reference position.
  private mutating func addAll(_ kinds: Set<Place.Kind>, in areas: [Areas]) {
    guard !areas.isEmpty || request.near != nil || known < Self.town else { return }
    let classes = kinds.compactMap { PlaceClass(of: $0)?.rawValue }
    var count = 0
    for place in tables.classes.indices where classes.contains(tables.classes[place]) {
      var match = Self.ofKind
      if areas.isEmpty, let near = request.near {
        let distance = near.haversineDistance(to: tables.point(of: place))
        guard distance < Self.around else { continue }
        match += Float(0.4 * exp(-distance / 10_000))
      }
      guard add(Int(tables.firstAliases[place]), match: match, in: areas) != nil else { continue }
      count += 1
      if count == Self.namesakes { break }
    }
    if count > 0 { isOfKind = true }
  }

  /// The reduction of the score for a word that is not a part of the name.
  private static let kindWord: Float = 0.04
  /// The score of a place whose kind alone was typed.
  static let ofKind: Float = 0.95
  /// The importance of a town that is meant by a word for a kind, like Burg or Port.
  private static let town: Float = 0.5
  /// How far from the reference position places of a kind are listed, in metres.
  private static let around = 100_000.0
}
