import Foundation

/// The standing of the name by which a place was found.
struct NameStanding {
  /// It is the place's own name, or its name in a language spoken there, in English, or in the language asked for.
  var isOwn = false
  /// It is a code or initials.
  var isCode = false
  /// The place is the seat of a region or country, and has another name in the Latin letters of its own language.
  var isExonymOfSeat = false
}

extension NameTables {
  /// - Parameter language: A BCP 47 tag.
  func standings(of found: [SearchResult], language: String?) -> [NameStanding] {
    var spoken: [String: [WantedLanguage]] = [:]
    let common = [WantedLanguage("en")] + (language.map { [WantedLanguage($0)] } ?? [])
    return found.map { result in
      guard result.rank >= 0 else { return NameStanding(isOwn: true) }
      let country = result.place.countryCode
      let local = spoken[country] ?? Self.languages(spokenIn: country).map { WantedLanguage($0) }
      spoken[country] = local
      return standing(of: result.alias, of: result.rank, local: local, common: common)
    }
  }

  private func standing(
    of alias: Int, of place: Int, local: [WantedLanguage], common: [WantedLanguage]
  ) -> NameStanding {
    let flags = aliasFlags[alias]
    var standing = NameStanding()
    standing.isCode = flags & (NameIndex.code | NameIndex.initials) != 0
    standing.isOwn = flags & (NameIndex.own | NameIndex.ownKey) != 0 || isIn(common + local, alias)
    guard standing.isOwn, [PlaceClass.seat.rawValue, PlaceClass.capital.rawValue].contains(classes[place]) else {
      return standing
    }
    let localNames = (Int(firstAliases[place])..<Int(firstAliases[place + 1])).filter { isIn(local, $0) }
      .map { Array(key(of: $0)) }
    standing.isExonymOfSeat =
      localNames.contains { $0.first.map { $0 < 0x80 } ?? false } && !localNames.contains(Array(key(of: alias)))
    return standing
  }

  private func isIn(_ languages: [WantedLanguage], _ alias: Int) -> Bool {
    let set = aliasLanguages[alias]
    return set != 0 && languages.contains { $0.fit(self, languageTexts[Int(set)]) >= 2 }
  }

  /// The language that most speak in a country (Unicode CLDR's likely subtags), and others that are official there.
  private static func languages(spokenIn country: String) -> [String] {
    guard !country.isEmpty else { return [] }
    let likely = Locale.Language(identifier: "und-\(country)").maximalIdentifier.split(separator: "-").prefix(2)
    return [likely.joined(separator: "-"), String(likely.first ?? "")] + (further[country] ?? [])
  }

  private static let further: [String: [String]] = [
    "AF": ["ps"], "AL": ["sq"], "BA": ["sr", "hr"], "BE": ["fr", "de"], "BY": ["ru"], "CA": ["fr"], "CD": ["fr"],
    "CH": ["fr", "it", "rm"], "CM": ["en"], "CY": ["tr"], "DZ": ["fr"], "ES": ["ca", "eu", "gl"], "FI": ["sv"],
    "GB": ["cy", "gd"], "HK": ["zh", "zh-Hant"], "IE": ["ga"], "IL": ["ar"], "IQ": ["ku"],
    "IN": ["bn", "te", "ta", "mr", "gu", "kn", "ml", "pa", "ur", "or", "as"], "IT": ["de", "fr"], "KG": ["ru"],
    "KZ": ["ru"], "LK": ["ta"], "LU": ["de", "lb"], "MA": ["fr"], "MO": ["zh", "pt"], "MT": ["en"], "MY": ["zh", "ta"],
    "NO": ["nn", "nb"], "NZ": ["mi"], "PK": ["en", "pa", "sd"], "PY": ["gn"], "RS": ["hu"], "SG": ["zh", "ms", "ta"],
    "TN": ["fr"], "TW": ["zh", "zh-Hant"], "UA": ["ru"], "UZ": ["ru"], "ZA": ["af", "zu", "xh"],
  ]
}
