import SystemPackage

/// The offsets of a zone before 1970, from the machine's copy of the IANA database (tzdata).
///
/// Foundation's rules before 1970 are a neighbour's for a fifth of all zones, Oslo's Berlin's and Reykjavík's
/// Abidjan's, since the database joins zones that have agreed from then on. Debian's copy keeps them apart.
struct EarlyOffsets: Hashable, Sendable {
  /// From when on (seconds since 1970) which offset (seconds) was shown, oldest first; the first since ever.
  private let changes: [Change]

  private struct Change: Hashable {
    let start: Int64
    let offset: Int
  }

  /// The offsets of `identifier`, a name of the database; nil where the machine has none that can be read.
  init?(_ identifier: String) {
    guard let file = try? FileSource(FilePath("/usr/share/zoneinfo/" + identifier)),
      let changes = try? Self.changes(file.prefix(at: 0, count: 1 << 16))
    else { return nil }
    self.changes = changes
  }

  /// In seconds, at so many seconds since 1970 (negative).
  func offset(at seconds: Int64) -> Int {
    changes[changes.partitionPoint { $0.start <= seconds } - 1].offset
  }

  /// Reads the second part of a TZif file (RFC 9636, section 3), whose times have 64 bits.
  private static func changes(_ file: Bytes) throws(PhotoError) -> [Change]? {
    guard file.has(Array("TZif".utf8)), try file.u8(4) >= UInt8(ascii: "2") else { return nil }
    let old = try Counts(file, at: 0)
    let start = 44 + old.times * 5 + old.types * 6 + old.letters + old.leaps * 8 + old.flags
    let counts = try Counts(file, at: start)
    let times = start + 44
    let kinds = times + counts.times * 8
    let types = kinds + counts.times
    func offset(ofType type: Int) throws(PhotoError) -> Int {
      Int(Int32(bitPattern: try file.u32(types + type * 6, .big)))
    }
    var changes = [Change(start: .min, offset: try offset(ofType: 0))]
    for index in 0..<counts.times {
      let start = Int64(bitPattern: try file.u64(times + index * 8, .big))
      guard start < 0 else { break }
      changes.append(Change(start: start, offset: try offset(ofType: Int(file.u8(kinds + index)))))
    }
    return changes
  }

  /// How many of each a part's header announces.
  private struct Counts {
    let flags, leaps, times, types, letters: Int

    init(_ file: Bytes, at start: Int) throws(PhotoError) {
      func count(_ index: Int) throws(PhotoError) -> Int { Int(try file.u32(start + 20 + index * 4, .big)) }
      flags = try count(0) + count(1)
      leaps = try count(2)
      times = try count(3)
      types = try count(4)
      letters = try count(5)
    }
  }
}
