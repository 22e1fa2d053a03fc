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
  func name(of place: UInt32) -> String? {
    guard let language else { return nil }
    let aliases = tables.firstAliases[Int(place)]..<tables.firstAliases[Int(place) + 1]
    var best: (fit: Int, name: UInt32)?
    for alias in aliases where tables.aliasLanguages[Int(alias)] != 0 {
      let fit = language.fit(tables, tables.aliasLanguages[Int(alias)])
      if fit > best?.fit ?? 0 { best = (fit, tables.aliasTexts[Int(alias)]) }
    }
    return best.map { tables.text(at: $0.name) }
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

  init(_ tag: String) {
    self.tag = tag.lowercased().utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
    mainCount = self.tag.firstIndex(of: UInt8(ascii: "-")) ?? self.tag.count
  }

  /// How well the best of a set of tags fits, 0 not at all: `zh-TW` fits itself, and `zh` a little less.
  /// - Parameter set: where its text begins, the tags divided by commas.
  func fit(_ tables: NameTables, _ set: UInt32) -> Int {
    var (best, start) = (0, Int(set))
    while true {
      var (end, mainEnd) = (start, start)
      while tables.texts[end] != 0, tables.texts[end] != UInt8(ascii: ",") {
        if mainEnd == end, !Self.endsMain(tables.texts[end]) { mainEnd += 1 }
        end += 1
      }
      best = max(best, fit(tables.texts[start..<end], mainCount: mainEnd - start))
      guard tables.texts[end] != 0 else { return best }
      start = end + 1
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
