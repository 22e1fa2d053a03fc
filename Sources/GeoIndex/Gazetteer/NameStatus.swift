import Foundation

/// The status of the name by which a place was found.
struct NameStatus {
  /// Whether it is the place's own name, or its name in a local language, in English, or in the requested language.
  var isOwn = false
  /// Whether it is the place's name in some language, not only another name.
  var isName = false
  /// Whether it is a code or initials.
  var isCode = false
  /// Whether the place is the seat of a region or country.
  var isSeat = false
  /// Whether the place is the seat of a region or country, and has another name in the Latin letters of its own
  /// language.
  var isExonymOfSeat = false
}

extension Gazetteer {
  /// Returns the status of the name by which each place was found.
  /// - Parameters:
  ///   - typed: The typed text, and the parts of it that may be the name. A place that was found by another spelling
  ///     may also have that text as its own name.
  ///   - language: A BCP 47 tag.
  func statuses(of found: [SearchResult], typed: [TypedName], language: String?) -> [NameStatus] {
    var speech: [String: LocalSpeech] = [:]
    let common = [WantedLanguage("en")] + (language.map { [WantedLanguage($0)] } ?? [])
    return found.map { result in
      // Whatever name people give to a place of their own, they mean it.
      guard let match = result.match, result.place.kind != .own else { return NameStatus(isOwn: true, isName: true) }
      let index = indexes[match.index]
      let country = result.place.countryCode
      let local = speech[country] ?? LocalSpeech(of: country)
      speech[country] = local
      var status = index.status(of: match.alias, of: match.place, local: local, common: common)
      if !status.isOwn, !status.isCode,
        let typed = typed.first(where: { $0.isSame(as: result.place.matchedName) })
      {
        status.isOwn = index.names(of: match.place).contains { alias in
          (index.aliasFlags[alias] & PlaceIndex.own != 0 || index.isIn(common + local.languages, alias))
            && typed.isSame(as: index.text(of: alias))
        }
      }
      let isAirport = result.place.kind == .airport
      status.isName = status.isOwn || !isAirport && !status.isCode && index.aliasLanguages[match.alias] != 0
      return status
    }
  }
}

extension PlaceIndex {
  fileprivate func status(
    of alias: Int, of place: Int, local: LocalSpeech, common: [WantedLanguage]
  ) -> NameStatus {
    let flags = aliasFlags[alias]
    var status = NameStatus()
    status.isCode = flags & (PlaceIndex.code | PlaceIndex.initials) != 0
    status.isOwn =
      flags & (PlaceIndex.own | PlaceIndex.ownKey) != 0 || isIn(common + local.languages, alias)
      || local.isWritten(in: text(of: alias))
    status.isSeat = [PlaceClass.seat.rawValue, PlaceClass.capital.rawValue].contains(classes[place])
    guard status.isOwn, status.isSeat, let first = local.languages.first else { return status }
    let own = names(of: place).filter { isIn([first], $0) }.map { Array(key(of: $0)) }
    status.isExonymOfSeat =
      !own.isEmpty && own.allSatisfy { $0.first.map { $0 < 0x80 } ?? false } && !own.contains(Array(key(of: alias)))
    return status
  }

  fileprivate func isIn(_ languages: [WantedLanguage], _ alias: Int) -> Bool {
    let set = aliasLanguages[alias]
    return set != 0 && languages.contains { $0.fit(self, languageTexts[Int(set)]) >= 2 }
  }
}

/// The languages of a country, and the script that most people use there.
private struct LocalSpeech {
  /// The language that most people speak (Unicode CLDR's likely subtags), then other official ones.
  let languages: [WantedLanguage]
  private let letters: [ClosedRange<UInt32>]

  init(of country: String) {
    guard !country.isEmpty else {
      (languages, letters) = ([], [])
      return
    }
    let likely = Locale.Language(identifier: "und-\(country)").maximalIdentifier.split(separator: "-").map(String.init)
    let tags = likely.first.map { [$0, likely.prefix(2).joined(separator: "-")] } ?? []
    languages = (tags + (Self.additional[country] ?? [])).map { WantedLanguage($0) }
    letters = likely.count > 1 ? Self.scripts[likely[1]] ?? [] : []
  }

  /// Whether a name is in the country's own script; Latin letters don't count.
  func isWritten(in name: String) -> Bool {
    name.unicodeScalars.first { $0.properties.isAlphabetic }.map { first in
      letters.contains { $0.contains(first.value) }
    } ?? false
  }

  private static let han: [ClosedRange<UInt32>] = [0x3400...0x4DBF, 0x4E00...0x9FFF]

  /// Unicode blocks by ISO 15924 code.
  private static let scripts: [String: [ClosedRange<UInt32>]] = [
    "Arab": [0x600...0x6FF], "Armn": [0x530...0x58F], "Beng": [0x980...0x9FF], "Cyrl": [0x400...0x52F],
    "Deva": [0x900...0x97F], "Ethi": [0x1200...0x137F], "Geor": [0x10A0...0x10FF], "Grek": [0x370...0x3FF],
    "Hans": han, "Hant": han, "Hebr": [0x590...0x5FF], "Jpan": han + [0x3040...0x30FF], "Khmr": [0x1780...0x17FF],
    "Kore": [0xAC00...0xD7A3], "Laoo": [0xE80...0xEFF], "Mymr": [0x1000...0x109F], "Sinh": [0xD80...0xDFF],
    "Thai": [0xE00...0xE7F], "Tibt": [0xF00...0xFFF],
  ]

  private static let additional: [String: [String]] = [
    "AF": ["ps"], "AL": ["sq"], "BA": ["sr", "hr"], "BE": ["fr", "de"], "BY": ["ru"], "CA": ["fr"], "CD": ["fr"],
    "CH": ["fr", "it", "rm"], "CM": ["en"], "CY": ["tr"], "DZ": ["fr"], "ES": ["ca", "eu", "gl"], "FI": ["sv"],
    "GB": ["cy", "gd"], "HK": ["zh", "zh-Hant"], "IE": ["ga"], "IL": ["ar"], "IQ": ["ku"],
    "IN": ["bn", "te", "ta", "mr", "gu", "kn", "ml", "pa", "ur", "or", "as"], "KG": ["ru"],
    "KZ": ["ru"], "LK": ["ta"], "LU": ["de", "lb"], "MA": ["fr"], "MO": ["zh", "pt"], "MT": ["en"], "MY": ["zh", "ta"],
    "NO": ["nn", "nb"], "NZ": ["mi"], "PK": ["en", "pa", "sd"], "PY": ["gn"], "RS": ["hu"], "SG": ["zh", "ms", "ta"],
    "TN": ["fr"], "TW": ["zh", "zh-Hant"], "UA": ["ru"], "UZ": ["ru"], "ZA": ["af", "zu", "xh"],
  ]
}
