import Foundation

/// Keys under which a typed name may be found, and how much each differs from what was typed.
struct Spelling {
  let key: [UInt8]
  /// What the match loses.
  let penalty: Float

  /// Other ways to write `name` for the case that it isn't found as it stands: abbreviated words (`St`, `Ft`), traditional
  /// and simplified characters, without what says that it is a city or county, and in Latin letters.
  static func others(of name: String) -> [Spelling] {
    var folding = Folding()
    var spellings: [Spelling] = []
    func add(_ text: String, _ penalty: Float) {
      let key = folding.keyBytes(text)
      if !key.isEmpty, !spellings.contains(where: { $0.key == key }) {
        spellings.append(Spelling(key: key, penalty: penalty))
      }
    }
    let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    if words.contains(where: { abbreviations[$0] != nil }) {
      add(words.map { abbreviations[$0] ?? $0 }.joined(separator: " "), 0.02)
    }
    if words.count > 1 {
      if divisions.contains(words[words.count - 1]) { add(words.dropLast().joined(separator: " "), 0.1) }
      if divisions.contains(words[0]) { add(words.drop { divisions.contains($0) }.joined(separator: " "), 0.1) }
    }
    guard name.unicodeScalars.contains(where: { $0.value > 0x24F }) else { return spellings }
    if name.unicodeScalars.contains(where: { (0x3400...0x9FFF).contains($0.value) }) {
      for transform in ["Hant-Hans", "Hans-Hant"] {
        if let text = name.applyingTransform(StringTransform(transform), reverse: false) { add(text, 0.02) }
      }
    }
    if name.count > 2, let last = name.last, characters.contains(last) { add(String(name.dropLast()), 0.1) }
    for latin in Romanisation.all(of: name) { add(latin, romanised) }
    return spellings
  }

  /// What names lose that had to be written in Latin letters.
  static let romanised: Float = 0.11

  /// Both ways.
  private static let abbreviations: [String: String] = {
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

  /// What may follow a name that is otherwise the one that was typed, as a key.
  static let endings: Set<[UInt8]> = Set(
    (divisions.union([
      "airport", "international airport", "regional airport", "municipal airport", "county airport", "airfield",
      "air base",
      "heliport", "aerodrome", "island", "islands", "voivodeship",
    ])).map { ending in ending.utf8.filter { $0 != 0x20 } })

  /// Of those, what says that a name is its centre's, too: Clinton Township is Clinton.
  static let townships: Set<[UInt8]> = Set(["township", "chartertownship", "municipality"].map { Array($0.utf8) })

  /// What may follow a town's name as a word of its own to tell it from others, before their river, coast or saint.
  static let qualifiers: Set<String> = [
    "am", "an", "auf", "bei", "da", "de", "del", "di", "do", "du", "en", "im", "in", "la", "le", "les", "lès", "los",
    "na", "nad", "near", "ob", "on", "pod", "sous", "sul", "sur", "under", "upon",
  ]

  /// Whether a key begins as one of them does.
  static func mayQualify(_ first: UInt8, _ second: UInt8) -> Bool {
    beginnings.contains(UInt16(first) << 8 | UInt16(second))
  }

  private static let beginnings = Set(
    qualifiers.map { word in
      var folding = Folding()
      return folding.keyBytes(word).prefix(2).reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
    })

  private static let characters: Set<Character> = Set("市區区县縣州省都府道町村郡郷镇鎮乡鄉시군구도읍면동")
}
