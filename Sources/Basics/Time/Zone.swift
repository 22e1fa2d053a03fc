import Foundation

/// A time zone: a fixed offset from UTC, or the rules of a place in the IANA database. It is never the machine's own
/// time zone.
///
/// Foundation is used only for instants: its formatters can't represent a civil time within a gap.
public enum Zone: Hashable, Sendable {
  /// A constant offset.
  case fixed(UTCOffset)
  /// The rules of a named time zone.
  case named(Name)

  /// A name in the IANA database that Foundation knows: `Asia/Tokyo`.
  public struct Name: Hashable, Sendable {
    /// The name as it was given.
    public let identifier: String
    fileprivate let rules: TimeZone
    fileprivate let early: EarlyOffsets?

    /// Returns nil if Foundation knows no time zone of this spelling.
    package init?(_ identifier: String) {
      guard let rules = TimeZone(identifier: identifier) else { return nil }
      self.identifier = identifier
      self.rules = rules
      early = EarlyOffsets(identifier)
    }
  }

  /// The possible offsets of a civil time in a time zone.
  public enum Offsets: Hashable, Sendable {
    /// The time occurred once.
    case one(UTCOffset)
    /// Clocks were set back over the time: it occurred twice, first at the offset `earlier`, then at `later`.
    case ambiguous(earlier: UTCOffset, later: UTCOffset)
    /// Clocks were set forward over the time: it never occurred. `before` and `after` are the offsets around the
    /// change.
    case nonexistent(before: UTCOffset, after: UTCOffset)
  }

  /// The choice of the instant for a civil time that occurred twice, or never.
  public enum Fold: String, Sendable, CaseIterable {
    /// The earlier of the two instants.
    case earlier
    /// The later of the two instants.
    case later
  }

  /// Returns the offset at `instant`. Before 1970 it comes from the machine's tzdata if that is installed; otherwise
  /// from Foundation's rules, which for some zones are those of another zone. Local mean times, which have seconds, are
  /// rounded to whole minutes, because EXIF can't write seconds.
  public func offset(at instant: Instant) -> UTCOffset {
    switch self {
    case .fixed(let offset): return offset
    case .named(let name):
      let early = instant.seconds < 0 ? name.early?.offset(at: instant.seconds) : nil
      let exact = early ?? name.rules.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant.seconds)))
      let minutes = (exact + (exact < 0 ? -30 : 30)) / 60
      return UTCOffset(seconds: minutes * 60) ?? .utc  // never nil: no zone is a day away
    }
  }

  /// Returns the offsets at which a clock in this time zone can have shown `civil`.
  public func offsets(forCivil civil: CivilTime) -> Offsets {
    let reading = civil.secondsSince1970
    // The instant is within a day of the reading taken as UTC, and no zone changed twice in that time.
    let before = offset(at: Instant(seconds: reading - 86_400))
    let after = offset(at: Instant(seconds: reading + 86_400))
    let shows = { (offset: UTCOffset) in self.offset(at: Instant(seconds: reading - Int64(offset.seconds))) == offset }
    switch (shows(before), shows(after)) {
    case (true, true): return before == after ? .one(before) : .ambiguous(earlier: before, later: after)
    case (true, false): return .one(before)
    case (false, true): return .one(after)
    case (false, false): return .nonexistent(before: before, after: after)
    }
  }

  /// Returns the offset at which `civil` occurred, or the one that `fold` chooses; nil if a choice is needed but `fold`
  /// is nil.
  package func offset(forCivil civil: CivilTime, fold: Fold?) -> UTCOffset? {
    switch (offsets(forCivil: civil), fold) {
    case (.one(let offset), _): offset
    case (.ambiguous(let earlier, _), .earlier): earlier
    case (.ambiguous(_, let later), .later): later
    // A clock that should have been set forward and wasn't shows the later instant.
    case (.nonexistent(_, let after), .earlier): after
    case (.nonexistent(let before, _), .later): before
    case (_, nil): nil
    }
  }
}

extension Zone: CustomStringConvertible {
  /// The time zone as text: `+09:00` or `Asia/Tokyo`.
  public var description: String {
    switch self {
    case .fixed(let offset): "\(offset)"
    case .named(let name): name.identifier
    }
  }
}

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
