import Basics

/// Scores of longer names whose beginning was typed.
extension NameSearch {
  /// Returns the score of a name of `length` bytes of which the first `count` were typed.
  func beginning(_ count: Int, of length: Int) -> Float {
    (request.isCompleting ? 0.6 : 0.2) + 0.3 * Float(count) / Float(length)
  }

  /// Returns the score of a name whose remaining words only denote the kind of place, or distinguish it from others:
  /// George Town is not George, but Clinton Township is a Clinton, and Newcastle upon Tyne a Newcastle.
  func ending(_ start: Int, _ end: Int, of alias: Int) -> Float? {
    guard end - start <= 40 else { return nil }
    let rest = Array(tables.keys[start..<end])
    let isKind = Spelling.nameEndings.contains(rest)
    // Most names continue with other letters, so there is no need to examine their words.
    guard isKind || end - start > 4 && Spelling.mayQualify(rest[0], rest[1]) else { return nil }
    guard tables.mayHaveSeveralWords(alias) else { return nil }
    let words = tables.text(of: alias).lowercased().split { !$0.isLetter }
    var (tail, last) = ([UInt8](), Substring())
    for word in words.reversed().prefix(5) {
      (tail, last) = (Array(word.utf8) + tail, word)
      if tail.count >= rest.count { break }
    }
    if isKind { return tail == rest ? Spelling.townships.contains(rest) ? 0.92 : 0.82 : nil }
    return Spelling.qualifiers.contains(String(last)) && isSame(tail, rest) ? 0.8 : nil
  }

  /// Whether the first `count` bytes of a name's key are whole words.
  func isWords(_ count: Int, of alias: Int) -> Bool {
    guard tables.mayHaveSeveralWords(alias) else { return false }
    var (folding, key) = (Folding(), Folding.Key())
    folding.fold(tables.letters(of: alias), into: &key)
    return key.words.contains(count)
  }

  /// Whether lower-cased words equal the key once they are folded.
  private func isSame(_ words: [UInt8], _ key: [UInt8]) -> Bool {
    if words == key { return true }
    var folding = Folding()
    return folding.keyBytes(String(decoding: words, as: UTF8.self)) == key
  }
}

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
        guard tables.isWhole(entry), tables.aliasFlags[alias] & PlaceIndex.own != 0,
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
    let coded = hits.values.filter { tables.aliasFlags[$0.alias] & (PlaceIndex.code | PlaceIndex.initials) != 0 }
    func of(_ kind: PlaceClass) -> [Hit] { coded.filter { tables.classes[Int($0.place)] == kind.rawValue } }
    let countries = of(.country).map(country)
    guard !countries.isEmpty else { return }
    let towns = coded.filter {
      tables.aliasFlags[$0.alias] & PlaceIndex.initials != 0 && !countries.contains(country($0))
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

  private static let characterCountries = Set(["CN", "TW", "HK", "MO", "JP", "KR", "KP"].map(PlaceIndex.countryCode))
}

/// Names with words that are cut to their first letters, as is usual in Germany: `Frankfurt a.M.`, `Bad Homburg
/// v.d.H.`, `Frankfurt/Main`.
extension NameSearch {
  /// Adds the places whose names are `text` with its shortened words written out; nothing if `text` has no such words.
  mutating func addShortenedWords(_ text: String, in areas: [Areas]) {
    guard let name = ShortenedName(text) else { return }
    let entries = tables.entries(beginningWith: name.key).all.prefix(Self.namesakes)
    for entry in entries where tables.isWhole(entry) {
      let alias = tables.alias(ofEntry: entry)
      guard tables.mayHaveSeveralWords(alias), name.isShort(for: tables.text(of: alias)) else { continue }
      let match = fit.whole(alias, length: name.key.count) - Spelling.variant
      if let hit = add(alias, match: match, in: areas) { known = max(known, hit.importance) }
    }
  }
}

/// A name in which some words are whole and others are cut.
private struct ShortenedName {
  /// The key of the beginning that has no missing letters.
  let key: [UInt8]
  private var words: [(key: String, isCut: Bool)] = []
  /// Whether it has a slash, which may replace words like `am` and `an der`.
  private let hasSlash: Bool

  /// Returns nil if no word after the first is cut, which a dot or a slash shows.
  init?(_ text: String) {
    hasSlash = text.contains("/")
    guard hasSlash || text.contains(".") else { return nil }
    var (folding, isBehindSlash) = (Folding(), false)
    var rest = text[...]
    while let first = rest.first {
      let word = rest.prefix { $0.isLetter }
      rest = rest.dropFirst(max(word.count, 1))
      if first == "/" { isBehindSlash = true }
      guard !word.isEmpty else { continue }
      words.append((folding.key(word), isBehindSlash || rest.first == "."))
    }
    let whole = words.prefix { !$0.isCut }.count
    key = folding.keyBytes(words.prefix(hasSlash ? whole : whole + 1).map(\.key).joined())
    guard whole > 0, key.count > 2, words.contains(where: \.isCut) else { return nil }
  }

  /// Whether `name` has exactly these words.
  func isShort(for name: String) -> Bool {
    var folding = Folding()
    var others = name.split { !$0.isLetter }.map { folding.key($0) }[...]
    for word in words {
      if hasSlash, word.isCut { others = others.drop { Self.small.contains($0) && !$0.hasPrefix(word.key) } }
      guard let other = others.popFirst(), word.isCut ? other.hasPrefix(word.key) : other == word.key else {
        return false
      }
    }
    return others.isEmpty
  }

  private static let small = Spelling.qualifiers.union(["der", "dem", "den"])
}
