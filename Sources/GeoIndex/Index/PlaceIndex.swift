import Basics
import Foundation

/// The memory-mapped index of a source of places: the places by importance, their names, and their positions.
///
/// Places are numbered by importance (0 is the highest). Every name and every word of a name is in one sorted list, found by
/// prefix. `keys` contains the folded names, each terminated by a zero. An entry is a position in `keys` at which a name, a
/// word, or a Chinese, Japanese or Korean character begins; the list of entries is sorted by the text there.
///
/// With frequent searches, the whole index stays in memory. Therefore values that can be computed in a few steps are
/// not stored for each of a million aliases: the key, text and place of an alias are located by a record for each block
/// of aliases, and the alias of a position by a record for each block of keys.
///
/// The file begins with `magic`, `version`, `Folding.version` and the lengths of the columns.
///
/// Safety: the pointers are into the mapped file, which is never changed and lives as long as this object.
final class PlaceIndex: @unchecked Sendable {
  static let magic = UInt64(0x3158_4544_4E49_474D)  // "MGINDEX1"
  /// The version of the columns. Increase it when they change.
  static let version = UInt64(1)
  static let columnCount = 40
  /// Flags of aliases: the place's own name; an ISO, IATA or ICAO code; other initials (`NYC`).
  static let own: UInt8 = 1
  static let code: UInt8 = 2
  static let initials: UInt8 = 4
  /// Flags: the key equals that of the place's own name; the text equals the key (`capitalised`) and is not stored.
  static let ownKey: UInt8 = 8
  static let key: UInt8 = 16
  /// The number of aliases, and of bytes of keys, in a block.
  static let aliasBlock = 16
  static let keyBlock = 64
  static let noCounty = UInt16.max
  static let noRegion = UInt16.max
  /// The offset of a text that doesn't exist.
  static let noText = UInt32.max
  /// The largest radius in metres of an imported place whose extent doesn't count.
  static let widestPoint = 500.0
  /// The units of coordinates in a degree.
  static let unitsPerDegree = 1e7

  // One value for each place. Degrees times ten million.
  let latitudes: UnsafeBufferPointer<Int32>
  let longitudes: UnsafeBufferPointer<Int32>
  /// The numbers of regions, in this index.
  let regions: UnsafeBufferPointer<UInt16>
  let classes: UnsafeBufferPointer<UInt8>
  let importances: UnsafeBufferPointer<Float>
  /// The radius in units of 100 m; 0 if unknown.
  let radii: UnsafeBufferPointer<UInt16>
  /// The first alias of each place; one value more than there are places.
  let firstAliases: UnsafeBufferPointer<UInt32>
  /// For towns, indices of `countyTexts`; otherwise `noCounty`.
  let counties: UnsafeBufferPointer<UInt16>
  let ids: UnsafeBufferPointer<Int64>
  let populations: UnsafeBufferPointer<UInt32>
  /// Indices of `zoneTexts`.
  let zones: UnsafeBufferPointer<UInt16>
  // These are empty in the gazetteer that comes with the program. A category is the offset of a text, an altitude is nan
  // if unknown, and a radius is in metres.
  let categories: UnsafeBufferPointer<UInt32>
  let altitudes: UnsafeBufferPointer<Double>
  let ownRadii: UnsafeBufferPointer<Float>

  // One value for each alias; languages are indices of `languageTexts`, and 0 means unknown.
  let aliasLanguages: UnsafeBufferPointer<UInt16>
  let aliasFlags: UnsafeBufferPointer<UInt8>

  // One value for each block of aliases: the place of the first alias, and where its key and its text begin; or the
  // text of the next alias, if its own isn't stored.
  private let blockPlaces: UnsafeBufferPointer<UInt32>
  private let blockKeys: UnsafeBufferPointer<UInt32>
  private let blockTexts: UnsafeBufferPointer<UInt32>

  // Each text is terminated by a zero.
  private let texts: UnsafeBufferPointer<UInt8>
  let keys: UnsafeBufferPointer<UInt8>
  /// For each block of keys, the alias to which its first byte belongs.
  private let keyBlocks: UnsafeBufferPointer<UInt32>

  // The offsets of texts: sets of languages, names of counties, of time zones, and of the distinct categories.
  let languageTexts: UnsafeBufferPointer<UInt32>
  let countyTexts: UnsafeBufferPointer<UInt32>
  let zoneTexts: UnsafeBufferPointer<UInt32>
  let categoryTexts: UnsafeBufferPointer<UInt32>

  // One value for each region: the place that it is, if any; the region that represents its country; the country's code;
  // the offsets of the code (empty for a whole country), the name, and the country's name.
  let areaPlaces: UnsafeBufferPointer<UInt32>
  let areaCountries: UnsafeBufferPointer<UInt16>
  let countryCodes: UnsafeBufferPointer<UInt16>
  let regionCodes: UnsafeBufferPointer<UInt32>
  let regionNames: UnsafeBufferPointer<UInt32>
  let countryNames: UnsafeBufferPointer<UInt32>

  // One value for each entry, sorted.
  let entryPositions: UnsafeBufferPointer<UInt32>
  let entryWeights: UnsafeBufferPointer<UInt8>

  // `TypoTable` documents these.
  let typoGroups: UnsafeBufferPointer<TypoTable.Group>
  let typoNames: UnsafeBufferPointer<UInt8>
  // Positions refer to keys.
  let soundHashes: UnsafeBufferPointer<UInt32>
  let soundPositions: UnsafeBufferPointer<UInt32>

  /// The places in the order of `SpatialOrder`, and the index at which each of its groups begins.
  let spatialPlaces: UnsafeBufferPointer<UInt32>
  let spatialStarts: UnsafeBufferPointer<UInt32>

  /// The name of the import whose places these are; nil for the gazetteer.
  let source: String?
  /// The names by which parts of an import can be typed like areas, by their keys.
  let ownAreas: [[UInt8]: OwnArea]
  /// For each region of an import, its number in the gazetteer; `noRegion` if it has none.
  private let sharedRegions: [UInt16]

  /// A part of an import.
  struct OwnArea {
    /// Whether it is all of the import.
    var isAll = false
    /// The places of categories, which are offsets of texts.
    var categories: Set<UInt32> = []
    /// The places in regions of the import's own.
    var regions: Set<UInt16> = []
  }

  /// The number of categories, and of regions, that can be typed. A file with more has other data in that column.
  private static let mostAreas = 10_000

  private let file: MappedFile

  /// Opens a file that `PlaceIndexWriter` wrote.
  /// - Parameters:
  ///   - source: The name of the import; nil for the gazetteer.
  ///   - gazetteer: The index of the gazetteer, for an import.
  init(
    contentsOf path: String, source: String? = nil, in gazetteer: PlaceIndex? = nil
  ) throws(GeoIndexError) {
    file = try MappedFile(path)
    self.source = source
    var columns = try Columns(file.bytes)
    latitudes = columns.next()
    longitudes = columns.next()
    regions = columns.next()
    classes = columns.next()
    importances = columns.next()
    radii = columns.next()
    firstAliases = columns.next()
    counties = columns.next()
    ids = columns.next()
    populations = columns.next()
    zones = columns.next()
    categories = columns.next()
    altitudes = columns.next()
    ownRadii = columns.next()
    aliasLanguages = columns.next()
    aliasFlags = columns.next()
    blockPlaces = columns.next()
    blockKeys = columns.next()
    blockTexts = columns.next()
    texts = columns.next()
    keys = columns.next()
    keyBlocks = columns.next()
    languageTexts = columns.next()
    countyTexts = columns.next()
    zoneTexts = columns.next()
    categoryTexts = columns.next()
    areaPlaces = columns.next()
    areaCountries = columns.next()
    countryCodes = columns.next()
    regionCodes = columns.next()
    regionNames = columns.next()
    countryNames = columns.next()
    entryPositions = columns.next()
    entryWeights = columns.next()
    typoGroups = columns.next()
    typoNames = columns.next()
    soundHashes = columns.next()
    soundPositions = columns.next()
    spatialPlaces = columns.next()
    spatialStarts = columns.next()
    guard columns.isComplete, firstAliases.count == latitudes.count + 1 else { throw GeoIndexError.unreadable }
    let texts = texts
    func text(_ start: UInt32) -> String { String(decoding: Self.item(0, of: texts, from: start), as: UTF8.self) }
    var (areas, folding) = ([[UInt8]: OwnArea](), Folding())
    if let source {
      for category in categoryTexts.prefix(Self.mostAreas) {
        areas[folding.keyBytes(text(category)), default: OwnArea()].categories.insert(category)
      }
      for region in countryCodes.indices.prefix(Self.mostAreas) {
        for name in [countryNames[region], regionNames[region]] where name != Self.noText {
          areas[folding.keyBytes(text(name)), default: OwnArea()].regions.insert(UInt16(region))
        }
      }
      areas[folding.keyBytes(source), default: OwnArea()].isAll = true
      areas[[]] = nil
    }
    ownAreas = areas
    guard let gazetteer else {
      sharedRegions = []
      return
    }
    let (numbers, codes, regionTexts) = (gazetteer.regionNumbers, countryCodes, regionNames)
    sharedRegions = codes.indices.map { region in
      let name = regionTexts[region] == Self.noText ? "" : text(regionTexts[region])
      return numbers[RegionName(country: codes[region], name: name)] ?? Self.noRegion
    }
  }

  private struct RegionName: Hashable {
    let country: UInt16
    let name: String
  }

  /// Returns the number of a region by its name; of its country if it has none.
  func regionNumber(country: UInt16, named name: String?) -> UInt16? {
    countryCodes.indices.first { countryCodes[$0] == country && regionName($0) == name }.map { UInt16($0) }
  }

  /// The numbers of the regions by their names; a country without a region has an empty name.
  private var regionNumbers: [RegionName: UInt16] {
    Dictionary(
      countryCodes.indices.lazy.map { region in
        (RegionName(country: self.countryCodes[region], name: self.regionName(region) ?? ""), UInt16(region))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// The columns of a file, one after the other.
  private struct Columns {
    private let bytes: UnsafeRawBufferPointer
    private var ranges: ArraySlice<Range<Int>>

    init(_ bytes: UnsafeRawBufferPointer) throws(GeoIndexError) {
      self.bytes = bytes
      let head = 8 * (3 + PlaceIndex.columnCount)
      guard bytes.count >= head else { throw GeoIndexError.unreadable }
      let numbers = (0..<(head / 8)).map { bytes.load(fromByteOffset: 8 * $0, as: UInt64.self) }
      guard numbers[..<3] == [PlaceIndex.magic, PlaceIndex.version, UInt64(Folding.version)] else {
        throw GeoIndexError.unreadable
      }
      var (ranges, start) = ([Range<Int>](), head)
      for length in numbers[3...] {
        guard length <= UInt64(bytes.count - start) else { throw GeoIndexError.unreadable }
        ranges.append(start..<(start + Int(length)))
        start = min(bytes.count, (start + Int(length) + 7) & ~7)
      }
      self.ranges = ranges[...]
    }

    /// Whether each column was read.
    var isComplete: Bool { ranges.isEmpty }

    mutating func next<Value: BitwiseCopyable>() -> UnsafeBufferPointer<Value> {
      UnsafeRawBufferPointer(rebasing: bytes[ranges.popFirst() ?? 0..<0]).bindMemory(to: Value.self)
    }
  }

  /// The number of places.
  var count: Int { latitudes.count }
  /// The size of the file in bytes.
  var size: Int { file.bytes.count }

  /// Gives up the memory that holds parts of the file. Searches that run at the same time aren't disturbed.
  func releaseMemory() { file.release() }

  /// Returns the text that most names have, given their keys: a first letter from a to z is capitalized.
  static func capitalised(_ key: some Collection<UInt8>) -> [UInt8] {
    var text = Array(key)
    if let first = text.first, (0x61...0x7A).contains(first) { text[0] = first - 0x20 }
    return text
  }

  static func countryCode(_ letters: some StringProtocol) -> UInt16 {
    letters.utf8.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
  }

  /// Returns the entries that begin with `key`. Those that equal `key`, which are `exact`, come first.
  func entries(beginningWith key: [UInt8]) -> (all: Range<Int>, exact: Range<Int>) {
    let first = lowerBound { compare($0, key) < 0 }
    let end = lowerBound { compare($0, key) <= 0 }
    let exact = lowerBound { compare($0, key + [0]) <= 0 }
    return (first..<end, first..<exact)
  }

  /// Returns the first entry for which `isBefore` is false.
  private func lowerBound(isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (0, entryPositions.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Compares the beginning of an entry with a key.
  private func compare(_ entry: Int, _ key: [UInt8]) -> Int {
    var position = Int(entryPositions[entry])
    for byte in key {
      let other = keys[position]
      if other != byte { return other < byte ? -1 : 1 }
      position += 1
    }
    return 0
  }

  /// Whether the entry is a whole name, not a word of it.
  func isWhole(_ entry: Int) -> Bool {
    let position = Int(entryPositions[entry])
    return position == 0 || keys[position - 1] == 0
  }

  /// Whether the entry is inside a name of Chinese, Japanese or Korean characters, at a position where no word begins.
  func isInside(_ entry: Int, of alias: Int) -> Bool {
    guard keys[Int(entryPositions[entry])] >= 0xE3, !isWhole(entry), keys[key(of: alias).startIndex] >= 0xE3 else {
      return false
    }
    let letters = letters(of: alias)
    // Words are separated by ASCII spaces and signs, or by the dot of katakana.
    return letters.allSatisfy { $0 >= 0x80 } && !letters.contains("・".utf8)
  }

  // MARK: Places

  func point(of place: Int) -> Coordinate {
    Coordinate(
      clampingLatitude: Double(latitudes[place]) / Self.unitsPerDegree,
      longitude: Double(longitudes[place]) / Self.unitsPerDegree)
  }

  /// The radius of a place in metres; 0 if unknown.
  func radius(of place: Int) -> Double { Double(radii[place]) * 100 }

  func country(of place: Int) -> UInt16 { countryCodes[Int(regions[place])] }

  /// Returns the gazetteer's number of the region that a place is in; `noRegion` if the gazetteer doesn't have it.
  func sharedRegion(of place: Int) -> UInt16 {
    source == nil ? regions[place] : sharedRegions[Int(regions[place])]
  }

  // MARK: Aliases

  func alias(ofEntry entry: Int) -> Int { alias(at: Int(entryPositions[entry])) }

  /// Returns the alias whose key contains a position.
  func alias(at position: Int) -> Int {
    let block = position / PlaceIndex.keyBlock
    var alias = Int(keyBlocks[block])
    for byte in keys[(block * PlaceIndex.keyBlock)..<position] { alias += byte == 0 ? 1 : 0 }
    return alias
  }

  /// Returns the aliases of a place.
  func names(of place: Int) -> Range<Int> { Int(firstAliases[place])..<Int(firstAliases[place + 1]) }

  func place(of alias: Int) -> Int {
    var place = Int(blockPlaces[alias / PlaceIndex.aliasBlock])
    while Int(firstAliases[place + 1]) <= alias { place += 1 }
    return place
  }

  /// Returns a name as it is written.
  func text(of alias: Int) -> String {
    let letters = letters(of: alias)
    guard aliasFlags[alias] & PlaceIndex.key != 0 else { return String(decoding: letters, as: UTF8.self) }
    return String(decoding: PlaceIndex.capitalised(letters), as: UTF8.self)
  }

  /// Returns the bytes of a name; the first letter may be in lower case.
  func letters(of alias: Int) -> Slice<UnsafeBufferPointer<UInt8>> {
    guard aliasFlags[alias] & PlaceIndex.key == 0 else { return key(of: alias) }
    let block = alias / PlaceIndex.aliasBlock
    let stored = (block * PlaceIndex.aliasBlock..<alias).count { aliasFlags[$0] & PlaceIndex.key == 0 }
    return Self.item(stored, of: texts, from: blockTexts[block])
  }

  func key(of alias: Int) -> Slice<UnsafeBufferPointer<UInt8>> {
    Self.item(alias % PlaceIndex.aliasBlock, of: keys, from: blockKeys[alias / PlaceIndex.aliasBlock])
  }

  /// Returns false if a name consists only of the letters A to Z.
  func mayHaveSeveralWords(_ alias: Int) -> Bool {
    letters(of: alias).contains { !(0x41...0x5A).contains($0 & 0xDF) }
  }

  // MARK: Texts

  func text(at start: UInt32) -> String { String(decoding: bytes(at: start), as: UTF8.self) }

  func bytes(at start: UInt32) -> Slice<UnsafeBufferPointer<UInt8>> { Self.item(0, of: texts, from: start) }

  func keyLength(at start: Int) -> Int { Self.item(0, of: keys, from: UInt32(start)).count }

  /// Returns the item after the first `count` ones, which each end with a zero.
  private static func item(
    _ count: Int, of bytes: UnsafeBufferPointer<UInt8>, from start: UInt32
  ) -> Slice<UnsafeBufferPointer<UInt8>> {
    var (left, start) = (count, Int(start))
    while left > 0 {
      if bytes[start] == 0 { left -= 1 }
      start += 1
    }
    var end = start
    while bytes[end] != 0 { end += 1 }
    return bytes[start..<end]
  }
}
