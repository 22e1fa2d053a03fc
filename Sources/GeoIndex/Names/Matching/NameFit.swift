import Basics
import Foundation

/// The score of names whose keys equal that of the typed text.
struct NameFit {
  private let tables: PlaceIndex
  private let language: WantedLanguage
  /// Whether the typed text may be a code.
  let isCode: Bool
  /// Whether the typed text has letters that not every keyboard has.
  private let isAccented: Bool
  private let typed: String
  /// The typed text with a lower-case and an upper-case first letter, as a name may begin. Empty while it is being
  /// typed, and if there are no such letters.
  private let beginnings: [[UInt8]]
  /// The typed words; empty if a comma shows that not all of them belong to the name.
  private var words = Folding.Key()
  private var folding = Folding()
  /// The first words that a name must have if the first typed word was an abbreviation: `st`, `saint`.
  private let begins: Set<String>
  /// Whether sets of languages contain the requested one; a cache.
  private var known: [UInt16: Bool] = [0: false]

  init(_ tables: PlaceIndex, _ request: SearchRequest) {
    self.tables = tables
    language = WantedLanguage(request.language)
    typed = request.text.trimmingCharacters(in: .whitespaces).lowercased()
    isAccented = typed.utf8.contains { $0 >= 0x80 }
    beginnings =
      isAccented && !request.isCompleting
      ? [typed, typed.prefix(1).uppercased() + typed.dropFirst()].map { Array($0.utf8) } : []
    if !request.text.contains(where: { ",，、;".contains($0) }) {
      folding.fold((QueryInterpretation.withoutLeadingPostalCode(request.text) ?? request.text).utf8, into: &words)
    }
    let first = String(typed.prefix { $0.isLetter })
    begins = Spelling.isCut(first) && first.count < typed.count ? [first, Spelling.abbreviations[first] ?? first] : []
    let typed = request.text.trimmingCharacters(in: .whitespaces)
    isCode = (2...4).contains(typed.utf8.count) && typed.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }

  /// Returns the score of a whole name: up to 1 (1.07 with the accents that were typed); more for a code typed in
  /// capitals.
  mutating func whole(_ alias: Int, length: Int) -> Float {
    let flags = tables.aliasFlags[alias]
    if flags & PlaceIndex.code != 0 {
      guard isCode else { return 0.5 }
      // Three capitals are the code of an airport or country rather than a region.
      return length == 3 ? isRegion(alias) ? 1 : 1.5 : 1.2
    }
    if flags & PlaceIndex.initials != 0, !isCode { return 0.5 }
    // `L.A.`; three letters are an airport's code, and its town has the same one.
    if isCode, length == 2, areCapitals(alias) { return 1 }
    // St Anton is not Stanton.
    if !begins.isEmpty, !begins.contains(firstWord(alias)) { return 0.5 }
    // Typed accents mean a name with the same accents; text without accents may mean either.
    guard isAccented else { return 1 - exonymPenalty(alias) - (isPlain(alias) ? 0 : 0.05) }
    guard tables.text(of: alias).lowercased() == typed else { return 1 - exonymPenalty(alias) }
    return 1.07 - (isOwnKey(alias) ? 0 : exonymPenalty(alias))
  }

  /// Whether a name equals the typed text word by word, and is the place's own name or its name in some language.
  mutating func isTyped(_ alias: Int) -> Bool {
    guard !words.words.isEmpty,
      tables.aliasFlags[alias] & PlaceIndex.own != 0 || tables.aliasLanguages[alias] != 0
    else { return false }
    var key = Folding.Key()
    folding.fold(tables.letters(of: alias), into: &key)
    return key.words == words.words
  }

  /// Whether a name begins with exactly the typed letters, including accents. Capitals within the name are ignored.
  func isBegun(_ alias: Int) -> Bool {
    guard !beginnings.isEmpty else { return false }
    let letters = tables.letters(of: alias)
    return beginnings.contains { beginning in
      letters.count > beginning.count
        && zip(letters, beginning).allSatisfy { $0 == $1 || $0 | 0x20 == $1 && (0x61...0x7A).contains($1) }
    }
  }

  private func areCapitals(_ alias: Int) -> Bool {
    tables.letters(of: alias).allSatisfy { $0 == UInt8(ascii: ".") || (0x41...0x5A).contains($0) }
  }

  private func firstWord(_ alias: Int) -> String {
    String(tables.text(of: alias).lowercased().prefix { $0.isLetter })
  }

  private func isRegion(_ alias: Int) -> Bool {
    tables.classes[tables.place(of: alias)] == PlaceClass.region.rawValue
  }

  /// Whether a name is in another script, and not a code.
  func isForeign(_ alias: Int) -> Bool {
    tables.aliasFlags[alias] & (PlaceIndex.own | PlaceIndex.code | PlaceIndex.initials) == 0
      && tables.keys[tables.key(of: alias).startIndex] >= 0x80
  }

  private func isPlain(_ alias: Int) -> Bool { tables.letters(of: alias).allSatisfy { $0 < 0x80 } }

  /// Whether a name differs from the place's own only in accents.
  private func isOwnKey(_ alias: Int) -> Bool { tables.aliasFlags[alias] & PlaceIndex.ownKey != 0 }

  /// Returns the share of a place's importance that applies to a name: Augsburg is known worldwide, but not as Augusta.
  mutating func prominence(_ alias: Int) -> Float {
    guard tables.aliasFlags[alias] & (PlaceIndex.own | PlaceIndex.code) == 0, exonymPenalty(alias) > 0.1 else {
      return 1
    }
    return isOwnKey(alias) ? 1 : 0.94
  }

  /// Returns the penalty for a name that isn't the place's own: small if it is a name in the requested language, larger
  /// for another language, and largest if its language isn't known.
  mutating func exonymPenalty(_ alias: Int) -> Float {
    if tables.aliasFlags[alias] & PlaceIndex.own != 0 { return 0 }
    let set = tables.aliasLanguages[alias]
    guard set != 0 else { return 0.16 }
    if let isWanted = known[set] { return isWanted ? 0.03 : 0.12 }
    let isWanted = language.fit(tables, tables.languageTexts[Int(set)]) > 0
    known[set] = isWanted
    return isWanted ? 0.03 : 0.12
  }
}

/// Determines whether a name is nearly what was typed. Each typed word must be a word of the name, the beginning of
/// one, or similar to one: with a similar beginning, and with a difference of less than one letter in four; vowels and
/// consonants that sound alike count less. Words for the kind of place, or for where it lies, need not be in the name.
/// One Chinese character may differ.
struct NameLikeness {
  /// The typed words, once for each way to read them.
  private let readings: [(words: [Word], isWithin: Bool)]
  private let han: [Character]
  private let isLatin: Bool
  /// The minimum number of letters that count as the beginning of a word.
  private let leastBeginning: Int

  /// A word in Latin letters.
  private typealias Word = [UInt8]

  /// Prepares the comparison of a typed text with names.
  /// - Parameter isCompleting: Whether the last word may be incomplete.
  init(_ text: String, isCompleting: Bool) {
    leastBeginning = isCompleting ? 1 : 3
    readings = QueryInterpretation.all(of: text).flatMap { reading in
      Self.words(of: reading.name).map { ($0, !reading.within.isEmpty) }
    }
    han = Self.han(text)
    isLatin = Self.isLatin(text)
  }

  /// Whether one of the names is like the typed text, and the typed areas fit.
  /// - Parameters:
  ///   - names: The names of the place.
  ///   - isWithin: Whether it lies in an area that was typed.
  ///   - areas: The names of the region and country in which it lies.
  func fits(_ names: [String], isWithin: Bool, areas: [String]) -> Bool {
    if !han.isEmpty { return names.contains { Self.isAlike(han, Self.han($0)) } }
    let around = areas.flatMap { Self.words(of: $0) }.joined()
    let all = names.flatMap { Self.words(of: $0) }
    return readings.contains { reading in
      guard isWithin || !reading.isWithin else { return false }
      let significant = reading.words.filter { !Self.isSort($0) }
      return all.contains { name in
        // Big Ben is not a misspelled Biglen.
        let most: Float = reading.words.count == name.count ? 0.17 : 0
        if Self.isAlike(Array(reading.words.joined()), Array(name.joined()), within: most) { return true }
        let found = significant.filter { word in name.contains { isWord(word, $0) } }
        return !found.isEmpty && significant.allSatisfy { found.contains($0) || around.contains($0) }
      }
    }
  }

  /// Whether the names of a result are like the typed text.
  func fits(_ result: SearchResult) -> Bool {
    let place = result.place
    return fits(
      [place.matchedName, result.name, place.name], isWithin: result.score.context > 0,
      areas: [result.admin1, result.country, place.admin1, place.country].compactMap(\.self))
  }

  /// Returns the share of a name's letters that the typed words have.
  func share(of name: String) -> Double {
    let typed = readings.first.map { $0.words.joined().count } ?? 0
    let all = Self.words(of: name).map { $0.joined().count }.min() ?? 0
    return all > 0 ? Double(typed) / Double(all) : 1
  }

  private func isWord(_ word: Word, _ other: Word) -> Bool {
    word == other || word.count >= leastBeginning && other.starts(with: word)
      // Typed Latin letters have not been changed by a transliteration, so they must be closer.
      || Self.isAlike(word, other, within: 0.23)
        && (!isLatin || EditDistance.between(word, other) * 5 <= word.count * 2)
  }

  /// Whether two words begin alike and differ in at most this share of their letters.
  private static func isAlike(_ word: Word, _ other: Word, within most: Float) -> Bool {
    guard let first = word.first, let begin = other.first else { return false }
    if word == other { return true }
    guard word.count >= 4, Phonetics.distance([first], [begin]) < 0.6 else { return false }
    return Phonetics.distance(word, other) <= most
  }

  /// Whether all characters but one are equal, or the name begins with the typed ones.
  private static func isAlike(_ typed: [Character], _ name: [Character]) -> Bool {
    if typed.count > 1, name.starts(with: typed) { return true }
    guard !name.isEmpty, abs(typed.count - name.count) <= 1 else { return false }
    let shared = typed.filter(name.contains).count
    return shared == typed.count || typed.count > 2 && shared == typed.count - 1
  }

  private static func isSort(_ word: Word) -> Bool {
    Spelling.nameEndings.contains(word) || Spelling.isKind(String(decoding: word, as: UTF8.self))
  }

  private static func isLatin(_ text: String) -> Bool {
    !text.unicodeScalars.contains { $0.value > 0x24F && $0.properties.isAlphabetic }
  }

  private static func words(of text: String) -> [[Word]] {
    let latin = isLatin(text) ? [text] : Romanisation.all(of: text)
    return latin.map { text in
      var folding = Folding()
      return text.split { !$0.isLetter && !$0.isNumber && !"'’ʼʻʹʺ".contains($0) }.map { folding.keyBytes($0) }
        .filter { !$0.isEmpty }
    }
  }

  private static func han(_ text: String) -> [Character] {
    guard text.unicodeScalars.contains(where: { (0x3400...0x9FFF).contains($0.value) }) else { return [] }
    let simple = text.applyingTransform(StringTransform("Hant-Hans"), reverse: false) ?? text
    return simple.filter { $0.isLetter }.map { $0 }
  }
}
