/// Airports by the words of a name that isn't quite theirs: `Brindisi – Salento Airport` for Brindisi Airport.
struct AirportScan {
  private let tables: NameTables
  /// The words that say which airport it is, as keys.
  private let words: [[UInt8]]

  /// - Parameter words: of its name. Nil if they don't say which.
  init?(_ tables: NameTables, _ words: [String]) {
    var folding = Folding()
    self.words = words.map { folding.key($0) }.filter { $0.utf8.count > 2 && !Self.common.contains($0) }
      .map { Array($0.utf8) }
    let words = self.words
    guard !words.isEmpty, words.count <= 8 else { return nil }
    self.tables = tables
  }

  /// - Parameter share: how much of the words an airport has, 0.2...1.
  func forEach(_ body: (_ alias: Int, _ share: Float) -> Void) {
    var found: [Int: Int] = [:]
    for word in words {
      var seen: Set<Int> = []
      for entry in tables.entries(beginningWith: word).all {
        let alias = tables.alias(ofEntry: entry)
        let kind = tables.classes[tables.place(of: alias)]
        guard kind == PlaceClass.airport.rawValue || kind == PlaceClass.airfield.rawValue,
          tables.aliasFlags[alias] & NameIndex.code == 0, seen.insert(alias).inserted
        else { continue }
        found[alias, default: 0] += word.count
      }
    }
    let whole = words.reduce(0) { $0 + $1.count }
    for (alias, letters) in found where 5 * letters >= whole {
      // Of airports that have as many of the words, the one that has few others, and none that only begins so.
      let own = tables.key(of: alias).count
      let same = found.count > Self.compared ? letters : sameLetters(alias)
      let share = Float(letters + same) / Float(2 * whole)
      body(alias, share * (0.9 + 0.1 * min(1, Float(letters) / Float(own))) + (isInternational(alias) ? 0.025 : 0))
    }
  }

  /// Of two that have the word, it is meant more often.
  private func isInternational(_ alias: Int) -> Bool {
    tables.text(of: alias).contains("International")
  }

  /// More airports than this aren't looked at word by word.
  private static let compared = 300

  /// The letters of the words that are an airport's words, not only the beginning of one.
  private func sameLetters(_ alias: Int) -> Int {
    var folding = Folding()
    let name = tables.text(of: alias).split { !$0.isLetter && !$0.isNumber }
    let own = Set(name.map { folding.keyBytes($0) })
    return words.reduce(0) { $0 + (own.contains($1) ? $1.count : 0) }
  }

  private static let common: Set<String> = [
    "air", "international", "intl", "regional", "municipal", "county", "national", "memorial", "domestic", "executive",
    "state", "station", "the", "del", "des", "city", "force", "army", "naval", "raf", "island",
  ]
}
