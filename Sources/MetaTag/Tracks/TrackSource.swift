/// A track file, with the counts of its points.
public struct TrackSource: Hashable, Sendable {
  /// The reason why a point is not a fix.
  public enum Rejection: String, Sendable, CaseIterable {
    /// The point has no time.
    case noTime
    /// The point has a time of day, but no date is known for it.
    case noDate
    /// The point's time is malformed.
    case malformedTime
    /// The point's time has no time zone, and the format prescribes none.
    case noZone
    /// The point has no position, or one that is no number or out of range.
    case noPosition
    /// The receiver itself reported that it had no fix, possibly by writing 0, 0.
    case noFix
    /// The point's dilution of precision exceeds the limit.
    case diluted
    /// The point's radius of uncertainty exceeds the limit.
    case inaccurate
    /// The point's checksum is wrong.
    case badCheckSum
    /// The point violates the rules of its format.
    case malformed

    /// Returns a phrase for `count` such points, for a report: `12 points without time`.
    public func phrase(of count: Int) -> String {
      let (points, lines) = count == 1 ? ("point", "line") : ("points", "lines")
      return switch self {
      case .noTime: "\(count) \(points) without time"
      case .noDate: "\(count) \(points) with a time of day but no date (in NMEA, RMC and ZDA have it)"
      case .malformedTime: "\(count) \(points) with a malformed time"
      case .noZone: "\(count) \(points) with a time that names no zone"
      case .noPosition: "\(count) \(points) without a valid position"
      case .noFix: "\(count) \(points) without a fix or at 0, 0"
      case .diluted: "\(count) \(points) with a greater dilution of precision than allowed"
      case .inaccurate: "\(count) \(points) with a greater error than allowed"
      case .badCheckSum: "\(count) \(lines) with a wrong check sum"
      case .malformed: "\(count) malformed \(lines)"
      }
    }
  }

  /// A warning about a track.
  public enum Warning: Hashable, Sendable, CustomStringConvertible {
    /// This many points were earlier than the point before them; they were sorted.
    case unordered(Int)
    /// This many points have the time of another; the best one was kept.
    case sameTime(Int)
    /// This many times had no time zone; they were read as UTC, as the format prescribes.
    case withoutZone(Int)
    /// The file is truncated at this offset (after unpacking); everything before it was read.
    case brokenOff(Int)
    /// The data at this offset (after unpacking) violate the rules of the format. `fixes` is the number of fixes read
    /// before it; nothing after it was read.
    case broken(at: Int, fixes: Int)
    /// The checksum of the file is wrong.
    case damaged
    /// This many points have no time of their own: they were spread over the time span of their line, at constant
    /// speed.
    case spread(Int)
    /// These columns name no unit and were left out.
    case unknownUnits([String])
    /// The times of a table have no time zone; this is the first of them.
    case zoneUnsaid(String)
    /// The times of a table can't be read; this is the first of them.
    case timeUnread(String)
    /// This many altitudes are above the ellipsoid, not above sea level, and were left out.
    case aboveEllipsoid(Int)
    /// The times count from a start that is recorded in the file's name, read in the time zone of the place.
    case startInName(String, zone: String)
    /// There is no fix, but this many places: waypoints, or points without a time.
    case onlyPlaces(Int)
    /// There is no fix, but routes of this many points: planned ways, without times.
    case onlyRoutes(Int)

    /// The remedy; nil if there is none, or if nothing has to be done.
    public var remedy: Remedy? {
      switch self {
      case .unknownUnits: .nameUnits
      case .zoneUnsaid: .declareColumnZone
      case .timeUnread: .writeTimes
      case .onlyPlaces: .importPlaces
      case .onlyRoutes: .exportTrack
      default: nil
      }
    }

    /// The warning in a sentence, without a remedy.
    public var description: String {
      switch self {
      case .unordered(let count): "\(count) points were out of order and have been sorted by time"
      case .sameTime(let count): "\(count) points have the time of another; the most precise was kept, else the last"
      case .withoutZone(let count): "\(count) times have no zone and were read as UTC, as the format prescribes"
      case .brokenOff(let offset): "the file breaks off at offset \(offset); everything before it was read"
      case .broken(let offset, let fixes):
        "the file is broken at offset \(offset): \(fixes) fixes before it were read, and what follows it was left out"
      case .damaged: "the check sum of the file is wrong: some of its points may be"
      case .spread(let count): "\(count) points have no time of their own and were spread evenly over their line's span"
      case .unknownUnits(let names):
        "columns without a unit left out: \(names.joined(separator: ", "))"
      case .zoneUnsaid(let time):
        "'\(time)' has no time zone"
      case .timeUnread(let time):
        "'\(time)' can't be read as a time"
      case .aboveEllipsoid(let count):
        "\(count) altitudes are above the ellipsoid, not above the sea (ELL), and were left out"
      case .startInName(let start, let zone):
        "times count from \(start), the start in the file's name, read in the time zone of the place (\(zone))"
      case .onlyPlaces(let count):
        "no track, only \(count == 1 ? "a place" : "\(count) places") (waypoints, placemarks)"
      case .onlyRoutes(let count):
        "only a planned route of \(count) points (no times)"
      }
    }
  }

  /// The name as given, usually the file's name.
  public let name: String
  /// The name of the format.
  public let format: String
  /// The number of fixes.
  public let count: Int
  /// The numbers of points that were left out, by reason.
  public let rejected: [Rejection: Int]
  /// The warnings about the file.
  public let warnings: [Warning]
}
