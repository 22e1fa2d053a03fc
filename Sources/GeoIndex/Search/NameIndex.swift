import Foundation

/// The index of names, mapped into memory: every name and word of a name in one sorted list, found by its beginning.
///
/// `keys` holds the folded names, each ended by a zero; an entry is a position in it where a name, a word of it, or a
/// Chinese, Japanese or Korean character begins, and the list of entries is sorted by what stands there.
struct NameIndex: Sendable {
  static let magic = UInt64(0x3253_454D_414E_474D)  // "MGNAMES2"
  static let columnCount = 24
  /// Flags of aliases: the place's own name; an ISO, IATA or ICAO code; other initials (`NYC`).
  static let own: UInt8 = 1
  static let code: UInt8 = 2
  static let initials: UInt8 = 4

  private let file: Data
  private let columns: [Range<Int>]

  init(contentsOf path: String) throws(GeoIndexError) {
    do { file = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped) } catch { throw GeoIndex.unreadable }
    let numbers = file.prefix(8 * 64).withUnsafeBytes { bytes in
      (0..<(bytes.count / 8)).map { bytes.load(fromByteOffset: 8 * $0, as: UInt64.self) }
    }
    guard numbers.count >= 2 + Self.columnCount, numbers[0] == Self.magic, numbers[1] == Self.columnCount else {
      throw GeoIndex.unreadable
    }
    var (columns, start) = ([Range<Int>](), 8 * (2 + Self.columnCount))
    for length in numbers[2..<(2 + Self.columnCount)] {
      guard length <= UInt64(file.count - start) else { throw GeoIndex.unreadable }
      columns.append(start..<(start + Int(length)))
      start = min(file.count, (start + Int(length) + 7) & ~7)
    }
    self.columns = columns
  }

  /// Looks into the columns. They must not escape `body`.
  func read<Answer>(_ body: (NameTables) throws -> Answer) rethrows -> Answer {
    try file.withUnsafeBytes { bytes in
      try body(NameTables(columns.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }))
    }
  }

  static func countryCode(_ letters: some StringProtocol) -> UInt16 {
    letters.utf8.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
  }
}

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

  // One for each alias; texts, languages and keys are positions where a text begins that a zero ends.
  let aliasPlaces: UnsafeBufferPointer<UInt32>
  let aliasTexts: UnsafeBufferPointer<UInt32>
  let aliasKeys: UnsafeBufferPointer<UInt32>
  let aliasLanguages: UnsafeBufferPointer<UInt32>
  let aliasFlags: UnsafeBufferPointer<UInt8>
  let texts: UnsafeBufferPointer<UInt8>
  let keys: UnsafeBufferPointer<UInt8>

  // One for each region: the rank of the place it is, if it is one; the region that stands for its country.
  let areaPlaces: UnsafeBufferPointer<UInt32>
  let areaCountries: UnsafeBufferPointer<UInt16>
  let countryCodes: UnsafeBufferPointer<UInt16>

  // One for each entry, sorted.
  let entryPositions: UnsafeBufferPointer<UInt32>
  let entryAliases: UnsafeBufferPointer<UInt32>
  let entryWeights: UnsafeBufferPointer<UInt8>

  let typoStarts: UnsafeBufferPointer<UInt32>
  let typoSignatures: UnsafeBufferPointer<UInt32>
  let typoAliases: UnsafeBufferPointer<UInt32>
  let soundHashes: UnsafeBufferPointer<UInt32>
  let soundAliases: UnsafeBufferPointer<UInt32>

  fileprivate init(_ columns: [UnsafeRawBufferPointer]) {
    latitudes = columns[0].bindMemory(to: Int32.self)
    longitudes = columns[1].bindMemory(to: Int32.self)
    regions = columns[2].bindMemory(to: UInt16.self)
    classes = columns[3].bindMemory(to: UInt8.self)
    importances = columns[4].bindMemory(to: Float.self)
    firstAliases = columns[5].bindMemory(to: UInt32.self)
    aliasPlaces = columns[6].bindMemory(to: UInt32.self)
    aliasTexts = columns[7].bindMemory(to: UInt32.self)
    aliasKeys = columns[8].bindMemory(to: UInt32.self)
    aliasLanguages = columns[9].bindMemory(to: UInt32.self)
    aliasFlags = columns[10].bindMemory(to: UInt8.self)
    texts = columns[11].bindMemory(to: UInt8.self)
    keys = columns[12].bindMemory(to: UInt8.self)
    areaPlaces = columns[13].bindMemory(to: UInt32.self)
    areaCountries = columns[14].bindMemory(to: UInt16.self)
    countryCodes = columns[15].bindMemory(to: UInt16.self)
    entryPositions = columns[16].bindMemory(to: UInt32.self)
    entryAliases = columns[17].bindMemory(to: UInt32.self)
    entryWeights = columns[18].bindMemory(to: UInt8.self)
    typoStarts = columns[19].bindMemory(to: UInt32.self)
    typoSignatures = columns[20].bindMemory(to: UInt32.self)
    typoAliases = columns[21].bindMemory(to: UInt32.self)
    soundHashes = columns[22].bindMemory(to: UInt32.self)
    soundAliases = columns[23].bindMemory(to: UInt32.self)
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
  func isWhole(_ entry: Int) -> Bool { entryPositions[entry] == aliasKeys[Int(entryAliases[entry])] }

  func text(at start: UInt32) -> String {
    let rest = texts[Int(start)...]
    return String(decoding: rest[..<(rest.firstIndex(of: 0) ?? rest.endIndex)], as: UTF8.self)
  }

  /// False where a name is nothing but the letters A to Z.
  func mayHaveSeveralWords(_ alias: Int) -> Bool {
    var position = Int(aliasTexts[alias])
    while texts[position] != 0 {
      if !(0x41...0x5A).contains(texts[position] & 0xDF) { return true }
      position += 1
    }
    return false
  }

  func keyLength(at start: Int) -> Int {
    var end = start
    while keys[end] != 0 { end += 1 }
    return end - start
  }

  func key(of alias: Int) -> [UInt8] {
    let start = Int(aliasKeys[alias])
    return Array(keys[start..<(start + keyLength(at: start))])
  }
}
