/// What became of the points of one track file.
public struct TrackSource: Hashable, Sendable {
  /// Why a point is not a fix.
  public enum Rejection: String, Sendable, CaseIterable {
    /// It has no time.
    case noTime
    /// It has a time of day, of which nothing says the date.
    case noDate
    /// Its time is no time.
    case malformedTime
    /// Its time has no zone, and the format prescribes none.
    case noZone
    /// It has no position, or one that is no number or out of range.
    case noPosition
    /// The receiver itself says that it had no fix, be it by writing 0, 0.
    case noFix
    /// Its dilution of precision is greater than is to be believed.
    case diluted
    /// Its radius of uncertainty is greater than is to be believed.
    case inaccurate
    /// Its check sum doesn't fit its characters.
    case badCheckSum
    /// It breaks its format's rules.
    case malformed

    /// For a report, of so many: `12 points without time`.
    public func phrase(of count: Int) -> String {
      let (points, lines) = count == 1 ? ("point", "line") : ("points", "lines")
      return switch self {
      case .noTime: "\(count) \(points) without time"
      case .noDate: "\(count) \(points) with a time of day but no date (in NMEA, RMC and ZDA tell it)"
      case .malformedTime: "\(count) \(points) with a malformed time"
      case .noZone: "\(count) \(points) with a time that names no zone"
      case .noPosition: "\(count) \(points) without a valid position"
      case .noFix: "\(count) \(points) without a fix or at 0, 0"
      case .diluted: "\(count) \(points) with a greater dilution of precision than --max-dop"
      case .inaccurate: "\(count) \(points) with a greater error than --max-accuracy"
      case .badCheckSum: "\(count) \(lines) with a wrong check sum"
      case .malformed: "\(count) malformed \(lines)"
      }
    }
  }

  /// What a reader of the track should know.
  public enum Warning: Hashable, Sendable {
    /// So many points came before the one that stands before them; they were sorted.
    case unordered(Int)
    /// So many points have the time of another; the best one was kept.
    case sameTime(Int)
    /// So many times had no zone; they were read as UTC, as the format prescribes.
    case withoutZone(Int)
    /// The file breaks off at this offset (after unpacking); what stands before it was read.
    case brokenOff(Int)
    /// What stands at this offset (after unpacking) breaks the format's rules; so many fixes before it were read, and
    /// nothing behind it.
    case broken(at: Int, fixes: Int)
    /// The check sum over the file is wrong.
    case damaged
    /// So many points have no time of their own: they were spread over the span of their line, at an even speed.
    case spread(Int)
    /// These columns name no unit and were left out.
    case unknownUnits([String])
    /// Times of a table have no zone; this is the first of them.
    case zoneUnsaid(String)
    /// Times of a table can't be read; this is the first of them.
    case timeUnread(String)
    /// So many altitudes are above the ellipsoid, not the sea, and were left out.
    case aboveEllipsoid(Int)
    /// Times count from a start that the file's name tells, read in the zone of the place.
    case startInName(String, zone: String)
    /// There is no fix, but so many places: waypoints, or points without a time.
    case onlyPlaces(Int)
    /// There is no fix, but routes of so many points: a way that is planned, and when nobody went.
    case onlyRoutes(Int)

    /// The warning in words.
    public var sentence: String {
      switch self {
      case .unordered(let count): "\(count) points were out of order and have been sorted by time"
      case .sameTime(let count): "\(count) points have the time of another; the most precise was kept, else the last"
      case .withoutZone(let count): "\(count) times have no zone and were read as UTC, as the format prescribes"
      case .brokenOff(let offset): "the file breaks off at offset \(offset); what stands before it was read"
      case .broken(let offset, let fixes):
        "the file is broken at offset \(offset): \(fixes) fixes before it were read, and what follows it was left out"
      case .damaged: "the check sum of the file is wrong: some of its points may be"
      case .spread(let count): "\(count) points have no time of their own and were spread evenly over their line's span"
      case .unknownUnits(let names):
        "left out, as their headings name no unit (write for example 'speed (km/h)', 'altitude (m)'): "
          + names.joined(separator: ", ")
      case .zoneUnsaid(let time):
        "'\(time)' names no zone: if it is UTC, call its column 'UTC time'; else write the zone behind it (+02:00)"
      case .timeUnread(let time):
        "'\(time)' can't be read as a time: write it as 2024-05-18 10:00:00, 18.05.2024 10:00:00 or in seconds since 1970, or "
          + "say in the heading how a date of six digits is meant, 'date (YYMMDD)'"
      case .aboveEllipsoid(let count):
        "\(count) altitudes are above the ellipsoid, not above the sea (ELL), and were left out"
      case .startInName(let start, let zone):
        "times count from \(start), the start in the file's name, read in the time zone of the place (\(zone))"
      case .onlyPlaces(let count):
        "\(count == 1 ? "a place" : "\(count) places") without a track (waypoints, placemarks): 'metatag place import' keeps such "
          + "places by their names"
      case .onlyRoutes(let count):
        "a route of \(count) points without a track; it says where to go, and not when anyone was there: a track that was "
          + "recorded is wanted"
      }
    }
  }

  /// As given, usually the file's name.
  public let name: String
  /// The format's name.
  public let format: String
  /// How many fixes it gave.
  public let count: Int
  /// How many points were left out, by reason.
  public let rejected: [Rejection: Int]
  /// What a reader should know.
  public let warnings: [Warning]
}
