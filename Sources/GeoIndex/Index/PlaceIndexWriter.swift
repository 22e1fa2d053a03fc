import Basics
import Foundation

/// Writes an index of places (`PlaceIndex`) of any size. Memory holds a few values for each place, and the names that are
/// being sorted.
struct PlaceIndexWriter {
  /// The properties of a place, apart from its names.
  struct Record {
    var id: Int64
    /// Degrees times ten million.
    var latitude, longitude: Int32
    /// The number that `addRegion` returned.
    var region: Int
    var kind: PlaceClass
    var importance: Float
    /// The radius in units of 100 m; 0 if unknown.
    var radius: UInt16 = 0
    var population = 0
    /// The number that `addZone` returned.
    var zone = 0
    /// The number of its county, or `PlaceIndex.noCounty`.
    var county = PlaceIndex.noCounty
    /// The properties of imported places only.
    var own: Own?

    struct Own {
      /// The number that `addCategory` returned.
      var category: Int?
      /// In metres; nan if unknown.
      var altitude: Double
      /// In metres.
      var radius: Float
    }
  }

  private let folder: String
  private var columns: PlaceColumns
  private var folding = Folding()
  private var key = Folding.Key()
  /// The sets of languages, numbered from 1.
  private var languages: [String: Int] = [:]

  /// Creates an empty index.
  /// - Parameter folder: The folder of temporary files.
  init(in folder: String) throws {
    self.folder = folder
    columns = try PlaceColumns(in: folder)
  }

  // MARK: Areas; these come before the places.

  /// Adds a region.
  /// - Parameters:
  ///   - country: Two letters; empty at sea.
  ///   - code: The region's code after that of the country; empty for a whole country.
  ///   - whole: The number of the region that is the whole country; nil for this one.
  /// - Returns: Its number.
  mutating func addRegion(
    country: String, countryName: String, code: String, name: String?, whole: Int? = nil
  ) -> Int {
    columns.areaPlaces.append(.max)
    let number = columns.areaPlaces.count - 1
    columns.areaCountries.append(UInt16(whole ?? number))
    columns.countryCodes.append(country.isEmpty ? 0 : PlaceIndex.countryCode(country))
    columns.regionCodes.append(columns.addText(code.utf8))
    columns.regionNames.append(name.map { columns.addText($0.utf8) } ?? PlaceIndex.noText)
    columns.countryNames.append(columns.addText(countryName.utf8))
    return number
  }

  /// Adds a time zone.
  /// - Returns: Its number.
  mutating func addZone(_ name: String) -> Int {
    columns.zoneTexts.append(columns.addText(name.utf8))
    return columns.zoneTexts.count - 1
  }

  /// Adds a category.
  /// - Returns: Its number.
  mutating func addCategory(_ name: String) -> Int {
    columns.categoryTexts.append(columns.addText(name.utf8))
    return columns.categoryTexts.count - 1
  }

  mutating func addCounty(_ name: String) { columns.countyTexts.append(columns.addText(name.utf8)) }

  // MARK: Places, the most important first.

  /// Adds a place; its names follow, its own first.
  mutating func add(_ place: Record) throws {
    if place.kind.isRegion { columns.areaPlaces[place.region] = UInt32(columns.ids.count) }
    columns.add(place)
    if columns.ids.count % 16_384 == 0 { try columns.check() }
  }

  /// Adds a name of the newest place.
  /// - Parameters:
  ///   - tags: BCP 47 tags, separated by commas; `=` for a code; nil if unknown.
  ///   - isOwn: Whether it is the place's own name.
  mutating func addName(
    _ name: UnsafeBufferPointer<UInt8>, languages tags: UnsafeBufferPointer<UInt8>?, isOwn: Bool
  ) {
    let language = tags.map { number(ofLanguages: $0) } ?? 0
    folding.fold(name, into: &key)
    let isInitials = tags == nil && (2...4).contains(name.count) && name.allSatisfy { (0x41...0x5A).contains($0) }
    let flags =
      isOwn ? PlaceIndex.own : tags?.first == 0x3D ? PlaceIndex.code : isInitials ? PlaceIndex.initials : 0
    columns.addAlias(key: key, name: name, language: language, flags: flags)
    guard let spelled = Folding.spelledOut(name) else { return }
    folding.fold(spelled, into: &key)
    columns.addAlias(key: key, name: name, language: language, flags: flags)
  }

  private mutating func number(ofLanguages tags: UnsafeBufferPointer<UInt8>) -> UInt16 {
    let name = String(decoding: tags, as: UTF8.self)
    // There are only some thousand sets, even of all places of the world.
    let number = languages[name] ?? (languages.count < UInt16.max ? languages.count + 1 : 0)
    languages[name] = number
    return UInt16(number)
  }

  // MARK: The file

  /// Sorts the names and writes the file.
  /// - Parameter progress: Called with the completed share of the work, 0...1.
  consuming func write(to path: String, progress: (Double) throws -> Void) throws {
    columns.languageTexts = [columns.addText([])]
    for (name, _) in languages.sorted(by: { $0.value < $1.value }) {
      columns.languageTexts.append(columns.addText(name.utf8))
    }
    try columns.write(to: path, in: folder, progress: progress)
  }
}

/// The columns of an index while it is created. `PlaceIndex` documents them.
struct PlaceColumns {
  fileprivate let latitudes: SpilledColumn<Int32>
  fileprivate let longitudes: SpilledColumn<Int32>
  private let regions: SpilledColumn<UInt16>
  private let classes: SpilledColumn<UInt8>
  private let importances: SpilledColumn<Float>
  private let radii: SpilledColumn<UInt16>
  private let firstAliases: SpilledColumn<UInt32>
  private let counties: SpilledColumn<UInt16>
  fileprivate let ids: SpilledColumn<Int64>
  private let populations: SpilledColumn<UInt32>
  private let zones: SpilledColumn<UInt16>
  private let categories: SpilledColumn<UInt32>
  private let altitudes: SpilledColumn<Double>
  private let ownRadii: SpilledColumn<Float>

  private let aliasLanguages: SpilledColumn<UInt16>
  private let aliasFlags: SpilledColumn<UInt8>
  private let blockPlaces: SpilledColumn<UInt32>
  private let blockKeys: SpilledColumn<UInt32>
  private let blockTexts: SpilledColumn<UInt32>
  private let texts: SpilledColumn<UInt8>
  private let keys: SpilledColumn<UInt8>
  private let keyBlocks: SpilledColumn<UInt32>
  /// The positions at which names and words begin, not sorted yet.
  private let entries: SpilledColumn<NameEntry>

  fileprivate var languageTexts: [UInt32] = []
  fileprivate var countyTexts: [UInt32] = []
  fileprivate var zoneTexts: [UInt32] = []
  fileprivate var categoryTexts: [UInt32] = []
  fileprivate var areaPlaces: [UInt32] = []
  fileprivate var areaCountries: [UInt16] = []
  fileprivate var countryCodes: [UInt16] = []
  fileprivate var regionCodes: [UInt32] = []
  fileprivate var regionNames: [UInt32] = []
  fileprivate var countryNames: [UInt32] = []

  /// The importance of the newest place, and the key of its own name; nil if that has not been added.
  private var importance: Float = 0
  private var ownKey: [UInt8]?
  private var sounds = SoundTable()

  init(in folder: String) throws {
    latitudes = try SpilledColumn(in: folder)
    longitudes = try SpilledColumn(in: folder)
    regions = try SpilledColumn(in: folder)
    classes = try SpilledColumn(in: folder)
    importances = try SpilledColumn(in: folder)
    radii = try SpilledColumn(in: folder)
    firstAliases = try SpilledColumn(in: folder)
    counties = try SpilledColumn(in: folder)
    ids = try SpilledColumn(in: folder)
    populations = try SpilledColumn(in: folder)
    zones = try SpilledColumn(in: folder)
    categories = try SpilledColumn(in: folder)
    altitudes = try SpilledColumn(in: folder)
    ownRadii = try SpilledColumn(in: folder)
    aliasLanguages = try SpilledColumn(in: folder)
    aliasFlags = try SpilledColumn(in: folder)
    blockPlaces = try SpilledColumn(in: folder)
    blockKeys = try SpilledColumn(in: folder)
    blockTexts = try SpilledColumn(in: folder)
    texts = try SpilledColumn(in: folder)
    keys = try SpilledColumn(in: folder)
    keyBlocks = try SpilledColumn(in: folder)
    entries = try SpilledColumn(in: folder)
  }

  /// Adds a place; its names follow.
  mutating func add(_ place: PlaceIndexWriter.Record) {
    firstAliases.append(UInt32(aliasFlags.count))
    latitudes.append(place.latitude)
    longitudes.append(place.longitude)
    regions.append(UInt16(place.region))
    classes.append(place.kind.rawValue)
    importances.append(place.importance)
    radii.append(place.radius)
    counties.append(place.county)
    ids.append(place.id)
    populations.append(UInt32(clamping: place.population))
    zones.append(UInt16(place.zone))
    if let own = place.own {
      categories.append(own.category.map { categoryTexts[$0] } ?? PlaceIndex.noText)
      altitudes.append(own.altitude)
      ownRadii.append(own.radius)
    }
    importance = place.importance
    ownKey = nil
  }

  /// Adds a name of the newest place. One without letters and digits is kept only if it is the place's own, and isn't found.
  /// - Parameter language: An index of `languageTexts`.
  mutating func addAlias(key: Folding.Key, name: some Collection<UInt8>, language: UInt16, flags: UInt8) {
    guard !key.bytes.isEmpty || ownKey == nil else { return }
    if ownKey == nil { ownKey = key.bytes }
    let isKey = PlaceIndex.capitalised(key.bytes).elementsEqual(name)
    let start = UInt32(truncatingIfNeeded: keys.count)
    if aliasFlags.count % PlaceIndex.aliasBlock == 0 {
      blockPlaces.append(UInt32(ids.count - 1))
      blockKeys.append(start)
      blockTexts.append(UInt32(truncatingIfNeeded: texts.count))
    }
    // The blocks that begin in this key belong to its alias.
    while keyBlocks.count * PlaceIndex.keyBlock <= keys.count + key.bytes.count {
      keyBlocks.append(UInt32(aliasFlags.count))
    }
    aliasLanguages.append(language)
    aliasFlags.append(flags | (key.bytes == ownKey ? PlaceIndex.ownKey : 0) | (isKey ? PlaceIndex.key : 0))
    keys.append(contentsOf: key.bytes)
    keys.append(0)
    if !isKey { _ = addText(name) }
    guard !key.bytes.isEmpty else { return }
    let weight = importance + (flags & PlaceIndex.own != 0 ? 0.06 : 0)
    let isCode = flags & (PlaceIndex.code | PlaceIndex.initials) != 0
    entries.append(NameEntry(position: start, weight: weight))
    guard !isCode else { return }
    if key.isLatin { sounds.add(key.bytes, at: start, importance: importance) }
    for word in key.words where key.isWord(at: word) {
      entries.append(NameEntry(position: start + UInt32(word), weight: weight - 0.15))
    }
    // Names without spaces are found by any of their characters.
    for character in key.innerCharacters {
      entries.append(NameEntry(position: start + UInt32(character), weight: weight - 0.15))
    }
  }

  /// Adds a text with its final zero.
  /// - Returns: The offset in `texts` at which the text begins.
  mutating func addText(_ text: some Collection<UInt8>) -> UInt32 {
    defer {
      texts.append(contentsOf: text)
      texts.append(0)
    }
    return UInt32(truncatingIfNeeded: texts.count)
  }

  /// Throws if something could not be written, or is too large for 32-bit positions.
  func check() throws {
    try keys.check()
    try texts.check()
    try entries.check()
    guard max(keys.count, texts.count) < UInt32.max - 1 << 20 else {
      throw GeoIndexError(.badFile, "it has more than 4 GB of names", remedy: nil)
    }
  }

  /// Writes all columns to a file.
  mutating func write(to path: String, in folder: String, progress: (Double) throws -> Void) throws {
    firstAliases.append(UInt32(aliasFlags.count))
    try check()
    var writer = try SectionWriter(path: path)
    try writer.add(latitudes)
    try writer.add(longitudes)
    try writer.add(regions)
    try writer.add(classes)
    try writer.add(importances)
    try writer.add(radii)
    try writer.add(firstAliases)
    try writer.add(counties)
    try writer.add(ids)
    try writer.add(populations)
    try writer.add(zones)
    try writer.add(categories)
    try writer.add(altitudes)
    try writer.add(ownRadii)
    try writer.add(aliasLanguages)
    try writer.add(aliasFlags)
    try writer.add(blockPlaces)
    try writer.add(blockKeys)
    try writer.add(blockTexts)
    try writer.add(texts)
    try writer.add(keys)
    try writer.add(keyBlocks)
    for column in [languageTexts, countyTexts, zoneTexts, categoryTexts, areaPlaces] { try writer.add(column) }
    for column in [areaCountries, countryCodes] { try writer.add(column) }
    for column in [regionCodes, regionNames, countryNames] { try writer.add(column) }
    try writeNames(to: &writer, in: folder) { try progress(0.9 * $0) }
    try writePositions(to: &writer)
    try writer.finish()
    try progress(1)
  }

  private mutating func writeNames(
    to writer: inout SectionWriter, in folder: String, progress: (Double) throws -> Void
  ) throws {
    let file = try keys.mapped()
    let keys = file.bytes.bindMemory(to: UInt8.self)
    let (positions, weights) = (try SpilledColumn<UInt32>(in: folder), try SpilledColumn<UInt8>(in: folder))
    var typos = TypoTable()
    try SuffixOrder.sort(entries, of: keys, in: folder) { sorted in
      for entry in sorted {
        positions.append(entry.position)
        weights.append(entry.weight)
        typos.add(Int(entry.position), of: keys)
      }
      try progress(Double(positions.count) / Double(max(1, entries.count)))
    }
    try writer.add(positions)
    try writer.add(weights)
    typos.finish(keys)
    try writer.add(typos.groups)
    try writer.add(typos.names)
    let heard = sounds.columns
    try writer.add(heard.hashes)
    try writer.add(heard.positions)
    withExtendedLifetime(file) {}
  }

  private func writePositions(to writer: inout SectionWriter) throws {
    let (north, east, size) = (try latitudes.mapped(), try longitudes.mapped(), try radii.mapped())
    let order = SpatialOrder.sorted(
      latitudes: north.bytes.bindMemory(to: Int32.self), longitudes: east.bytes.bindMemory(to: Int32.self),
      radii: size.bytes.bindMemory(to: UInt16.self))
    withExtendedLifetime((north, east, size)) {}
    try writer.add(order.places)
    try writer.add(order.starts)
  }
}

extension Folding.Key {
  /// Whether it has only the letters a to z and digits.
  fileprivate var isLatin: Bool { bytes.allSatisfy { $0 < 0x80 } }

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
  private var numbers = [PlaceIndex.magic, PlaceIndex.version, UInt64(Folding.version)]

  init(path: String) throws {
    file = try ColumnFile(path: path, mode: 0o600)
    // Reserve space for the table.
    try file.append([UInt64](repeating: 0, count: 3 + PlaceIndex.columnCount))
  }

  mutating func add<Number: BitwiseCopyable>(_ column: [Number]) throws {
    numbers.append(UInt64(column.count * MemoryLayout<Number>.stride))
    try file.append(column)
    try file.pad()
  }

  mutating func add<Number: BitwiseCopyable>(_ column: SpilledColumn<Number>) throws {
    numbers.append(UInt64(column.count * MemoryLayout<Number>.stride))
    try column.forEachPart { try file.append($0) }
    try file.pad()
  }

  func finish() throws { try file.replaceStart(numbers) }
}
