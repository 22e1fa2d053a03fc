import Foundation

/// The names of places in a language.
struct Naming {
  let tables: PlaceIndex
  private let language: WantedLanguage?

  /// Creates names in a language, or in their own language for nil.
  /// - Parameter language: A BCP 47 tag.
  init(tables: PlaceIndex, language: String?) {
    self.tables = tables
    self.language = language.map { WantedLanguage($0) }
  }

  /// Returns the name of a place; nil if unknown.
  func name(of place: UInt32) -> String? { found(place)?.name }

  /// Returns the best name; `tag` is its language if that is another form of the requested one (`zh-Hans` for `zh-TW`,
  /// `sr` for `sr-Latn` if that is Cyrillic).
  func found(_ place: UInt32) -> (name: String, tag: String?)? {
    guard let language else { return nil }
    let aliases = tables.firstAliases[Int(place)]..<tables.firstAliases[Int(place) + 1]
    var best: (fit: Int, alias: Int, languages: UInt32)?
    for alias in aliases.lazy.map(Int.init) where tables.aliasLanguages[alias] != 0 {
      let languages = tables.languageTexts[Int(tables.aliasLanguages[alias])]
      // A name in another script is the last resort.
      let isWritten = language.isWritten(in: tables.text(of: alias))
      let fit = min(language.fit(tables, languages), isWritten ? 3 : 1)
      if fit > best?.fit ?? 0 { best = (fit, alias, languages) }
    }
    return best.map { best in
      if best.fit < 3, let name = traditional(tables.text(of: best.alias), among: aliases) { return (name, nil) }
      let tags = tables.text(at: best.languages).split(separator: ",")
      return (tables.text(of: best.alias), best.fit > 1 ? nil : tags.first { language.isForm(of: $0) }.map(String.init))
    }
  }

  /// Returns a Chinese name as another name of the place spells it in traditional characters, if those are requested:
  /// the data doesn't mark which names are traditional.
  private func traditional(_ name: String, among aliases: Range<UInt32>) -> String? {
    guard language?.isTraditionalChinese == true else { return nil }
    return aliases.lazy.map { tables.text(of: Int($0)) }.first {
      $0 != name && $0.count == name.count && $0.applyingTransform(StringTransform("Hant-Hans"), reverse: false) == name
    }
  }

  func name(ofArea region: Int) -> String? {
    guard region < tables.areaPlaces.count, tables.areaPlaces[region] != .max else { return nil }
    return name(of: tables.areaPlaces[region])
  }
}

/// The requested language, a BCP 47 tag.
struct WantedLanguage {
  private let tag: [UInt8]
  /// The length of the tag's first part, the language itself.
  private let mainCount: Int
  /// The letters of the script in the tag.
  private let letters: ClosedRange<UInt32>?

  init(_ tag: String) {
    self.tag = Array(WantedLanguage.written(tag.lowercased().replacing("_", with: "-")).utf8)
    mainCount = self.tag.firstIndex(of: UInt8(ascii: "-")) ?? self.tag.count
    letters =
      self.tag.split(separator: UInt8(ascii: "-")).dropFirst().lazy
      .compactMap { Self.scripts[String(decoding: $0, as: UTF8.self)] }.first
  }

  /// Whether it is English in Latin letters, which has names for any country.
  var isEnglish: Bool { tag.prefix(mainCount).elementsEqual("en".utf8) && letters.map { $0 == 0x41...0x24F } != false }
  var isTraditionalChinese: Bool { tag == Array("zh-hant".utf8) }

  /// Returns the normalized tag. Chinese is tagged by its script, not by region; without either it means the most
  /// common one.
  private static func written(_ tag: String) -> String {
    let parts = tag.split(separator: "-")
    guard let main = parts.first else { return tag }
    // Former codes of ISO 639, and Norwegian in its prevalent written form.
    if let new = ["no": "nb", "iw": "he", "in": "id"][main] { return new + tag.dropFirst(main.count) }
    guard ["zh", "cmn"].contains(main) else { return tag }
    return parts.contains { ["hant", "tw", "hk", "mo"].contains($0) } && !parts.contains("hans") ? "zh-hant" : "zh-hans"
  }

  /// Scripts that languages use in addition to another one.
  private static let scripts: [String: ClosedRange<UInt32>] = [
    "latn": 0x41...0x24F, "cyrl": 0x400...0x52F, "arab": 0x600...0x6FF,
  ]

  /// Whether the name's letters are of the script in the tag, if it contains one.
  func isWritten(in name: @autoclosure () -> String) -> Bool {
    guard let letters else { return true }
    return name().unicodeScalars.contains { $0.properties.isAlphabetic && letters.contains($0.value) }
  }

  /// Whether a tag is of the same language, whatever its script and region.
  func isForm(of other: Substring) -> Bool {
    other.lowercased().utf8.prefix { !Self.endsMain($0) }.elementsEqual(tag.prefix(mainCount))
  }

  /// Returns how well the best of a set of tags matches; 0 is not at all. `zh-Hant` matches itself best, `zh` a little
  /// less, and `zh-Hans` least.
  /// - Parameter set: The start of its text, in which commas separate the tags.
  func fit(_ tables: PlaceIndex, _ set: UInt32) -> Int {
    tables.bytes(at: set).split(separator: UInt8(ascii: ",")).reduce(0) { best, tag in
      max(best, fit(tag, mainCount: tag.prefix { !Self.endsMain($0) }.count))
    }
  }

  private func fit(_ other: Slice<UnsafeBufferPointer<UInt8>>, mainCount: Int) -> Int {
    func isSame(_ count: Int) -> Bool {
      zip(other.prefix(count), tag).allSatisfy { $0 | ($0 >= 0x41 && $0 <= 0x5A ? 0x20 : 0) == $1 }
    }
    guard mainCount == self.mainCount, isSame(mainCount) else { return 0 }
    if other.count == tag.count, isSame(tag.count) { return 3 }
    return other.count == mainCount ? 2 : 1
  }

  private static func endsMain(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: "@") }
}
