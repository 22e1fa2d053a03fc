import Foundation

/// How far a civil clock stands from UTC, and when: a fixed offset, or the rules of a place in the IANA database.
/// Never the zone of the machine.
///
/// Foundation is asked only about instants: its formatters know no civil time inside a gap.
public enum Zone: Hashable, Sendable {
  /// The same offset at all times.
  case fixed(UTCOffset)
  /// The rules of a named zone.
  case named(Name)

  /// A name in the IANA database that Foundation knows: `Asia/Tokyo`.
  public struct Name: Hashable, Sendable {
    /// As it was given.
    public let identifier: String
    fileprivate let rules: TimeZone
    fileprivate let early: EarlyOffsets?

    /// Nil where Foundation knows no zone that is spelled so.
    package init?(_ identifier: String) {
      guard let rules = TimeZone(identifier: identifier) else { return nil }
      self.identifier = identifier
      self.rules = rules
      early = EarlyOffsets(identifier)
    }
  }

  /// What a civil reading can mean in a zone.
  public enum Offsets: Hashable, Sendable {
    /// It was shown once.
    case one(UTCOffset)
    /// Clocks were set back over it: it was shown twice, first at `earlier`, then at `later`.
    case ambiguous(earlier: UTCOffset, later: UTCOffset)
    /// Clocks were set forward over it: it was never shown. The offsets `before` and `after` the change.
    case nonexistent(before: UTCOffset, after: UTCOffset)
  }

  /// Which instant is meant by a reading that was shown twice, or never.
  public enum Fold: String, Sendable, CaseIterable {
    /// The earlier of the two instants.
    case earlier
    /// The later of the two instants.
    case later
  }

  /// The offset at `instant`; before 1970 by the machine's tzdata, where it is installed, else by Foundation's rules,
  /// which then are a neighbour's for some zones. Local mean times of before the zones, which have seconds, are rounded
  /// to whole minutes, as EXIF can write no others.
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

  /// The offsets at which a clock in this zone can have shown `civil`.
  public func offsets(forCivil civil: CivilTime) -> Offsets {
    let reading = civil.secondsSince1970
    // The instant lies within a day of the reading taken as UTC, and no zone changed twice in that time.
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

  /// The offset at which `civil` was shown, or the one `fold` chooses; nil when it must be chosen and isn't.
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
  /// `+09:00` or `Asia/Tokyo`.
  public var description: String {
    switch self {
    case .fixed(let offset): "\(offset)"
    case .named(let name): name.identifier
    }
  }
}
