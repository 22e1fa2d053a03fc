import Foundation

/// Converts names of other scripts to Latin letters, as atlases in those languages spell them: ICU's transliteration
/// gives the letters that are written; this type decides which of them are pronounced.
enum Romanisation {
  /// Returns the spellings, the most likely first; empty if `name` is in Latin letters.
  static func all(of name: String) -> [String] {
    let scalars = name.unicodeScalars
    guard scalars.contains(where: { $0.value > 0x24F }) else { return [] }
    if scalars.contains(where: { shavian.contains($0.value) }) { return [latin(ofShavian: name)] }
    let isAbjad = scalars.contains { (0x0590...0x06FF).contains($0.value) }
    let spelled = isAbjad ? String(String.UnicodeScalarView(scalars.map { vowels[$0] ?? $0 })) : name
    guard let latin = spelled.applyingTransform(.toLatin, reverse: false) else { return [] }
    if isAbjad { return [latin, heard(ofAbjad: latin)] }
    return [scalars.contains { (0x0900...0x0D7F).contains($0.value) } ? heard(ofIndic: latin) : latin]
  }

  /// Returns the pronounced letters. Waw and yod inside a word are usually vowels: `دورنگو` is Durango.
  private static func heard(ofAbjad latin: String) -> String {
    let letters = Array(latin.decomposedStringWithCanonicalMapping)
    return String(
      letters.indices.map { index -> Character in
        guard index > 0, letters[index - 1].isLetter else { return letters[index] }
        return switch letters[index].unicodeScalars.first {
        case "w": "u"
        case "y": "i"
        default: letters[index]
        }
      })
  }

  /// Returns the pronounced letters. The inherent vowel of a final consonant is transliterated but silent; `ph` has
  /// become f.
  private static func heard(ofIndic latin: String) -> String {
    latin.split(separator: " ").map { word in
      var word = String(word).replacing("ph", with: "f")
      if word.count > 3, word.last == "a" { word.removeLast() }
      return word
    }.joined(separator: " ")
  }

  /// Letters for vowels of Uyghur, Kurdish and Pashto that ICU leaves unchanged.
  private static let vowels: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{06D0}": "\u{064A}", "\u{06C6}": "\u{0648}", "\u{06C7}": "\u{0648}", "\u{06C8}": "\u{0648}",
    "\u{06D5}": "\u{0627}",
  ]

  /// The Shavian alphabet of English, which ICU doesn't transliterate (The Unicode Standard, chapter 8.13).
  private static let shavian: ClosedRange<UInt32> = 0x10450...0x1047F
  private static let sounds = [
    "p", "t", "k", "f", "th", "s", "sh", "ch", "y", "ng", "b", "d", "g", "v", "th", "z", "zh", "j", "w", "h",
    "l", "m", "i", "e", "a", "a", "o", "u", "ow", "a", "r", "n", "i", "a", "ai", "u", "o", "u", "oi", "o",
    "ar", "or", "er", "er", "er", "ir", "ia", "yu",
  ]

  private static func latin(ofShavian name: String) -> String {
    name.unicodeScalars.map { shavian.contains($0.value) ? sounds[Int($0.value - shavian.lowerBound)] : String($0) }
      .joined()
  }
}
