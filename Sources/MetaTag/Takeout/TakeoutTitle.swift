import Foundation

/// The title that a JSON file of Takeout has for its photo; decides whether a file's name can come from it. Takeout
/// writes `_` for characters that some file systems don't support, and doesn't document which these are.
struct TakeoutTitle: Hashable, Sendable {
  private let letters: [Unicode.Scalar]

  private static let entities = [
    ("&#39;", "'"), ("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"),
  ]

  /// Decodes HTML entities, which some titles contain: `Tom &amp; Jerry&#39;s.jpg`.
  static func plain(_ text: String) -> String {
    guard text.contains("&") else { return text }
    return entities.reduce(text) { $0.replacing($1.0, with: $1.1) }
  }

  /// Creates a title; returns nil for an empty text.
  init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    letters = TakeoutTitle.letters(of: TakeoutTitle.plain(text))
  }

  /// Whether a file with this title can have the name.
  func isOf(_ name: [UInt8]) -> Bool {
    let name = TakeoutTitle.letters(of: String(decoding: name, as: UTF8.self))
    return name.count == letters.count && zip(letters, name).allSatisfy(TakeoutTitle.canBecome)
  }

  /// Whether a name that begins with `stem`, was cut after it, and got `ending`, can come from this title.
  func begins(as stem: [UInt8], ending: [UInt8]) -> Bool {
    let stem = TakeoutTitle.letters(of: String(decoding: stem, as: UTF8.self))
    let ending = TakeoutTitle.letters(of: String(decoding: ending, as: UTF8.self))
    return letters.count >= stem.count + ending.count && zip(letters, stem).allSatisfy(TakeoutTitle.canBecome)
      && zip(letters.suffix(ending.count), ending).allSatisfy(TakeoutTitle.canBecome)
  }

  /// Returns a file's name with its accents in the form that `letters` uses.
  static func composed(_ name: [UInt8]) -> [UInt8] {
    guard name.contains(where: { $0 >= 0x80 }), let text = String(validating: name, as: UTF8.self) else { return name }
    return Array(text.precomposedStringWithCanonicalMapping.utf8)
  }

  /// Returns the letters in one normal form: file systems have others for accents.
  private static func letters(of text: String) -> [Unicode.Scalar] {
    Array(text.precomposedStringWithCanonicalMapping.unicodeScalars)
  }

  private static func canBecome(_ letter: Unicode.Scalar, _ written: Unicode.Scalar) -> Bool {
    letter == written || written == "_" && !(letter.properties.isAlphabetic || ("0"..."9").contains(letter))
  }
}
