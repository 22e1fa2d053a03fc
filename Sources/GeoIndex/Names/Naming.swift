import Foundation

/// Names in a language.
struct Naming {
  let tables: NameTables
  private let language: WantedLanguage?

  /// - Parameter language: A BCP 47 tag.
  init(tables: NameTables, language: String?) {
    self.tables = tables
    self.language = language.map { WantedLanguage($0) }
  }

  /// Nil if it isn't known.
  func name(of place: UInt32) -> String? { found(place)?.name }

  /// The name that fits best; `tag` is its language where that is another form of the one that is wanted (`zh-Hans` for
  /// `zh-TW`, `sr` for `sr-Latn` if that is Cyrillic).
  func found(_ place: UInt32) -> (name: String, tag: String?)? {
    guard let language else { return nil }
    let aliases = tables.firstAliases[Int(place)]..<tables.firstAliases[Int(place) + 1]
    var best: (fit: Int, alias: Int, languages: UInt32)?
    for alias in aliases.lazy.map(Int.init) where tables.aliasLanguages[alias] != 0 {
      let languages = tables.languageTexts[Int(tables.aliasLanguages[alias])]
      // In another script it is the last resort.
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

  /// A Chinese name as another of the place's spells it in traditional characters, where those are wanted: who wrote it
  /// down didn't say which they are.
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

/// The language that is wanted, a BCP 47 tag.
struct WantedLanguage {
  private let tag: [UInt8]
  /// Of the tag's first part, the language itself.
  private let mainCount: Int
  /// Letters of the script that the tag says.
  private let letters: ClosedRange<UInt32>?

  init(_ tag: String) {
    self.tag = Array(WantedLanguage.written(tag.lowercased().replacing("_", with: "-")).utf8)
    mainCount = self.tag.firstIndex(of: UInt8(ascii: "-")) ?? self.tag.count
    letters =
      self.tag.split(separator: UInt8(ascii: "-")).dropFirst().lazy
      .compactMap { Self.scripts[String(decoding: $0, as: UTF8.self)] }.first
  }

  /// Names of any country, in Latin letters.
  var isEnglish: Bool { tag.prefix(mainCount).elementsEqual("en".utf8) && letters.map { $0 == 0x41...0x24F } != false }
  var isTraditionalChinese: Bool { tag == Array("zh-hant".utf8) }

  /// Chinese is tagged by its script, not by where that is used; alone it means what most write.
  private static func written(_ tag: String) -> String {
    let parts = tag.split(separator: "-")
    guard let main = parts.first else { return tag }
    // What ISO 639 called them before, and Norwegian as nearly all write it.
    if let new = ["no": "nb", "iw": "he", "in": "id"][main] { return new + tag.dropFirst(main.count) }
    guard ["zh", "cmn"].contains(main) else { return tag }
    return parts.contains { ["hant", "tw", "hk", "mo"].contains($0) } && !parts.contains("hans") ? "zh-hant" : "zh-hans"
  }

  /// Those that languages have besides another one.
  private static let scripts: [String: ClosedRange<UInt32>] = [
    "latn": 0x41...0x24F, "cyrl": 0x400...0x52F, "arab": 0x600...0x6FF,
  ]

  /// Whether the name's letters are of the script that the tag says, if it says any.
  func isWritten(in name: @autoclosure () -> String) -> Bool {
    guard let letters else { return true }
    return name().unicodeScalars.contains { $0.properties.isAlphabetic && letters.contains($0.value) }
  }

  /// Whether a tag is of the same language, whatever its script and region.
  func isForm(of other: Substring) -> Bool {
    other.lowercased().utf8.prefix { !Self.endsMain($0) }.elementsEqual(tag.prefix(mainCount))
  }

  /// How well the best of a set of tags fits, 0 not at all: `zh-Hant` fits itself, `zh` a little less, and `zh-Hans`
  /// least.
  /// - Parameter set: where its text begins, the tags divided by commas.
  func fit(_ tables: NameTables, _ set: UInt32) -> Int {
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
