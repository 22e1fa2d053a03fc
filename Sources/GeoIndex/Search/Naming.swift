/// Names in a language.
struct Naming {
  let tables: NameTables
  /// A BCP 47 tag.
  let language: String?

  /// Nil if it isn't known.
  func name(of place: UInt32) -> String? {
    guard let language else { return nil }
    let aliases = tables.firstAliases[Int(place)]..<tables.firstAliases[Int(place) + 1]
    var best: (fit: Int, name: UInt32)?
    for alias in aliases where tables.aliasLanguages[Int(alias)] != 0 {
      for tag in tables.text(at: tables.aliasLanguages[Int(alias)]).split(separator: ",") {
        let fit = Self.fit(tag, language)
        if fit > best?.fit ?? 0 { best = (fit, tables.aliasTexts[Int(alias)]) }
      }
    }
    return best.map { tables.text(at: $0.name) }
  }

  func name(ofArea region: Int) -> String? {
    guard region < tables.areaPlaces.count, tables.areaPlaces[region] != .max else { return nil }
    return name(of: tables.areaPlaces[region])
  }

  /// How well a tag fits the wanted one, 0 not at all: `zh-TW` fits itself, and `zh` a little less.
  static func fit(_ tag: Substring, _ wanted: String) -> Int {
    let (tag, wanted) = (tag.lowercased(), wanted.lowercased().replacing("_", with: "-"))
    if tag == wanted { return 3 }
    let (main, own) = (tag.prefix { $0 != "-" && $0 != "@" }, wanted.prefix { $0 != "-" })
    return main != own ? 0 : tag.count == main.count ? 2 : 1
  }
}
