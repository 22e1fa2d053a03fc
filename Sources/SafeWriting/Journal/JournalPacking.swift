import Foundation
import GRDB

/// How the journal stores a change in few bytes.
///
/// Rows of earlier versions have other forms: identities as JSON, the folder and the scratch file by name, and each
/// splice as a row of the table `splice`. The view `change` and `FileIdentity.init(stored:)` read both.
extension Journal {
  /// The columns of the view `change`, in the order in which `JournalEntry.init(row:)` reads them.
  private static let columns = [
    "run", "sequence", "folder", "name", "scratch", "method", "state", "reason", "old", "new", "digest", "oldHash",
    "newHash", "undoesRun", "undoesSequence", "bond", "seal", "fingerprint", "origin", "originState", "undo",
  ]

  /// Creates the view `change` for this connection: the table `operation` with whole names, and with NULL for columns
  /// that a journal which an earlier version wrote lacks. An empty database gets none.
  static func createView(_ db: Database) throws {
    guard try db.tableExists("operation") else { return }
    let present = Set(try db.columns(in: "operation").map(\.name))
    let selected = columns.map { column in
      guard present.contains(column) else { return "NULL AS \(column)" }
      guard present.contains("undo") else { return column }
      return switch column {
      case "folder":
        """
        CASE typeof(folder) WHEN 'integer' THEN (SELECT path FROM directory WHERE id = folder) ELSE folder END AS folder
        """
      case "scratch":
        """
        CASE typeof(scratch) WHEN 'integer'
        THEN CAST(printf('\(scratchPrefix)%s-%d-%d\(scratchSuffix)', (SELECT token FROM journal), run, sequence) AS BLOB)
        ELSE scratch END AS scratch
        """
      default: column
      }
    }
    // In memory: a reader may not be able to write anywhere.
    try db.execute(
      sql: """
        PRAGMA temp_store = MEMORY;
        CREATE TEMP VIEW change AS SELECT \(selected.joined(separator: ", ")) FROM operation
        """)
  }
}

/// Numbers in few bytes: seven bits in each, the lowest first; the highest bit says that another byte follows.
struct PackedNumbers {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ number: UInt64) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Adds a number that may be negative: its sign becomes the lowest bit.
  mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number << 1 ^ number >> 63))) }

  /// Reads packed numbers.
  struct Reader {
    private(set) var rest: Data

    init(_ data: Data) { rest = data }

    mutating func number() throws(FileError) -> UInt64 {
      var (number, shift): (UInt64, UInt64) = (0, 0)
      while let byte = rest.popFirst(), shift < 64 {
        number |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return number }
        shift += 7
      }
      throw FileError(.damagedJournal, "the journal is damaged: a row is incomplete")
    }

    mutating func signed() throws(FileError) -> Int {
      let number = try number()
      return Int(truncatingIfNeeded: number >> 1) ^ -Int(truncatingIfNeeded: number & 1)
    }
  }
}

extension FileIdentity {
  /// The bytes that the journal stores. The size comes first, so that files of one size can be found by them.
  var packed: Data {
    var numbers = PackedNumbers()
    numbers.add(size)
    numbers.add(device)
    numbers.add(inode)
    numbers.add(modified.seconds)
    numbers.add(modified.nanoseconds)
    numbers.add(changed.seconds &- modified.seconds)
    numbers.add(changed.nanoseconds)
    return Data(numbers.bytes)
  }

  /// Reads what the journal stores: packed numbers, or JSON in rows of earlier versions.
  ///
  /// - Throws: `.damagedJournal` for anything that the journal would not store.
  init(stored value: DatabaseValue) throws {
    if let json = String.fromDatabaseValue(value) {
      try self.init(json: json)
    } else {
      try self.init(packed: try Data.decode(value))
    }
  }

  init(packed: Data) throws(FileError) {
    var numbers = PackedNumbers.Reader(packed)
    size = try numbers.signed()
    (device, inode) = (try numbers.number(), try numbers.number())
    modified = FileTime(seconds: try numbers.signed(), nanoseconds: try numbers.signed())
    changed = FileTime(seconds: try numbers.signed() &+ modified.seconds, nanoseconds: try numbers.signed())
    guard self.packed == packed else {
      throw FileError(.damagedJournal, "the journal is damaged: a row has no valid file identity")
    }
  }

  /// The beginning of `packed` of all files of `size` bytes.
  static func packed(size: Int) -> Data {
    var numbers = PackedNumbers()
    numbers.add(size)
    return Data(numbers.bytes)
  }
}

extension Data {
  fileprivate static func decode(_ value: DatabaseValue) throws(FileError) -> Data {
    guard let data = Data.fromDatabaseValue(value) else {
      throw FileError(.damagedJournal, "the journal is damaged: a row has no valid file identity")
    }
    return data
  }
}

extension Fingerprint {
  /// Returns the bytes that the journal stores of a fingerprint's `data`: its checksums as they are, its positions as packed
  /// numbers.
  static func packed(_ data: Data) -> Data {
    var numbers = PackedNumbers()
    let words = Fingerprint(data).numbers
    numbers.add(words.first ?? 0)
    var last: UInt64 = 0
    for word in words.dropFirst(5) {
      numbers.add(word &- last)
      last = word
    }
    return data.dropFirst(8).prefix(32) + numbers.bytes
  }

  /// Returns the `data` of which `packed` is the packed form.
  ///
  /// - Throws: `.damagedJournal` if it is incomplete.
  static func unpacked(_ packed: Data) throws(FileError) -> Data {
    var numbers = PackedNumbers.Reader(packed.dropFirst(32))
    var data = Data(try numbers.number().bytes(.little)) + packed.prefix(32)
    var last: UInt64 = 0
    while !numbers.rest.isEmpty {
      last &+= try numbers.number()
      data += last.bytes(.little)
    }
    return data
  }
}

/// The splices of a patch as one value: their ranges, and all their bytes together, compressed if that is shorter.
enum PackedSplices {
  /// Returns the bytes that the journal stores.
  static func packed(_ splices: [Splice]) throws(FileError) -> Data {
    var numbers = PackedNumbers()
    numbers.add(UInt64(splices.count))
    var end = 0
    for splice in splices {
      let parts = [splice.range.lowerBound - end, splice.range.count, splice.bytes.count, splice.use.rawValue]
      for number in parts { numbers.add(UInt64(number)) }
      end = splice.range.upperBound
    }
    let bytes = splices.flatMap(\.bytes)
    let stream = try Zlib.packed(bytes)
    return Data(numbers.bytes + (stream.count < bytes.count ? stream : bytes))
  }

  /// Returns the splices of which `data` is the packed form.
  ///
  /// - Throws: `.damagedJournal` for anything that `packed` would not return.
  static func unpacked(_ data: Data) throws(FileError) -> [Splice] {
    let damage = FileError(.damagedJournal, "the journal is damaged: the bytes of a change can't be read")
    var numbers = PackedNumbers.Reader(data)
    // Compressed bytes are at least a thousandth.
    let most = 1_032 * data.count
    var parts: [(range: Range<Int>, count: Int, use: Splice.Use)] = []
    var (end, total) = (0, 0)
    for _ in 0..<(try numbers.number(atMost: data.count)) {
      let lower = end + (try numbers.number(atMost: .max >> 2))
      end = lower + (try numbers.number(atMost: .max >> 2))
      let count = try numbers.number(atMost: most - total)
      guard end <= .max >> 2, let use = Splice.Use(rawValue: try numbers.number(atMost: 3)) else { throw damage }
      parts.append((lower..<end, count, use))
      total += count
    }
    var bytes = Array(numbers.rest)[...]
    if bytes.count < total { bytes = try Zlib.unpacked(Bytes(Array(bytes)), count: total)[...] }
    guard bytes.count == total else { throw damage }
    return parts.map { part in
      defer { bytes = bytes.dropFirst(part.count) }
      return Splice(part.range, Array(bytes.prefix(part.count)), usedBy: part.use)
    }
  }
}

extension PackedNumbers.Reader {
  /// Reads a number from 0 to `limit`.
  fileprivate mutating func number(atMost limit: Int) throws(FileError) -> Int {
    let number = try number()
    guard number <= UInt64(limit) else {
      throw FileError(.damagedJournal, "the journal is damaged: the bytes of a change can't be read")
    }
    return Int(number)
  }
}
