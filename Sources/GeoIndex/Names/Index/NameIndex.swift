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
  static let magic = UInt64(0x3353_454D_414E_474D)  // "MGNAMES3"
  static let columnCount = 27
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
