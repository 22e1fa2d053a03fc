import Basics

/// Corrections for places that share the name or the code.
extension NameSearch {
  /// Adds more important places with the own names of the first results, if those were found by a name in another
  /// script: the data may have that name for Dublin in California, but not for Dublin in Ireland.
  mutating func addNamesakes() {
    guard request.text.utf8.contains(where: { $0 >= 0x80 }) else { return }
    for hit in sorted().prefix(3)
    where hit.match >= 0.84 && hit.context == 0 && fit.isForeign(hit.alias) && !isNative(hit) {
      let own = Int(tables.firstAliases[Int(hit.place)])
      for entry in tables.entries(beginningWith: Array(tables.key(of: own))).exact.prefix(Self.namesakes) {
        let alias = tables.alias(ofEntry: entry)
        guard tables.isWhole(entry), tables.aliasFlags[alias] & NameIndex.own != 0,
          tables.importances[tables.place(of: alias)] > tables.importances[Int(hit.place)]
        else { continue }
        // Below the score of places that have the name.
        add(alias, match: min(hit.match - 0.1, 0.83), in: [])
      }
    }
  }

  /// Ranks an airport before a country of the same code if a nearby town abroad also has the code, and is large or near
  /// a great city: FRA is Frankfurt's, HND (Haneda) Tokyo's; RUS is Russia's.
  mutating func putAirportsFirst() {
    guard fit.isCode else { return }
    let coded = hits.values.filter { tables.aliasFlags[$0.alias] & (NameIndex.code | NameIndex.initials) != 0 }
    func of(_ kind: PlaceClass) -> [Hit] { coded.filter { tables.classes[Int($0.place)] == kind.rawValue } }
    let countries = of(.country).map(country)
    guard !countries.isEmpty else { return }
    let towns = coded.filter {
      tables.aliasFlags[$0.alias] & NameIndex.initials != 0 && !countries.contains(country($0))
    }
    for hit in of(.airport) {
      let beside = towns.filter { point(hit).haversineDistance(to: point($0)) < 100_000 }
      guard beside.contains(where: { $0.importance >= 0.55 }) || !beside.isEmpty && isBesideGreatCity(hit) else {
        continue
      }
      add(hit.alias, match: hit.match + 0.7, in: [])
    }
  }

  private func isBesideGreatCity(_ hit: Hit) -> Bool {
    // Places are numbered by importance.
    tables.importances.indices.prefix { tables.importances[$0] >= 0.75 }.contains {
      tables.classes[$0] <= PlaceClass.seat.rawValue && point(hit).haversineDistance(to: tables.point(of: $0)) < 25_000
    }
  }

  private func point(_ hit: Hit) -> Coordinate { tables.point(of: Int(hit.place)) }

  private func country(_ hit: Hit) -> UInt16 { tables.country(of: Int(hit.place)) }

  /// Whether the name was typed in the characters used there: its Latin name only gives their sound, which others may
  /// share.
  private func isNative(_ hit: Hit) -> Bool {
    Self.characterCountries.contains(country(hit))
      && request.text.unicodeScalars.contains { (0x2E80...0xD7A3).contains($0.value) }
  }

  private static let characterCountries = Set(["CN", "TW", "HK", "MO", "JP", "KR", "KP"].map(NameIndex.countryCode))
}
