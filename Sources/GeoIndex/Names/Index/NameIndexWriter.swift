import Basics
import Foundation

/// Writes the index of names (`NameIndex`).
struct NameIndexWriter {
  private let gazetteer: GazetteerFile
  private let importances: [Float]
  private let order: [Int]
  private let counties: Counties?
  private var folding = Folding()
  private var columns = NameColumns()
  private var key = Folding.Key()
  /// The sets of languages, numbered from 1.
  private var languages: [String: Int] = [:]

  /// Creates a writer of the index of a gazetteer.
  /// - Parameters:
  ///   - importances: The importance of each place in the file.
  ///   - order: The numbers of places in the file, by rank.
  ///   - counties: The counties; nil if unknown.
  init(gazetteer: GazetteerFile, importances: [Float], order: [Int], counties: Counties?) {
    self.gazetteer = gazetteer
    self.importances = importances
    self.order = order
    self.counties = counties
  }

  /// Writes the index.
  /// - Parameter progress: Called with the completed share, 0...1.
  mutating func write(to path: String, progress: (Double) throws -> Void) throws {
    try writeAreas()
    try writeNames { try progress(0.7 * $0) }
    try writeTexts()
    try progress(0.7)
    let columns = columns
    try columns.write(
      entries: Future { SuffixOrder.sorted(columns) }, typos: Future { TypoTable(columns) },
      sounds: Future { SoundTable(columns) }, to: path)
  }

  private mutating func writeAreas() throws {
    columns.areaPlaces = [UInt32](repeating: .max, count: gazetteer.regions.count)
    var whole: [Substring: UInt16] = [:]
    for (number, names) in gazetteer.regions.enumerated() {
      guard names[0].utf8.count > 2 else { throw GazetteerFile.damaged }
      let country = names[0].prefix(2)
      // The regions are sorted: `FR.` comes before `FR.11`.
      if names[0].utf8.count == 3 { whole[country] = UInt16(number) }
      columns.areaCountries.append(whole[country] ?? .max)
      columns.countryCodes.append(NameIndex.countryCode(country))
    }
  }

  private mutating func writeNames(progress: (Double) throws -> Void) throws {
    let places = gazetteer.places
    // All columns in one buffer, so that names are slices of it, not copies.
    let all = [places.names] + places.aliases
    var (text, lines, starts) = ([UInt8](), [Int](), [Int]())
    text.reserveCapacity(all.reduce(0) { $0 + $1.bytes.count })
    for column in all {
      let ends = column.lineStarts()
      guard ends.count == order.count + 1 else { throw GazetteerFile.damaged }
      starts.append(lines.count)
      lines += ends.map { text.count + $0 }
      text += column.bytes
    }
    columns.reserve(places: order.count, text: text.count)
    try text.withUnsafeBufferPointer { text in
      for (rank, index) in order.enumerated() {
        if rank % 16_384 == 0 { try progress(Double(rank) / Double(order.count)) }
        let kind = places.classes[index]
        if kind == .region || kind == .country { columns.areaPlaces[places.region[index]] = UInt32(rank) }
        let county = kind.isTown ? counties?.number(of: Int64(places.id[index])) : nil
        columns.addPlace(
          latitude: places.latitude[index], longitude: places.longitude[index], region: places.region[index],
          county: county ?? NameIndex.noCounty, kind: kind, importance: importances[index],
          radius: places.radius[index])
        for start in starts {
          // Without the line feed.
          let line = lines[start + index]..<(lines[start + index + 1] - 1)
          if start == 0 {
            add(UnsafeBufferPointer(rebasing: text[line]), languages: nil, isOwn: true)
          } else if !line.isEmpty {
            addAliases(UnsafeBufferPointer(rebasing: text[line]))
          }
        }
      }
    }
    columns.firstAliases.append(UInt32(columns.aliasPlaces.count))
  }

  /// Adds the names of a line as names of the newest place.
  /// - Parameter line: Names, separated by tabs.
  private mutating func addAliases(_ line: UnsafeBufferPointer<UInt8>) {
    var start = 0
    while start < line.count {
      var (end, mark) = (start, -1)
      while end < line.count, line[end] != 0x09 {
        if line[end] == 0x1F, mark < 0 { mark = end }
        end += 1
      }
      if end > start {
        let name = UnsafeBufferPointer(rebasing: line[start..<(mark < 0 ? end : mark)])
        let languages = mark < 0 ? nil : UnsafeBufferPointer(rebasing: line[(mark + 1)..<end])
        add(name, languages: languages, isOwn: false)
      }
      start = end + 1
    }
  }

  private mutating func add(
    _ name: UnsafeBufferPointer<UInt8>, languages tags: UnsafeBufferPointer<UInt8>?, isOwn: Bool
  ) {
    let language = tags.map { number(ofLanguages: $0) } ?? 0
    folding.fold(name, into: &key)
    let isInitials = tags == nil && (2...4).contains(name.count) && name.allSatisfy { (0x41...0x5A).contains($0) }
    let flags = isOwn ? NameIndex.own : tags?.first == 0x3D ? NameIndex.code : isInitials ? NameIndex.initials : 0
    columns.addAlias(key: key, name: name, language: language, flags: flags)
    guard let spelled = Folding.spelledOut(name) else { return }
    folding.fold(spelled, into: &key)
    columns.addAlias(key: key, name: name, language: language, flags: flags)
  }

  private mutating func number(ofLanguages tags: UnsafeBufferPointer<UInt8>) -> UInt16 {
    let name = String(decoding: tags, as: UTF8.self)
    let number = languages[name] ?? languages.count + 1
    languages[name] = number
    // `writeTexts` throws if there are more.
    return UInt16(truncatingIfNeeded: number)
  }

  private mutating func writeTexts() throws {
    guard languages.count <= UInt16.max else { throw GazetteerFile.damaged }
    columns.languageTexts = [columns.addText([])]
    for (name, _) in languages.sorted(by: { $0.value < $1.value }) {
      columns.languageTexts.append(columns.addText(name.utf8))
    }
    for name in counties?.names ?? [] { columns.countyTexts.append(columns.addText(name.utf8)) }
  }
}

/// The index of names while it is created. `NameTables` documents the columns.
struct NameColumns {
  var latitudes: [Int32] = []
  var longitudes: [Int32] = []
  var regions: [UInt16] = []
  var classes: [UInt8] = []
  var importances: [Float] = []
  var radii: [UInt16] = []
  var firstAliases: [UInt32] = []
  var counties: [UInt16] = []

  // These three are written with only the value of each block's first alias.
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
    radii.reserveCapacity(places)
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

  /// Adds a place; its names follow.
  /// - Parameter county: The number of its county, or `NameIndex.noCounty`.
  mutating func addPlace(
    latitude: Int, longitude: Int, region: Int, county: UInt16, kind: PlaceClass, importance: Float, radius: Int
  ) {
    firstAliases.append(UInt32(aliasPlaces.count))
    latitudes.append(Int32(latitude))
    longitudes.append(Int32(longitude))
    regions.append(UInt16(region))
    classes.append(kind.rawValue)
    importances.append(importance)
    radii.append(UInt16(clamping: radius))
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

  /// Adds a text with its final zero.
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

  /// Writes all columns to a file.
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
    try writer.add(radii)
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
