import Foundation

/// The index of names while it is made. What each column means is said at `NameIndex`.
struct NameColumns {
  var latitudes: [Int32] = []
  var longitudes: [Int32] = []
  var regions: [UInt16] = []
  var classes: [UInt8] = []
  var importances: [Float] = []
  var firstAliases: [UInt32] = []

  var aliasPlaces: [UInt32] = []
  var aliasTexts: [UInt32] = []
  var aliasKeys: [UInt32] = []
  var aliasLanguages: [UInt32] = []
  var aliasFlags: [UInt8] = []

  var texts: [UInt8] = []
  var keys: [UInt8] = []

  var areaPlaces: [UInt32] = []
  var areaCountries: [UInt16] = []
  var countryCodes: [UInt16] = []

  /// Where names and words begin, not sorted yet.
  var entryPositions: [UInt32] = []
  var entryAliases: [UInt32] = []
  var entryWeights: [UInt8] = []

  mutating func addPlace(latitude: Int, longitude: Int, region: Int, kind: PlaceClass, importance: Float) {
    firstAliases.append(UInt32(aliasPlaces.count))
    latitudes.append(Int32(latitude))
    longitudes.append(Int32(longitude))
    regions.append(UInt16(region))
    classes.append(kind.rawValue)
    importances.append(importance)
  }

  /// Adds a name of the last place.
  mutating func addAlias(key: Folding.Key, text: UInt32, language: UInt32, flags: UInt8) {
    guard !key.bytes.isEmpty, let importance = importances.last else { return }
    let alias = UInt32(aliasPlaces.count)
    let start = keys.count
    aliasPlaces.append(UInt32(importances.count - 1))
    aliasTexts.append(text)
    aliasKeys.append(UInt32(start))
    aliasLanguages.append(language)
    aliasFlags.append(flags)
    keys += key.bytes
    keys.append(0)
    let weight = importance + (flags & NameIndex.own != 0 ? 0.06 : 0)
    addEntry(start, alias, weight: weight)
    guard flags & (NameIndex.code | NameIndex.initials) == 0 else { return }
    for word in key.words where key.isWord(at: word) { addEntry(start + word, alias, weight: weight - 0.15) }
    // Names without spaces are found by any of their characters.
    for character in key.innerCharacters { addEntry(start + character, alias, weight: weight - 0.15) }
  }

  private mutating func addEntry(_ position: Int, _ alias: UInt32, weight: Float) {
    entryPositions.append(UInt32(position))
    entryAliases.append(alias)
    entryWeights.append(UInt8(max(0, min(255, weight * 220))))
  }

  func write(_ entries: [UInt32], _ typos: TypoTable, _ sounds: SoundTable, to path: String) throws {
    var writer = SectionWriter()
    writer.add(latitudes)
    writer.add(longitudes)
    writer.add(regions)
    writer.add(classes)
    writer.add(importances)
    writer.add(firstAliases)
    writer.add(aliasPlaces)
    writer.add(aliasTexts)
    writer.add(aliasKeys)
    writer.add(aliasLanguages)
    writer.add(aliasFlags)
    writer.add(texts)
    writer.add(keys)
    writer.add(areaPlaces)
    writer.add(areaCountries)
    writer.add(countryCodes)
    writer.add(entries.map { entryPositions[Int($0)] })
    writer.add(entries.map { entryAliases[Int($0)] })
    writer.add(entries.map { entryWeights[Int($0)] })
    writer.add(typos.starts)
    writer.add(typos.signatures)
    writer.add(typos.aliases)
    writer.add(sounds.hashes)
    writer.add(sounds.aliases)
    try writer.finish().write(to: URL(filePath: path))
  }
}

extension Folding.Key {
  /// Articles and prepositions (`de`, `la`, `of`) are no word to look for.
  fileprivate func isWord(at start: Int) -> Bool {
    let end = words.first { $0 > start } ?? bytes.count
    return end - start > 2
  }

  /// Where characters of Chinese, Japanese and Korean begin, without the first one of the name.
  fileprivate var innerCharacters: [Int] {
    guard bytes.count > 3, bytes.count <= 48, bytes[0] >= 0xE3 else { return [] }
    return bytes.indices.dropFirst().filter { (0xE3...0xED).contains(bytes[$0]) && !words.contains($0) }
  }
}

/// Puts columns one after the other, each at a multiple of eight bytes, behind a table of their lengths.
private struct SectionWriter {
  private var columns: [Data] = []

  mutating func add(_ column: [some BitwiseCopyable]) { columns.append(column.withUnsafeBytes { Data($0) }) }

  func finish() -> Data {
    var file = Data()
    for number in [NameIndex.magic, UInt64(columns.count)] + columns.map({ UInt64($0.count) }) {
      withUnsafeBytes(of: number) { file.append(contentsOf: $0) }
    }
    for column in columns {
      file.append(column)
      file.append(Data(count: -column.count & 7))
    }
    return file
  }
}
