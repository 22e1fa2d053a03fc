import Foundation

/// Alternative keys for a typed name, and the penalty for each.
struct Spelling {
  let key: [UInt8]
  /// The reduction of the match score.
  var penalty: Float

  /// Whether it is only the Mandarin sound of Chinese or Japanese characters, which many others share.
  var isHomophone = false
  /// Whether it was converted to Latin letters.
  var isLatin = false

  /// The kind of place that the omitted words denote.
  var sort: Sort?

  enum Sort {
    /// A town: `Luxembourg City`.
    case town
    /// A region: `Washington State`.
    case region

    init?(_ word: String) {
      switch word {
      case "city", "town", "village", "township", "cdp", "stadt", "ville", "ciudad", "cidade", "shi", "si": self = .town
      case "province", "state", "prefecture", "region", "oblast", "governorate": self = .region
      default: return nil
      }
    }
  }

  /// Returns `name` with abbreviations (`St`, `Ft`) written out and vice versa; nil if it has no such words.
  static func abbreviated(_ name: String) -> String? {
    let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    guard words.contains(where: { abbreviations[$0] != nil }) else { return nil }
    return words.map { abbreviations[$0] ?? $0 }.joined(separator: " ")
  }

  /// Returns `name` with the endings of Russian adjectives as in newspapers (`Mirny`) instead of atlases (`Mirnyy`,
  /// `Volzhskiy`); nil if it has no such ending.
  static func russian(_ name: String) -> String? {
    let other = name.replacing(Pattern.adjective) { $0.1 + "y" }
    return other == name ? nil : other
  }

  /// Returns `text` in simplified and traditional characters, if they differ from it.
  static func inOtherCharacters(_ text: String) -> [String] {
    guard hasCharacters(text) else { return [] }
    return ["Hant-Hans", "Hans-Hant"].compactMap {
      text.applyingTransform(StringTransform($0), reverse: false)
    }.filter { $0 != text }
  }

  /// Returns other ways to write `name`, in case it isn't found as it is: with abbreviations expanded, in traditional
  /// and simplified characters, without a word for city or county, and in Latin letters.
  static func others(of name: String) -> [Spelling] {
    var folding = Folding()
    var spellings: [Spelling] = []
    func add(_ text: String, _ penalty: Float, without word: String = "") {
      let key = folding.keyBytes(text)
      if !key.isEmpty, !spellings.contains(where: { $0.key == key }) {
        spellings.append(Spelling(key: key, penalty: penalty, sort: Sort(word)))
      }
    }
    let variants = (abbreviated(name).map { [$0] } ?? []) + inOtherCharacters(name)
    for text in variants { add(text, variant) }
    let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    if words.count > 1 {
      let (first, last) = (words[0], words[words.count - 1])
      if divisions.contains(last) {
        add(words.dropLast().joined(separator: " "), Sort(last) == nil ? 0.1 : sorted, without: last)
      }
      if divisions.contains(first) {
        add(words.drop { divisions.contains($0) }.joined(separator: " "), 0.1, without: first)
      }
    }
    guard name.unicodeScalars.contains(where: { $0.value > 0x24F }) else { return spellings }
    for text in [name] + variants {
      if let bare = bare(text) { add(bare, 0.1) }
    }
    let isHomophone = hasCharacters(name)
    for latin in Romanisation.all(of: name) {
      let count = spellings.count
      add(latin, isHomophone ? homophone : romanised)
      guard spellings.count > count else { continue }
      spellings[count].isHomophone = isHomophone
      spellings[count].isLatin = spellings[count].key.allSatisfy { $0 < 0x80 }
    }
    return spellings
  }

  /// Returns another key of a region or country: with an abbreviation written out (`Ill.`), or without a word for
  /// province.
  static func area(_ name: String) -> [UInt8] {
    var folding = Folding()
    if let whole = abbreviatedRegions[folding.key(name)] { return folding.keyBytes(whole) }
    return bare(name).map { folding.keyBytes($0) } ?? []
  }

  /// Returns a Chinese, Japanese or Korean name without the character for city, county or province; nil if it has none
  /// of these.
  private static func bare(_ name: String) -> String? {
    guard name.count > 2, let last = name.last, characters.contains(last) else { return nil }
    return String(name.dropLast())
  }

  /// Whether the rest of a Chinese, Japanese or Korean name only denotes a city, county or province.
  static func isDivision(_ rest: some Collection<UInt8>) -> Bool {
    guard let first = rest.first, first >= 0xE3, rest.count <= 18 else { return false }
    let text = String(decoding: rest, as: UTF8.self)
    if text.count == 1, let character = text.first { return characters.contains(character) }
    return longDivisions.contains { text.hasSuffix($0) }
  }

  private static func hasCharacters(_ name: String) -> Bool {
    name.unicodeScalars.contains { (0x3400...0x9FFF).contains($0.value) }
  }

  /// The penalty for a word that says what the place is, and is right.
  static let sorted: Float = 0.05
  /// The penalty for an equivalent form of a name.
  static let variant: Float = 0.02
  /// The penalty for a name that had to be converted to Latin letters.
  static let romanised: Float = 0.11
  /// The penalty for homophones, large enough that none of them counts as the name itself.
  static let homophone: Float = 0.2

  /// The abbreviations, in both directions.
  static let abbreviations: [String: String] = {
    let pairs = [
      ("st", "saint"), ("ste", "sainte"), ("ft", "fort"), ("mt", "mount"), ("pt", "point"), ("hts", "heights"),
    ]
    return Dictionary(pairs + pairs.map { ($1, $0) }) { first, _ in first }
  }()

  private static let divisions: Set<String> = [
    "city", "town", "village", "county", "district", "province", "state", "prefecture", "region", "municipality",
    "commune", "township", "cdp", "oblast", "governorate", "department", "of", "bezirk", "landkreis", "kreis", "stadt",
    "ville", "ciudad", "cidade", "shi", "si", "gun", "ku", "xian", "qu",
  ]

  /// Whether a word only denotes the kind of a place.
  static func isKind(_ word: String) -> Bool { divisions.contains(word.lowercased()) }

  /// Whether a word is an abbreviation, such as `st` for `saint`.
  static func isCut(_ word: String) -> Bool { (abbreviations[word]?.count ?? 0) > word.count }

  /// The words that may follow a name that otherwise equals the typed one, as keys.
  static let nameEndings: Set<[UInt8]> = Set(
    (divisions.union([
      "airport", "international airport", "regional airport", "municipal airport", "county airport", "airfield",
      "air base",
      "heliport", "aerodrome", "island", "islands", "voivodeship",
    ])).map { ending in ending.utf8.filter { $0 != 0x20 } })

  /// Those of them whose name also applies to their center: Clinton Township is Clinton.
  static let townships: Set<[UInt8]> = Set(["township", "chartertownship", "municipality"].map { Array($0.utf8) })

  /// Words that may follow a town's name to distinguish it from others, before a river, coast or saint.
  static let qualifiers: Set<String> = [
    "am", "an", "auf", "bei", "da", "de", "del", "di", "do", "du", "en", "im", "in", "la", "le", "les", "lès", "los",
    "na", "nad", "near", "ob", "on", "pod", "sous", "sul", "sur", "under", "upon",
  ]

  /// Whether a key begins with the same two bytes as one of the qualifiers.
  static func mayQualify(_ first: UInt8, _ second: UInt8) -> Bool {
    beginnings.contains(UInt16(first) << 8 | UInt16(second))
  }

  private static let beginnings = Set(
    qualifiers.map { word in
      var folding = Folding()
      return folding.keyBytes(word).prefix(2).reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
    })

  private static let longDivisions = [
    "自治区", "自治區", "自治州", "自治县", "自治縣", "特别行政区", "特別行政區", "地区", "地區", "특별시", "광역시", "특별자치도",
  ]

  /// Abbreviations in American and Canadian newspapers, if they are neither a code nor a prefix of the name.
  private static let abbreviatedRegions = [
    "ala": "alabama", "ariz": "arizona", "ark": "arkansas", "calif": "california", "colo": "colorado",
    "conn": "connecticut", "del": "delaware", "fla": "florida", "ill": "illinois", "ind": "indiana", "kan": "kansas",
    "kans": "kansas", "mass": "massachusetts", "mich": "michigan", "minn": "minnesota", "miss": "mississippi",
    "mont": "montana", "neb": "nebraska", "nebr": "nebraska", "nev": "nevada", "okla": "oklahoma", "ore": "oregon",
    "penn": "pennsylvania", "penna": "pennsylvania", "tenn": "tennessee", "tex": "texas", "wash": "washington",
    "wva": "westvirginia", "wis": "wisconsin", "wisc": "wisconsin", "wyo": "wyoming", "alta": "alberta",
    "ont": "ontario", "que": "quebec", "sask": "saskatchewan",
  ]

  private static let characters: Set<Character> = Set("市區区县縣州省都府道町村郡郷镇鎮乡鄉시군구도읍면동")
}

/// Patterns that are compiled once.
private enum Pattern {
  nonisolated(unsafe) static let adjective = #/([a-z]{3})[iy]y\b/#
}
