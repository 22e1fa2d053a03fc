import Foundation

/// Determines whether a name is nearly what was typed. Each typed word must be a word of the name, the beginning of
/// one, or similar to one: with a similar beginning, and with a difference of less than one letter in four; vowels and
/// consonants that sound alike count less. Words for the kind of place, or for where it lies, need not be in the name.
/// Of Chinese characters, one may differ.
struct NameLikeness {
  /// The typed words, once for each way to read them.
  private let readings: [(words: [Word], isWithin: Bool)]
  private let han: [Character]
  private let isLatin: Bool
  /// The minimum number of letters that count as the beginning of a word.
  private let leastBeginning: Int

  /// A word in Latin letters.
  private typealias Word = [UInt8]

  /// - Parameter isCompleting: Whether the last word may be incomplete.
  init(_ text: String, isCompleting: Bool) {
    leastBeginning = isCompleting ? 1 : 3
    readings = QueryInterpretation.all(of: text).flatMap { reading in
      Self.words(of: reading.name).map { ($0, !reading.within.isEmpty) }
    }
    han = Self.han(text)
    isLatin = Self.isLatin(text)
  }

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
