import Foundation

/// Converts names to keys, so that typed text and the gazetteer's spelling become equal: only letters and digits,
/// without case, width, and Latin, Greek, Cyrillic, Hebrew or Arabic accents; hiragana as katakana; no spaces or
/// punctuation. Marks that form another letter (kana dakuten, Indic vowel signs, Hangul) are kept.
///
/// The same function creates the index and reads queries: `version` is part of the index's file name.
struct Folding {
  static let version = 3

  /// A name's key in UTF-8, with the offsets at which its words after the first begin.
  struct Key {
    var bytes: [UInt8] = []
    var words: [Int] = []

    mutating func removeAll() {
      bytes.removeAll(keepingCapacity: true)
      words.removeAll(keepingCapacity: true)
    }
  }

  /// The folded form of a scalar.
  private struct Folded {
    let bytes: [UInt8]
    /// Whether the scalar separates words.
    let separates: Bool
  }

  /// A cache of folded scalars, in pages of 256: folding a scalar is slow, and there are far fewer scalars than names.
  private var known: [[Folded?]] = []

  /// Returns the key of `name`; empty if it has no letter or digit.
  mutating func key(_ name: some StringProtocol) -> String { String(decoding: keyBytes(name), as: UTF8.self) }

  mutating func keyBytes(_ name: some StringProtocol) -> [UInt8] {
    var key = Key()
    fold(name.utf8, into: &key)
    return key.bytes
  }

  /// Writes the key of a name into `key`, replacing its previous content.
  mutating func fold(_ name: some Collection<UInt8>, into key: inout Key) {
    key.removeAll()
    var (scalar, missing, recompose, isBetween) = (UInt32(0), 0, false, false)
    for byte in name {
      switch byte {
      case 0x61...0x7A, 0x30...0x39: key.append(byte, &isBetween)
      case 0x41...0x5A: key.append(byte + 32, &isBetween)
      case ..<0x80: isBetween = true
      case 0x80..<0xC0:
        (scalar, missing) = (scalar << 6 | UInt32(byte & 0x3F), missing - 1)
        guard missing == 0 else { continue }
        recompose = recompose || Self.composes(scalar)
        append(scalar, to: &key, &isBetween)
      case ..<0xE0: (scalar, missing) = (UInt32(byte & 0x1F), 1)
      case ..<0xF0: (scalar, missing) = (UInt32(byte & 0x0F), 2)
      default: (scalar, missing) = (UInt32(byte & 0x07), 3)
      }
    }
    guard recompose else { return }
    let composed = String(decoding: key.bytes, as: UTF8.self).precomposedStringWithCanonicalMapping
    key.bytes = Array(composed.utf8)
    key.words = []
  }

  private mutating func append(_ scalar: UInt32, to key: inout Key, _ isBetween: inout Bool) {
    let folded = folded(scalar)
    if folded.separates { isBetween = true }
    for byte in folded.bytes { key.append(byte, &isBetween) }
  }

  private mutating func folded(_ scalar: UInt32) -> Folded {
    let (page, place) = (Int(scalar >> 8), Int(scalar & 0xFF))
    if page < known.count, !known[page].isEmpty, let folded = known[page][place] { return folded }
    // At most 0x1FFF, because of the four bytes in UTF-8.
    while known.count <= page { known.append([]) }
    if known[page].isEmpty { known[page] = [Folded?](repeating: nil, count: 256) }
    let folded = Self.fold(scalar)
    known[page][place] = folded
    return folded
  }

  /// Returns a name with its umlauts spelled as on German, Danish, Norwegian and Swedish keyboards that lack them
  /// (`Muenchen`, `Aarhus`); nil if it has none of these letters.
  static func spelledOut(_ name: some Collection<UInt8>) -> [UInt8]? {
    // All of them are in Latin-1: C3 84 to C3 BC.
    guard name.contains(0xC3) else { return nil }
    var (spelled, isChanged, lead) = ([UInt8](), false, false)
    for byte in name {
      defer { lead = byte == 0xC3 }
      guard lead, let spelling = spellings[byte] else {
        spelled.append(byte)
        continue
      }
      spelled.removeLast()
      spelled += spelling.utf8
      isChanged = true
    }
    return isChanged ? spelled : nil
  }

  private static func fold(_ value: UInt32) -> Folded {
    guard let scalar = Unicode.Scalar(value) else { return Folded(bytes: [], separates: true) }
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
    let bytes = Array(folded.precomposedStringWithCanonicalMapping.utf8)
    return Folded(bytes: bytes, separates: bytes.isEmpty && !isMark(scalar))
  }

  /// Whether a scalar may compose with a neighbour: voicing marks of kana, and Hangul jamo.
  private static func composes(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x3099, 0x309A, 0xFF9E, 0xFF9F, 0x1100...0x11FF: true
    default: false
    }
  }

  /// Whether a scalar is an accent, an okina, a Hebrew or Arabic point, or a tatweel.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x02B0...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF: true
    case 0x0591...0x05C7: true
    case 0x0610...0x061A, 0x0640, 0x064B...0x065F, 0x0670, 0x06D6...0x06ED: true
    // Joiners shape letters; names occur with and without them.
    case 0x200B...0x200F: true
    default: false
    }
  }

  private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    if isMark(scalar) { return true }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
      return false
    default:
      return true
    }
  }

  /// Replacements for letters that don't decompose, and for others that keyboards confuse.
  private static let plain: [Unicode.Scalar: String] = [
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ı": "i", "ə": "e",
    "ŋ": "n", "ς": "σ", "\u{0671}": "\u{0627}", "\u{0649}": "\u{064A}", "\u{06CC}": "\u{064A}",
    "\u{06A9}": "\u{0643}", "\u{0629}": "\u{0647}", "\u{06C1}": "\u{0647}", "\u{06BE}": "\u{0647}",
    // Assamese letters that Bengali writes differently.
    "\u{09F0}": "\u{09B0}", "\u{09F1}": "\u{09AC}",
    // The chillus of Malayalam, which were a consonant, virama and joiner before Unicode 5.1.
    "\u{0D7A}": "\u{0D23}\u{0D4D}", "\u{0D7B}": "\u{0D28}\u{0D4D}", "\u{0D7C}": "\u{0D30}\u{0D4D}",
    "\u{0D7D}": "\u{0D32}\u{0D4D}", "\u{0D7E}": "\u{0D33}\u{0D4D}", "\u{0D7F}": "\u{0D15}\u{0D4D}",
  ]

  /// The spellings by the second UTF-8 byte: ä ö ü ø å Ä Ö Ü Ø Å.
  private static let spellings: [UInt8: String] = [
    0xA4: "ae", 0xB6: "oe", 0xBC: "ue", 0xB8: "oe", 0xA5: "aa", 0x84: "Ae", 0x96: "Oe", 0x9C: "Ue", 0x98: "Oe",
    0x85: "Aa",
  ]
}

extension Folding.Key {
  fileprivate mutating func append(_ byte: UInt8, _ isBetween: inout Bool) {
    if isBetween {
      if !bytes.isEmpty { words.append(bytes.count) }
      isBetween = false
    }
    bytes.append(byte)
  }
}

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
