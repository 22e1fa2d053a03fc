/// The columns of the index of names.
struct NameTables {
  // One for each place, by rank. Degrees times 100,000.
  let latitudes: UnsafeBufferPointer<Int32>
  let longitudes: UnsafeBufferPointer<Int32>
  let regions: UnsafeBufferPointer<UInt16>
  let classes: UnsafeBufferPointer<UInt8>
  let importances: UnsafeBufferPointer<Float>
  /// One more than places.
  let firstAliases: UnsafeBufferPointer<UInt32>
  /// Of towns, numbers of `countyTexts`; else `noCounty`.
  let counties: UnsafeBufferPointer<UInt16>

  // One for each alias; languages are numbers of `languageTexts`, 0 is that none is known.
  let aliasLanguages: UnsafeBufferPointer<UInt16>
  let aliasFlags: UnsafeBufferPointer<UInt8>

  // One for each block of aliases: of the first one, its place, and where its key and its text begin; or the next one's
  // text, if its own isn't stored.
  private let blockPlaces: UnsafeBufferPointer<UInt32>
  private let blockKeys: UnsafeBufferPointer<UInt32>
  private let blockTexts: UnsafeBufferPointer<UInt32>

  // Each ended by a zero.
  private let texts: UnsafeBufferPointer<UInt8>
  let keys: UnsafeBufferPointer<UInt8>
  /// For each block of keys, the alias that its first byte belongs to.
  private let keyBlocks: UnsafeBufferPointer<UInt32>

  // Where texts begin: sets of languages, and names of counties.
  let languageTexts: UnsafeBufferPointer<UInt32>
  let countyTexts: UnsafeBufferPointer<UInt32>

  // One for each region: the rank of the place it is, if it is one; the region that stands for its country.
  let areaPlaces: UnsafeBufferPointer<UInt32>
  let areaCountries: UnsafeBufferPointer<UInt16>
  let countryCodes: UnsafeBufferPointer<UInt16>

  // One for each entry, sorted.
  let entryPositions: UnsafeBufferPointer<UInt32>
  let entryWeights: UnsafeBufferPointer<UInt8>

  // Positions are those of keys.
  let typoStarts: UnsafeBufferPointer<UInt32>
  let typoSignatures: UnsafeBufferPointer<UInt32>
  let typoPositions: UnsafeBufferPointer<UInt32>
  let soundHashes: UnsafeBufferPointer<UInt32>
  let soundPositions: UnsafeBufferPointer<UInt32>

  /// - Parameter columns: in the order in which `NameColumns` writes them.
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
  }

  /// The entries that begin with `key`; those that are nothing but `key` come first, `exact` of them.
  func entries(beginningWith key: [UInt8]) -> (all: Range<Int>, exact: Range<Int>) {
    let first = lowerBound { compare($0, key) < 0 }
    let end = lowerBound { compare($0, key) <= 0 }
    let exact = lowerBound { compare($0, key + [0]) <= 0 }
    return (first..<end, first..<exact)
  }

  /// The first entry that isn't before.
  private func lowerBound(isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (0, entryPositions.count)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The order of the beginning of an entry and a key.
  private func compare(_ entry: Int, _ key: [UInt8]) -> Int {
    var position = Int(entryPositions[entry])
    for byte in key {
      let other = keys[position]
      if other != byte { return other < byte ? -1 : 1 }
      position += 1
    }
    return 0
  }

  /// The whole name is what was found, not a word of it.
  func isWhole(_ entry: Int) -> Bool {
    let position = Int(entryPositions[entry])
    return position == 0 || keys[position - 1] == 0
  }

  /// What was found stands inside a name of Chinese, Japanese or Korean characters, between which no word begins.
  func isInside(_ entry: Int, of alias: Int) -> Bool {
    guard keys[Int(entryPositions[entry])] >= 0xE3, !isWhole(entry), keys[key(of: alias).startIndex] >= 0xE3 else {
      return false
    }
    let letters = letters(of: alias)
    // Where words are parted, spaces and signs of ASCII do it, or the dot of katakana.
    return letters.allSatisfy { $0 >= 0x80 } && !letters.contains("・".utf8)
  }

  // MARK: Places

  func point(of place: Int) -> Point {
    Point(latitude: Double(latitudes[place]) / 1e5, longitude: Double(longitudes[place]) / 1e5)
  }

  func country(of place: Int) -> UInt16 { countryCodes[Int(regions[place])] }

  // MARK: Aliases

  func alias(ofEntry entry: Int) -> Int { alias(at: Int(entryPositions[entry])) }

  /// The alias whose key a position lies in.
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

  /// A name as it is written.
  func text(of alias: Int) -> String {
    let letters = letters(of: alias)
    guard aliasFlags[alias] & NameIndex.key != 0 else { return String(decoding: letters, as: UTF8.self) }
    return String(decoding: NameIndex.capitalised(letters), as: UTF8.self)
  }

  /// The bytes of a name; its first letter may be a small one here.
  func letters(of alias: Int) -> Slice<UnsafeBufferPointer<UInt8>> {
    guard aliasFlags[alias] & NameIndex.key == 0 else { return key(of: alias) }
    let block = alias / NameIndex.aliasBlock
    let stored = (block * NameIndex.aliasBlock..<alias).count { aliasFlags[$0] & NameIndex.key == 0 }
    return item(stored, of: texts, from: blockTexts[block])
  }

  func key(of alias: Int) -> Slice<UnsafeBufferPointer<UInt8>> {
    item(alias % NameIndex.aliasBlock, of: keys, from: blockKeys[alias / NameIndex.aliasBlock])
  }

  /// False where a name is nothing but the letters A to Z.
  func mayHaveSeveralWords(_ alias: Int) -> Bool {
    letters(of: alias).contains { !(0x41...0x5A).contains($0 & 0xDF) }
  }

  // MARK: Texts

  func text(at start: UInt32) -> String { String(decoding: bytes(at: start), as: UTF8.self) }

  func bytes(at start: UInt32) -> Slice<UnsafeBufferPointer<UInt8>> { item(0, of: texts, from: start) }

  func keyLength(at start: Int) -> Int { item(0, of: keys, from: UInt32(start)).count }

  /// Behind the first `count` ones that each end with a zero.
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
