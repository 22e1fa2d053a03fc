import Foundation

/// The index of names, mapped into memory: every name and word of a name in one sorted list, found by its beginning.
///
/// `keys` holds the folded names, each ended by a zero; an entry is a position in it where a name, a word of it, or a
/// Chinese, Japanese or Korean character begins, and the list of entries is sorted by what stands there.
///
/// Whoever searches for a while has all of it in memory. So what is found in a few steps isn't written down a million
/// times: where the key, the text and the place of an alias are stands there for each block of aliases, and which alias
/// holds a position for each block of keys.
struct NameIndex: Sendable {
  static let magic = UInt64(0x3353_454D_414E_474D)  // "MGNAMES3"
  static let columnCount = 27
  /// Flags of aliases: the place's own name; an ISO, IATA or ICAO code; other initials (`NYC`).
  static let own: UInt8 = 1
  static let code: UInt8 = 2
  static let initials: UInt8 = 4
  /// Its key is that of the place's own name; its text is its key (`capitalised`), and not stored.
  static let ownKey: UInt8 = 8
  static let key: UInt8 = 16
  /// Aliases, and bytes of keys, in a block.
  static let aliasBlock = 16
  static let keyBlock = 64
  static let noCounty = UInt16.max

  private let file: Data
  private let columns: [Range<Int>]

  init(contentsOf path: String) throws(GeoIndexError) {
    do { file = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped) } catch { throw GeoIndexError.unreadable }
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

  /// Bytes.
  var count: Int { file.count }

  /// Looks into the columns. They must not escape `body`.
  func read<Answer>(_ body: (NameTables) throws -> Answer) rethrows -> Answer {
    try file.withUnsafeBytes { bytes in
      try body(NameTables(columns.map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }))
    }
  }

  /// What most names are besides their keys: a first letter of a to z is a capital.
  static func capitalised(_ key: some Collection<UInt8>) -> [UInt8] {
    var text = Array(key)
    if let first = text.first, (0x61...0x7A).contains(first) { text[0] = first - 0x20 }
    return text
  }

  static func countryCode(_ letters: some StringProtocol) -> UInt16 {
    letters.utf8.prefix(2).reduce(0) { $0 << 8 | UInt16($1) }
  }
}
