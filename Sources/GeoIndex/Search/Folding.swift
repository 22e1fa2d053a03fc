import Foundation

/// Turns names into keys, so that what a person types and what the gazetteer writes come out the same: letters and digits
/// only, without case, width, Latin, Greek, Cyrillic, Hebrew or Arabic accents; hiragana as katakana; no spaces or
/// punctuation. Marks that make another letter (kana's dakuten, Indic vowel signs, Hangul) stay.
///
/// The same function makes the index and reads queries: `version` is part of the index's name.
struct Folding {
  static let version = 1

  /// Folding one scalar is slow, and there are far fewer scalars than names.
  private var known: [Unicode.Scalar: String] = [:]

  /// The key of `name`; empty if it has no letter or digit.
  mutating func key(_ name: some StringProtocol) -> String {
    var key = ""
    key.reserveCapacity(name.utf8.count)
    var recompose = false
    for scalar in name.unicodeScalars {
      switch scalar.value {
      case 0x61...0x7A, 0x30...0x39: key.unicodeScalars.append(scalar)
      case 0x41...0x5A: key.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value) + 32))
      case ..<0x80: continue
      default:
        recompose = recompose || Self.composes(scalar)
        if let text = known[scalar] {
          key += text
        } else {
          let text = Self.fold(scalar)
          known[scalar] = text
          key += text
        }
      }
    }
    return recompose ? key.precomposedStringWithCanonicalMapping : key
  }

  /// The key of a name with umlauts written as German, Danish, Norwegian and Swedish keyboards without them do (`Muenchen`,
  /// `Aarhus`), if it has any.
  mutating func spelledOutKey(_ name: String) -> String? {
    // All of them are Latin-1: C3 84 to C3 BC.
    guard name.utf8.contains(0xC3), name.unicodeScalars.contains(where: { Self.spellings[$0] != nil }) else {
      return nil
    }
    var spelled = ""
    for scalar in name.unicodeScalars {
      if let spelling = Self.spellings[scalar] { spelled += spelling } else { spelled.unicodeScalars.append(scalar) }
    }
    return key(spelled)
  }

  private static func fold(_ scalar: Unicode.Scalar) -> String {
    var folded = ""
    let letters = String(scalar).precomposedStringWithCompatibilityMapping.unicodeScalars
      .map(\.properties.lowercaseMapping).joined()
    for letter in letters.decomposedStringWithCanonicalMapping.unicodeScalars where !isDropped(letter) {
      if let plain = plain[letter] {
        folded += plain
      } else if (0x3041...0x3096).contains(letter.value), let katakana = Unicode.Scalar(letter.value + 0x60) {
        folded.unicodeScalars.append(katakana)
      } else {
        folded.unicodeScalars.append(letter)
      }
    }
    return folded.precomposedStringWithCanonicalMapping
  }

  /// Scalars that a neighbour may compose with: voicing marks of kana, and Hangul as its single letters.
  private static func composes(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3099, 0x309A, 0xFF9E, 0xFF9F, 0x1100...0x11FF: true
    default: false
    }
  }

  private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x02B0...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF: true  // accents, okina
    case 0x0591...0x05C7: true  // Hebrew points
    case 0x0610...0x061A, 0x0640, 0x064B...0x065F, 0x0670, 0x06D6...0x06ED: true  // Arabic points, tatweel
    default:
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
        .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
        false
      default: true
      }
    }
  }

  /// Letters that don't decompose, and Arabic ones that keyboards confuse.
  private static let plain: [Unicode.Scalar: String] = [
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ı": "i", "ə": "e",
    "ŋ": "n", "ς": "σ", "\u{0671}": "\u{0627}", "\u{0649}": "\u{064A}", "\u{06CC}": "\u{064A}",
    "\u{06A9}": "\u{0643}", "\u{0629}": "\u{0647}",
  ]

  private static let spellings: [Unicode.Scalar: String] = [
    "ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Ø": "Oe", "Å": "Aa",
  ]
}
