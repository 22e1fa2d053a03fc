import Foundation

/// The offsets of a time zone before 1970, from the machine's copy of the IANA database (tzdata).
///
/// Foundation's rules before 1970 are those of another zone for a fifth of all zones (Berlin's for Oslo, Abidjan's for
/// Reykjavík), because the database merges zones that have agreed since then. Debian's copy keeps them separate.
struct EarlyOffsets: Hashable, Sendable {
  /// The offset (seconds) from each start (seconds since 1970) on, oldest first. The first has no beginning.
  private let changes: [Change]

  private struct Change: Hashable {
    let start: Int64
    let offset: Int
  }

  /// Reads the offsets of `identifier`, a name of the database; nil if the machine has no readable file for it.
  init?(_ identifier: String) {
    guard let handle = FileHandle(forReadingAtPath: "/usr/share/zoneinfo/" + identifier),
      let file = try? handle.read(upToCount: 1 << 16), let changes = EarlyOffsets.changes(TZif(bytes: [UInt8](file)))
    else { return nil }
    self.changes = changes
  }

  /// Returns the offset in seconds at a time in seconds since 1970, which is negative.
  func offset(at seconds: Int64) -> Int {
    changes[changes.partitionPoint { $0.start <= seconds } - 1].offset
  }

  /// Reads the second part of a TZif file (RFC 9636, section 3), whose times have 64 bits.
  private static func changes(_ file: TZif) -> [Change]? {
    guard file.isCurrent, let old = file.counts(at: 0) else { return nil }
    let start = 44 + old.times * 5 + old.types * 6 + old.letters + old.leaps * 8 + old.flags
    guard let counts = file.counts(at: start) else { return nil }
    let times = start + 44
    let kinds = times + counts.times * 8
    let types = kinds + counts.times
    func offset(ofType type: UInt8) -> Int? { file.integer(types + Int(type) * 6, Int32.self).map { Int($0) } }
    guard let first = offset(ofType: 0) else { return nil }
    var changes = [Change(start: .min, offset: first)]
    for index in 0..<counts.times {
      guard let start = file.integer(times + index * 8, Int64.self) else { return nil }
      guard start < 0 else { break }
      guard let kind = file.integer(kinds + index, UInt8.self), let offset = offset(ofType: kind) else { return nil }
      changes.append(Change(start: start, offset: offset))
    }
    return changes
  }
}

/// A file of the database. Its numbers are big-endian.
private struct TZif {
  let bytes: [UInt8]

  /// Whether it has 64-bit times.
  var isCurrent: Bool { bytes.starts(with: "TZif".utf8) && bytes.count > 4 && bytes[4] >= UInt8(ascii: "2") }

  /// Reads an integer; nil beyond the end.
  func integer<I: FixedWidthInteger>(_ offset: Int, _: I.Type) -> I? {
    let count = I.bitWidth / 8
    guard offset <= bytes.count - count else { return nil }
    return bytes[offset..<offset + count].reduce(0) { $0 << 8 | I(truncatingIfNeeded: $1) }
  }

  /// Returns the counts in the header of a part.
  func counts(at start: Int) -> (flags: Int, leaps: Int, times: Int, types: Int, letters: Int)? {
    let counts = (0..<6).compactMap { integer(start + 20 + $0 * 4, UInt32.self).map { Int($0) } }
    guard counts.count == 6 else { return nil }
    return (counts[0] + counts[1], counts[2], counts[3], counts[4], counts[5])
  }
}
