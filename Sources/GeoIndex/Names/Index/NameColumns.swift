import Basics
import Foundation

/// The index of names while it is created. `NameTables` documents the columns.
struct NameColumns {
  var latitudes: [Int32] = []
  var longitudes: [Int32] = []
  var regions: [UInt16] = []
  var classes: [UInt8] = []
  var importances: [Float] = []
  var firstAliases: [UInt32] = []
  var counties: [UInt16] = []

  // Of these three, only the value of each block's first alias is written.
  private(set) var aliasPlaces: [UInt32] = []
  private(set) var aliasKeys: [UInt32] = []
  private var aliasTexts: [UInt32] = []
  var aliasLanguages: [UInt16] = []
  var aliasFlags: [UInt8] = []

  var texts: [UInt8] = []
  var keys: [UInt8] = []
  /// The key of the last place's own name.
  private var ownKey: [UInt8] = []

  var languageTexts: [UInt32] = []
  var countyTexts: [UInt32] = []

  var areaPlaces: [UInt32] = []
  var areaCountries: [UInt16] = []
  var countryCodes: [UInt16] = []

  /// The positions at which names and words begin, not sorted yet.
  var entryPositions: [UInt32] = []
  var entryWeights: [UInt8] = []

  /// Reserves capacity, so that nothing is reallocated.
  /// - Parameter text: The number of bytes of all names, including separators.
  mutating func reserve(places: Int, text: Int) {
    latitudes.reserveCapacity(places)
    longitudes.reserveCapacity(places)
    regions.reserveCapacity(places)
    classes.reserveCapacity(places)
    importances.reserveCapacity(places)
    firstAliases.reserveCapacity(places + 1)
    counties.reserveCapacity(places)
    texts.reserveCapacity(text)
    keys.reserveCapacity(text)
    // Names have about a dozen letters, and rarely more than two words. Unused capacity occupies no physical memory.
    let aliases = text / 8
    aliasPlaces.reserveCapacity(aliases)
    aliasTexts.reserveCapacity(aliases)
    aliasKeys.reserveCapacity(aliases)
    aliasLanguages.reserveCapacity(aliases)
    aliasFlags.reserveCapacity(aliases)
    entryPositions.reserveCapacity(2 * aliases)
    entryWeights.reserveCapacity(2 * aliases)
  }

  /// - Parameter county: The number of its county, or `NameIndex.noCounty`.
  mutating func addPlace(
    latitude: Int, longitude: Int, region: Int, county: UInt16, kind: PlaceClass, importance: Float
  ) {
    firstAliases.append(UInt32(aliasPlaces.count))
    latitudes.append(Int32(latitude))
    longitudes.append(Int32(longitude))
    regions.append(UInt16(region))
    classes.append(kind.rawValue)
    importances.append(importance)
    counties.append(county)
  }

  /// Adds a name of the last place.
  /// - Parameter language: An index of `languageTexts`.
  mutating func addAlias(key: Folding.Key, name: some Collection<UInt8>, language: UInt16, flags: UInt8) {
    guard !key.bytes.isEmpty, let importance = importances.last, let first = firstAliases.last else { return }
    if Int(first) == aliasPlaces.count { ownKey = key.bytes }
    let isKey = NameIndex.capitalised(key.bytes).elementsEqual(name)
    let start = keys.count
    aliasPlaces.append(UInt32(importances.count - 1))
    aliasKeys.append(UInt32(start))
    aliasTexts.append(UInt32(texts.count))
    aliasLanguages.append(language)
    aliasFlags.append(flags | (key.bytes == ownKey ? NameIndex.ownKey : 0) | (isKey ? NameIndex.key : 0))
    keys += key.bytes
    keys.append(0)
    if !isKey { _ = addText(name) }
    let weight = importance + (flags & NameIndex.own != 0 ? 0.06 : 0)
    addEntry(start, weight: weight)
    guard flags & (NameIndex.code | NameIndex.initials) == 0 else { return }
    for word in key.words where key.isWord(at: word) { addEntry(start + word, weight: weight - 0.15) }
    // Names without spaces are found by any of their characters.
    for character in key.innerCharacters { addEntry(start + character, weight: weight - 0.15) }
  }

  /// - Returns: The offset in `texts` at which the text begins.
  mutating func addText(_ text: some Collection<UInt8>) -> UInt32 {
    defer {
      texts += text
      texts.append(0)
    }
    return UInt32(texts.count)
  }

  private mutating func addEntry(_ position: Int, weight: Float) {
    entryPositions.append(UInt32(position))
    entryWeights.append(UInt8(max(0, min(255, weight * 220))))
  }

  /// - Parameters:
  ///   - entries, typos, sounds: The tables computed in parallel; the columns are written first.
  func write(
    entries: Future<[UInt32]>, typos: Future<TypoTable>, sounds: Future<SoundTable>, to path: String
  ) throws {
    var writer = try SectionWriter(path: path)
    try writer.add(latitudes)
    try writer.add(longitudes)
    try writer.add(regions)
    try writer.add(classes)
    try writer.add(importances)
    try writer.add(firstAliases)
    try writer.add(counties)
    try writer.add(aliasLanguages)
    try writer.add(aliasFlags)
    for column in [aliasPlaces, aliasKeys, aliasTexts] {
      try writer.add(stride(from: 0, to: column.count, by: NameIndex.aliasBlock).map { column[$0] })
    }
    try writer.add(texts)
    try writer.add(keys)
    try writer.add(keyBlocks)
    try writer.add(languageTexts)
    try writer.add(countyTexts)
    try writer.add(areaPlaces)
    try writer.add(areaCountries)
    try writer.add(countryCodes)
    let sorted = entries.value
    try writer.add(sorted.map { entryPositions[Int($0)] })
    try writer.add(sorted.map { entryWeights[Int($0)] })
    let misspelled = typos.value
    try writer.add(misspelled.starts)
    try writer.add(misspelled.signatures)
    try writer.add(misspelled.positions)
    let heard = sounds.value
    try writer.add(heard.hashes)
    try writer.add(heard.positions)
    try writer.finish()
  }

  /// The number of aliases that end before each block of keys.
  private var keyBlocks: [UInt32] {
    var (blocks, ended) = ([UInt32](), UInt32(0))
    for (position, byte) in keys.enumerated() {
      if position % NameIndex.keyBlock == 0 { blocks.append(ended) }
      if byte == 0 { ended += 1 }
    }
    return blocks
  }
}

extension Folding.Key {
  /// Whether a word is searchable: articles and prepositions (`de`, `la`, `of`) are not, but the O of O'Hare is.
  fileprivate func isWord(at start: Int) -> Bool {
    let end = words.first { $0 > start } ?? bytes.count
    return end - start > 2 || end - start == 1 && bytes[start] == UInt8(ascii: "o")
  }

  /// The offsets of Chinese, Japanese and Korean characters, except the first one of the name.
  fileprivate var innerCharacters: [Int] {
    guard bytes.count > 3, bytes.count <= 48, bytes[0] >= 0xE3 else { return [] }
    return bytes.indices.dropFirst().filter { (0xE3...0xED).contains(bytes[$0]) && !words.contains($0) }
  }
}

/// Writes columns one after the other, each at a multiple of eight bytes, after a table of their lengths.
private struct SectionWriter {
  private let file: ColumnFile
  private var numbers = [NameIndex.magic, UInt64(NameIndex.columnCount)]

  init(path: String) throws {
    file = try ColumnFile(path: path)
    // Reserve space for the table.
    try file.append([UInt64](repeating: 0, count: 2 + NameIndex.columnCount))
  }

  mutating func add<Number: BitwiseCopyable>(_ column: [Number]) throws {
    numbers.append(UInt64(column.count * MemoryLayout<Number>.stride))
    try file.append(column)
    try file.pad()
  }

  func finish() throws { try file.replaceStart(numbers) }
}
