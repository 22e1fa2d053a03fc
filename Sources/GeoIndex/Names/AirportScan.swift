/// Finds airports by the words of a name that differs from theirs: `Brindisi – Salento Airport` for Brindisi Airport.
struct AirportScan {
  private let tables: NameTables
  /// The distinctive words of the name, as keys.
  private let words: [[UInt8]]

  /// - Parameter words: The words of the name. Returns nil if none of them is distinctive.
  init?(_ tables: NameTables, _ words: [String]) {
    var folding = Folding()
    self.words = words.map { folding.key($0) }.filter { $0.utf8.count > 2 && !Self.common.contains($0) }
      .map { Array($0.utf8) }
    let words = self.words
    guard !words.isEmpty, words.count <= 8 else { return nil }
    self.tables = tables
  }

  /// - Parameter share: The share of the words that an airport has, 0.2...1.
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
      // Among airports with equally many of the words, prefer those with few others, and with whole words.
      let own = tables.key(of: alias).count
      let same = found.count > Self.compared ? letters : sameLetters(alias)
      let share = Float(letters + same) / Float(2 * whole)
      body(alias, share * (0.9 + 0.1 * min(1, Float(letters) / Float(own))) + (isInternational(alias) ? 0.025 : 0))
    }
  }

  /// Whether it is an international airport: of two with the same word, it is meant more often.
  private func isInternational(_ alias: Int) -> Bool {
    tables.text(of: alias).contains("International")
  }

  /// The number of airports above which they are not compared word by word.
  private static let compared = 300

  /// Returns the number of letters in the words that are whole words of the airport's name, not only prefixes.
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
