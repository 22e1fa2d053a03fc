/// One way to read the typed text: a name, and the countries or regions in which the place must lie.
struct QueryInterpretation: Hashable {
  let name: String
  let within: [String]
  /// Whether a comma or the script shows that the rest can only be an area.
  var isSure = false

  /// Returns the ways to read `text`, the most likely first: as it is; split at commas; split at spaces, the longest
  /// name first (`Paris Texas`, `Springfield IL USA`); with the larger area before the smaller (`日本 京都`), which in
  /// Chinese, Japanese and Korean needs no space.
  static func all(of text: String) -> [QueryInterpretation] {
    guard text.utf8.count <= longest else { return [] }
    var readings = [QueryInterpretation(name: text, within: [])]
    let parts = text.split(whereSeparator: { ",，、;".contains($0) }).map(trimmed).filter { !$0.isEmpty }
    if parts.count > 1 {
      readings.append(QueryInterpretation(name: parts[0], within: Array(parts[1...]), isSure: true))
      readings.append(QueryInterpretation(name: parts[parts.count - 1], within: parts.dropLast()))
      readings += inside(parts[0]).dropFirst().map {
        QueryInterpretation(name: $0.name, within: $0.within + parts[1...])
      }
    } else {
      readings += inside(text).dropFirst()
    }
    if let rest = withoutPostalCode(text) { readings += all(of: rest).filter { !$0.within.isEmpty } }
    if let rest = withoutLeadingPostalCode(text) { readings += all(of: rest) }
    return readings
  }

  /// Returns the keys of everything that may be an area.
  static func areaKeys(of text: String) -> Set<[UInt8]> {
    var folding = Folding()
    return Set(all(of: text).flatMap(\.within).map { folding.keyBytes($0) })
  }

  /// Returns `Springfield, IL 62701` without the postal code after a region or country.
  private static func withoutPostalCode(_ text: String) -> String? {
    // Most texts have no digits, and patterns are slow.
    guard text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
    let rest = text.replacing(Pattern.postalCode, with: "", maxReplacements: 1)
    return rest == text ? nil : rest
  }

  /// Returns `75018 Paris`, `D-10115 Berlin`, `00-001 Warszawa` without the postal code; nil if there is no postal
  /// code.
  static func withoutLeadingPostalCode(_ text: String) -> String? {
    guard text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return nil }
    return text.wholeMatch(of: Pattern.leadingPostalCode).map { String($0.1) }
  }

  private static func inside(_ text: String) -> [QueryInterpretation] {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    var readings = [QueryInterpretation(name: text, within: [])]
    guard words.count > 1 else { return readings + characters(text) }
    guard words.count <= 12 else { return readings }
    for split in (1..<words.count).reversed() {
      // The museum in Berlin.
      let isJoined = words.count > split + 1 && isJoint(words[split], after: words[..<split])
      let (name, rest) = (words[..<split].joined(separator: " "), words[split...].dropFirst(isJoined ? 1 : 0))
      readings.append(QueryInterpretation(name: name, within: [rest.joined(separator: " ")]))
      if rest.count > 1, let last = rest.last {
        readings.append(QueryInterpretation(name: name, within: [rest.dropLast().joined(separator: " "), last]))
      }
    }
    for split in 1..<words.count {
      let (area, name) = (words[..<split], words[split...])
      // Iowa City is not a place in Iowa with City in its name.
      if name.count == 1, let word = name.last, Spelling.isKind(word) { continue }
      readings.append(QueryInterpretation(name: name.joined(separator: " "), within: [area.joined(separator: " ")]))
    }
    return readings
  }

  /// Whether a word only joins a name with the town around it: `museum in Berlin`, `museos de Barcelona`; but `Rio de
  /// Janeiro` is one name.
  private static func isJoint(_ word: String, after words: ArraySlice<String>) -> Bool {
    let word = word.lowercased()
    if prepositions.contains(word) { return true }
    // Several: Porto de Espanha and Château de Tours are names.
    guard genitives.contains(word), let last = words.last?.last, "sxi".contains(last) else { return false }
    return KindWords(words.joined(separator: " "))?.rest.isEmpty == true
  }

  /// Words between a kind of places and the town around it.
  private static let genitives: Set<String> = ["of", "de", "di", "da", "do", "du", "del", "della", "von", "van"]

  /// Words between a name and the town or country around it.
  private static let prepositions: Set<String> = [
    "in", "near", "at", "bei", "nahe", "nähe", "près", "à", "en", "cerca", "vicino", "em", "nel", "nella", "в", "возле",
  ]

  /// Splits `日本京都` and `京都の寺`.
  private static func characters(_ text: String) -> [QueryInterpretation] {
    if let particle = text.firstIndex(of: "の"), KindWords(text[text.index(after: particle)...])?.rest.isEmpty == true {
      let name = String(text[text.index(after: particle)...])
      return [QueryInterpretation(name: name, within: [String(text[..<particle])], isSure: true)]
    }
    guard (3...16).contains(text.count), text.unicodeScalars.allSatisfy({ (0x3040...0xD7A3).contains($0.value) }) else {
      return []
    }
    // One character is a part of many names: 日本橋 does not mean names that end in 橋.
    return (2..<max(2, text.count - 1)).map {
      QueryInterpretation(name: String(text.dropFirst($0)), within: [String(text.prefix($0))], isSure: true)
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The maximum length in bytes. The longest name of the gazetteer is shorter.
  private static let longest = 400
}

/// Territories with their own ISO 3166-1 codes whose places are also written with another country: San Juan, USA is in
/// PR.
enum OverseasTerritories {
  /// Returns the codes of a country's territories.
  static func of(_ country: UInt16) -> Set<UInt16> { all[country] ?? [] }

  private static let all: [UInt16: Set<UInt16>] = {
    let territories = [
      "AU": "CC CX HM NF", "CN": "HK MO", "DK": "FO GL", "FI": "AX",
      "FR": "BL GF GP MF MQ NC PF PM RE TF WF YT",
      "GB": "AI BM FK GG GI GS IM IO JE KY MS PN SH TC VG", "NL": "AW BQ CW SX", "NO": "BV SJ", "NZ": "CK NU TK",
      "US": "AS GU MP PR UM VI",
    ]
    return Dictionary(
      uniqueKeysWithValues: territories.map { country, codes in
        (PlaceIndex.countryCode(country), Set(codes.split(separator: " ").map { PlaceIndex.countryCode($0) }))
      })
  }()
}

/// Patterns that are compiled once.
private enum Pattern {
  nonisolated(unsafe) static let postalCode = #/[\s,]\d{4,5}(?:-\d{4})?(?=\s*(?:,|$))/#
  nonisolated(unsafe) static let leadingPostalCode =
    #/\s*(?:[A-Z]{1,2}-)?(?:\d{4,6}|\d{2}-\d{3}|\d{3} \d{2})\s+(\p{L}.*)/#
}
