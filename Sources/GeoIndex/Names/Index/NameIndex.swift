import Basics
import Foundation

/// The memory-mapped index of names: every name and every word of a name in one sorted list, found by prefix.
///
/// `keys` contains the folded names, each terminated by a zero. An entry is a position in `keys` at which a name, a
/// word, or a Chinese, Japanese or Korean character begins; the list of entries is sorted by the text there.
///
/// With frequent searches, the whole index stays in memory. Therefore values that can be computed in a few steps are
/// not stored for each of a million aliases: the key, text and place of an alias are located by a record for each block
/// of aliases, and the alias of a position by a record for each block of keys.
struct NameIndex: Sendable {
  static let magic = UInt64(0x3453_454D_414E_474D)  // "MGNAMES4"
  static let columnCount = 28
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

  private let file: Data
  private let columns: [Range<Int>]

  init(contentsOf path: String) throws(GeoIndexError) {
    do { file = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped) } catch {
      throw GeoIndexError.unreadable
    }
    let numbers = file.prefix(8 * 64).withUnsafeBytes { bytes in
      (0..<(bytes.count / 8)).map { bytes.load(fromByteOffset: 8 * $0, as: UInt64.self) }
    }
    guard numbers.count >= 2 + Self.columnCount, numbers[0] == Self.magic, numbers[1] == Self.columnCount else {
      throw GeoIndexError.unreadable
    }
    var (columns, start) = ([Range<Int>](), 8 * (2 + Self.columnCount))
    for length in numbers[2..<(2 + Self.columnCount)] {
      guard length <= UInt64(file.count - start) else { throw GeoIndexError.unreadable }
      columns.append(start..<(start + Int(length)))
      start = min(file.count, (start + Int(length) + 7) & ~7)
    }
    self.columns = columns
  }

  /// The size in bytes.
  var count: Int { file.count }

  /// Gives `body` access to the columns, which must not escape it.
  func read<Answer>(_ body: (NameTables) throws -> Answer) rethrows -> Answer {
    try file.withUnsafeBytes { bytes in
      try body(NameTables(columns.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }))
    }
  }

  /// Returns the text that most names have, given their keys: a first letter from a to z is capitalized.
  static func capitalised(_ key: some Collection<UInt8>) -> [UInt8] {
    var text = Array(key)
    if let first = text.first, (0x61...0x7A).contains(first) { text[0] = first - 0x20 }
    return text
  }

  static func countryCode(_ letters: some StringProtocol) -> UInt16 {
    letters.utf8.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
  }
}

/// The columns of the index of names.
struct NameTables {
  // One value for each place, by rank. Degrees times 100,000.
  let latitudes: UnsafeBufferPointer<Int32>
  let longitudes: UnsafeBufferPointer<Int32>
  let regions: UnsafeBufferPointer<UInt16>
  let classes: UnsafeBufferPointer<UInt8>
  let importances: UnsafeBufferPointer<Float>
  /// The radius in units of 100 m; 0 if unknown.
  let radii: UnsafeBufferPointer<UInt16>
  /// The first alias of each place; one value more than there are places.
  let firstAliases: UnsafeBufferPointer<UInt32>
  /// For towns, indices of `countyTexts`; otherwise `noCounty`.
  let counties: UnsafeBufferPointer<UInt16>

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

  // The offsets of texts: sets of languages, and names of counties.
  let languageTexts: UnsafeBufferPointer<UInt32>
  let countyTexts: UnsafeBufferPointer<UInt32>

  // One value for each region: the rank of the place that it is, if any; the region that represents its country.
  let areaPlaces: UnsafeBufferPointer<UInt32>
  let areaCountries: UnsafeBufferPointer<UInt16>
  let countryCodes: UnsafeBufferPointer<UInt16>

  // One value for each entry, sorted.
  let entryPositions: UnsafeBufferPointer<UInt32>
  let entryWeights: UnsafeBufferPointer<UInt8>

  // Positions refer to keys.
  let typoStarts: UnsafeBufferPointer<UInt32>
  let typoSignatures: UnsafeBufferPointer<UInt32>
  let typoPositions: UnsafeBufferPointer<UInt32>
  let soundHashes: UnsafeBufferPointer<UInt32>
  let soundPositions: UnsafeBufferPointer<UInt32>

  /// Creates the tables from the columns of a file.
  /// - Parameter columns: The columns in the order in which `NameColumns` writes them.
  init(_ columns: [UnsafeRawBufferPointer]) {
    latitudes = columns[0].bindMemory(to: Int32.self)
    longitudes = columns[1].bindMemory(to: Int32.self)
    regions = columns[2].bindMemory(to: UInt16.self)
    classes = columns[3].bindMemory(to: UInt8.self)
    importances = columns[4].bindMemory(to: Float.self)
    firstAliases = columns[5].bindMemory(to: UInt32.self)
    counties = columns[6].bindMemory(to: UInt16.self)
    aliasLanguages = columns[7].bindMemory(to: UInt16.self)
    aliasFlags = columns[8].bindMemory(to: UInt8.self)
    blockPlaces = columns[9].bindMemory(to: UInt32.self)
    blockKeys = columns[10].bindMemory(to: UInt32.self)
    blockTexts = columns[11].bindMemory(to: UInt32.self)
    texts = columns[12].bindMemory(to: UInt8.self)
    keys = columns[13].bindMemory(to: UInt8.self)
    keyBlocks = columns[14].bindMemory(to: UInt32.self)
    languageTexts = columns[15].bindMemory(to: UInt32.self)
    countyTexts = columns[16].bindMemory(to: UInt32.self)
    areaPlaces = columns[17].bindMemory(to: UInt32.self)
    areaCountries = columns[18].bindMemory(to: UInt16.self)
    countryCodes = columns[19].bindMemory(to: UInt16.self)
    entryPositions = columns[20].bindMemory(to: UInt32.self)
    entryWeights = columns[21].bindMemory(to: UInt8.self)
    typoStarts = columns[22].bindMemory(to: UInt32.self)
    typoSignatures = columns[23].bindMemory(to: UInt32.self)
    typoPositions = columns[24].bindMemory(to: UInt32.self)
    soundHashes = columns[25].bindMemory(to: UInt32.self)
    soundPositions = columns[26].bindMemory(to: UInt32.self)
    radii = columns[27].bindMemory(to: UInt16.self)
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
    Coordinate(latitudeE5: latitudes[place], longitudeE5: longitudes[place])
  }

  func country(of place: Int) -> UInt16 { countryCodes[Int(regions[place])] }

  // MARK: Aliases

  func alias(ofEntry entry: Int) -> Int { alias(at: Int(entryPositions[entry])) }

  /// Returns the alias whose key contains a position.
  func alias(at position: Int) -> Int {
    let block = position / NameIndex.keyBlock
    var alias = Int(keyBlocks[block])
    for byte in keys[(block * NameIndex.keyBlock)..<position] { alias += byte == 0 ? 1 : 0 }
    return alias
  }

  func place(of alias: Int) -> Int {
    var place = Int(blockPlaces[alias / NameIndex.aliasBlock])
    while Int(firstAliases[place + 1]) <= alias { place += 1 }
    return place
  }

  /// Returns a name as it is written.
  func text(of alias: Int) -> String {
    let letters = letters(of: alias)
    guard aliasFlags[alias] & NameIndex.key != 0 else { return String(decoding: letters, as: UTF8.self) }
    return String(decoding: NameIndex.capitalised(letters), as: UTF8.self)
  }

  /// Returns the bytes of a name; the first letter may be in lower case.
  func letters(of alias: Int) -> Slice<UnsafeBufferPointer<UInt8>> {
    guard aliasFlags[alias] & NameIndex.key == 0 else { return key(of: alias) }
    let block = alias / NameIndex.aliasBlock
    let stored = (block * NameIndex.aliasBlock..<alias).count { aliasFlags[$0] & NameIndex.key == 0 }
    return item(stored, of: texts, from: blockTexts[block])
  }

  func key(of alias: Int) -> Slice<UnsafeBufferPointer<UInt8>> {
    item(alias % NameIndex.aliasBlock, of: keys, from: blockKeys[alias / NameIndex.aliasBlock])
  }

  /// Returns false if a name consists only of the letters A to Z.
  func mayHaveSeveralWords(_ alias: Int) -> Bool {
    letters(of: alias).contains { !(0x41...0x5A).contains($0 & 0xDF) }
  }

  // MARK: Texts

  func text(at start: UInt32) -> String { String(decoding: bytes(at: start), as: UTF8.self) }

  func bytes(at start: UInt32) -> Slice<UnsafeBufferPointer<UInt8>> { item(0, of: texts, from: start) }

  func keyLength(at start: Int) -> Int { item(0, of: keys, from: UInt32(start)).count }

  /// Returns the item after the first `count` ones, which each end with a zero.
  private func item(
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
